"""The queries of a stage, those first that have the operators that a rule's class names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from assay.verify.bound import Part, Stage
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
OPERATORS = frozenset(
    name for names in (*_OPERATORS.values(), *_SET_OPERATORS.values(), ("Distinct",)) for name in names
)
"""The logical operators that queries of the grammar have."""
_OPERATORS_OF_NAMES = {name: (name,) for name in OPERATORS} | {
    "Limit": ("GlobalLimit", "LocalLimit"),
    "Exists": ("Join",),
    "Subquer": ("Join",),
    "Predicate": ("Filter",),
    "Projection": ("Project",),
}
_LARGEST = 5
"""The greatest level that is put in order as a whole, an operator weighing two: larger ones are too many to hold."""


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


def named_operators(rule: str, mentioned: Iterable[str]) -> frozenset[str]:
    """The operators of queries that a rule is about: those that its class has ``mentioned``, and those in its name.

    CombineUnions reaches a Union by a pattern that its class does not mention.
    """
    in_name = {name for name in _OPERATORS_OF_NAMES if name in rule}
    found = {operator for name in in_name for operator in _OPERATORS_OF_NAMES[name]}
    return OPERATORS & {*mentioned, *found}


def of_part(queries: Iterable[Relation], part: Part, named: Collection[str]) -> Iterator[Relation]:
    """Those of ``queries`` that have no operators but the ``named`` ones, or the others, or all."""
    wanted = frozenset(named)
    for query in queries:
        if part == "all" or (operators_of(query) <= wanted) == (part == "named"):
            yield query


def in_order(queries: Iterable[Relation], stage: Stage, named: Collection[str]) -> Iterator[Relation]:
    """The queries of ``stage`` among all of its level, those with the most of the ``named`` operators first."""
    wanted, level = frozenset(named), stage.level
    found = of_part(queries, stage.part, wanted)
    if not wanted or (stage.part != "named" and 2 * level.operators + level.parts > _LARGEST):
        yield from found
        return
    yield from sorted(found, key=lambda query: -len(operators_of(query) & wanted))
