"""Draw operators that an aim asks for over a relation, with the aim's expressions in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.aggregates import aggregate_of, aggregates, distinct_alone, distinct_too, with_distinct
from strategies.draw.arrangements import arranged
from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.ctes import draw_with
from strategies.draw.draws import one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.exprs import predicates
from strategies.draw.generates import generated
from strategies.draw.grouping import grouping_sets, pivot
from strategies.draw.items import named, value
from strategies.draw.joins import join_conditions, side
from strategies.draw.laterals import draw_lateral
from strategies.draw.leaves import literal_rows
from strategies.draw.limits import count_and_offset, limited
from strategies.draw.map_reads import perhaps_through_map
from strategies.draw.operands import Fields
from strategies.draw.queries import queries
from strategies.draw.random_tests import random_test, with_random_column
from strategies.draw.recursion import recursive
from strategies.draw.scopes import fresh_alias, qualified, scope
from strategies.draw.setops import fitting_table, variant
from strategies.draw.subqueries import (
    Around,
    around,
    beside_another,
    draw_predicate,
    draw_scalar,
    draw_value,
    value_of,
)
from strategies.draw.typed import typed
from strategies.draw.unpivots import unpivoted
from strategies.draw.values import draw_literal
from strategies.draw.windows import numbered, ranked, window, window_over, window_with
from strategies.edits.aim import Aim
from strategies.edits.aimed_expressions import aimed_condition, aimed_value
from strategies.edits.aimed_filters import aimed_filter, computed_fields
from strategies.edits.aimed_joins import JOINS
from strategies.ir import (
    BOOLEAN,
    INT,
    LATERAL_KINDS,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Column,
    Database,
    Deduplicate,
    Distinct,
    Expr,
    Filter,
    Generate,
    GroupingSets,
    Item,
    Join,
    JoinKind,
    Lateral,
    Lit,
    Or,
    Project,
    Recursive,
    Relation,
    Scan,
    SetKind,
    SetOp,
    Struct,
    Window,
    With,
    columns_of,
    from_fields,
    operators,
    qualifiers,
    referable,
    without_limit,
    without_random,
)

Operator = Callable[[DrawFn, Database, Relation, Aim], Relation]
"""Puts an operator over a relation."""

_KINDS: tuple[JoinKind, ...] = ("inner", "left", "right", "full", "semi", "anti")


def _project(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """A select list with an expression of the aim; two times in three two, one over the other, if it changes fields:
    the analyzer joins the changes in one list, so that rules meet those of two.
    """
    made = computed_fields(child)
    projected = _projected(draw, child, aim, made if one_in(draw, 2) else ())
    if "WithField" not in aim.expressions or one_in(draw, 3):
        return projected
    return _projected(draw, projected, aim, tuple(each for each in projected.fields if isinstance(each.type, Struct)))


def _projected(draw: DrawFn, child: Relation, aim: Aim, made: Fields) -> Project:
    """A select list with an expression of the aim, of the columns ``made`` if there are some: alone or beside other
    columns, because rules put a computed column in the place where it is read once.
    """
    fields = scope(child.fields)
    if made:
        return listed(draw, child, aim, of=made)
    others = [value(draw, fields) for _ in range(pick(draw, (1, 0, 2)))]
    if one_in(draw, 6):
        others.append(draw_literal(draw, pick(draw, fields).type if fields else INT))
    aimed = aimed_value(draw, fields, aim)
    return Project(child, named(draw, fields, (*_columns(draw, fields), aimed, *others)))


def listed(draw: DrawFn, child: Relation, aim: Aim, *, of: Fields) -> Project:
    """A select list with an expression of the aim, of the columns ``of``, beside others or alone."""
    fields = scope(child.fields)
    aimed = aimed_value(draw, of, aim)
    beside = tuple(field for field in fields if field.column() not in set(columns_of(aimed)))
    return Project(child, named(draw, fields, (*_columns(draw, beside), aimed)))


def _columns(draw: DrawFn, fields: Fields) -> list[Expr]:
    known = referable(fields)
    return [pick(draw, known).column() for _ in range(pick(draw, (1, 2, 0)))] if known else []


def _aggregate(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    fields = scope(child.fields)
    keys = [key for key in _columns(draw, fields) if not one_in(draw, 4)]
    keys += [aimed_value(draw, fields, aim)] if one_in(draw, 3) else []
    keys = [] if one_in(draw, 5) else keys  # all rows are one group, even if there are none
    computed = aggregates(fields, bits=field_bits(child), functions=aim.aggregates)
    results = [draw(computed) for _ in range(pick(draw, (1, 2, 0)) or not keys)]
    if one_in(draw, 2):
        operand, functions = aimed_value(draw, fields, aim), aim.aggregates or ("max", "min", "count")
        results.append(aggregate_of(draw, operand, fields, bits=field_bits(child), functions=functions))
    if one_in(draw, 3):  # two sets of values that count once each: Spark multiplies the rows for them
        results = pick(draw, (distinct_alone, distinct_too))([*results, draw(computed), draw(computed)])
    else:
        results = with_distinct(draw, child, results, computed)
    items = named(draw, fields, (*keys, *results))
    return Aggregate(child, items[: len(keys)], items[len(keys) :])


def _distinct(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    return Distinct(child)


def _deduplicate(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    names = tuple(field.name for field in child.fields)
    return Deduplicate(child, names) if len(set(names)) == len(names) else Distinct(child)


def _limit(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    if one_in(draw, 4):  # only the number of rows that an unordered limit keeps is fixed
        return Aggregate(AnyLimit(child, *count_and_offset(draw)), (), (Item("a", Agg("count")),))
    return _first_rows(draw, child, aim)


def _first_rows(draw: DrawFn, child: Relation, aim: Aim) -> Relation:
    """The first rows, two times in three in an order that begins with an aimed value."""
    fields = scope(child.fields)
    return limited(draw, child, first=None if not fields or one_in(draw, 3) else aimed_value(draw, fields, aim))


def _sort(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """An order, half of the time one that decides which rows come first."""
    return _first_rows(draw, child, aim) if one_in(draw, 2) else arranged(draw, child, 1)


def _other_side(draw: DrawFn, schema: Database, left: Relation) -> Relation:
    table = pick(draw, schema.tables)
    right: Relation = left if one_in(draw, 4) else Scan(table.name, table.columns)
    if isinstance(right, Scan) and one_in(draw, 4):
        right = Filter(right, draw(predicates(scope(right.fields), depth=1)))
    return Alias(right.child if isinstance(right, Alias) else right, fresh_alias(left))


def _some_rows(draw: DrawFn, schema: Database) -> Relation:
    """A table, half of the time below a filter."""
    table = pick(draw, schema.tables)
    scan = Scan(table.name, table.columns)
    return Filter(scan, draw(predicates(scope(scan.fields), depth=0))) if one_in(draw, 2) else scan


def _join(draw: DrawFn, schema: Database, child: Relation, aim: Aim, kinds: tuple[JoinKind, ...] = ()) -> Relation:
    left = side(draw, child)
    right = _other_side(draw, schema, left)
    kind = pick(draw, kinds or aim.joins or _KINDS)
    if most_rows(left) * most_rows(right) > MAX_JOINED_ROWS and kind not in ("semi", "anti"):
        return Filter(child, aimed_condition(draw, scope(from_fields(child)), aim))
    if kind == "cross":
        return Join(left, right, kind)
    on = draw(join_conditions(left, right))
    both = scope(from_fields(left) + from_fields(right))
    for _ in range(pick(draw, (0, 1, 0, 1, 2))):
        on = pick(draw, (And, And, Or))(on, aimed_condition(draw, both, aim))
    return Join(left, right, kind, on)


def _set_op(draw: DrawFn, schema: Database, child: Relation, aim: Aim, kind: SetKind) -> Relation:
    if "Filter" in aim.operators and one_in(draw, 3):  # rules ask what one side is known to be
        child = aimed_filter(draw, schema, child, aim)
    right = variant(draw, child, 2) if one_in(draw, 2) else fitting_table(draw, schema, child)
    return SetOp(kind, child, right, not one_in(draw, 3) if kind == "union" else one_in(draw, 2))


def _window(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    if isinstance(child, Window) and not one_in(draw, 3):  # rules about windows compare one with the one below it
        return window_over(draw, child, between=one_in(draw, 4))
    if aim.ranks and not one_in(draw, 3):
        drawn = ranked(draw, child, aim.ranks)
    else:
        drawn = numbered(draw, child) if one_in(draw, 3) else window(draw, child)
    if aim.expressions and scope(child.fields) and one_in(draw, 3):
        drawn = window_with(draw, drawn, aimed_value(draw, scope(child.fields), aim))
    return window_over(draw, drawn, between=one_in(draw, 4)) if one_in(draw, 4) else drawn


def _generate(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Generate:
    return generated(draw, child)


def _grouping_sets(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> GroupingSets:
    return grouping_sets(draw, child)


def _pivot(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    return pivot(draw, child)


def _unpivot(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    return unpivoted(draw, child) or Distinct(child)


def _values(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """The relation together with rows of constants, or these rows in its place; one time in three none of its rows,
    which Spark has as rows of constants, too.
    """
    if one_in(draw, 3):
        return Filter(child, Lit(BOOLEAN, False))
    names = [field.name for field in child.fields]
    if len(set(names)) < len(names):
        return Distinct(child)
    rows = literal_rows(draw, tuple(Column(field.name, field.type) for field in child.fields))
    if one_in(draw, 2):  # rules about rows that are at hand look at operators right above them
        return rows
    return SetOp("union", *((rows, child) if one_in(draw, 2) else (child, rows)), all=True)


def _around(schema: Database, child: Relation) -> Around:
    def inner(room: int) -> SearchStrategy[Relation]:
        return queries(schema, max_operators=min(room, 1)).map(without_random)

    return around(from_fields(child), qualifiers(child), inner, 2)


def _with_subquery(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    child = qualified(child)
    return _through_map(draw, Filter(child, draw_predicate(draw, _around(schema, child))), aim)


def _through_map(draw: DrawFn, relation: Filter | Project, aim: Aim) -> Relation:
    """``relation``, or, for an aim of maps, half of the time with a map whose values its subqueries read."""
    return perhaps_through_map(draw, relation, operators(relation) + 2) if "MapRead" in aim.expressions else relation


_OF_WHOLE = 5
"""The operators of two values of whole relations: an aggregate over a filter each, and one more."""


def _with_value_of_subquery(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """A select list with subqueries; one time in three with values of whole relations, which rules compare, half of
    these of a table or a filter of one.
    """
    child = qualified(child)
    space = _around(schema, child)
    if one_in(draw, 3):
        whole = replace(space, outer=(), room=_OF_WHOLE)
        first = value_of(draw, _some_rows(draw, schema)) if one_in(draw, 2) else draw_scalar(draw, whole)
        values = beside_another(draw, whole, first)
    else:
        values = [draw_value(draw, space) if one_in(draw, 3) else draw_scalar(draw, space)]
    return _through_map(draw, Project(child, named(draw, space.fields, (*values, *_columns(draw, space.fields)))), aim)


def _lateral(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    left = qualified(side(draw, child))
    right = Alias(draw_lateral(draw, _around(schema, left)), fresh_alias(left))
    kind = pick(draw, LATERAL_KINDS)
    on = None if kind == "cross" else aimed_condition(draw, scope(from_fields(left) + right.fields), aim)
    return Lateral(left, right, kind, on)


def _with(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> With:
    other = without_limit(draw(queries(schema, max_operators=1)))
    joins = most_rows(child) ** 2 <= MAX_JOINED_ROWS
    made = draw_with(draw, child, other, 5, 1, joins=joins, stays_in=2, mostly_filtered=True)
    assert isinstance(made, With)
    return made


def _recursive(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    made = recursive(draw, schema, child, 1)
    if not isinstance(made, Recursive) or one_in(draw, 2):
        return made
    return replace(made, condition=aimed_condition(draw, made.fields, aim))


def _typed(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    names = {field.name for field in child.fields}
    return typed(draw, child) if len(names) == len(child.fields) else Distinct(child)


def _at_random(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """A filter with a test of a random number, or a nondeterministic column."""
    if one_in(draw, 3):
        return Filter(child, aimed_condition(draw, scope(from_fields(child)), aim), random_test(draw))
    return with_random_column(draw, child)


OPERATORS: dict[str, Operator] = {
    "Filter": aimed_filter,
    "Project": _project,
    "Aggregate": _aggregate,
    "Join": _join,
    "Distinct": _distinct,
    "Deduplicate": _deduplicate,
    "Limit": _limit,
    "Sort": _sort,
    "Union": partial(_set_op, kind="union"),
    "Except": partial(_set_op, kind="except"),
    "Intersect": partial(_set_op, kind="intersect"),
    "Window": _window,
    "Generate": _generate,
    "GroupingSets": _grouping_sets,
    "Pivot": _pivot,
    "Unpivot": _unpivot,
    "Values": _values,
    "Subquery": _with_subquery,
    "ScalarSubquery": _with_value_of_subquery,
    "Lateral": _lateral,
    "With": _with,
    "Recursive": _recursive,
    "Typed": _typed,
    "AtRandom": _at_random,
    **JOINS,
}
"""The operators that an aim may ask for."""
