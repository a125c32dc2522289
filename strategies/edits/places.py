"""Places in a query: the path from its root to a node, and the query with another node at that place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from strategies.ir import Node, Relation, When, free_ctes, init_fields, outers_of

Path = tuple[tuple[str, int | None], ...]
"""Steps from a node to one below it: the name of a field, and the position in it if the field is a tuple."""


GUARDS: Mapping[type[Node], str] = {When: "condition"}
"""The parts of nodes that may guard an expression against overflow, so that a sum of it stays exact."""


def places(
    node: Node, wanted: Callable[[Node], bool], *, apart_from: Mapping[type[Node], str] = {}, root: Path = ()
) -> Iterator[Path]:
    """The places of all nodes at and below ``node`` that are ``wanted``, parents first.

    The parts named ``apart_from`` are left out, by type of node.
    """
    if wanted(node):
        yield root
    for step, child in _steps(node):
        if apart_from.get(type(node)) != step[0]:
            yield from places(child, wanted, apart_from=apart_from, root=(*root, step))


def relation_places(query: Relation) -> list[Path]:
    """The places of the relations that a relation of the same columns may replace, parents first.

    Some relations are left out: a statement; an AnyLimit, because its rows are up to the engine; one that refers to the
    query around, which Spark allows below some operators alone; and one that reads a common table expression, because
    what is known of its rows is known at the definition.
    """
    return list(_closed(query, ()))


def _closed(node: Node, root: Path) -> Iterator[Path]:
    left_out = isinstance(node, Relation) and (node.up_to_engine or node.is_statement)
    if isinstance(node, Relation) and not (left_out or free_ctes(node) or any(True for _ in outers_of(node))):
        yield root
    for step, child in _steps(node):
        yield from _closed(child, (*root, step))


def _steps(node: Node) -> Iterator[tuple[tuple[str, int | None], Node]]:
    for name, value in init_fields(node).items():
        if isinstance(value, Node):
            yield (name, None), value
        elif isinstance(value, tuple):
            yield from (((name, at), item) for at, item in enumerate(value) if isinstance(item, Node))


def node_at(node: Node, path: Path) -> Node:
    """The node at ``path``."""
    for name, at in path:
        value: Any = getattr(node, name)
        node = value if at is None else value[at]
    return node


def with_node_at(node: Node, path: Path, new: Node) -> Node:
    """``node`` with ``new`` at ``path``; raises InvalidQuery if a node above refuses it."""
    if not path:
        return new
    (name, at), *rest = path
    value: Any = getattr(node, name)
    changed = with_node_at(value if at is None else value[at], tuple(rest), new)
    whole: Any = changed if at is None else (*value[:at], changed, *value[at + 1 :])
    return replace(node, **{name: whole})
