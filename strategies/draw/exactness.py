"""Find the doubles whose sums are exact in any order; for others, the last bits of the engines' sums would differ.

A double column is exact if all its finite values are multiples of one power of two, and so small that the sum of all
rows fits into 53 bits. The analysis covers sums, products and casts; an average is never exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from strategies.draw.values import domain
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    SMALLINT,
    TINYINT,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Arith,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Deduplicate,
    Distinct,
    Expr,
    Field,
    Filter,
    Generate,
    GroupingSets,
    Join,
    Limit,
    Lit,
    Map,
    MapRead,
    NullIf,
    OneRow,
    Peek,
    Pivot,
    Project,
    RandomColumn,
    Ranking,
    Recursive,
    Relation,
    Repartition,
    RowNumbers,
    Scan,
    SetOp,
    Sort,
    SqlType,
    TryArith,
    Typed,
    Unpivot,
    Values,
    Window,
    With,
    inlined,
    resolve,
)

MAX_ROW_BITS = 14
"""Every relation of strategies.draw.queries has fewer than 2 ** 14 rows."""

_MANTISSA = 53
_INTEGER_BITS: dict[SqlType, int] = {BOOLEAN: 1, TINYINT: 7, SMALLINT: 15, INT: 31, BIGINT: 63}


@dataclass(frozen=True, slots=True)
class Bits:
    """Doubles below ``2 ** whole`` that are multiples of ``2 ** -fraction``, besides NaN and infinities."""

    whole: int
    fraction: int

    @property
    def summable(self) -> bool:
        """Whether the sum over a relation is exact."""
        return self.whole + self.fraction + MAX_ROW_BITS <= _MANTISSA


FieldBits = tuple[Bits | None, ...]
"""One entry per field; None if it isn't a double or a map of doubles, or isn't exact."""


def _widest(parts: Sequence[Bits | None]) -> Bits | None:
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    return Bits(max(part.whole for part in known), max(part.fraction for part in known))


def _of_number(number: float) -> Bits:
    if not isfinite(number):
        return Bits(0, 0)
    numerator, denominator = abs(number).as_integer_ratio()
    return Bits((numerator // denominator).bit_length(), denominator.bit_length() - 1)


def _of_text(text: object) -> Bits:
    return _of_number(float.fromhex(str(text)))


_OF_CELLS = _widest([_of_text(text) for text in domain(DOUBLE)])


def expression_bits(expression: Expr, fields: Sequence[Field], bits: FieldBits) -> Bits | None:
    """Bits of a DOUBLE ``expression`` over ``fields`` with the given ``bits``; None if it isn't exact."""

    def of(part: Expr) -> Bits | None:
        return expression_bits(part, fields, bits)

    match expression:
        case Lit(value=value):
            return Bits(0, 0) if value is None else _of_text(value)
        case Col():
            return next((bit for field, bit in zip(fields, bits, strict=True) if resolve(expression, [field])), None)
        case Cast(operand=operand):
            whole = _INTEGER_BITS.get(operand.type)
            return Bits(whole, 0) if whole is not None else of(operand) if operand.type == DOUBLE else None
        case CaseWhen(branches=branches, otherwise=otherwise):
            results = [branch.result for branch in branches] + ([otherwise] if otherwise else [])
            return _widest([of(result) for result in results])
        case Coalesce(operands=operands):
            return _widest([of(operand) for operand in operands])
        case NullIf(left=operand) | MapRead(operand=operand):
            return of(operand)
        case Arith(op=op, left=left, right=right) | TryArith(op=op, left=left, right=right):
            one, two = of(left), of(right)
            if one is None or two is None:
                return None
            if op == "*":
                return Bits(one.whole + two.whole, one.fraction + two.fraction)
            return Bits(max(one.whole, two.whole) + 1, max(one.fraction, two.fraction))
        case Call(function="abs" | "negative" | "nanvl" | "nvl" | "greatest" | "least", arguments=arguments):
            return _widest([of(argument) for argument in arguments])
        case Call(function="if" | "nvl2", arguments=(_, *results)):
            return _widest([of(result) for result in results])
    return None


def integer_bits(expression: Expr) -> int:
    """The bits of the greatest magnitude that an integer ``expression`` may have."""
    match expression:
        case Lit(value=int() as value):
            return value.bit_length()
        case Cast(operand=operand) if operand.type in _INTEGER_BITS:
            return min(integer_bits(operand), _INTEGER_BITS[expression.type])
        case Arith(op=op, left=left, right=right):
            one, two = integer_bits(left), integer_bits(right)
            return one + two if op == "*" else max(one, two) + 1
    return _INTEGER_BITS[expression.type]


def is_summable(expression: Expr) -> bool:
    """Whether the sum of an integer ``expression`` over a relation fits into a BIGINT."""
    return integer_bits(expression) + MAX_ROW_BITS < _INTEGER_BITS[BIGINT]


_BITS_OF_SHARES = 2
"""The bits after the point of the shares that percentiles are drawn with: a quarter of a difference has two more."""


def _item_bits(value: Expr | Agg, child: Relation, bits: FieldBits) -> Bits | None:
    if value.type != DOUBLE:
        return None
    if not isinstance(value, Agg):
        return expression_bits(value, child.fields, bits)
    if value.function == "avg" or value.operand is None:
        return None
    operand = expression_bits(value.operand, child.fields, bits)
    if operand is None or value.function not in ("sum", "percentile"):
        return operand
    if value.function == "percentile":
        return Bits(operand.whole, operand.fraction + _BITS_OF_SHARES)
    return Bits(operand.whole + MAX_ROW_BITS, operand.fraction)


def _constant_bits(value: Expr | Agg) -> Bits | None:
    return expression_bits(value, (), ()) if value.type == DOUBLE and isinstance(value, Expr) else None


def _over_bits(function: Ranking | Peek | Agg, child: Relation, bits: FieldBits) -> Bits | None:
    if isinstance(function, Agg):
        return _item_bits(function, child, bits)
    if isinstance(function, Ranking) or function.type != DOUBLE:
        return None
    found = [part for part in (function.operand, function.default) if part is not None]
    return _widest([expression_bits(part, child.fields, bits) for part in found])


def _side_bits(side: Relation, bits: FieldBits) -> FieldBits:
    """``bits`` with entries for the integers of a side that is widened to doubles."""
    return tuple(
        Bits(_INTEGER_BITS[field.type], 0) if field.type in _INTEGER_BITS else bit
        for field, bit in zip(side.fields, bits, strict=True)
    )


def _recursive_bits(relation: Recursive) -> FieldBits:
    first = bits = (*field_bits(relation.child), None)
    for _ in range(relation.steps):
        made = [_item_bits(value, relation, bits) for value in relation.next_row]
        bits = tuple(_widest(pair) for pair in zip(first, (*made, None), strict=True))
    return bits


def _holds_doubles(kind: SqlType) -> bool:
    return kind == DOUBLE or (isinstance(kind, Map) and kind.value == DOUBLE)


def field_bits(relation: Relation) -> FieldBits:
    """Bits of each field of ``relation`` over any database that strategies.draw.tables draws."""
    match relation:
        case Scan():
            return tuple(_OF_CELLS if _holds_doubles(field.type) else None for field in relation.fields)
        case Alias(child=child) | Filter(child=child) | Distinct(child=child) | Deduplicate(child=child):
            return field_bits(child)
        case Limit(child=child) | AnyLimit(child=child) | Sort(child=child) | Repartition(child=child):
            return field_bits(child)
        case Project(child=child, items=items):
            below = field_bits(child)
            return tuple(_item_bits(item.value, child, below) for item in items)
        case Aggregate(child=child, keys=keys, aggregates=aggregates):
            below = field_bits(child)
            return tuple(_item_bits(item.value, child, below) for item in (*keys, *aggregates))
        case OneRow(items=items):
            return tuple(_constant_bits(item.value) for item in items)
        case Values(rows=rows):
            return tuple(
                _widest([Bits(0, 0) if cell.value is None else _of_text(cell.value) for cell in cells])
                if field.type == DOUBLE
                else None
                for field, cells in zip(relation.fields, zip(*(row.cells for row in rows), strict=True), strict=True)
            )
        case GroupingSets(child=child, keys=keys, aggregates=aggregates, ids=ids):
            below = field_bits(child)
            computed = (_item_bits(item.value, child, below) for item in (*keys, *aggregates))
            return (*computed, *(None for _ in ids))
        case Pivot(child=child, keys=keys, aggregate=aggregate, values=values):
            below = field_bits(child)
            return (
                *(_item_bits(key.value, child, below) for key in keys),
                *[_item_bits(aggregate, child, below)] * len(values),
            )
        case Unpivot(child=child, columns=columns):
            below = field_bits(child)
            value = _widest([_item_bits(column, child, below) for column in columns])
            return (*(below[place] for place in relation.kept), None, value if columns[0].type == DOUBLE else None)
        case Window(child=child, columns=columns):
            below = field_bits(child)
            return (*below, *(_over_bits(over.function, child, below) for over in columns))
        case Generate(child=child) | RowNumbers(child=child) | RandomColumn(child=child):
            return field_bits(child) + (None,) * (len(relation.fields) - len(child.fields))
        case Join(left=left, right=right, kind=kind):
            return field_bits(left) + (() if kind in ("semi", "anti") else field_bits(right))
        case Typed():
            return field_bits(relation.meaning)
        case Recursive():
            return _recursive_bits(relation)
        case With():
            return field_bits(inlined(relation))
        case SetOp(left=left, right=right):
            sides = zip(_side_bits(left, field_bits(left)), _side_bits(right, field_bits(right)), strict=True)
            return tuple(
                _widest(pair) if field.type == DOUBLE else None
                for field, pair in zip(relation.fields, sides, strict=True)
            )
    raise TypeError(f"no bits known for {type(relation).__name__}")
