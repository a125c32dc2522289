"""PushFoldableIntoBranches: operators with constants on conditionals whose results are constants but for one."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.ir import (
    BIGINT,
    COMPARE_OPS,
    INT,
    INTEGERS,
    ArithOp,
    Call,
    Case,
    Cast,
    Coalesce,
    Col,
    Column,
    Compare,
    Expr,
    InList,
    IsNull,
    Lit,
    RaisingArith,
    RaisingOp,
    TryArith,
)
from strategies.shapes.branches import TRUTHS, case, either, in_either_order
from strategies.shapes.filters import about
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import Make, anywhere, miss_over, projected

RULE = "PushFoldableIntoBranches"
_OPS: tuple[ArithOp, ...] = ("-", "+", "*")
_QUOTIENTS: tuple[RaisingOp, ...] = ("%", "/")


def _constants(draw: DrawFn, fields: Fields, column: Col) -> Expr:
    """A conditional of two constants, mostly, or of the column and one, with ELSE or without."""
    condition = about(draw, fields)
    one, two = known_literal(draw, column.type), known_literal(draw, column.type)
    if one_in(draw, 3):
        return case((condition, one))
    return either(draw, condition, one, two if draw(st.booleans()) else column)


# Conditions on which it fires.


def _compared(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    operands = in_either_order(draw, _constants(draw, fields, column), known_literal(draw, column.type))
    return Compare(pick(draw, COMPARE_OPS), *operands)


def _test(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    return IsNull(case((about(draw, fields), pick(draw, (known_literal(draw, column.type), column)))), one_in(draw, 2))


def _sum(draw: DrawFn, fields: Fields) -> Expr:
    """A sum, difference or product, compared with a column or a constant."""
    column = pick(draw, [column for column in columns(fields) if column.type in INTEGERS] or columns(fields))
    if column.type not in INTEGERS:
        return _compared(draw, fields)
    operands = in_either_order(draw, _constants(draw, fields, column), known_literal(draw, column.type))
    result = TryArith(pick(draw, _OPS), *operands)
    return Compare(pick(draw, COMPARE_OPS), result, pick(draw, (known_literal(draw, column.type), column)))


_FORMS: tuple[Make, ...] = (*[_compared] * 2, _test, _sum)


def _pushed(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, _FORMS)(draw, fields)


def fires() -> SearchStrategy[Case]:
    """Operators on conditionals; shrinks to ``WHERE CASE WHEN a = 0 THEN 0 ELSE a END = 0``."""
    return anywhere(_pushed)


# Near misses.

_COLUMNS = (*TRUTHS, Column("a", INT), Column("b", INT))


def _truth(draw: DrawFn, fields: Fields) -> Expr:
    one, two, *_ = columns(fields)
    return pick(draw, (one, two))


def _numbers(draw: DrawFn, fields: Fields) -> tuple[Expr, Expr]:
    *_, one, two = columns(fields)
    return in_either_order(draw, one, two)


def _small(draw: DrawFn) -> Lit:
    return Lit(INT, pick(draw, (0, 1, 2, -1, 3)))


def _no_else(draw: DrawFn, fields: Fields) -> Expr:
    """Without ELSE the operator is applied to NULL."""
    conditional = case((_truth(draw, fields), _small(draw)))
    return pick(
        draw,
        (
            IsNull(conditional, negated=draw(st.booleans())),
            Compare("<=>", *in_either_order(draw, conditional, pick(draw, (_small(draw), Lit(INT, None))))),
            Compare(pick(draw, COMPARE_OPS), *in_either_order(draw, conditional, _small(draw))),
        ),
    )


def _sides(draw: DrawFn, fields: Fields) -> Expr:
    """An operator whose sides can't be exchanged."""
    value, _ = _numbers(draw, fields)
    conditional = either(draw, _truth(draw, fields), _small(draw), pick(draw, (_small(draw), value)))
    operands = in_either_order(draw, conditional, _small(draw))
    return pick(draw, (TryArith("-", *operands), Compare(pick(draw, ("<", "<=", ">", ">=")), *operands)))


def _two_values(draw: DrawFn, fields: Fields) -> Expr:
    """Two results that aren't constant."""
    conditional = either(draw, _truth(draw, fields), *_numbers(draw, fields))
    return pick(draw, (TryArith("-", conditional, _small(draw)), Compare("=", conditional, _small(draw))))


def _with_a_column(draw: DrawFn, fields: Fields) -> Expr:
    """An operator whose other operand isn't constant."""
    conditional = either(draw, _truth(draw, fields), _small(draw), _small(draw))
    operands = in_either_order(draw, conditional, _numbers(draw, fields)[0])
    return pick(draw, (TryArith("-", *operands), Compare(pick(draw, COMPARE_OPS), *operands)))


def _defaulted(draw: DrawFn, fields: Fields) -> Expr:
    """A function of NULL that isn't among the operators."""
    conditional = case((_truth(draw, fields), _small(draw)))
    return pick(draw, (Coalesce((conditional, _small(draw))), InList(conditional, (_small(draw), Lit(INT, 7)))))


def _one_of_each(draw: DrawFn, fields: Fields) -> Expr:
    """Two outcomes, the second one also where the condition is NULL."""
    one, two = in_either_order(draw, _small(draw), Lit(INT, 7))
    return Compare(pick(draw, ("=", "<>")), either(draw, _truth(draw, fields), one, two), pick(draw, (one, two)))


def _raises(draw: DrawFn, fields: Fields) -> Expr:
    """A quotient that raises only where the condition isn't true."""
    conditional = either(draw, _truth(draw, fields), Lit(INT, 2), Lit(INT, 0))
    return RaisingArith(pick(draw, _QUOTIENTS), pick(draw, (Lit(INT, 7), Lit(INT, 0))), conditional)


def _widened(draw: DrawFn, fields: Fields) -> Expr:
    value, _ = _numbers(draw, fields)
    results = in_either_order(draw, _small(draw), value)
    return Cast(pick(draw, (either(draw, _truth(draw, fields), *results), case((_truth(draw, fields), value)))), BIGINT)


def _turned(draw: DrawFn, fields: Fields) -> Expr:
    """A unary function."""
    small = Lit(INT, pick(draw, (-1, -2, 3)))
    return Call("abs", (either(draw, _truth(draw, fields), *in_either_order(draw, small, Lit(INT, -5))),))


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("no_else", _no_else, projected, fires=True, weight=3),
    _miss("sides", _sides, projected, fires=True, weight=2),
    _miss("one_of_each", _one_of_each, projected, fires=True, weight=2),
    _miss("two_values", _two_values, projected, fires=False),
    _miss("with_a_column", _with_a_column, projected, fires=False),
    _miss("defaulted", _defaulted, projected, fires=False),
    _miss("raises", _raises, projected, fires=True, weight=2),
    _miss("widened", _widened, projected, fires=True),
    _miss("turned", _turned, projected, fires=True),
)
