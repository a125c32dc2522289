"""Shape of OptimizeSubqueries: subqueries whose own plans all rules optimize before the query's plan."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.operands import columns, comparable
from strategies.draw.scopes import scope
from strategies.ir import (
    Agg,
    Aggregate,
    Case,
    Compare,
    CompareOp,
    Database,
    Distinct,
    Exists,
    Filter,
    InSubquery,
    Item,
    Limit,
    Project,
    Relation,
    ScalarSubquery,
    SortKey,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_aggregates
from strategies.shapes.context import in_context
from strategies.shapes.correlated import INNER_B, INSIDE, OUTSIDE, A, B, correlated, in_list, join_by_hand
from strategies.shapes.data import PAIRS
from strategies.shapes.filters import about
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.sides import join_sides

RULE = "OptimizeSubqueries"
_cases_of = partial(file_cases, forms_of=sql_only)


def _rows(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    """The input of a subquery: the distinct or filtered rows of a table, or rows correlated with an outer row.

    (The latter seldom: without the correlation, which is pulled up, there may be nothing to optimize.)
    """
    form = draw(below(12))
    if form == 11:
        return correlated(draw, outside, inside)
    return Filter(inside, about(draw, scope(inside.fields))) if form > 5 else Distinct(inside)


def _in(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    rows = _rows(draw, outside, inside)
    pairs = [(one, two) for one in columns(scope(outside.fields)) for two in columns(scope(rows.fields))]
    fitting = [(one, two) for one, two in pairs if one.type == two.type]
    if not fitting:
        return _value(draw, outside, inside)
    one, two = pick(draw, fitting)
    return Filter(outside, InSubquery((one,), Distinct(Project(rows, (Item("x", two),))), one_in(draw, 3)))


def _value(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    rows, function = inside, Agg("count")
    if draw(below(4)) > 0:
        rows = _rows(draw, outside, inside)
        function = draw(plain_aggregates(scope(rows.fields), bits=field_bits(rows)))
    value = ScalarSubquery(Aggregate(rows, (), (Item("x", function),)))
    others = comparable(scope(outside.fields), value)
    # Drawn in any case, so that no other form takes fewer choices than the form to shrink to.
    if draw(below(2)) == 1 and others:
        return Filter(outside, Compare(pick(draw, _OPS), pick(draw, others), value))
    return Project(outside, (Item("p0", value),))


_OPS: tuple[CompareOp, ...] = ("=", "<", ">=", "<>")


def _first(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    listed = Distinct(Project(inside, (Item("x", pick(draw, columns(scope(inside.fields)))),)))
    first = Limit(listed, (SortKey(listed.fields[0].column(), one_in(draw, 2)),), 1)
    return Project(outside, (Item("p0", ScalarSubquery(first)),))


_FORMS: tuple[Callable[[DrawFn, Relation, Relation], Relation], ...] = (*[_value] * 3, *[_in] * 3, _first)


def _query(draw: DrawFn, schema: Database) -> Relation:
    outside, inside = join_sides(draw, schema)
    return in_context(draw, schema, pick(draw, _FORMS)(draw, outside, inside))


def fires() -> SearchStrategy[Case]:
    """Scalar subqueries and IN over queries that can be optimized; shrinks to
    ``SELECT (SELECT count(*) AS x FROM t0 AS s0) AS p0 FROM t0``.
    """
    return _cases_of(over_tables(_query))


_LISTED = Project(INSIDE, (Item("x", INNER_B),))
_BY_X = tuple(SortKey(field.column()) for field in _LISTED.fields)


def _first_values(draw: DrawFn) -> Relation:
    """A limit whose order decides the value: the greatest or the least, with the frequent NULLs last."""
    order = tuple(SortKey(key.value, one_in(draw, 2), nulls_first=False) for key in _BY_X)
    first = Limit(_LISTED, order, 1, 1 if one_in(draw, 4) else 0)
    value = ScalarSubquery(first)
    if draw(below(2)) == 0:
        return Project(OUTSIDE, (Item("a", A), Item("n", value)))
    return Filter(OUTSIDE, Compare(pick(draw, _OPS), B, value))


def _in_first_values(draw: DrawFn) -> Relation:
    listed = Limit(_LISTED, _BY_X, pick(draw, (1, 2, 3)))
    return Filter(OUTSIDE, InSubquery((B,), listed, draw(below(2)) == 1))


def _repeats_count(draw: DrawFn) -> Relation:
    """A count or sum of all rows, repeats included."""
    function = pick(draw, (Agg("count"), Agg("count", INNER_B), Agg("sum", INNER_B)))
    return Project(OUTSIDE, (Item("n", ScalarSubquery(Aggregate(INSIDE, (), (Item("x", function),)))),))


def _in_many(draw: DrawFn) -> Relation:
    """IN over distinct rows, any of which may decide."""
    return Filter(OUTSIDE, InSubquery((B,), Distinct(_LISTED), draw(below(2)) == 1))


def _exists(draw: DrawFn) -> Relation:
    """EXISTS over filtered rows, of which one is enough."""
    return Filter(OUTSIDE, Exists(Filter(INSIDE, about(draw, scope(INSIDE.fields))), draw(below(2)) == 1))


NEAR_MISSES = (
    NearMiss("first_values", lambda: _cases_of(over_fixed(PAIRS, _first_values)), fires=True, weight=3),
    NearMiss("in_first_values", lambda: _cases_of(over_fixed(PAIRS, _in_first_values)), fires=True),
    NearMiss("repeats_count", lambda: _cases_of(over_fixed(PAIRS, _repeats_count)), fires=True),
    NearMiss("in_many", lambda: _cases_of(over_fixed(PAIRS, _in_many)), fires=True),
    NearMiss("exists", lambda: _cases_of(over_fixed(PAIRS, _exists)), fires=True),
    NearMiss("in_list", lambda: _cases_of(over_fixed(PAIRS, in_list)), fires=False),
    NearMiss("join_by_hand", lambda: _cases_of(join_by_hand()), fires=False),
)
