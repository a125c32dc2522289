"""Composite shapes: one rule's output below another's input, where each alone may be right and both together wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import FormsOf, cases_of, sql_only
from strategies.draw.draws import one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.exprs import Fields
from strategies.draw.joins import join_conditions
from strategies.draw.scopes import scope
from strategies.draw.windows import window
from strategies.ir import (
    RANDOM_FUNCTIONS,
    Agg,
    Aggregate,
    AnyLimit,
    Case,
    Database,
    Distinct,
    Filter,
    InSubquery,
    Item,
    Join,
    JoinKind,
    Project,
    RandomColumn,
    Relation,
    SetKind,
    SetOp,
    Sort,
    SortKey,
    referable,
)
from strategies.shapes.conditions import plain_aggregates
from strategies.shapes.context import apart, number_of_rows
from strategies.shapes.filters import about
from strategies.shapes.forms import any_form, from_files, over_tables
from strategies.shapes.nulls import rejecting
from strategies.shapes.sides import first_columns, fitting, join_sides, sides

_Build = Callable[[DrawFn, Database], Relation]
_KINDS: tuple[tuple[SetKind, bool], ...] = (
    ("except", True),
    ("intersect", True),
    ("except", False),
    ("intersect", False),
    ("union", False),
)
_OUTER: tuple[JoinKind, ...] = ("left", "right", "full")


def _outer_join(draw: DrawFn, schema: Database) -> Join:
    left, right = join_sides(draw, schema)
    return Join(left, right, pick(draw, _OUTER), draw(join_conditions(left, right)))


def _no_longer_outer(draw: DrawFn, schema: Database) -> tuple[Filter, Fields]:
    """An outer join below a filter that rejects padded rows, and its columns."""
    join = _outer_join(draw, schema)
    fields, width = scope(join.fields), len(join.left.fields)
    padded = fields[width:] if join.kind == "left" else fields[:width]
    return Filter(join, rejecting(draw, padded, fields)), fields


def _grouped(draw: DrawFn, child: Relation) -> Aggregate:
    """``child`` by none, one or two of its columns, with one or two functions."""
    columns = referable(scope(child.fields))
    keys = tuple(Item(f"k{place}", pick(draw, columns).column()) for place in range(pick(draw, (1, 0, 2))) if columns)
    functions = plain_aggregates(scope(child.fields), bits=field_bits(child))
    return Aggregate(child, keys, tuple(Item(f"n{place}", draw(functions)) for place in range(pick(draw, (1, 2)))))


def _aggregate_over_outer_join(draw: DrawFn, schema: Database) -> Relation:
    filtered, fields = _no_longer_outer(draw, schema)
    return _grouped(draw, apart(filtered, fields))


def _filter_over_union_in_set_operator(draw: DrawFn, schema: Database) -> Relation:
    union = SetOp("union", *sides(draw, schema), all=True)
    filtered = Filter(union, about(draw, scope(union.fields)))
    types = tuple(field.type for field in union.fields)
    others = [table for table in schema.tables if fitting(table, types)]
    other: Relation = first_columns(pick(draw, others), len(types)) if others else union
    kind, keeps_all = pick(draw, _KINDS)
    return SetOp(kind, filtered, other, keeps_all)


def _window_over_pruned_columns(draw: DrawFn, schema: Database) -> Relation:
    """A few columns of a window over a join, among them the window's own."""
    left, right = join_sides(draw, schema)
    join = Join(left, right, pick(draw, ("inner", "left")), draw(join_conditions(left, right)))
    windowed = window(draw, apart(join, scope(join.fields)))
    columns = referable(scope(windowed.fields))
    if not columns:
        return windowed
    shown = [*columns[-1:], *columns[:1]]
    return Project(windowed, tuple(Item(f"p{place}", field.column()) for place, field in enumerate(shown)))


def _limit_over_union_over_outer_join(draw: DrawFn, schema: Database) -> Relation:
    join = _outer_join(draw, schema)
    first = apart(join, scope(join.fields)[: len(join.left.fields)])
    second: Relation = first if one_in(draw, 2) else first_columns(pick(draw, schema.tables), len(first.items))
    types = tuple(field.type for field in first.fields)
    other = second if tuple(field.type for field in second.fields) == types else first
    limit = AnyLimit(SetOp("union", first, other, all=True), pick(draw, (1, 2, 3, 5)), pick(draw, (0, 0, 0, 1)))
    return number_of_rows(limit) if draw(st.booleans()) else limit


def _subquery_over_aggregate(draw: DrawFn, schema: Database) -> Relation:
    """A filter that moves down over an IN with the keys of an aggregate."""
    left, right = join_sides(draw, schema)
    fields = scope(left.fields)
    column = pick(draw, referable(fields)).column()
    theirs = [field for field in referable(scope(right.fields)) if field.type == column.type]
    if not theirs:
        return Filter(left, about(draw, fields))
    grouped = Aggregate(right, (Item("k", pick(draw, theirs).column()),), (Item("n", Agg("count")),))
    inner = Project(Filter(grouped, about(draw, scope(grouped.fields))), (Item("k", grouped.fields[0].column()),))
    chosen = Filter(left, InSubquery((column,), inner, draw(st.booleans())))
    return Filter(chosen, about(draw, fields)) if draw(st.booleans()) else chosen


def _set_operator_over_distinct_join(draw: DrawFn, schema: Database) -> Relation:
    filtered, fields = _no_longer_outer(draw, schema)
    once = Distinct(apart(filtered, fields))
    kind, keeps_all = pick(draw, _KINDS)
    return SetOp(kind, once, Filter(once, about(draw, scope(once.fields))), keeps_all)


def _limit_over_random_values_over_an_order(draw: DrawFn, schema: Database) -> Relation:
    """A filter that moves down between an order and a projection of a random value, over which there is a limit."""
    left, right = join_sides(draw, schema)
    join = Join(left, right, pick(draw, ("inner", "left")), draw(join_conditions(left, right)))
    few = apart(join, scope(join.fields)[: len(join.left.fields)])
    order = tuple(SortKey(field.column(), draw(st.booleans())) for field in referable(scope(few.fields)))
    rows = Sort(few, order) if order else few
    filtered = Filter(rows, about(draw, scope(rows.fields)))
    random = RandomColumn(filtered, "x", pick(draw, RANDOM_FUNCTIONS))
    return AnyLimit(random, pick(draw, (1, 2, 5)))


def _cases(build: _Build, forms_of: FormsOf = any_form) -> SearchStrategy[Case]:
    return from_files(cases_of(over_tables(build), forms_of=forms_of))


COMPOSITES: Mapping[str, Callable[[], SearchStrategy[Case]]] = {
    "aggregate over an eliminated outer join": partial(_cases, _aggregate_over_outer_join),
    "filter through a union under a set operator": partial(_cases, _filter_over_union_in_set_operator),
    "window over pruned columns": partial(_cases, _window_over_pruned_columns),
    "limit over a union over an outer join": partial(_cases, _limit_over_union_over_outer_join),
    "subquery over an aggregate": partial(_cases, _subquery_over_aggregate, sql_only),
    "limit over random values over an order": partial(_cases, _limit_over_random_values_over_an_order),
    "set operator over a distinct join": partial(_cases, _set_operator_over_distinct_join),
}
"""Combinations of operators by name, each with its cases."""
