"""Draw limits: under a total order, so that SQL fixes which rows they keep."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.orders import total_order
from strategies.draw.scopes import scope
from strategies.ir import Distinct, Limit, Relation, referable


def count_and_offset(draw: DrawFn) -> tuple[int, int]:
    """The count and the offset of a limit; shrinks to one row from the first."""
    return pick(draw, (1, 2, 3, 5, 8) * 3 + (0,)), pick(draw, (0,) * 7 + (1, 2, 3))


def limited(draw: DrawFn, child: Relation) -> Relation:
    """A limit of ``child`` under a total order, or DISTINCT where ambiguous columns allow no such order."""
    fields = scope(child.fields)
    if len(referable(fields)) < len(fields):
        return Distinct(child)
    return Limit(child, total_order(draw, fields), *count_and_offset(draw))
