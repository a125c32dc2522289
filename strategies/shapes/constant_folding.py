"""Shape of ConstantFolding: expressions of constants, which become their values before the query runs."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    INT,
    And,
    Call,
    Case,
    CaseWhen,
    Coalesce,
    Column,
    Compare,
    Expr,
    InList,
    IsNull,
    Lit,
    Not,
    NullIf,
    Or,
    SqlType,
    TryArith,
    When,
    is_plain,
)
from strategies.shapes.filters import about
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import anywhere, filtered, miss_over, projected

RULE = "ConstantFolding"
_OVERFLOW = TryArith("+", Lit(INT, 2**31 - 1), Lit(INT, 1))
"""NULL."""


def _two(draw: DrawFn, kind: SqlType) -> tuple[Lit, Lit]:
    return known_literal(draw, kind), known_literal(draw, kind)


def _greater(draw: DrawFn, fields: Fields) -> Expr:
    """A column compared with the greater of two constants."""
    plain = [column for column in columns(fields) if is_plain(column.type)]
    if not plain:
        return _known(draw, fields)
    column = pick(draw, plain)
    return Compare(pick(draw, COMPARE_OPS), column, Call(pick(draw, ("greatest", "least")), _two(draw, column.type)))


def _known(draw: DrawFn, fields: Fields) -> Expr:
    """A condition on a column, and a condition on constants."""
    kind = pick(draw, columns(fields)).type
    one, two = _two(draw, kind)
    constant = pick(draw, (Compare(pick(draw, COMPARE_OPS), one, two), InList(one, (two, known_literal(draw, kind)))))
    return pick(draw, (Or, And))(about(draw, fields), constant)


def _beside_no_value(draw: DrawFn, fields: Fields) -> Expr:
    """A condition on a column, and a constant condition that is NULL."""
    unknown = Compare(pick(draw, COMPARE_OPS[:-1]), NullIf(_OVERFLOW, Lit(INT, 0)), Lit(INT, 0))
    return pick(draw, (Or, And))(about(draw, fields), unknown)


def _folded(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, (_greater, _greater, _known, _beside_no_value))(draw, fields)


def fires() -> SearchStrategy[Case]:
    """Expressions of constants, anywhere; shrinks to ``WHERE a = greatest(0, 0)``."""
    return anywhere(_folded)


_COLUMNS = (Column("a", INT), Column("b", INT), Column("c", BOOLEAN))


def _unknown(draw: DrawFn, fields: Fields) -> Expr:
    """A comparison of NULL with a number, negated, or beside a condition."""
    comparison = Compare(pick(draw, COMPARE_OPS[:-1]), _OVERFLOW, Lit(INT, 0))
    return pick(draw, (comparison, Not(comparison), And(fields[-1].column(), comparison)))


def _no_number(draw: DrawFn, fields: Fields) -> Expr:
    column = fields[0].column()
    return pick(draw, (_OVERFLOW, Coalesce((_OVERFLOW, column)), Call("greatest", (column, _OVERFLOW))))


def _greatest_of_both(draw: DrawFn, fields: Fields) -> Expr:
    """Greatest or least of a column and a constant, which isn't constant."""
    return Call(pick(draw, ("greatest", "least")), (fields[0].column(), known_literal(draw, INT)))


def _one_result(draw: DrawFn, fields: Fields) -> Expr:
    """A CASE with constant results, whose condition depends on the row."""
    condition = pick(draw, (fields[-1].column(), Compare("=", fields[0].column(), known_literal(draw, INT))))
    otherwise = known_literal(draw, INT) if draw(st.booleans()) else None
    return CaseWhen((When(condition, known_literal(draw, INT)),), otherwise)


def _plain(draw: DrawFn, fields: Fields) -> Expr:
    """Conditions of columns alone."""
    one, two, truth = columns(fields)
    comparison = Compare(pick(draw, COMPARE_OPS), one, two)
    return pick(draw, (comparison, IsNull(one), And(truth, comparison), InList(one, (two, one))))


def _computed(draw: DrawFn, fields: Fields) -> Expr:
    one, two, _ = columns(fields)
    return pick(draw, (Call("greatest", (one, two)), Coalesce((one, two)), TryArith("+", one, two)))


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("unknown", _unknown, projected, fires=True, weight=2),
    _miss("no_number", _no_number, projected, fires=True, weight=2),
    _miss("one_constant", _greatest_of_both, projected, fires=False, weight=2),
    _miss("constant_results", _one_result, projected, fires=False, weight=2),
    _miss("columns_alone", _plain, filtered, projected, fires=False),
    _miss("computed_of_columns", _computed, projected, fires=False),
)
"""The rule folds a constant that is written as a cast, so misses with a constant are misses with plain literals."""
