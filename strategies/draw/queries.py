"""Draw queries: well-typed relations over a schema, with all operators of the algebra, and hazards.

Hazards are reused names (``a + 1 AS a``, ``b AS a, a AS b``), tables that are read twice, ambiguous names above joins,
and set operators of two filters of one relation. A query doesn't depend on rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.aggregates import aggregates, with_distinct
from strategies.draw.arrangements import arranged, sorted_by_all
from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.ctes import draw_with
from strategies.draw.deduplicates import deduplicated
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.exprs import predicates
from strategies.draw.forms import for_sql
from strategies.draw.generates import generated
from strategies.draw.grouping import grouped_with_subquery, grouping_sets, perhaps_grouped, rolled_up
from strategies.draw.items import group_condition, group_keys, named, shown, value
from strategies.draw.joins import hinted, join_conditions, joined_tables, side
from strategies.draw.laterals import draw_lateral
from strategies.draw.leaves import literal_rows, one_row
from strategies.draw.limits import count_and_offset, limited
from strategies.draw.map_reads import perhaps_through_map
from strategies.draw.partial_reads import read_by_fields
from strategies.draw.random_tests import IN_SUBQUERIES, at_random, over_random_column, with_random_column
from strategies.draw.ranks import among_the_first, ranks
from strategies.draw.recursion import recursive
from strategies.draw.scopes import fresh_alias, in_scope, qualified, scope
from strategies.draw.setops import fitted, fitting_scan, fitting_table, variant, with_names_turned
from strategies.draw.stacked import MOVED
from strategies.draw.subqueries import (
    Inner,
    around,
    around_groups,
    around_on,
    draw_predicate,
    draw_value,
    draw_values,
)
from strategies.draw.unpivots import pivoted
from strategies.draw.values import MAX_ELEMENTS
from strategies.draw.windows import numbered, window, window_over, window_with
from strategies.ir import (
    BOOLEAN,
    JOIN_KINDS,
    LATERAL_KINDS,
    SET_KINDS,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Database,
    Distinct,
    Filter,
    Item,
    Join,
    Lateral,
    Lit,
    Or,
    Project,
    Relation,
    Scan,
    SetOp,
    from_fields,
    operators,
    qualifiers,
)

__all__ = ["MAX_OPERATORS", "most_rows", "queries", "scope"]

MAX_OPERATORS = 6
_Form = Callable[[DrawFn, Database, int, int], Relation]

_LEAF_TWELFTHS = (1, 3, 6, 8, 10)
"""By depth, in how many of twelve draws a relation is a scan."""


@st.composite
def _drawn_relations(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    leaf = draw(below(12)) < _LEAF_TWELFTHS[min(level, len(_LEAF_TWELFTHS) - 1)]
    return (_scan if leaf or budget < 1 else pick(draw, _FORMS))(draw, schema, level + 1, budget - 1)


_relations = lru_cache(maxsize=4096)(_drawn_relations)


@st.composite
def _drawn_joins(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    return (_join if budget else _scan)(draw, schema, level + 1, budget - 1)


_joins = lru_cache(maxsize=4096)(_drawn_joins)


@st.composite
def _drawn_few_rows(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    if budget and one_in(draw, 2):
        return _limit(draw, schema, level + 1, budget - 1)
    return literal_rows(draw, pick(draw, schema.tables).columns)


_few_rows = lru_cache(maxsize=4096)(_drawn_few_rows)

_LIMITED = (_relations, _joins, _joins, _few_rows)
"""Strategies for the input of a limit; that of _few_rows has a known number of rows."""


@st.composite
def _queries(draw: DrawFn, schema: Database, max_operators: int) -> Relation:
    top = draw(below(26)) if max_operators > 0 else 0
    in_order, some = top == 23, top > 23
    counted = some and max_operators > 1 and one_in(draw, 4)
    chosen = counted and max_operators > 2 and one_in(draw, 2)
    inputs = pick(draw, _LIMITED) if some else _relations
    relation = for_sql(draw(inputs(schema, 0, max_operators - in_order - some - counted - chosen)))
    if in_order:
        return sorted_by_all(draw, relation)
    relation = numbered(draw, relation) if counted else relation
    relation = Filter(relation, draw(predicates(scope(relation.fields), depth=0))) if chosen else relation
    return AnyLimit(relation, *count_and_offset(draw)) if some else relation


def queries(schema: Database, *, max_operators: int = MAX_OPERATORS) -> SearchStrategy[Relation]:
    """Queries over the tables of ``schema`` (their rows don't matter); shrinks to a scan of the first.

    ``max_operators`` bounds the nodes other than scans and aliases, and projections that make the sides of a set
    operator fit. Raises InvalidArgument for a schema without tables and for a negative bound.
    """
    if not schema.tables or max_operators < 0:
        raise InvalidArgument(f"max_operators={max_operators}, {len(schema.tables)} tables: nothing to draw from")
    return _queries(schema, max_operators)


# One function for each operator, with the ``level`` and ``budget`` of its inputs.


def _scan(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    form = draw(below(40))
    table = pick(draw, schema.tables)
    if form > 37:
        return (literal_rows if form == 39 else one_row)(draw, table.columns)
    if budget < 0 or form < 18:
        scan = Scan(table.name, table.columns)
        return scan if budget < 0 else read_by_fields(draw, scan, budget + 1)
    return joined_tables(draw, schema, 2 + (budget > 0 and one_in(draw, 2)))


def _filter(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    if budget and level < IN_SUBQUERIES and one_in(draw, 8):
        return over_random_column(draw, draw(_relations(schema, level, budget - 1)))
    asks = budget > 1 and one_in(draw, _SUBQUERY_ONE_IN)
    child = draw(_relations(schema, level, budget - _ROOM * asks))
    if asks:
        child = qualified(child)
        space = around(from_fields(child), qualifiers(child), _inner(schema, level), budget - operators(child))
        return perhaps_through_map(draw, Filter(child, draw_predicate(draw, space)), budget + 1)
    filtered = Filter(child, draw(predicates(scope(from_fields(child)))))
    return at_random(draw, filtered) if level < IN_SUBQUERIES else filtered


_SUBQUERY_ONE_IN = 3
"""One filter, projection or join in this many has a subquery, if the budget allows one."""

_ROOM = 2
"""So many operators of the budget are kept for a subquery."""

_SUBQUERY_IN_GROUPS = 6
_SUBQUERY_IN_WINDOWS = 3
"""One aggregate and one window in so many have a subquery in a key or an argument."""


def _inner(schema: Database, level: int) -> Inner:
    return lambda room: _relations(schema, level + IN_SUBQUERIES - 1, room)


def _project(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    asks = budget > 1 and one_in(draw, _SUBQUERY_ONE_IN)
    child = draw(_relations(schema, level, budget - _ROOM * asks))
    child = perhaps_grouped(draw, child, budget - 1 - operators(child)) if asks else child
    fields = scope(child.fields)
    values = [value(draw, fields) for _ in range(pick(draw, (1, 2, 2, 3, 4)))]
    if asks:
        child = child if isinstance(child, Filter) else qualified(child)
        space = around(child.fields, qualifiers(child), _inner(schema, level), budget - operators(child))
        items = named(draw, space.fields, [*draw_values(draw, space), *in_scope(values, space.fields)])
        return perhaps_through_map(draw, Project(child, items), budget + 1)
    return Project(child, shown(draw, named(draw, fields, values)))


def _distinct(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    return Distinct(draw(_relations(schema, level, budget)))


def _alias(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    child = draw(_relations(schema, level, budget))
    return Alias(child, fresh_alias(child))


def _deduplicate(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    return deduplicated(draw, draw(_relations(schema, level, budget - 1)))


def _limit(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    if budget > 0 and one_in(draw, 2):
        child = _project(draw, schema, level + 1, budget - 1)
    else:
        child = draw(_relations(schema, level, budget))
    if budget > operators(child) and one_in(draw, _CUT_ONE_IN):
        child = limited(draw, child)
    return limited(draw, child)


_CUT_ONE_IN = 5
"""One limit in so many is over another one, with an order of its own."""


def _aggregate(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    child = draw(_relations(schema, level, budget))
    fields = scope(child.fields)
    keys = [draw(group_keys(fields)) for _ in range(pick(draw, (1, 1, 2, 0, 3)))]
    computed = aggregates(fields, bits=field_bits(child), depth=pick(draw, (1, 1, 2)))
    results = [draw(computed) for _ in range(pick(draw, (1, 2, 0, 3)) or (not keys))]
    results = with_distinct(draw, child, results, computed)
    items = named(draw, fields, (*keys, *results))
    grouped = Aggregate(child, items[: len(keys)], items[len(keys) :])
    if one_in(draw, _SUBQUERY_IN_GROUPS) and (room := budget - operators(child)) > 0:
        return grouped_with_subquery(draw, qualified(child), _inner(schema, level), room)
    # A shrunk query would be this one, which has fewer draws, were it drawn sooner.
    if budget > operators(child) and one_in(draw, 12):
        return Aggregate(AnyLimit(child, *count_and_offset(draw)), (), (Item("a", Agg("count")),))
    if not one_in(draw, 3):
        return rolled_up(draw, grouped) if one_in(draw, 10) and budget > operators(child) else grouped
    if one_in(draw, 2) and (room := budget - operators(child)) > 0:
        return replace(grouped, having=draw_predicate(draw, around_groups(grouped.fields, _inner(schema, level), room)))
    return replace(grouped, having=group_condition(draw, grouped.fields))


def _grouping_sets(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    return grouping_sets(draw, draw(_relations(schema, level, budget)))


def _pivot(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    return pivoted(draw, draw(_relations(schema, level, budget)))


def _window(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    child = draw(_relations(schema, level, budget))
    if one_in(draw, _SUBQUERY_IN_WINDOWS) and (room := budget - operators(child)) > 0:
        child = qualified(child)
        space = around(child.fields, qualifiers(child), _inner(schema, level), room)
        return window_with(draw, window(draw, child), draw_value(draw, space))
    drawn = window(draw, child)
    if budget > operators(child) and (found := ranks(drawn)) and one_in(draw, 3):
        return Filter(drawn, among_the_first(draw, found))
    if (room := budget - operators(child)) < 1 or not one_in(draw, 2):
        return drawn
    return window_over(draw, drawn, between=room > 1 and one_in(draw, 2))


def _generate(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    child = draw(_relations(schema, level, budget))
    if most_rows(child) * MAX_ELEMENTS > MAX_JOINED_ROWS:
        return Distinct(child)
    made = generated(draw, child)
    return read_by_fields(draw, made) if budget > operators(child) else made


def _join(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    asks = budget > 1 and one_in(draw, _SUBQUERY_ONE_IN)
    most = budget - _ROOM * asks
    left = side(draw, draw(_relations(schema, level, most)))
    right = side(draw, draw(_relations(schema, level, most - operators(left))))
    if qualifiers(left) & qualifiers(right):
        right = Alias(right, fresh_alias(left, right))
    kind = pick(draw, JOIN_KINDS if most_rows(left) * most_rows(right) <= MAX_JOINED_ROWS else ("semi", "anti"))
    if kind == "cross":
        return Join(left, right, kind)
    on = draw(join_conditions(left, right))
    if asks:
        room = budget - operators(left) - operators(right)
        space = around_on(left, right, draw(st.booleans()), _inner(schema, level), room)
        condition = draw_predicate(draw, space)
        on = pick(draw, (And(on, condition), And(on, condition), condition, Or(on, condition)))
    return hinted(draw, Join(left, right, kind, on))


def _lateral(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    left = qualified(side(draw, draw(_relations(schema, level, budget))))
    fields = from_fields(left)
    space = around(fields, qualifiers(left), _inner(schema, level), budget - operators(left))
    right = Alias(draw_lateral(draw, space), fresh_alias(left))
    if most_rows(left) * most_rows(right) > MAX_JOINED_ROWS:
        return left
    kind = pick(draw, LATERAL_KINDS)
    if kind == "cross":
        return Lateral(left, right, kind)
    on = draw(predicates(scope(fields + right.fields), depth=1)) if draw(st.booleans()) else Lit(BOOLEAN, True)
    return Lateral(left, right, kind, on)


def _with(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    definition = draw(_relations(schema, level, budget))
    room = budget - operators(definition)
    if one_in(draw, 3):
        return recursive(draw, schema, definition, room)
    other = draw(_relations(schema, level + 3, max(0, room - 2)))
    return draw_with(draw, definition, other, room, level, joins=most_rows(definition) ** 2 <= MAX_JOINED_ROWS)


def _set_op(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    kind, keeps_all = pick(draw, SET_KINDS), draw(st.booleans())
    left = draw(_relations(schema, level, budget))
    form = pick(draw, ("table", "same", "any", "same"))
    if (kind, form) == ("intersect", "same") and 2 * operators(left) + 2 <= budget and one_in(draw, 3):
        left = Filter(left, draw(predicates(scope(from_fields(left)))))
    rest = budget - operators(left)
    if form == "same" and operators(left) + (not isinstance(left, Filter)) <= rest:
        right = variant(draw, left, rest)
    elif form == "table":
        right = fitting_scan(draw, schema, left)
    else:
        right = draw(_relations(schema, level, rest))
    right = fitted(draw, right, tuple(field.type for field in left.fields))
    return SetOp(kind, left, right, keeps_all)


def _union_all(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    """UNION ALL with a table, its columns now and then in another order, or with the last part of the other side."""
    left = draw(_relations(schema, level + 1, budget))
    if isinstance(left, SetOp) and operators(left) + operators(left.right) <= budget and one_in(draw, 3):
        return SetOp("union", left, left.right, all=True)
    return SetOp("union", left, fitting_table(draw, schema, left), all=True)


def _arranged(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    child = draw(_relations(schema, level, budget))
    return arranged(draw, child, budget - operators(child))


def _stacked(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    """An operator with simple conditions right above another one that rules move it through."""
    if budget < 1:
        return _filter(draw, schema, level, budget)
    child = pick(draw, _MOVED_THROUGH)(draw, schema, level + 1, budget - 1)
    return pick(draw, MOVED)(draw, schema, child, budget - operators(child))


def _turned(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    return with_names_turned(draw, draw(_relations(schema, level, budget)))


def _at_random(draw: DrawFn, schema: Database, level: int, budget: int) -> Relation:
    child = draw(_relations(schema, level, budget))
    return with_random_column(draw, child) if level < IN_SUBQUERIES else child


_MOVED_THROUGH: tuple[_Form, ...] = (
    _scan,
    *[_aggregate] * 4,
    *[_set_op] * 4,
    *[_join] * 6,
    *[_union_all] * 4,
    *[_distinct] * 2,
    *[_limit, _project, _turned] * 2,
    *[_at_random] * 3,
    *[_window] * 3,
    *[_generate] * 3,
)
"""Relations below a moved operator; no filter may pass a limit. They shrink to the first, which is passed by none."""

_FORMS: tuple[_Form, ...] = (
    *[_filter] * 4,
    *[_project] * 4,
    *[_set_op] * 6,
    *[_join] * 6,
    *[_aggregate] * 4,
    *[_window] * 4,
    *[_distinct] * 2,
    _deduplicate,
    _grouping_sets,
    _pivot,
    _alias,
    *[_limit] * 2,
    _lateral,
    _with,
    *[_arranged] * 2,
    *[_generate] * 2,
    *[_stacked] * 8,
)
