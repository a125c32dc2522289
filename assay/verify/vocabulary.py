"""The expressions of small queries, by their parts: how much each says beyond the simplest one of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    INTEGERS,
    STRING,
    Agg,
    And,
    Arith,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Compare,
    Decimal,
    Expr,
    Field,
    InList,
    IsNull,
    Lit,
    Not,
    NullIf,
    Or,
    RaiseError,
    RaisingArith,
    RaisingCast,
    SqlType,
    TryArith,
    TryCast,
    Value,
    When,
)

VALUES = 2
"""The values beside NULL of a column of whole numbers or text, unless the user says otherwise."""

CENTS = Decimal(4, 2)
"""The type of decimals in small queries."""

_MOST = Lit(INT, 2**31 - 1)
_SPECIAL: dict[SqlType, tuple[Value, ...]] = {
    DOUBLE: ("-0x0.0p+0", "0x0.0p+0", "0x1.0000000000000p+0", "nan"),
    BOOLEAN: (False, True),
    CENTS: ("0.00", "0.01"),
}


def domain(kind: SqlType, values: int = VALUES) -> tuple[Value, ...]:
    """The values of a column of ``kind``: NULL, and then so many ``values``, each less than the next one.

    DOUBLE always has both zeros, a number and NaN, BOOLEAN both of its values; the first text is empty.
    """
    special = _SPECIAL.get(kind)
    return (None, *(special or (number if kind in INTEGERS else "a" * number for number in range(values))))


def constant(kind: SqlType) -> Lit | None:
    """The constant that is compared with columns of ``kind``: 0, an empty text, or TRUE; None for any other type."""
    values: dict[SqlType, Value] = {DOUBLE: "0x0.0p+0", INT: 0, BIGINT: 0, STRING: "", BOOLEAN: True, CENTS: "0.00"}
    return Lit(kind, values[kind]) if kind in values else None


def greatest(kind: SqlType) -> Lit:
    """The greatest value of the usual domain of ``kind``."""
    return Lit(kind, domain(kind)[-1])


@lru_cache(maxsize=4096)
def predicates(fields: tuple[Field, ...], parts: int) -> tuple[Expr, ...]:
    """The conditions of exactly ``parts`` parts over ``fields``.

    Without a part: a column equals the constant of its type. Another form of condition is one part, and so is each NOT,
    AND and OR. The operands of AND and OR are not turned round.
    """
    if parts < 0:
        return ()
    found = list(_atoms(fields, parts))
    if parts:
        found += [Not(operand) for operand in predicates(fields, parts - 1) if not isinstance(operand, Not)]
        for left in range(parts):
            pairs = [
                (one, other)
                for place, one in enumerate(predicates(fields, left))
                for at, other in enumerate(predicates(fields, parts - 1 - left))
                if left < parts - 1 - left or (left == parts - 1 - left and place < at)
            ]
            found += [connect(one, other) for connect in (And, Or) for one, other in pairs]
    return tuple(found)


def _atoms(fields: Sequence[Field], parts: int) -> Iterator[Expr]:
    if parts > 1:
        return
    for place, field in enumerate(fields):
        column, value = field.column(), constant(field.type)
        if value is None:
            continue
        if not parts:
            yield Compare("=", column, value)
            continue
        yield IsNull(column)
        yield IsNull(column, negated=True)
        yield Compare(">", column, value)
        yield Compare("<=", column, value)
        yield Compare(">=", column, value)
        if field.type in INTEGERS:
            yield Compare("<=", column, greatest(field.type))
        yield Compare("<=>", column, value)
        yield Compare("<=>", Compare("=", column, value), Lit(BOOLEAN, True))
        yield InList(column, (value, Lit(field.type, None)))
        yield InList(column, (value, greatest(field.type)))
        yield InList(column, (Lit(field.type, None),))
        yield Compare("<=>", column, Lit(field.type, None))
        yield Compare("=", Coalesce((column, value)), value)
        yield Compare("=", column, column)
        yield Compare("<", column, column)
        yield Compare("<=", column, column)
        if field.type == INT:
            yield InList(column, (*(Lit(INT, number) for number in range(2, 12)), value))
        for other in fields[place + 1 :]:
            if other.type == field.type:
                yield from (Compare(op, column, other.column()) for op in ("=", "<=>", "<"))
                yield InList(column, (value, other.column()))
    if parts:
        yield from (Lit(BOOLEAN, False), Lit(BOOLEAN, None), Compare("=", Lit(INT, None), Lit(INT, 0)))


@lru_cache(maxsize=4096)
def matches(left: Field, right: Field, parts: int) -> tuple[Expr, ...]:
    """The conditions of ``parts`` parts that compare a column of one side of a join with one of the other."""
    if left.type != right.type:
        return ()
    one, other = left.column(), right.column()
    return (Compare("=", one, other),) if not parts else (Compare("<=>", one, other), Compare("<", one, other))


@lru_cache(maxsize=4096)
def computed(fields: tuple[Field, ...]) -> tuple[Expr, ...]:
    """The expressions of one part over ``fields`` that are no columns."""
    return tuple(_computed(fields))


def _computed(fields: Sequence[Field]) -> Iterator[Expr]:
    yield Lit(INT, 1)
    yield Lit(BOOLEAN, None)
    yield Compare("=", Lit(INT, None), Lit(INT, 0))
    yield TryArith("+", _MOST, Lit(INT, 1))
    for place, field in enumerate(fields):
        column, value = field.column(), constant(field.type)
        if value is None:
            continue
        yield Compare("=", column, value)
        yield IsNull(column)
        yield Coalesce((Lit(field.type, None), column, value))
        yield Coalesce((column, value))
        yield NullIf(column, value)
        yield InList(column, (value, Lit(field.type, None)))
        yield CaseWhen((When(Compare("=", column, value), greatest(field.type)),), value)
        yield CaseWhen((When(Compare("=", column, value), Lit(BOOLEAN, True)),), Lit(BOOLEAN, False))
        yield Not(And(Compare("=", column, value), Compare("=", column, greatest(field.type))))
        if field.type == INT:
            yield Cast(column, BIGINT)
            yield Cast(Cast(Arith("+", column, column), BOOLEAN), INT)
            yield TryCast(Cast(column, STRING), INT)
            yield Arith("+", column, value)
            yield TryArith("+", column, _MOST)
            yield Call("greatest", (column, value))
            yield from _out_of_range(column)
            yield from _raising(column, value)
        if field.type == DOUBLE:
            yield Cast(TryCast(column, INT), DOUBLE)
        if field.type == STRING:
            yield RaisingCast(column, INT)
        if field.type == BOOLEAN:
            yield Not(column)
        for other in fields[place + 1 :]:
            if other.type == field.type:
                yield NullIf(column, other.column())
                yield Compare("<=>", column, other.column())
                if field.type in INTEGERS:
                    yield Arith("*", column, other.column())


def _out_of_range(column: Expr) -> Iterator[Expr]:
    """Whole numbers that have no room in the type that they pass, or would have none in a narrower one."""
    large = Arith("*", Cast(column, BIGINT), Lit(BIGINT, 2**31))
    yield Cast(TryCast(large, INT), DOUBLE)
    yield Arith("+", Cast(Arith("*", column, _MOST), BIGINT), Cast(column, BIGINT))


def _raising(column: Expr, value: Expr) -> Iterator[Expr]:
    """Expressions that raise, and expressions of which a part would, if anything asked for it."""
    rest = RaisingArith("%", Lit(INT, 1), column)
    yield rest
    yield Coalesce((column, rest))
    yield CaseWhen((When(Compare(">", column, value), rest),), value)
    yield CaseWhen((When(Compare("=", column, value), RaiseError("none", INT)),), column)


def aggregates(fields: Sequence[Field], parts: int) -> Iterator[Agg]:
    """The aggregate functions of ``parts`` parts over ``fields``: count(*) has none, nor have greatest values."""
    if not parts:
        yield Agg("count")
        yield from (Agg("max", field.column()) for field in fields)
        return
    for field in fields:
        column, value = field.column(), constant(field.type)
        if parts == 1:
            yield Agg("count", column)
            yield Agg("count", column, distinct=True)
            yield Agg("min", column)
            if field.type in (*INTEGERS, CENTS):
                yield Agg("sum", column)
            if field.type == CENTS:
                yield Agg("avg", column)
        if parts == 2 and value is not None:
            where = Compare("=", column, value)
            yield Agg("count", where=where)
            yield Agg("max", column, distinct=True)
            yield Agg("max", column, distinct=True, where=where)
            yield Agg("count", column, distinct=True, where=where)
            yield Agg("count_if", where)
            yield Agg("every", where)
            if field.type == CENTS:
                yield Agg("sum", column, where=IsNull(column, negated=True))
                yield Agg("sum", column, where=where)
            if field.type in INTEGERS:
                yield Agg("sum", column, distinct=True)
