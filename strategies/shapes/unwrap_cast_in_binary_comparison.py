"""UnwrapCastInBinaryComparison: a widened column compared with a constant, which the column's own type may not have."""

from __future__ import annotations

from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    COMPARE_OPS,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP_NTZ,
    Case,
    Cast,
    Column,
    Compare,
    CompareOp,
    Decimal,
    Expr,
    InList,
    IsNull,
    Lit,
    SqlType,
    TryCast,
    Value,
    integer_range,
)
from strategies.shapes.branches import in_either_order
from strategies.shapes.places import anywhere, filtered, miss_over, projected

RULE = "UnwrapCastInBinaryComparison"
_EXACT, _TWENTY = Decimal(12, 2), Decimal(20, 0)
_ORDERS: tuple[CompareOp, ...] = (">", ">=", "<", "<=")


def _near(*bounds: int) -> tuple[int, ...]:
    """The bounds, and the numbers right beside each."""
    return tuple(bound + by for bound in bounds for by in (0, 1, -1))


_SMALL, _WHOLE = _near(0, *integer_range(SMALLINT)), _near(0, *integer_range(INT))
_HALVES = (0.5, -0.5, 0.0, -0.0, 1.0, 1.5, -1.5)
_ABOUT: dict[tuple[SqlType, SqlType], tuple[Value, ...]] = {
    (SMALLINT, INT): _SMALL,
    (SMALLINT, BIGINT): _SMALL,
    (INT, BIGINT): _WHOLE,
    (SMALLINT, DOUBLE): (*(half.hex() for half in (*_HALVES, 32767.5, -32768.5)), "nan", "inf", "-inf"),
    (INT, DOUBLE): (*(half.hex() for half in (*_HALVES, 2147483647.0, 2147483647.5)), "nan", "inf", "-inf"),
    (INT, _EXACT): ("0.50", "-0.50", "0.00", "1.00", "1.49", "1.50", "2147483647.50", "-2147483649.00"),
    (BIGINT, _TWENTY): tuple(str(bound) for bound in _near(0, *integer_range(BIGINT))),
    (BOOLEAN, INT): (0, 1, 2, -1),
    (DATE, TIMESTAMP_NTZ): tuple(
        f"{day} {time}"
        for day in ("1970-01-01", "2024-02-29", "1969-12-31")
        for time in ("00:00:00.000000", "00:00:00.000001", "12:00:00.000000")
    ),
    (TIMESTAMP_NTZ, DATE): ("1970-01-01", "2024-02-29", "1969-12-31", "2024-03-01"),
}
"""For a cast from one type to another constants on both sides of what the narrower type has."""


def _wider(column: Expr) -> list[SqlType]:
    return [to for source, to in _ABOUT if source == column.type]


def _constants(draw: DrawFn, column: Expr, to: SqlType, count: int) -> tuple[Lit, ...]:
    return tuple(Lit(to, pick(draw, _ABOUT[column.type, to])) for _ in range(count))


def _compared(draw: DrawFn, column: Expr, to: SqlType) -> Expr:
    op = pick(draw, COMPARE_OPS)
    if (column.type, to) == (TIMESTAMP_NTZ, DATE) and op == "<=>":
        op = "="  # A moment's day is compared null-safely as it is.
    (constant,) = _constants(draw, column, to, 1)
    return Compare(op, *in_either_order(draw, Cast(column, to), constant))


def _unwrapped(draw: DrawFn, fields: Fields) -> Expr:
    """A comparison of a column that has a wider type, or of whether one that hasn't is NULL."""
    column = pick(draw, columns(fields))
    value = column if _wider(column) else IsNull(column)
    return _compared(draw, value, pick(draw, _wider(value)))


def fires() -> SearchStrategy[Case]:
    """Comparisons of widened columns with constants; shrinks to ``WHERE CAST(a AS BIGINT) = 0``."""
    return anywhere(_unwrapped)


_NUMBERS = (Column("s", SMALLINT), Column("a", INT))
_TIMES = (Column("d", DATE), Column("t", TIMESTAMP_NTZ))


def _edge(draw: DrawFn, fields: Fields) -> Expr:
    """A constant at, or right beyond, the ends of the narrower type."""
    small, _ = columns(fields)
    constant = Lit(INT, pick(draw, _SMALL[3:]))
    return Compare(pick(draw, (*_ORDERS, *COMPARE_OPS)), *in_either_order(draw, Cast(small, INT), constant))


def _fraction(draw: DrawFn, fields: Fields) -> Expr:
    """A constant between two numbers of the narrower type."""
    column = pick(draw, columns(fields))
    constant = Lit(DOUBLE, pick(draw, (0.5, -0.5, 1.5, -1.5)).hex())
    return Compare(pick(draw, (*_ORDERS, *COMPARE_OPS)), *in_either_order(draw, Cast(column, DOUBLE), constant))


def _listed(draw: DrawFn, fields: Fields) -> Expr:
    """A list, some of whose items the narrower type doesn't have."""
    small, _ = columns(fields)
    items = (*_constants(draw, small, INT, pick(draw, (1, 2))), Lit(INT, pick(draw, (0, 1, 40_000))))
    more = (Lit(INT, None),) if pick(draw, (False, True)) else ()
    return InList(Cast(small, INT), (*items, *more), pick(draw, (False, True)))


def _day(draw: DrawFn, fields: Fields) -> Expr:
    """The day of a moment."""
    _, moment = columns(fields)
    (day,) = _constants(draw, moment, DATE, 1)
    return Compare(pick(draw, ("=", "<>", *_ORDERS)), *in_either_order(draw, Cast(moment, DATE), day))


def _midnight(draw: DrawFn, fields: Fields) -> Expr:
    """The first moment of a day."""
    day, _ = columns(fields)
    (moment,) = _constants(draw, day, TIMESTAMP_NTZ, 1)
    return Compare(pick(draw, COMPARE_OPS), *in_either_order(draw, Cast(day, TIMESTAMP_NTZ), moment))


def _inexact(draw: DrawFn, fields: Fields) -> Expr:
    """A number that DOUBLE need not have, so that several become one."""
    (wide,) = columns(fields)
    constant = Lit(DOUBLE, pick(draw, (0.0, 1.5, float(2**53), float(2**63))).hex())
    return Compare(pick(draw, COMPARE_OPS), Cast(wide, DOUBLE), constant)


def _tried(draw: DrawFn, fields: Fields) -> Expr:
    """A cast that is NULL for what doesn't fit."""
    (wide,) = columns(fields)
    return Compare(pick(draw, COMPARE_OPS), TryCast(wide, INT), Lit(INT, pick(draw, (0, 1, 2**31 - 1))))


def _text(draw: DrawFn, fields: Fields) -> Expr:
    """Text has another order."""
    number = pick(draw, columns(fields))
    return Compare(pick(draw, COMPARE_OPS), Cast(number, STRING), Lit(STRING, pick(draw, ("1", "-1", "10", "2"))))


def _with_a_column(draw: DrawFn, fields: Fields) -> Expr:
    small, number = columns(fields)
    return Compare(pick(draw, COMPARE_OPS), *in_either_order(draw, Cast(small, INT), number))


_miss = partial(miss_over, columns=_NUMBERS)
_WIDE = (Column("w", BIGINT),)


NEAR_MISSES = (
    _miss("edge", _edge, projected, fires=True, weight=16),
    _miss("fraction", _fraction, projected, fires=True, weight=3),
    _miss("listed", _listed, projected, fires=True, weight=4),
    _miss("day", _day, projected, fires=True, columns=_TIMES, weight=4),
    _miss("midnight", _midnight, projected, fires=True, columns=_TIMES, weight=2),
    _miss("inexact", _inexact, projected, fires=False, columns=_WIDE),
    _miss("tried", _tried, projected, fires=False, columns=_WIDE),
    _miss("text", _text, filtered, projected, fires=False),
    _miss("with_a_column", _with_a_column, filtered, projected, fires=False),
)
