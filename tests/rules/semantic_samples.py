"""Hostile values of every type, and every expression, function, cast and aggregate over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from strategies.ir import (
    AGG_FUNCTIONS,
    ARITH_OPS,
    BIGINT,
    BINARY,
    BOOLEAN,
    COMPARE_OPS,
    DATE,
    DOUBLE,
    FUNCTIONS,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    And,
    Arith,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Expr,
    InList,
    IsNull,
    Item,
    Lit,
    Not,
    NullIf,
    Or,
    Remainder,
    Scan,
    SqlType,
    Table,
    TryArith,
    Value,
    When,
    aggregate_type,
    can_cast,
    common_type,
    type_text,
)

_FINITE = ("0x1.8000000000000p+0", "-0x1.0000000000000p-2", "0x1.fffffffffffffp+1023", "0x0.0000000000001p-1022")
_MOMENTS = (
    "1970-01-01 00:00:00.000000",
    "1969-12-31 23:59:59.999999",
    "2024-02-29 12:34:56.789012",
    "9999-12-31 23:59:59.999999",
)
HOSTILE: dict[SqlType, tuple[Value, ...]] = {
    BOOLEAN: (None, True, False),
    SMALLINT: (None, 0, -1, 99, 32767, -32768),
    INT: (None, 0, -1, 7, 2147483647, -2147483648),
    BIGINT: (None, 0, -1, 2**53 + 1, 2**63 - 1, -(2**63)),
    DOUBLE: (None, "nan", "-0x0.0p+0", "0x0.0p+0", "inf", "-inf", *_FINITE),
    Decimal(10, 2): (None, "0.00", "-0.05", "1.25", "99999999.99", "-99999999.99"),
    Decimal(18, 0): (None, "0", "7", "999999999999999999", "-999999999999999999"),
    Decimal(5, 5): (None, "0.00000", "-0.12345", "0.99999"),
    STRING: (None, "", "a", "ab", " a ", "it's", "a\\_b", "%", "x\ny", "é😀", "${A}", "a\0"),
    BINARY: (None, "", "00", "61", "6162", "ff00"),
    DATE: (None, "1970-01-01", "1969-12-31", "2024-02-29", "1900-03-01", "0001-01-01", "9999-12-31"),
    TIMESTAMP: (None, "1900-01-01 00:00:00.000000", *_MOMENTS),
    TIMESTAMP_NTZ: (None, "0001-01-01 00:00:00.000000", *_MOMENTS),
}
TYPES = tuple(HOSTILE)
X = {kind: Col(f"x{position}", kind) for position, kind in enumerate(TYPES)}
Y = {kind: Col(f"y{position}", kind) for position, kind in enumerate(TYPES)}
ID, GROUP = Col("id", INT), Col("g", INT)

_COLUMNS = tuple(Column(column.name, column.type) for column in (ID, GROUP, *X.values(), *Y.values()))
_SIZE = max(len(values) ** 2 for values in HOSTILE.values())


def _row(number: int) -> tuple[Value, ...]:
    """Row ``number`` of all pairs of each type's values, begun again where a type has fewer."""
    ones = [values[number % len(values)] for values in HOSTILE.values()]
    others = [values[number // len(values) % len(values)] for values in HOSTILE.values()]
    return (number, (0, 1, 2, None)[number % 4], *ones, *others)


HOSTILE_TABLE = Table("pairs", _COLUMNS, tuple(_row(number) for number in range(_SIZE)))
"""Every pair of values of each type, in two columns of that type, numbered by ``id`` and in four groups ``g``."""
PAIRS = Scan("pairs", _COLUMNS)
HOSTILE_DATABASE = Database((HOSTILE_TABLE,))

_CONSTANTS: dict[str, tuple[tuple[Value, ...], ...]] = {
    "substring": ((1, 2), (2, 50), (3, 0), (-1, 1), (-2, 1), (-50, 51)),
    "left": ((0,), (1,), (50,)),
    "right": ((0,), (1,), (50,)),
    "lpad": ((3, "*"), (0, "ab"), (-1, "x"), (5, "é😀")),
    "like": (("%",), ("",), ("_",), ("a%",), (r"\\",), (r"a\_b",), ("%'%",), ("%\n%",), ("_a",), ("%\0",)),
    "date_add": ((0,), (1,), (-1,), (10_000,), (-10_000,)),
}


def _calls() -> Iterator[tuple[str, Expr]]:
    for name, signature in FUNCTIONS.items():
        for constants in _CONSTANTS.get(name, ((),)):
            literals = dict(zip(signature.constants, constants, strict=True))
            arguments = tuple(
                Lit(kind, literals[position]) if position in literals else (X, Y)[position % 2][kind]
                for position, kind in enumerate(signature.arguments)
            )
            yield f"{name}{ascii(constants) if constants else ''}", Call(name, arguments)


def _comparisons() -> Iterator[tuple[str, Expr]]:
    for one, two in product(TYPES, TYPES):
        if common_type(one, two) is not None:
            for op in COMPARE_OPS if one == two else ("=", "<", "<=>"):
                yield f"{type_text(one)} {op} {type_text(two)}", Compare(op, X[one], Y[two])


def _casts() -> Iterator[tuple[str, Expr]]:
    for source, target in product(TYPES, (*TYPES, Decimal(28, 10), Decimal(38, 18))):
        if can_cast(source, target):
            yield f"{type_text(source)} as {type_text(target)}", Cast(X[source], target)


def _for_each_type() -> Iterator[tuple[str, Expr]]:
    for kind, values in HOSTILE.items():
        x, y, text = X[kind], Y[kind], type_text(kind)
        constants = tuple(Lit(kind, value) for value in values)
        yield f"{text} is null", IsNull(x)
        yield f"{text} is not null", IsNull(x, negated=True)
        yield f"{text} in", InList(x, (y, constants[-1]))
        yield f"{text} in constants", InList(x, constants[1:3])
        yield f"{text} not in with null", InList(x, constants[:2], negated=True)
        yield f"{text} between", Between(x, constants[1], y)
        yield f"{text} not between", Between(x, y, constants[-1], negated=True)
        yield f"{text} case", CaseWhen((When(IsNull(x), y), When(Compare("<", x, y), x)), constants[-1])
        yield f"{text} case without else", CaseWhen((When(X[BOOLEAN], x),))
        yield f"{text} coalesce", Coalesce((x, y, constants[1]))
        yield f"{text} coalesce of one", Coalesce((x,))
        yield f"{text} nullif", NullIf(x, y)
        for value, constant in zip(values, constants, strict=True):
            yield f"{text} constant {value!a}", constant


def _arithmetic() -> Iterator[tuple[str, Expr]]:
    for kind, op in product((*INTEGERS, DOUBLE), ARITH_OPS):
        yield f"{type_text(kind)} try {op}", TryArith(op, X[kind], Y[kind])
    for kind, op in product(INTEGERS, ARITH_OPS):
        yield f"{type_text(kind)} {op}", Arith(op, Remainder(X[kind], 100), Remainder(Y[kind], 100))
    for op in ARITH_OPS:
        yield f"DOUBLE {op}", Arith(op, X[DOUBLE], Y[DOUBLE])
    for kind, divisor in product(INTEGERS, (1, 2, -7, 100)):
        yield f"{type_text(kind)} % {divisor}", Remainder(X[kind], divisor)


SCALARS: dict[str, dict[str, Expr]] = {
    "logic": {"and": And(X[BOOLEAN], Y[BOOLEAN]), "or": Or(X[BOOLEAN], Y[BOOLEAN]), "not": Not(X[BOOLEAN])},
    "each type": dict(_for_each_type()),
    "arithmetic": dict(_arithmetic()),
    "comparisons": dict(_comparisons()),
    "casts": dict(_casts()),
    "functions": dict(_calls()),
}

# What can be summed in any order with one result: no overflow, no rounding.
_SUMMABLE: dict[SqlType, Expr] = {
    BIGINT: Remainder(X[BIGINT], 1000),
    DOUBLE: CaseWhen((When(Compare("<", Call("abs", (X[DOUBLE],)), Lit(DOUBLE, "0x1.0000000000000p+6")), X[DOUBLE]),)),
}
_WHERE = Compare(">=", Y[INT], Lit(INT, 0))


def _aggregates() -> Iterator[tuple[str, Agg]]:
    yield "count(*)", Agg("count")
    yield "count(*) filter", Agg("count", where=_WHERE)
    for function, kind in product(AGG_FUNCTIONS, TYPES):
        if aggregate_type(function, kind) is not None:
            operand = _SUMMABLE.get(kind, X[kind]) if function in ("sum", "avg") else X[kind]
            yield f"{function}({type_text(kind)})", Agg(function, operand)
            yield f"{function}({type_text(kind)}) filter", Agg(function, operand, where=_WHERE)
    yield "sum(DOUBLE) with NaN", Agg("sum", NullIf(X[DOUBLE], Lit(DOUBLE, _FINITE[2])))


def _distinct_aggregates() -> Iterator[tuple[str, Agg]]:
    for name, aggregate in _aggregates():
        if aggregate.operand is not None and aggregate.where is None:
            distinct = Agg(aggregate.function, aggregate.operand, distinct=True)
            yield name.replace("(", "(distinct ", 1), distinct
    yield "count(distinct INT) filter", Agg("count", X[INT], distinct=True, where=_WHERE)
    yield "sum(distinct INT) filter", Agg("sum", X[INT], distinct=True, where=_WHERE)


AGGREGATES: dict[str, dict[str, Agg]] = {"plain": dict(_aggregates()), "distinct": dict(_distinct_aggregates())}


def items(named: Mapping[str, Expr | Agg]) -> tuple[Item, ...]:
    """A select list of all of them, under short names."""
    return tuple(Item(f"c{position}", value) for position, value in enumerate(named.values()))
