"""Evidence for the parts of PushDownPredicates: tell which parts moved a predicate in one change of the whole rule.

The parts add, drop or reorder only filters, so that the other operators of the plans before and after form pairs. The
operators over which a condition disappears or appears tell the parts apart: a condition gets below an operator only
from above it, and below a join, or into its ON, only through the join.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from oracles.rules.plans import PlanNode

_AND = " AND "


@dataclass(frozen=True, slots=True)
class _Place:
    """An operator with the filters right above it, from the top down, each as the set of its conditions."""

    node: PlanNode
    parent: str
    filters: tuple[frozenset[str], ...]

    @property
    def conditions(self) -> frozenset[str]:
        return frozenset[str]().union(*self.filters)

    @property
    def on(self) -> frozenset[str]:
        """The conditions of a join."""
        _, _, condition = self.node.text.partition(", ")
        return conjuncts(condition)


def filters_met(before: PlanNode, after: PlanNode) -> bool:
    """Evidence for CombineFilters: adjacent filters became fewer, or a filter has taken over another's condition.

    CombineFilters comes before the other parts, so adjacent filters are combined before either of them moves.
    """
    return any(len(old.filters) > max(1, len(new.filters)) or _met(old, new) for old, new in _pairs(before, after))


def _met(old: _Place, new: _Place) -> bool:
    came, was = new.conditions - old.conditions, old.conditions
    return any(one & came and one & was for one in new.filters)


def moved_through_join(before: PlanNode, after: PlanNode) -> bool:
    """Evidence for PushPredicateThroughJoin: a condition left a filter above a join, came below one, or changed ON."""
    return any(
        (old.parent == "Join" and _came(old, new))
        or (old.node.kind == "Join" and (_left(old, new) or old.on != new.on))
        for old, new in _pairs(before, after)
    )


def moved_through_other(before: PlanNode, after: PlanNode) -> bool:
    """Evidence for PushPredicateThroughNonJoin: a condition left a filter above a non-join, or came below one."""
    return any(
        (old.parent not in ("", "Join") and _came(old, new)) or (old.node.kind != "Join" and _left(old, new))
        for old, new in _pairs(before, after)
    )


def _came(old: _Place, new: _Place) -> bool:
    return not new.conditions <= old.conditions


def _left(old: _Place, new: _Place) -> bool:
    """Whether a condition left; of several filters, which may drop implied conditions, whether all are gone."""
    return len(old.filters) > 0 and (not new.filters if len(old.filters) > 1 else not old.conditions <= new.conditions)


def conjuncts(condition: str) -> frozenset[str]:
    """The operands of a condition's AND, as Spark prints it: each AND in brackets of its own; none for ''."""
    parts = _operands(condition)
    if len(parts) < 2:
        return frozenset((condition,)) if condition else frozenset()
    return frozenset[str]().union(*map(conjuncts, parts))


def _operands(condition: str) -> list[str]:
    """The operands of an AND inside a condition's outermost brackets; none if these don't enclose the condition."""
    parts, depth, start = [], 0, 1
    for at, sign in enumerate(condition):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and at < len(condition) - 1:
            return []
        if depth == 1 and condition.startswith(_AND, at):
            parts.append(condition[start:at])
            start = at + len(_AND)
    return [*parts, condition[start:-1]] if depth == 0 else []


def _pairs(before: PlanNode, after: PlanNode) -> list[tuple[_Place, _Place]]:
    """Pairs of the operators of both plans; none if the plans have different operators."""
    old, new = list(_places(before)), list(_places(after))
    if [place.node.kind for place in old] != [place.node.kind for place in new]:
        return []
    return list(zip(old, new, strict=True))


def _places(node: PlanNode, parent: str = "") -> Iterator[_Place]:
    filters: list[frozenset[str]] = []
    while node.kind == "Filter" and len(node.children) == 1:
        filters.append(conjuncts(node.text.lstrip("!").removeprefix("Filter ")))
        node = node.children[0]
    yield _Place(node, parent, tuple(filters))
    for child in node.children:
        yield from _places(child, node.kind)
