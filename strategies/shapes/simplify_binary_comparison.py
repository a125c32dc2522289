"""SimplifyBinaryComparison: comparisons of a value with itself, and of a condition with true or false."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.draw.queries import scope
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    DOUBLE,
    INT,
    Alias,
    Case,
    Coalesce,
    Column,
    Compare,
    CompareOp,
    Expr,
    IsNull,
    Join,
    JoinKind,
    Lit,
    Or,
)
from strategies.shapes import NearMiss
from strategies.shapes.filters import about
from strategies.shapes.forms import Question, file_cases
from strategies.shapes.groups import one_table
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import Make, anywhere, filtered, miss_over, projected

RULE = "SimplifyBinaryComparison"
_STRICT_OPS: tuple[CompareOp, ...] = ("=", ">=", "<=", "<>", ">", "<")
_KINDS: tuple[JoinKind, ...] = ("inner", "left", "full", "semi", "anti")


def _truth(draw: DrawFn) -> Lit:
    return Lit(BOOLEAN, draw(st.booleans()))


def _null_safe(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    return Compare("<=>", column, column)


def _default_with_itself(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    value = Coalesce((column, known_literal(draw, column.type)))
    return Compare(pick(draw, COMPARE_OPS), value, value)


def _with_truth(draw: DrawFn, fields: Fields) -> Expr:
    condition, truth = about(draw, fields), _truth(draw)
    return Compare("=", truth, condition) if draw(st.booleans()) else Compare("=", condition, truth)


def _test_with_truth(draw: DrawFn, fields: Fields) -> Expr:
    return Compare("<=>", IsNull(pick(draw, columns(fields))), _truth(draw))


_FORMS: tuple[Make, ...] = (_null_safe, *[_default_with_itself] * 2, *[_with_truth] * 2, _test_with_truth)


def _simplified(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, _FORMS)(draw, fields)


def fires() -> SearchStrategy[Case]:
    """Comparisons whose outcome, or whose other operand's, is known; shrinks to ``WHERE a <=> a``."""
    return anywhere(_simplified)


_COLUMNS = (Column("a", INT), Column("b", INT), Column("x", DOUBLE))
_TRUTHS = (Column("c", BOOLEAN), Column("d", BOOLEAN))


def _itself(draw: DrawFn, fields: Fields) -> Expr:
    """NULL where the column is."""
    column = pick(draw, columns(fields))
    return Compare(pick(draw, _STRICT_OPS), column, column)


def _itself_or(draw: DrawFn, fields: Fields) -> Expr:
    """Whether the column is NULL isn't settled by such a filter."""
    one, two, _ = columns(fields)
    return Or(Compare(pick(draw, _STRICT_OPS), one, one), Compare("=", two, known_literal(draw, INT)))


def _another(draw: DrawFn, fields: Fields) -> Expr:
    one, two, _ = columns(fields)
    return Compare(pick(draw, COMPARE_OPS), one, two)


def _safely_with_truth(draw: DrawFn, fields: Fields) -> Expr:
    """``c <=> true`` is false where ``c`` is NULL."""
    column, truth = pick(draw, columns(fields)), _truth(draw)
    return pick(draw, (Compare("<=>", column, truth), Compare("<=>", truth, column)))


@st.composite
def _namesake(draw: DrawFn) -> Question:
    """The same column of two rows."""
    database, table = one_table(*_COLUMNS[:2])
    other = Alias(table, "s0")
    fields = scope((*table.fields, *other.fields))
    place = pick(draw, (0, 1))
    on = Compare(pick(draw, COMPARE_OPS), fields[place].column(), fields[place + 2].column())
    return database, Join(table, other, pick(draw, _KINDS), on)


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("itself_where_null", _itself, projected, fires=False, weight=2),
    _miss("itself_in_a_filter", _itself, filtered, fires=True, weight=2),
    _miss("itself_or_something_else", _itself_or, filtered, fires=False),
    _miss("never_null", _default_with_itself, filtered, projected, fires=True, weight=2),
    _miss("another_column", _another, filtered, projected, fires=False),
    NearMiss("namesake", lambda: file_cases(_namesake()), fires=False, weight=2),
    _miss("null_safe_truth", _safely_with_truth, projected, fires=False, columns=_TRUTHS, weight=2),
    _miss("truth", _with_truth, projected, fires=True, columns=_TRUTHS),
)
