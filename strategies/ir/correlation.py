"""Check outer columns: Spark has to allow them at their place, and their names must not be hidden."""

from __future__ import annotations

from strategies.ir.arrangement import Repartition
from strategies.ir.bags import AnyLimit
from strategies.ir.cte import With
from strategies.ir.expressions import Col
from strategies.ir.grouping import Aggregate
from strategies.ir.node import Node, children, walk
from strategies.ir.random_columns import RandomColumn, RowNumbers
from strategies.ir.references import Outer, outer_columns, outers_of
from strategies.ir.relations import Join, JoinKind, RandomTest, Relation, qualifiers
from strategies.ir.types import InvalidQuery

_SIDES: dict[JoinKind, frozenset[str]] = {
    "inner": frozenset({"left", "right", "on"}),
    "cross": frozenset({"left", "right"}),
    "left": frozenset({"left", "on"}),
    "right": frozenset({"right", "on"}),
    "semi": frozenset({"left"}),
    "anti": frozenset({"left"}),
    "full": frozenset(),
}
"""By kind of join, the parts in which Spark allows outer columns: not padded sides, nor the right of a semi join."""


def correlated(query: Relation) -> tuple[Col, ...]:
    """The outer columns that ``query`` refers to.

    :raises InvalidQuery: Spark refuses a reference at its place, or its qualifier is that of a relation inside, or
        ``query`` asks for random numbers, which Spark takes in few places.
    """
    if any(isinstance(node, (RandomTest, RandomColumn, RowNumbers)) for node in walk(query)):
        raise InvalidQuery("a subquery must not ask for a random number")
    columns = outer_columns(query)
    if columns:
        _check(query, frozenset())
    return columns


def _check(node: Node, names: frozenset[str]) -> None:
    """Raise InvalidQuery for invalid outer columns in ``node``; ``names`` are those of the relations around it."""
    if isinstance(node, Outer) and node.qualifier in names:
        raise InvalidQuery(f"{node.qualifier} inside hides what is outside: alias one")
    if not _refers_outside(node):
        return
    if isinstance(node, (With, AnyLimit)) or (isinstance(node, Repartition) and node.kind == "rebalance"):
        raise InvalidQuery(f"{type(node).__name__}: nothing in it may refer to the query around")
    if isinstance(node, Join):
        for part in ("left", "right", "on"):
            value = getattr(node, part)
            if part not in node.closed | _SIDES[node.kind] and value is not None and _refers_outside(value):
                raise InvalidQuery(f"{type(node).__name__}: {part} of a {node.kind} join must not refer outside")
    if isinstance(node, Aggregate) and any(map(_refers_outside, (*node.keys, *node.aggregates))):
        raise InvalidQuery("Aggregate: only HAVING may refer to the query around")
    inputs = [child for child in children(node) if isinstance(child, Relation)] if isinstance(node, Relation) else []
    within = names.union(
        *map(qualifiers, inputs), *([f.qualifier for f in child.fields if f.qualifier] for child in inputs)
    )
    for child in children(node, apart_from=node.closed):
        _check(child, within)


def _refers_outside(node: Node) -> bool:
    return next(outers_of(node), None) is not None
