"""Put an expression that may raise into a drawn query: where SQL fixes that it is evaluated, or where it doesn't.

The rest of a query is drawn without errors (see :mod:`strategies.draw.exprs`), so a share of the queries gets one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from hypothesis.strategies import DrawFn

from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.operands import columns
from strategies.draw.raising import choice, raising, tested
from strategies.draw.scopes import fresh_alias, new_names, scope
from strategies.ir import (
    INTEGERS,
    SET_KINDS,
    Agg,
    Aggregate,
    Alias,
    And,
    Call,
    Exists,
    Filter,
    InvalidQuery,
    Item,
    Join,
    Limit,
    Node,
    Over,
    Project,
    RaisingArith,
    RaisingCast,
    RaisingOp,
    RandomColumn,
    RandomTest,
    Ranking,
    Relation,
    RowNumbers,
    SetOp,
    SortKey,
    TryArith,
    TryCast,
    Window,
    With,
    from_fields,
    may_raise,
    transform,
    walk,
    without_ansi,
)

RAISING = 16
"""One drawn query in this many has an expression that may raise."""

_QUOTIENTS: dict[str, RaisingOp] = {"divide": "/", "modulo": "%"}


def with_error(draw: DrawFn, query: Relation, *, compared: int = 4) -> Relation:
    """``query`` with an expression that may raise; ``query`` itself if there is no place for one.

    In every second draw the expression is in a select list on top, where SQL fixes that it is evaluated; otherwise in
    place of one that is NULL where it would raise, or anywhere in an operator on top. Shrinks to a guarded sum on top.

    :param compared: of those on top, one in so many is compared.
    """
    return _unguarded(draw, query) if one_in(draw, 2) else selected(draw, query, compared=compared)


def in_mode(query: Relation, *, ansi: bool) -> tuple[Relation, bool]:
    """``query`` as it is in this ANSI mode, and the mode that it needs: ANSI for what has no NULL without it."""
    if ansi or not may_raise(query):
        return query, ansi
    try:
        return cast(Relation, without_ansi(query)), False
    except InvalidQuery:
        return query, True


def selected(draw: DrawFn, query: Relation, *, compared: int = 4) -> Relation:
    """``query`` below a select list with an expression that may raise, one in ``compared`` of which is compared;
    ``query`` itself if it has no column.
    """
    fields = scope(query.fields)
    own = columns(fields)
    if query.up_to_engine or not own:
        return query
    values = [choice(draw, fields, compared=compared), *(pick(draw, own) for _ in range(draw(below(3))))]
    names = new_names(draw, fields, len(values))
    return Project(query, tuple(Item(name, value) for name, value in zip(names, values, strict=True)))


def _unguarded(draw: DrawFn, query: Relation) -> Relation:
    if query.up_to_engine:
        return query
    guarded = [node for node in walk(query) if _without_guard(node) is not node]
    if guarded and draw(below(3)) == 0:
        chosen = pick(draw, guarded)
        try:
            return cast(Relation, transform(query, lambda node: _without_guard(node) if node == chosen else node))
        except InvalidQuery:
            return query
    return placed(draw, query) if columns(scope(query.fields)) else query


def _without_guard(node: Node) -> Node:
    """``node`` as an expression that may raise, if it is one that is NULL where it would raise."""
    match node:
        case TryArith(op=op, left=left, right=right) if left.type in INTEGERS:
            return RaisingArith(op, left, right)
        case TryCast(operand=operand, to=to):
            return RaisingCast(operand, to)
        case Call(function=name, arguments=(left, right)) if name in _QUOTIENTS:
            return RaisingArith(_QUOTIENTS[name], left, right)
    return node


# Operators on top.


def placed(draw: DrawFn, query: Relation) -> Relation:
    """``query``, which has a column, below an operator with an expression that may raise. Shrinks to a filter."""
    return pick(draw, _PLACES)(draw, query)


def _in_filter(draw: DrawFn, query: Relation) -> Relation:
    fields = scope(from_fields(query))
    if not columns(fields):  # a condition above a filter can't use the qualifiers of its columns
        return selected(draw, query)
    condition = tested(draw, fields)
    return Filter(query, And(draw(predicates(fields, depth=1)), condition) if one_in(draw, 2) else condition)


def _in_on(draw: DrawFn, query: Relation) -> Relation:
    if most_rows(query) ** 2 > MAX_JOINED_ROWS:
        return _in_filter(draw, query)
    left = Alias(query, fresh_alias(query))
    right = Alias(query, fresh_alias(query, left))
    fields = scope(left.fields + right.fields)
    if not columns(fields):
        return _in_filter(draw, query)
    return Join(left, right, pick(draw, ("inner", "left", "semi")), tested(draw, fields))


def _grouped(draw: DrawFn, query: Relation) -> Aggregate:
    return Aggregate(query, (Item("a", pick(draw, columns(scope(query.fields)))),), (Item("n", Agg("count")),))


def _in_key(draw: DrawFn, query: Relation) -> Relation:
    value = raising(draw, scope(query.fields))[0]
    return Aggregate(query, (Item("a", value),), (Item("n", Agg("count")),))


def _in_argument(draw: DrawFn, query: Relation) -> Relation:
    value = raising(draw, scope(query.fields))[0]
    return replace(_grouped(draw, query), aggregates=(Item("n", Agg(pick(draw, ("max", "count", "min")), value)),))


def _in_having(draw: DrawFn, query: Relation) -> Relation:
    grouped = _grouped(draw, query)
    return replace(grouped, having=tested(draw, grouped.fields))


def _in_window(draw: DrawFn, query: Relation) -> Relation:
    fields = scope(query.fields)
    value, place = raising(draw, fields)[0], draw(below(3))
    key = SortKey(value if place == 0 else pick(draw, columns(fields)))
    part = value if place == 1 else pick(draw, columns(fields))
    function = Agg("count", value if place == 2 else None)
    return Window(query, (Over("w", function), Over("r", Ranking("rank"))), (part,), (key,))


_IN_NO_SUBQUERY = (With, RandomTest, RandomColumn, RowNumbers)


def _in_subquery(draw: DrawFn, query: Relation) -> Relation:
    if any(isinstance(node, _IN_NO_SUBQUERY) for node in walk(query)):
        return _in_filter(draw, query)
    return Filter(query, Exists(_in_filter(draw, query), one_in(draw, 2)))


def _listed(draw: DrawFn, query: Relation) -> Relation:
    fields = scope(query.fields)
    return Project(query, (Item("a", raising(draw, fields)[0]), Item("b", pick(draw, columns(fields)))))


def _in_side(draw: DrawFn, query: Relation) -> Relation:
    chosen = _listed(draw, query)
    return SetOp(pick(draw, SET_KINDS), chosen, chosen, one_in(draw, 2))


def _below_limit(draw: DrawFn, query: Relation) -> Relation:
    chosen = _listed(draw, query)
    order = tuple(SortKey(field.column()) for field in chosen.fields)
    return Limit(chosen, order, pick(draw, (1, 2, 5)))


_PLACES: tuple[Callable[[DrawFn, Relation], Relation], ...] = (
    _in_filter,
    _in_on,
    _in_key,
    _in_argument,
    _in_having,
    *[_in_window] * 3,
    _in_subquery,
    *[_in_side] * 2,
    *[_below_limit] * 2,
)
