"""Shape of PullupCorrelatedPredicates: a subquery's conditions on outer columns, which become a join's condition."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    BIGINT,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    Col,
    Compare,
    CompareOp,
    Database,
    Distinct,
    Exists,
    Expr,
    Filter,
    InSubquery,
    Item,
    Lateral,
    Limit,
    Lit,
    Project,
    Relation,
    ScalarSubquery,
    SortKey,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_aggregates
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.correlated import (
    INNER_A,
    INNER_B,
    INSIDE,
    OUTSIDE,
    SAME_A,
    SAME_B,
    A,
    B,
    correlated,
    join_by_hand,
    outer,
)
from strategies.shapes.data import PAIRS
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.sides import join_sides

RULE = "PullupCorrelatedPredicates"
_cases_of = partial(file_cases, forms_of=sql_only)


def _exists(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    return Filter(outside, Exists(correlated(draw, outside, inside), one_in(draw, 3)))


def _in(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    rows = correlated(draw, outside, inside)
    pairs = [(one, two) for one in columns(scope(outside.fields)) for two in columns(scope(rows.fields))]
    fitting = [(one, two) for one, two in pairs if one.type == two.type]
    if not fitting:
        return Filter(outside, Exists(rows))
    one, two = pick(draw, fitting)
    return Filter(outside, InSubquery((one,), Project(rows, (Item("x", two),)), one_in(draw, 2)))


def _value(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    rows = correlated(draw, outside, inside)
    function = draw(plain_aggregates(scope(rows.fields), bits=field_bits(rows)))
    return Project(outside, (Item("p0", ScalarSubquery(Aggregate(rows, (), (Item("x", function),)))),))


def _lateral(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    rows = correlated(draw, outside, inside)
    if one_in(draw, 2):
        rows = number_of_rows(rows)
    joined = Lateral(outside, Alias(rows, "s"), "cross")
    items = enumerate(scope(joined.fields))
    return Project(joined, tuple(Item(f"j{place}", field.column()) for place, field in items))


_FORMS: tuple[Callable[[DrawFn, Relation, Relation], Relation], ...] = (
    *[_exists] * 3,
    *[_in] * 3,
    *[_value] * 3,
    *[_lateral] * 2,
)


def _query(draw: DrawFn, schema: Database) -> Relation:
    outside, inside = join_sides(draw, schema)
    return in_context(draw, schema, pick(draw, _FORMS)(draw, outside, inside))


def fires() -> SearchStrategy[Case]:
    """Correlated EXISTS, IN, scalar subqueries and LATERAL; shrinks to
    ``t0 WHERE EXISTS (SELECT * FROM t0 AS s0 WHERE s0.a = t0.a)``.
    """
    return _cases_of(over_tables(_query))


# Two tables of two columns.


def _asked(draw: DrawFn, rows: Relation) -> Relation:
    """EXISTS, a count, or another use of ``rows`` in a subquery."""
    form = draw(below(4))
    if form == 0:
        return Filter(OUTSIDE, Exists(rows))
    if form == 1:
        return Filter(OUTSIDE, Exists(rows, negated=True))
    if form == 2:
        counted = Aggregate(rows, (), (Item("x", Agg("count")),))
        return Project(OUTSIDE, (Item("a", A), Item("n", ScalarSubquery(counted))))
    joined = Lateral(OUTSIDE, Alias(rows, "s"), "cross")
    return Project(joined, (Item("a", A), Item("b", Col("b", B.kind, "s"))))


def _where(draw: DrawFn, condition: Expr) -> Relation:
    return _asked(draw, Filter(INSIDE, condition))


def _in_order(draw: DrawFn) -> Relation:
    """A correlation by an inequality, whose sides must not be exchanged."""
    ops: tuple[CompareOp, ...] = ("<", ">=", "<=", ">")
    one, two = pick(draw, ((INNER_A, A), (INNER_B, B), (INNER_A, B)))
    met: Expr = Compare(pick(draw, ops), one, outer(two))
    if draw(below(2)) == 1:
        met = And(SAME_A, Compare(pick(draw, ops), INNER_B, outer(B)))
    return Filter(OUTSIDE, Exists(Filter(INSIDE, met), one_in(draw, 2)))


def _having(draw: DrawFn) -> Relation:
    """A filter on the counts of correlated groups."""
    groups = Aggregate(Filter(INSIDE, SAME_A), (Item("k", INNER_B),), (Item("n", Agg("count")),))
    enough = Filter(groups, Compare(pick(draw, (">", "=")), Col("n", BIGINT), Lit(BIGINT, pick(draw, (1, 2)))))
    return Filter(OUTSIDE, Exists(enough, one_in(draw, 2)))


def _distinct(draw: DrawFn) -> Relation:
    """Distinct values, separately for each outer row."""
    values = Distinct(Project(Filter(INSIDE, SAME_A), (Item("b", INNER_B),)))
    return _asked(draw, values)


def _first_of_each(draw: DrawFn) -> Relation:
    """The first rows for each outer row, not the first of all rows."""
    rows = Filter(INSIDE, SAME_A)
    order = tuple(SortKey(field.column()) for field in scope(rows.fields))
    return _asked(draw, Limit(rows, order, 1, draw(below(2))))


def _uncorrelated(draw: DrawFn) -> Relation:
    listed = Project(INSIDE, (Item("x", INNER_B),))
    many = ScalarSubquery(Aggregate(INSIDE, (), (Item("x", Agg("count")),)))
    fewer = Compare("<", Lit(BIGINT, pick(draw, (0, 1, 2))), many)
    conditions: tuple[Expr, ...] = (InSubquery((B,), listed), InSubquery((B,), listed, negated=True), Exists(INSIDE))
    return Filter(OUTSIDE, pick(draw, (fewer, *conditions)))


NEAR_MISSES = (
    NearMiss("both_columns", lambda: _cases_of(over_fixed(PAIRS, _where, And(SAME_A, SAME_B))), fires=True, weight=2),
    NearMiss("null_safe", lambda: _cases_of(over_fixed(PAIRS, _where, Compare("<=>", INNER_A, outer(A)))), fires=True),
    NearMiss("equal", lambda: _cases_of(over_fixed(PAIRS, _where, SAME_A)), fires=True),
    NearMiss("in_order", lambda: _cases_of(over_fixed(PAIRS, _in_order)), fires=True, weight=2),
    NearMiss("having", lambda: _cases_of(over_fixed(PAIRS, _having)), fires=True),
    NearMiss("distinct", lambda: _cases_of(over_fixed(PAIRS, _distinct)), fires=True),
    NearMiss("first_of_each", lambda: _cases_of(over_fixed(PAIRS, _first_of_each)), fires=True),
    NearMiss("uncorrelated", lambda: _cases_of(over_fixed(PAIRS, _uncorrelated)), fires=False),
    NearMiss("join_by_hand", lambda: _cases_of(join_by_hand()), fires=False),
)
