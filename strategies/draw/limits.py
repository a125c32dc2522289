"""Draw limits: under a total order, so that SQL fixes which rows they keep."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.collated import or_collated
from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import any_expressions
from strategies.draw.operands import Fields
from strategies.draw.orders import sort_key, total_order
from strategies.draw.scopes import scope
from strategies.ir import Distinct, Expr, Limit, Lit, Relation, SortKey, referable


def count_and_offset(draw: DrawFn) -> tuple[int, int]:
    """The count and the offset of a limit; shrinks to one row from the first."""
    return pick(draw, (1, 2, 3, 5, 8) * 3 + (0,)), pick(draw, (0,) * 7 + (1, 2, 3))


_COMPUTED = 3
"""One order in so many begins with a computed key."""


def limited(draw: DrawFn, child: Relation, *, first: Expr | None = None) -> Relation:
    """A limit of ``child`` under a total order that begins with ``first``, if it is given; DISTINCT where ambiguous
    columns allow no such order.
    """
    fields = scope(child.fields)
    if len(referable(fields)) < len(fields):
        return Distinct(child)
    return Limit(child, fixed_order(draw, fields, first=first), *count_and_offset(draw))


def fixed_order(draw: DrawFn, fields: Fields, *, first: Expr | None = None) -> tuple[SortKey, ...]:
    """An order by all of ``fields``, of which none is ambiguous, that begins with ``first``, or with a computed key in
    one of three draws; a computed text may stand under a collation.
    """
    order = total_order(draw, fields)
    key = draw(any_expressions(fields)) if first is None and one_in(draw, _COMPUTED) else first
    return order if key is None or isinstance(key, Lit) else (sort_key(draw, *or_collated(draw, key)), *order)
