"""Draw select lists: columns, now and then expressions, under names of the input or new ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import any_expressions, expressions, kinds, predicates
from strategies.draw.field_reads import or_field
from strategies.draw.operands import Fields
from strategies.draw.scopes import new_names
from strategies.draw.values import draw_literal
from strategies.ir import COMPARE_OPS, Agg, Col, Compare, Expr, Item, referable


def value(draw: DrawFn, fields: Fields) -> Expr:
    """A column, or a little more often an expression, in every second draw one of a kind that is rare elsewhere."""
    return _value(draw, fields, draw(below(10)))


def _value(draw: DrawFn, fields: Fields, form: int) -> Expr:
    columns = referable(fields)
    if columns and form < 4:
        return or_field(draw, pick(draw, columns).column())
    if form < 7:
        return draw(expressions(fields, pick(draw, kinds(fields))))
    return draw(any_expressions(fields))


@st.composite
def _drawn_group_keys(draw: DrawFn, fields: Fields) -> Expr:
    form = draw(below(11))
    return draw_literal(draw, pick(draw, kinds(fields))) if form == 10 else _value(draw, fields, form)


_group_keys = lru_cache(maxsize=4096)(_drawn_group_keys)


def group_keys(fields: Fields) -> SearchStrategy[Expr]:
    """Grouping keys: as ``value``, or literals. Each is a draw of its own, which the shrinker can drop."""
    return _group_keys(fields)


def group_condition(draw: DrawFn, fields: Fields) -> Expr:
    """A condition for HAVING over the columns of the groups, mostly about an expression of any kind."""
    if not referable(fields) or draw(below(3)) == 0:
        return draw(predicates(fields, depth=1))
    operand = draw(any_expressions(fields))
    return Compare(pick(draw, COMPARE_OPS), operand, draw(expressions(fields, operand.type, depth=0)))


def named(draw: DrawFn, fields: Fields, values: Sequence[Expr | Agg]) -> tuple[Item, ...]:
    """``values`` as items, mostly under names of ``fields``; half of the time columns keep their own names."""
    names = new_names(draw, fields, len(values))
    if not one_in(draw, 2):
        names = _kept(values, names)
    return tuple(Item(name, value) for name, value in zip(names, values, strict=True))


def _kept(values: Sequence[Expr | Agg], names: Sequence[str]) -> list[str]:
    """The names of those of ``values`` that are columns, each for the first one, and ``names`` for the others."""
    own = {value.name: place for place, value in reversed([*enumerate(values)]) if isinstance(value, Col)}
    others = (name for name in names if name not in own)
    by_place = {place: name for name, place in own.items()}
    return [by_place.get(place) or next(others) for place in range(len(values))]


def shown(draw: DrawFn, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """``items``; now and then only the columns among them, under their own names, and one of them twice."""
    columns = tuple(Item(item.value.name, item.value) for item in items if isinstance(item.value, Col))
    if not columns or not one_in(draw, _TWICE_ONE_IN):
        return items
    return (*columns, pick(draw, columns))


_TWICE_ONE_IN = 12
