"""Draw orders: keys in any direction, and orders that SQL fixes because all columns are keys."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below
from strategies.draw.operands import Fields
from strategies.ir import Expr, SortKey


def sort_key(draw: DrawFn, value: Expr) -> SortKey:
    """A key of an order by ``value``, in either direction, NULL first or last; shrinks to ascending, NULL first."""
    direction = draw(below(4))
    return SortKey(value, direction >= 2, direction % 2 == 0)


def total_order(draw: DrawFn, fields: Fields) -> tuple[SortKey, ...]:
    """An order by all of ``fields``, of which at least one is given and none is ambiguous."""
    turn = draw(below(len(fields)))
    return tuple(sort_key(draw, field.column()) for field in fields[turn:] + fields[:turn])
