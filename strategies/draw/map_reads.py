"""Draw reads of maps: of a map made for the read, and of a map of the query around a subquery.

A map is never in a result, a key, a condition by itself or a side of a set operator, where Spark refuses it: a query
that makes one keeps it inside a derived table, whose other columns alone are read further up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any, cast

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.made_maps import map_of
from strategies.draw.scopes import scope
from strategies.draw.values import domain, draw_literal
from strategies.ir import (
    MAP_KEYS,
    Alias,
    CaseWhen,
    Col,
    Expr,
    Filter,
    InvalidQuery,
    Item,
    Lit,
    MapRead,
    Node,
    Outer,
    Project,
    Relation,
    Subquery,
    When,
    from_fields,
    is_plain,
    operators,
    rebuild,
    subqueries_of,
)

_ONE_IN = 2
"""One filter or projection in so many reads maps, of those that can."""


def perhaps_through_map(draw: DrawFn, relation: Relation, most: int) -> Relation:
    """``relation``, or, if it has a subquery whose outer columns may come from a map, now and then :func:`through_map`
    of it; with at most ``most`` operators.
    """
    if not isinstance(relation, (Filter, Project)) or not can_go_through_map(relation):
        return relation
    fits = operators(relation) + 1 + isinstance(relation, Filter) <= most
    if not fits or not one_in(draw, _ONE_IN):
        return relation
    try:
        return through_map(draw, relation)
    except InvalidQuery:  # a subquery has one row because it groups by what equals the column itself
        return relation


def can_go_through_map(relation: Filter | Project) -> bool:
    """Whether the input of ``relation`` is one table expression whose names differ, and a subquery reads a plain
    column of it.
    """
    fields = from_fields(relation.child)
    names, qualifiers = {field.name for field in fields}, {field.qualifier for field in fields}
    return len(names) == len(fields) and len(qualifiers) == 1 and None not in qualifiers and bool(_read(relation))


def through_map(draw: DrawFn, relation: Filter | Project) -> Relation:
    """``relation`` over a derived table with a map of its input's columns, which the subqueries read instead of outer
    columns of one type; shrinks to a map with one key.

    Now and then the map is NULL, or lacks the key that is read.
    """
    fields = scope(from_fields(relation.child))
    first = pick(draw, _read(relation))
    others = [column for column in _read(relation) if column.type == first.type and column != first]
    two = bool(others) and draw(below(4)) > 0
    moved = [first, *others[:two]]
    values: list[Expr] = [replace(column, qualifier=None) for column in moved]
    if one_in(draw, 2):
        same = [field.column() for field in fields if field.type == first.type]
        values.insert(draw(below(2)), pick(draw, same) if one_in(draw, 2) else draw_literal(draw, first.type))
    keys = [Lit(kind, key) for kind in (pick(draw, MAP_KEYS),) for key in domain(kind)[: len(values) + 1]]
    made: Expr = map_of(keys[: len(values)], values)
    absent = one_in(draw, 8)
    places = [values.index(replace(column, qualifier=None)) for column in moved]
    if one_in(draw, 3):
        made = CaseWhen((When(draw(predicates(fields, depth=0)), made),))
    taken = {field.name for field in fields}
    name = next(name for name in chain(("m",), (f"m{n}" for n in count())) if name not in taken)
    qualifier = first.qualifier
    read = Outer(name, made.type, qualifier)
    reads = {
        column: MapRead(read, keys[-1] if absent and column == first else keys[place])
        for column, place in zip(moved, places, strict=True)
    }
    assert qualifier is not None  # can_go_through_map says so
    items = tuple(Item(field.name, field.column()) for field in fields)
    child = Alias(Project(relation.child, (*items, Item(name, made))), qualifier)
    if isinstance(relation, Project):
        shown = tuple(replace(item, value=_with_reads(item.value, reads)) for item in relation.items)
        return replace(relation, child=child, items=shown)
    filtered = replace(relation, child=child, condition=_with_reads(relation.condition, reads))
    return Project(filtered, items)


def _read(relation: Filter | Project) -> Sequence[Col]:
    """The plain outer columns that the subqueries of ``relation`` read."""
    parts = [relation.condition] if isinstance(relation, Filter) else [item.value for item in relation.items]
    found = (column for part in parts for query in subqueries_of(part) for column in query.outer)
    return list(dict.fromkeys(column for column in found if is_plain(column.type) and column.qualifier is not None))


def _with_reads(expression: Any, reads: Mapping[Col, Expr]) -> Any:
    """``expression`` with ``reads`` instead of the outer columns of its subqueries."""
    changed = rebuild(expression, lambda part: cast(Node, _with_reads(part, reads)), apart_from=expression.closed)
    if not isinstance(changed, Subquery):
        return changed
    inside: Any = changed
    return replace(inside, query=_inside(inside.query, reads))


def _inside(node: Node, reads: Mapping[Col, Expr]) -> Node:
    if isinstance(node, Outer):
        return reads.get(node.column(), node)
    return rebuild(node, lambda part: _inside(part, reads), apart_from=node.closed)
