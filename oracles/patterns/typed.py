"""Known divergences in operations of typed Datasets: patterns, rewrites that take a cause away, or put it in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeGuard

from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    Array,
    Case,
    Filter,
    IsNull,
    Node,
    TypedCount,
    TypedFilter,
    TypedMap,
    transform,
    walk,
)

_PRIMITIVE = (INT, BIGINT, DOUBLE, BOOLEAN)


def map_of_another_s_objects(case: Case) -> bool:
    """A typed map over a typed map or count, with nothing but typed filters between, in interpreted plans."""
    return not case.settings.codegen and any(
        isinstance(node, TypedMap) and isinstance(_below_filters(node), (TypedMap, TypedCount))
        for node in walk(case.query)
    )


def _below_filters(node: TypedMap) -> Node:
    below = node.child
    while isinstance(below, TypedFilter):
        below = below.child
    return below


def null_for_a_typed_filter(case: Case) -> bool:
    """A typed filter that is true of NULL, over arrays of numbers or truth values as objects."""
    return any(map(_tests_null, walk(case.query)))


def typed_filters_as_conditions(case: Case) -> Case | None:
    """Filter arrays as objects that have to be NULL by a condition instead; None if there is no such filter."""
    query: Any = transform(case.query, lambda node: node.meaning if _tests_null(node) else node)
    return None if query == case.query else replace(case, query=query)


def typed_filters_of_known_objects(case: Case) -> Case | None:
    """Put the bug into the query: of arrays as objects that have to be NULL none is left."""
    query: Any = transform(case.query, _without_null)
    return None if query == case.query else replace(case, query=query)


def _without_null(node: Node) -> Node:
    if not _tests_null(node):
        return node
    return Filter(node, IsNull(node.fields[0].column(), negated=True))


def _tests_null(node: Node) -> TypeGuard[TypedFilter]:
    if not isinstance(node, TypedFilter) or node.function != "is_null" or len(node.child.fields) > 1:
        return False
    kind = node.child.fields[0].type
    return isinstance(kind, Array) and kind.element in _PRIMITIVE
