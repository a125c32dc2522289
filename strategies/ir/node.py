"""What every node of the query algebra has in common, and how trees are walked and rebuilt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar


@dataclass(frozen=True, slots=True)
class Node:
    """A frozen piece of a query; its init fields are its whole identity."""


N = TypeVar("N", bound=Node)


def init_fields(node: Node) -> dict[str, Any]:
    """The constructor's arguments of ``node`` by name; derived fields are left out."""
    return {field.name: getattr(node, field.name) for field in fields(node) if field.init}


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below ``node``, in the order of its fields; tuples are looked into."""
    found: list[Node] = []
    for value in init_fields(node).values():
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(item for item in value if isinstance(item, Node))
    return tuple(found)


def walk(node: Node) -> Iterator[Node]:
    """``node`` and everything below it, parents first."""
    yield node
    for child in children(node):
        yield from walk(child)


def rebuild(node: N, change: Callable[[Node], Node]) -> N:
    """``node`` with each direct child replaced by ``change(child)``; the same object where nothing changed.

    Raises InvalidQuery when the new children don't fit.
    """
    changed: dict[str, Any] = {}
    for name, value in init_fields(node).items():
        if isinstance(value, Node):
            new: Any = change(value)
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            new = tuple(change(item) if isinstance(item, Node) else item for item in value)
        else:
            continue
        if new != value:
            changed[name] = new
    return replace(node, **changed) if changed else node


def transform(node: Node, change: Callable[[Node], Node]) -> Node:
    """``node`` rebuilt bottom-up: ``change`` sees each node after its children were changed."""
    return change(rebuild(node, lambda child: transform(child, change)))
