"""Draw select lists: columns, now and then expressions, under names of the input or new ones."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import expressions, kinds
from strategies.draw.operands import Fields
from strategies.draw.scopes import new_names
from strategies.draw.values import draw_literal
from strategies.ir import Agg, Col, Expr, Item, referable


def value(draw: DrawFn, fields: Fields) -> Expr:
    """A column, or a little more often an expression."""
    columns = referable(fields)
    if columns and draw(below(5)) < 2:
        return pick(draw, columns).column()
    return draw(expressions(fields, pick(draw, kinds(fields))))


def group_key(draw: DrawFn, fields: Fields) -> Expr:
    """A grouping key: as ``value``, or a literal."""
    return draw_literal(draw, pick(draw, kinds(fields))) if one_in(draw, 10) else value(draw, fields)


def named(draw: DrawFn, fields: Fields, values: Sequence[Expr | Agg]) -> tuple[Item, ...]:
    """``values`` as items, mostly under names of ``fields``."""
    names = new_names(draw, fields, len(values))
    return tuple(Item(name, value) for name, value in zip(names, values, strict=True))


def shown(draw: DrawFn, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """``items``; now and then only the columns among them, under their own names, and one of them twice."""
    columns = tuple(Item(item.value.name, item.value) for item in items if isinstance(item.value, Col))
    if not columns or not one_in(draw, _TWICE_ONE_IN):
        return items
    return (*columns, pick(draw, columns))


_TWICE_ONE_IN = 12
