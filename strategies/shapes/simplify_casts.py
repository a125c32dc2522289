"""SimplifyCasts: casts to the type that is there already, and those between two that only widen."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
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
    Arith,
    ArithOp,
    Case,
    CaseWhen,
    Cast,
    Col,
    Column,
    Compare,
    Expr,
    IsNull,
    Lit,
    RaisingCast,
    SqlType,
    TryArith,
    TryCast,
    When,
)
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import anywhere, filtered, miss_over, projected

RULE = "SimplifyCasts"
_GROWING: tuple[ArithOp, ...] = ("+", "*")
_WIDER: dict[SqlType, tuple[tuple[SqlType, SqlType], ...]] = {
    SMALLINT: ((INT, BIGINT), (INT, DOUBLE), (BIGINT, DOUBLE)),
    INT: ((BIGINT, DOUBLE),),
}
"""From a type by way of a wider one to a wider one yet."""


def _to_itself(draw: DrawFn, column: Col) -> Expr:
    return Cast(column, column.type)


def _widened_twice(draw: DrawFn, column: Col) -> Expr:
    if column.type not in _WIDER:
        return _to_itself(draw, column)
    between, to = pick(draw, _WIDER[column.type])
    return Cast(Cast(column, between), to)


def _simplified(draw: DrawFn, fields: Fields) -> Expr:
    """A comparison of a cast with another column's, or with a constant."""
    cast = pick(draw, (_to_itself, _widened_twice))(draw, pick(draw, columns(fields)))
    others = [column for column in columns(fields) if column.type == cast.type]
    # Where the literal is plain, UnwrapCastInBinaryComparison takes the cast off, too: mostly a column.
    other = pick(draw, (known_literal(draw, cast.type), *others * 3))
    return Compare(pick(draw, COMPARE_OPS), cast, other)


def fires() -> SearchStrategy[Case]:
    """Casts that change nothing, anywhere; shrinks to ``WHERE CAST(a AS INT) = 0``."""
    return anywhere(_simplified)


_NUMBERS = (Column("a", INT), Column("w", BIGINT))
_TEXTS = (Column("s", STRING), Column("a", INT))


def _narrowed_and_back(draw: DrawFn, fields: Fields) -> Expr:
    """NULL for what doesn't fit in between."""
    _, wide = columns(fields)
    return Cast(TryCast(wide, pick(draw, (INT, SMALLINT))), BIGINT)


def _narrowed_between(draw: DrawFn, fields: Fields) -> Expr:
    """No INT has room for any but the least of the sums."""
    small, wide = columns(fields)
    beyond = TryArith("+", wide, Lit(BIGINT, 2**31))
    return Cast(pick(draw, (TryCast(beyond, INT), TryCast(wide, SMALLINT), TryCast(small, SMALLINT))), DOUBLE)


def _whole_and_back(draw: DrawFn, fields: Fields) -> Expr:
    return Cast(TryCast(pick(draw, columns(fields)), INT), DOUBLE)


def _through_boolean(draw: DrawFn, fields: Fields) -> Expr:
    """Any number but 0 is 1."""
    column = pick(draw, columns(fields))
    return Cast(Cast(column, BOOLEAN), pick(draw, (INT, BIGINT)))


def _through_a_day(draw: DrawFn, fields: Fields) -> Expr:
    return Cast(Cast(pick(draw, columns(fields)), DATE), TIMESTAMP_NTZ)


def _to_text(draw: DrawFn, fields: Fields) -> Expr:
    text, number = columns(fields)
    return Compare(pick(draw, COMPARE_OPS), Cast(number, STRING), text)


def _may_raise(draw: DrawFn, fields: Fields) -> Expr:
    """A cast that raises for what doesn't fit, in the rows for which a condition on another column is true."""
    small, wide = columns(fields)
    value = pick(draw, (RaisingCast(wide, INT), RaisingCast(wide, SMALLINT)))
    return CaseWhen((When(IsNull(small, draw(st.booleans())), value),))


def _widened(draw: DrawFn, fields: Fields) -> Expr:
    """A sum or product that INT has no room for."""
    small, _ = columns(fields)
    return Arith(pick(draw, _GROWING), Cast(small, BIGINT), Cast(small, BIGINT))


def _wide(draw: DrawFn, fields: Fields) -> Expr:
    small, _ = columns(fields)
    return pick(draw, (_to_itself, _widened_twice))(draw, small)


_miss = partial(miss_over, columns=_NUMBERS)


NEAR_MISSES = (
    _miss("narrowed_and_back", _narrowed_and_back, projected, fires=False, weight=2),
    _miss("narrowed_between", _narrowed_between, projected, fires=False, weight=2),
    _miss("whole_and_back", _whole_and_back, projected, fires=False, columns=(Column("x", DOUBLE),)),
    _miss("through_boolean", _through_boolean, projected, fires=False, weight=2),
    _miss("through_a_day", _through_a_day, projected, fires=False, columns=(Column("t", TIMESTAMP_NTZ),)),
    _miss("to_text", _to_text, filtered, projected, fires=False, columns=_TEXTS),
    _miss("wide", _wide, projected, fires=True),
    _miss("may_raise", _may_raise, projected, fires=False, weight=2),
    _miss("widened", _widened, projected, fires=False, weight=2),
)
