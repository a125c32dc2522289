"""Draw right sides of LATERAL, which refer to the row of the left side."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.listings import wrapped
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.draw.subqueries import Around, another, draw_input, outer
from strategies.draw.values import draw_literal
from strategies.ir import Agg, Aggregate, Coalesce, Item, Limit, Project, Relation, SortKey


def draw_lateral(draw: DrawFn, space: Around) -> Relation:
    """Draw a right side of LATERAL: the partners of an outer row, their count, the first one, or an expression."""
    query, room = draw_input(draw, space, correlate=space.room > 0 and not one_in(draw, 12))
    own = columns(scope(query.fields))
    form = draw(below(8))
    if form < 3 or room < 1 or not own:
        return query
    if form == 3:
        return Aggregate(query, (), (Item("n", Agg("count")), Item("m", Agg("max", pick(draw, own)))))
    if form == 4:
        return Aggregate(query, (Item("a", pick(draw, own)),), (Item("n", Agg("count")),))
    if form == 5 and len(own) == len(query.fields):
        return Limit(query, tuple(map(SortKey, own)), pick(draw, (1, 2)), pick(draw, (0, 1)))
    if form == 6:
        return wrapped(draw, query, room, another(draw, space))
    return Project(query, (Item("a", pick(draw, own)), *_beside(draw, space)))


def _beside(draw: DrawFn, space: Around) -> tuple[Item, ...]:
    if not space.outer:
        return ()
    column = outer(pick(draw, space.outer))
    value = Coalesce((column, draw_literal(draw, column.type))) if one_in(draw, 2) else column
    return (Item("z", value),)
