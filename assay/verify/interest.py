"""The order of queries within a level: those first that have the operators that a rule's class names.

It changes no level, and so nothing of what a run says of the levels that it went through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from assay.verify.grammar import Level
from strategies.ir import (
    Aggregate,
    AnyLimit,
    Distinct,
    Filter,
    Generate,
    GroupingSets,
    Join,
    Limit,
    Node,
    Project,
    Relation,
    SetOp,
    Subquery,
    Values,
    Window,
    walk,
)

_OPERATORS: dict[type[Node], tuple[str, ...]] = {
    Aggregate: ("Aggregate",),
    AnyLimit: ("GlobalLimit", "LocalLimit"),
    Distinct: ("Distinct", "Aggregate"),
    Filter: ("Filter",),
    Generate: ("Generate",),
    GroupingSets: ("Aggregate", "Expand"),
    Join: ("Join",),
    Limit: ("GlobalLimit", "LocalLimit", "Sort"),
    Project: ("Project",),
    Subquery: ("Join",),
    Values: ("LocalRelation",),
    Window: ("Window",),
}
_SET_OPERATORS = {"union": ("Union",), "except": ("Except",), "intersect": ("Intersect",)}
_LARGEST = 5
"""The greatest level that is put in order, an operator weighing two: of larger ones there are too many to hold."""


def operators_of(query: Relation) -> frozenset[str]:
    """Spark's names of the logical operators that ``query`` has before, or soon after, the optimizer begins."""
    found: set[str] = set()
    for node in walk(query):
        if isinstance(node, SetOp):
            found.update(_SET_OPERATORS[node.kind], () if node.all else ("Distinct",))
        for kind, names in _OPERATORS.items():
            if isinstance(node, kind):
                found.update(names)
    return frozenset(found)


def in_order(queries: Iterable[Relation], level: Level, named: Collection[str]) -> Iterator[Relation]:
    """``queries``, all of ``level``, those with the most of the ``named`` operators first."""
    wanted = frozenset(named)
    if not wanted or 2 * level.operators + level.parts > _LARGEST:
        yield from queries
        return
    yield from sorted(queries, key=lambda query: -len(operators_of(query) & wanted))
