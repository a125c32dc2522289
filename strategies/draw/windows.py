"""Draw window functions with one right answer: no sum depends on the order of the rows, and none overflows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.aggregates import aggregates
from strategies.draw.collated import or_collated
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import FieldBits, field_bits
from strategies.draw.exprs import any_expressions, is_small, predicates
from strategies.draw.operands import Fields
from strategies.draw.orders import sort_key, total_order
from strategies.draw.scopes import free_names, new_names, scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    INTEGERS,
    PEEK_FUNCTIONS,
    Agg,
    CaseWhen,
    Expr,
    Field,
    Filter,
    Frame,
    Over,
    Peek,
    RankFunction,
    Ranking,
    Relation,
    SortKey,
    When,
    Window,
    can_be_moved,
    columns_of,
    referable,
    resolve,
)

_WITH_PEERS: tuple[RankFunction, ...] = ("rank", "dense_rank", "percent_rank", "cume_dist")
_ONE_BY_ONE: tuple[RankFunction, ...] = ("row_number", "ntile", "row_number")
_ROWS = tuple(
    Frame("rows", low, high)
    for low, high in ((None, 0), (-1, 1), (-1, 0), (0, None), (None, None), (1, 2), (-2, -1), (0, 0), (None, 1))
)
_PEERS = tuple(Frame("range", low, high) for low, high in ((None, 0), (0, None), (0, 0), (None, None)))
_MOVED = tuple(
    Frame("range", low, high) for low, high in ((-1, 1), (None, 2), (-2, 0), (1, None), (0, 3), (-3, -1), (1, 2))
)
_FURTHEST = max(abs(offset) for frame in _MOVED for offset in (frame.low, frame.high) if offset is not None)


def window(draw: DrawFn, child: Relation) -> Window:
    """``child`` with one to three columns computed over its rows, in one partition and order."""
    fields = scope(child.fields)
    form, size = _form(draw, fields)
    bits = field_bits(child)
    drawn = [_function(draw, form, fields, bits) for _ in range(pick(draw, (1, 1, 2, 3)))]
    names = _names(draw, fields, len(drawn))
    columns = tuple(Over(name, *over) for name, over in zip(names, drawn, strict=True))
    partition = tuple(_part(draw, fields) for _ in range(pick(draw, (0, 1, 1, 2))))
    return Window(child, columns, partition, _order(draw, form, fields, size))


def _form(draw: DrawFn, fields: Fields) -> tuple[str, int]:
    """The kind of order (none, with peers, total, or by one key that supports a range frame), and how many keys one
    with peers has.
    """
    form, size = pick(draw, _ORDERS)
    columns = referable(fields)
    if (form == "total" and len(columns) < len(fields)) or (form == "moved" and not _movable(fields)):
        return "peers", size
    return form, size


_ORDERS = (("none", 0), ("peers", 1), ("peers", 2), *[("total", 1)] * 3, *[("moved", 1)] * 2)


@lru_cache(maxsize=4096)
def _movable(fields: Fields) -> Fields:
    return tuple(field for field in referable(fields) if can_be_moved(field.type, _FURTHEST))


def _order(draw: DrawFn, form: str, fields: Fields, size: int = 1) -> tuple[SortKey, ...]:
    if form == "none":
        return ()
    if form == "moved":
        return (sort_key(draw, _bounded(pick(draw, _movable(fields)).column())),)
    if form == "peers":
        return tuple(sort_key(draw, _part(draw, fields)) for _ in range(size))
    return total_order(draw, fields)


def window_with(draw: DrawFn, drawn: Window, value: Expr) -> Window:
    """``drawn`` with ``value`` as another key of its partition or order, or as the argument of another function.

    An engine may compute such a key for each function anew, and sort for each: only one function sees its order, since
    two could number the rows of a tie in two ways.
    """
    place = draw(below(4))
    if place == 0 or (place < 3 and not drawn.order):
        return replace(drawn, columns=drawn.columns[:1], partition=(*drawn.partition, value))
    if place < 3 and not any(over.frame is not None and over.frame.unit == "range" for over in drawn.columns):
        return replace(drawn, columns=drawn.columns[:1], order=(*drawn.order, sort_key(draw, value)))
    function = Agg(pick(draw, ("max", "count", "min")), value)
    return replace(drawn, columns=(*drawn.columns, Over(free_names(drawn.fields)[0], function)))


def window_over(draw: DrawFn, first: Window, *, between: bool = False) -> Window:
    """Another window over ``first``, of columns of its input, in its partition, by a part of its keys or by one more,
    and in its order or one that differs in its first key; ``first`` itself if names are ambiguous.

    :param between: with a filter between the two.
    """
    known = referable(first.fields)
    old = [
        (field, bits)
        for field, bits in zip(first.child.fields, field_bits(first.child), strict=True)
        if Field(field.name, field.type) in known
    ]
    keys = (*first.partition, *(key.value for key in first.order))
    if any(len(resolve(column, first.fields)) != 1 for key in keys for column in columns_of(key)):
        return first
    fields = tuple(Field(field.name, field.type) for field, _ in old)
    function = _function(draw, "peers" if first.order else "none", fields, tuple(bits for _, bits in old))
    cut = draw(below(len(first.partition) + 1))
    partition = first.partition[cut:] if one_in(draw, 2) else first.partition[: len(first.partition) - cut]
    if fields and cut == 0 and one_in(draw, 2):
        partition = (*partition, pick(draw, fields).column())
    child = Filter(first, draw(predicates(scope(first.fields), depth=0))) if between else first
    order = _like(draw, first.order, fields)
    return Window(child, (Over(free_names(first.fields)[0], *function),), partition, order)


def _like(draw: DrawFn, order: tuple[SortKey, ...], fields: Fields) -> tuple[SortKey, ...]:
    """``order``, or one with another first key or direction."""
    if not order or not fields or not one_in(draw, 3):
        return order
    turned = replace(order[0], descending=not order[0].descending)
    return (turned if one_in(draw, 2) else sort_key(draw, pick(draw, fields).column()), *order[1:])


def numbered(draw: DrawFn, child: Relation) -> Window:
    """``child`` with the rank of each row among all rows."""
    fields = scope(child.fields)
    function, form = pick(draw, _PLACES if len(referable(fields)) == len(fields) else _PLACES[:2])
    return Window(child, (Over(free_names(fields)[0], Ranking(function)),), (), _order(draw, form, fields))


_PLACES: tuple[tuple[RankFunction, str], ...] = (("rank", "peers"), ("dense_rank", "peers"), ("row_number", "total"))


def ranked(draw: DrawFn, child: Relation, functions: Sequence[RankFunction]) -> Window:
    """``child`` with one of ``functions``, and one time in four another function beside it, in up to two partitions;
    the rank if the function needs a total order and ambiguous columns allow none.
    """
    fields = scope(child.fields)
    function = pick(draw, functions)
    if function in _ONE_BY_ONE and len(referable(fields)) < len(fields):
        function = "rank"
    form = "total" if function in _ONE_BY_ONE or (one_in(draw, 3) and referable(fields) == fields) else "peers"
    size = pick(draw, (2, 1, 3)) if function == "ntile" else None
    drawn: list[_Drawn] = [(Ranking(function, size), None)]
    if one_in(draw, 4):
        drawn.append(_function(draw, form, fields, field_bits(child)))
    columns = tuple(Over(name, *over) for name, over in zip(free_names(fields), drawn, strict=False))
    partition = tuple(_part(draw, fields) for _ in range(pick(draw, (0, 1, 0, 1, 0, 2))))
    return Window(child, columns, partition, _order(draw, form, fields, 1))


@st.composite
def _windows(draw: DrawFn, child: Relation) -> Window:
    return window(draw, child)


def windows(child: Relation) -> SearchStrategy[Window]:
    """Windows over ``child``; shrinks to ``count(*) OVER ()``."""
    return _windows(child)


def _names(draw: DrawFn, fields: Fields, size: int) -> list[str]:
    """Mostly new names, because a name of ``fields`` becomes ambiguous."""
    if one_in(draw, 8):
        return new_names(draw, fields, size)
    return list(free_names(fields)[:size])


def _part(draw: DrawFn, fields: Fields) -> Expr:
    columns = referable(fields)
    place = draw(below(2 * len(columns))) if columns else 0  # one draw for both choices, so that a key is a short one
    if place >= len(columns):
        return draw(any_expressions(fields))
    return or_collated(draw, columns[place].column())[0]


def _bounded(column: Expr) -> Expr:
    """``column``, with NULL for integers that a range frame would move out of their type."""
    return CaseWhen((When(is_small(column), column),)) if column.type in INTEGERS else column


_Drawn = tuple[Ranking | Peek | Agg, Frame | None]


def _function(draw: DrawFn, form: str, fields: Fields, bits: FieldBits) -> _Drawn:
    """A function with one right answer under an order of ``form``, with its frame."""
    other = draw(below(5)) if form != "none" else 0
    if form == "total" and other >= 3:
        return _peek(draw, fields)
    if form == "total" and other == 2:
        function = pick(draw, _ONE_BY_ONE)
        return Ranking(function, pick(draw, (2, 1, 3, 9)) if function == "ntile" else None), None
    if (form == "peers" and other >= 3) or other == 1:
        return Ranking(pick(draw, _WITH_PEERS)), None
    frames = {"none": (None, _ROWS[4], _PEERS[3]), "peers": (None, *_PEERS), "total": (None, *_ROWS, *_PEERS)}
    aggregate = replace(draw(aggregates(fields, bits=bits, plain=True)), distinct=False)
    return aggregate, pick(draw, frames.get(form, _MOVED))


def _peek(draw: DrawFn, fields: Fields) -> _Drawn:
    function = pick(draw, PEEK_FUNCTIONS)
    columns = referable(fields)
    operand = pick(draw, columns).column() if draw(below(2)) == 0 else draw(any_expressions(fields))
    ignores = one_in(draw, 4)
    if function in ("lag", "lead"):
        offset = pick(draw, (1, 1, 2, 0, -1, 3))
        default = draw_literal(draw, operand.type) if one_in(draw, 3) else None
        return Peek(function, operand, offset, default, ignores), None
    offset_of = pick(draw, (2, 1, 3)) if function == "nth_value" else None
    return Peek(function, operand, offset_of, None, ignores), pick(draw, (None, *_ROWS, *_PEERS))
