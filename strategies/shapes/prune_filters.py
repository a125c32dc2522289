"""Shape of PruneFilters: conditions that are constant, or known of the rows below."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.scopes import scope
from strategies.ir import (
    BOOLEAN,
    INT,
    Agg,
    Alias,
    And,
    Case,
    Compare,
    CompareOp,
    Database,
    Expr,
    Filter,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Or,
    Over,
    Project,
    Relation,
    SortKey,
    Window,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.correlated import INSIDE, OUTSIDE
from strategies.shapes.data import PAIRS
from strategies.shapes.filters import A, B, about
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import scan, source, union_all

RULE = "PruneFilters"
_TRUE, _FALSE, _UNKNOWN = (Lit(BOOLEAN, value) for value in (True, False, None))


def first_rows(draw: DrawFn, rows: Relation) -> Limit:
    """The first few of ``rows``, below which no condition goes."""
    order = tuple(SortKey(field.column(), one_in(draw, 3)) for field in scope(rows.fields))
    return Limit(rows, order, pick(draw, (3, 5, 2, 8)))


def _constant(draw: DrawFn, schema: Database) -> Relation:
    return Filter(source(draw, schema), pick(draw, (_TRUE, _TRUE, _TRUE, _FALSE, _UNKNOWN)))


def _known_below_limit(draw: DrawFn, schema: Database) -> Relation:
    """A condition again over the first of the rows for which it is true, now and then with another one."""
    table = scan(pick(draw, schema.tables))
    condition = about(draw, scope(table.fields))
    first = first_rows(draw, Filter(table, condition))
    if one_in(draw, 4):
        return Filter(first, And(condition, draw(predicates(scope(first.fields), depth=1))))
    return Filter(first, condition)


def _known_below_window(draw: DrawFn, schema: Database) -> Relation:
    """A condition again over a window over all of the rows for which it is true."""
    table = scan(pick(draw, schema.tables))
    condition = about(draw, scope(table.fields))
    return Filter(Window(Filter(table, condition), (Over("n", Agg("count")),)), condition)


_FORMS = (_constant, *[_known_below_limit] * 2, _known_below_window)


def _query(draw: DrawFn, schema: Database) -> Relation:
    return in_context(draw, schema, pick(draw, _FORMS)(draw, schema))


def fires() -> SearchStrategy[Case]:
    """A constant condition, or one that is known below a limit or a window; shrinks to ``t0 WHERE true``."""
    return file_cases(over_tables(_query))


# Near misses, over two tables of two columns.

_BELOW: tuple[CompareOp, ...] = ("<", "<=", "=")
_ABOVE: tuple[CompareOp, ...] = (">", ">=", "<>")


def _never(draw: DrawFn, constant: Lit) -> Relation:
    """A condition that is true of no row, alone or beside another one."""
    condition: Expr = constant
    if one_in(draw, 3):
        condition = And(Compare("<", A, known_literal(draw, INT)), constant)
    filtered = Filter(OUTSIDE, condition)
    return filtered if one_in(draw, 2) else Project(filtered, (Item("p", B),))


def _other_condition(draw: DrawFn) -> Relation:
    """Another condition of the same column than the one below the limit."""
    lower = Compare(pick(draw, _BELOW), A, known_literal(draw, INT))
    upper = Compare(pick(draw, _ABOVE), A, known_literal(draw, INT))
    one, two = (lower, upper) if one_in(draw, 2) else (upper, lower)
    return Filter(Limit(Filter(OUTSIDE, one), (SortKey(A), SortKey(B)), pick(draw, (3, 5))), two)


def _not_null(draw: DrawFn) -> Relation:
    """A column that a comparison below the limit says isn't NULL."""
    lower = Filter(OUTSIDE, Compare(pick(draw, (*_BELOW, *_ABOVE)), A, known_literal(draw, INT)))
    return Filter(Limit(lower, (SortKey(A), SortKey(B)), pick(draw, (3, 5))), IsNull(A, negated=True))


def _maybe_null(draw: DrawFn) -> Relation:
    """A column of which the condition below the limit leaves open whether it is NULL."""
    other = Compare(pick(draw, _ABOVE), B, known_literal(draw, INT))
    lower = pick(draw, (Compare("<=>", A, B), Or(Compare("<", A, known_literal(draw, INT)), other), other))
    first = Limit(Filter(OUTSIDE, lower), (SortKey(A), SortKey(B)), pick(draw, (3, 5)))
    return Filter(first, IsNull(A, negated=True))


def _padded_side(draw: DrawFn) -> Relation:
    """A condition again over an outer join, one side of which it is true of: padded rows are not."""
    op, value = pick(draw, (*_BELOW, *_ABOVE)), known_literal(draw, INT)
    right = Alias(Filter(INSIDE, Compare(op, B, value)), "q")
    a, b = (field.column() for field in right.fields)
    return Filter(Join(OUTSIDE, right, "left", Compare("=", OUTSIDE.fields[0].column(), a)), Compare(op, b, value))


def _one_branch(draw: DrawFn) -> Relation:
    """A condition again over a union, one branch of which it is true of."""
    condition = Compare(pick(draw, (*_BELOW, *_ABOVE)), A, known_literal(draw, INT))
    left, right = Filter(OUTSIDE, condition), INSIDE
    union = union_all(left, right) if draw(below(2)) == 0 else union_all(right, left)
    return Filter(union, Compare(condition.op, union.fields[0].column(), condition.right))


def _both_branches(draw: DrawFn) -> Relation:
    """A condition over the first rows of a union, all branches of which it is true of."""
    op, value = pick(draw, (*_BELOW, *_ABOVE)), known_literal(draw, INT)
    union = union_all(Filter(OUTSIDE, Compare(op, A, value)), Filter(INSIDE, Compare(op, A, value)))
    first = first_rows(draw, union)
    return Filter(first, Compare(op, first.fields[0].column(), value))


NEAR_MISSES = (
    NearMiss("unknown", lambda: file_cases(over_fixed(PAIRS, _never, _UNKNOWN)), fires=True, weight=2),
    NearMiss("false", lambda: file_cases(over_fixed(PAIRS, _never, _FALSE)), fires=True),
    NearMiss("other_condition", lambda: file_cases(over_fixed(PAIRS, _other_condition)), fires=False, weight=2),
    NearMiss("not_null", lambda: file_cases(over_fixed(PAIRS, _not_null)), fires=True),
    NearMiss("maybe_null", lambda: file_cases(over_fixed(PAIRS, _maybe_null)), fires=False, weight=2),
    NearMiss("padded_side", lambda: file_cases(over_fixed(PAIRS, _padded_side)), fires=False, weight=2),
    NearMiss("one_branch", lambda: file_cases(over_fixed(PAIRS, _one_branch)), fires=False, weight=2),
    NearMiss("both_branches", lambda: file_cases(over_fixed(PAIRS, _both_branches)), fires=True),
)
