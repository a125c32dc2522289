"""Draw what stands above the rows of a subquery: a projection, DISTINCT, a limit, an aggregate, a set operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.operands import columns, columns_of
from strategies.draw.orders import total_order
from strategies.draw.scopes import scope
from strategies.ir import (
    SET_KINDS,
    Agg,
    AggFunction,
    Aggregate,
    Distinct,
    Expr,
    Item,
    Limit,
    Project,
    Relation,
    SetOp,
    SortKey,
    is_plain,
)

Another = Callable[[], Relation]
"""Draws another relation, for the second side of a set operator."""


def wrapped(draw: DrawFn, query: Relation, room: int, another: Another) -> Relation:
    """``query`` below another operator: a projection, DISTINCT, a limit, an aggregate or a set operator."""
    fields = scope(query.fields)
    own = columns(fields)
    if room < 1 or not own:
        return query
    form = draw(below(6))
    if form == 1:
        return Distinct(query)
    if form == 2 and len(own) == len(query.fields):
        return Limit(query, tuple(map(SortKey, own)), pick(draw, (1, 2, 0, 3)), pick(draw, (0, 1)))
    if form == 3:
        return Aggregate(query, (), (Item("n", Agg("count")),))
    if form == 4:
        return Aggregate(query, (Item("a", pick(draw, own)),), (Item("n", Agg("count")),))
    if form == 5:
        return _combined(draw, query, another())
    return Project(query, (Item("a", pick(draw, own)),))


def _combined(draw: DrawFn, query: Relation, other: Relation) -> Relation:
    if [field.type for field in query.fields] != [field.type for field in other.fields]:
        return query
    return SetOp(pick(draw, SET_KINDS), query, other, one_in(draw, 2))


_ENDS: tuple[AggFunction, ...] = ("max", "min")


def listed(draw: DrawFn, query: Relation, values: Sequence[Expr], room: int, another: Another) -> Relation:
    """``values`` of each row of ``query``, as a list for IN; with ``room``, two times in five those of all rows or of
    groups, the first ones, without repetition, or beside those of another relation.
    """
    items = tuple(Item(f"x{number}", value) for number, value in enumerate(values))
    plain = Project(query, items)
    form = draw(below(15)) if room > 0 and all(is_plain(value.type) for value in values) else 0
    if form < 9:
        return plain
    if form < 11:
        function = pick(draw, _ENDS)
        return Aggregate(query, (), tuple(Item(f"x{n}", Agg(function, value)) for n, value in enumerate(values)))
    if form == 11:
        return Aggregate(query, items, ())
    if form == 12:
        return Limit(plain, total_order(draw, plain.fields), pick(draw, (1, 2, 0, 3)))
    return Distinct(plain) if form == 13 else _combined(draw, plain, _alike(draw, plain, another()))


def _alike(draw: DrawFn, plain: Relation, other: Relation) -> Relation:
    """Columns of ``other`` of the types that ``plain`` has; ``plain`` itself if it lacks one."""
    found = [columns_of(scope(other.fields), field.type) for field in plain.fields]
    if not all(found):
        return plain
    return Project(other, tuple(Item(f.name, pick(draw, own)) for f, own in zip(plain.fields, found, strict=True)))
