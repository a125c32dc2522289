"""Draw ROLLUP, CUBE and GROUPING SETS with grouping ids, and PIVOT."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.aggregates import aggregates
from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.items import group_condition, group_keys, value
from strategies.draw.operands import Fields, columns
from strategies.draw.scopes import new_names, scope
from strategies.draw.subqueries import Inner, around, draw_value
from strategies.draw.values import draw_literal
from strategies.ir import (
    Agg,
    AggFunction,
    Aggregate,
    Expr,
    GroupingId,
    GroupingKind,
    GroupingSets,
    Item,
    Pivot,
    PivotValue,
    Relation,
    qualifiers,
    referable,
)


@lru_cache(maxsize=4096)
def _key_lists(fields: Fields) -> SearchStrategy[list[Expr]]:
    """One to three keys: two on the average; in one draw of three they are columns, which alone have a number."""
    any_keys = st.lists(group_keys(fields), min_size=1, max_size=3)
    own: tuple[Expr, ...] = columns(fields)
    if not own:
        return any_keys
    columns_alone = st.lists(st.sampled_from(own), min_size=1, max_size=3, unique=True)
    return st.one_of(any_keys, any_keys, columns_alone)


def grouping_sets(draw: DrawFn, child: Relation) -> GroupingSets:
    """``child`` grouped by several sets of one to three keys; by one set if it may have many rows."""
    fields = scope(child.fields)
    keys = draw(_key_lists(fields))
    computed = aggregates(fields, bits=field_bits(child))
    results = [draw(computed) for _ in range(pick(draw, (1, 2, 0)))]
    kind = pick(draw, _KINDS)
    sets = _sets(draw, len(keys)) if kind == "sets" else ()
    names = new_names(draw, fields, len(keys) + len(results) + 1)
    values: list[Expr | Agg] = [*keys, *results]
    items = tuple(map(Item, names, values))
    grouped = GroupingSets(child, kind, items[: len(keys)], items[len(keys) :], (), sets)
    if one_in(draw, 3):
        whole = one_in(draw, 2)  # drawn for any keys, so that the shrinker can drop one of them
        asked = tuple(keys) if grouped.has_number and whole else (pick(draw, keys),)
        grouped = replace(grouped, ids=(GroupingId(names[-1], asked),))
    if most_rows(grouped) > MAX_JOINED_ROWS:
        grouped = replace(grouped, kind="sets", sets=(tuple(range(len(keys))),))
    return replace(grouped, having=group_condition(draw, grouped.fields)) if one_in(draw, 3) else grouped


_KINDS: tuple[GroupingKind, ...] = ("rollup", "sets", "cube", "sets")
"""ROLLUP and CUBE have the grand total, in which Spark differs from standard SQL if there are no rows."""


def grouped_with_subquery(draw: DrawFn, child: Relation, inner: Inner, room: int) -> Aggregate:
    """``child`` grouped with a subquery in a key, which then refers to nothing outside, or in an argument."""
    space = around(child.fields, qualifiers(child), inner, room)
    own = columns(space.fields)
    keys: list[Expr] = [pick(draw, own)] if own and one_in(draw, 2) else []
    if one_in(draw, 2):
        values: list[Expr | Agg] = [*keys, draw_value(draw, replace(space, outer=()))]
        result = Agg("count")
    else:
        values = [*keys]
        result = Agg(pick(draw, _OF_ANY), draw_value(draw, space))
    items = tuple(map(Item, new_names(draw, space.fields, len(values) + 1), (*values, result)))
    return Aggregate(child, items[:-1], items[-1:])


_OF_ANY: tuple[AggFunction, ...] = ("max", "count", "min")


def perhaps_grouped(draw: DrawFn, child: Relation, room: int) -> Relation:
    """``child``, or one time in five, if there is ``room`` for one more operator, its groups by a column or two with a
    number, or its total.
    """
    fields = scope(child.fields)
    own = columns(fields)
    if room < 1 or not own or not one_in(draw, 5):
        return child
    keys = tuple(dict.fromkeys(pick(draw, own) for _ in range(pick(draw, (1, 1, 0, 2)))))
    names = new_names(draw, fields, len(keys) + 1)
    result = Agg(pick(draw, _OF_ANY), pick(draw, own))
    return Aggregate(child, tuple(map(Item, names, keys)), (Item(names[-1], result),))


def rolled_up(draw: DrawFn, grouped: Aggregate) -> Aggregate:
    """An aggregate of an aggregate: count the rows of each group of ``grouped``, then sum the counts by some of its
    keys, with the minimum of another key; a sum of counts can't overflow.
    """
    keys = [item.name for item in grouped.keys]
    names = new_names(draw, grouped.fields, len(keys) + 2)
    count = next(name for name in (*names, "n") if name not in keys)
    counted = replace(grouped, aggregates=(Item(count, Agg("count")),))
    common = draw(below(len(keys) + 1))
    items = tuple(Item(field.name, field.column()) for field in counted.fields[:common])
    total = Item(count, Agg("sum", counted.fields[-1].column()))
    least = tuple(Item(field.name, Agg("min", field.column())) for field in counted.fields[common:-1][:1])
    return Aggregate(counted, items, (total, *least))


def _sets(draw: DrawFn, keys: int) -> tuple[tuple[int, ...], ...]:
    """One to three sets, and one more for the keys that are in none of them."""
    masks = [draw(below(2**keys)) for _ in range(pick(draw, (1, 2, 3)))]
    sets = [tuple(place for place in range(keys) if mask >> place & 1) for mask in masks]
    missing = tuple(place for place in range(keys) if not any(place in found for found in sets))
    return (*sets, missing) if missing else tuple(sets)


def pivot(draw: DrawFn, child: Relation) -> Pivot:
    """``child`` pivoted for one to three values of a column or an expression."""
    fields = scope(child.fields)
    columns = referable(fields)
    keys = [draw(group_keys(fields)) for _ in range(pick(draw, (1, 0, 2)))]
    column = pick(draw, columns).column() if columns and not one_in(draw, 6) else value(draw, fields)
    literals = dict.fromkeys(draw_literal(draw, column.type) for _ in range(pick(draw, (1, 2, 3))))
    aggregate = draw(aggregates(fields, bits=field_bits(child), plain=True))
    names = new_names(draw, fields, len(keys) + len(literals))
    items = tuple(map(Item, names, keys))
    values = tuple(PivotValue(name, literal) for name, literal in zip(names[len(keys) :], literals, strict=True))
    return Pivot(child, items, aggregate, column, values)


@st.composite
def _grouped(draw: DrawFn, child: Relation) -> GroupingSets:
    return grouping_sets(draw, child)


def groupings(child: Relation) -> SearchStrategy[GroupingSets]:
    """``child`` by ROLLUP, CUBE or GROUPING SETS; shrinks to ``count(*)`` by the ROLLUP of a column."""
    return _grouped(child)


@st.composite
def _pivoted(draw: DrawFn, child: Relation) -> Pivot:
    return pivot(draw, child)


def pivots(child: Relation) -> SearchStrategy[Pivot]:
    """Pivots of ``child``; shrinks to ``count(*)`` for one value of a column, by one key."""
    return _pivoted(child)
