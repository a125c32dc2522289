"""Address queries inside expressions by steps of a path: ``?0`` is the first subquery in a relation's expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from oracles.reductions.repoint import Fit
from strategies.ir import Exists, InvalidQuery, Node, Relation, Subquery, children, rebuild, subqueries_of

Narrow = Callable[[Relation, tuple[int, ...]], Relation]


def own_subqueries(relation: Relation) -> list[Subquery]:
    """The subqueries in the expressions of ``relation`` itself, in order."""
    parts = [child for child in children(relation) if not isinstance(child, Relation)]
    return [subquery for part in parts for subquery in subqueries_of(part)]


def steps(relation: Relation) -> tuple[str, ...]:
    """The steps to the subqueries of ``relation``."""
    return tuple(f"?{number}" for number in range(len(own_subqueries(relation))))


def is_nested(step: str) -> bool:
    """Whether ``step`` leads into a subquery."""
    return step.startswith("?")


def query_at(relation: Relation, step: str) -> Relation:
    """The query of the subquery at ``step``."""
    found: Any = own_subqueries(relation)[int(step[1:])]
    query: Relation = found.query
    return query


def with_query_at(relation: Relation, step: str, fit: Fit, narrow: Narrow) -> Relation:
    """``relation`` with ``fit`` as the query of the subquery at ``step``, with its columns in their old order.

    :raises InvalidQuery: a needed column is gone, or the new query doesn't fit.
    """
    wanted = int(step[1:])
    seen = -1

    def change(node: Node) -> Node:
        nonlocal seen
        if isinstance(node, Relation):
            return node
        if isinstance(node, Subquery):
            seen += 1
            if seen == wanted:
                return _requeried(node, fit, narrow)
        return rebuild(node, change, apart_from=node.closed)

    return rebuild(relation, change)


def _requeried(node: Subquery, fit: Fit, narrow: Narrow) -> Subquery:
    new: Any = node
    if isinstance(node, Exists):
        return replace(node, query=fit.relation)
    places = tuple(place for place in fit.places if place is not None)
    if len(places) < len(fit.places):
        raise InvalidQuery("a column of a subquery is gone")
    changed: Subquery = replace(new, query=narrow(fit.relation, places))
    return changed
