"""The base class of all nodes of the query algebra, and functions to walk and rebuild trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, TypeVar


@dataclass(frozen=True, slots=True)
class Node:
    """A frozen part of a query; two nodes are equal if their init fields are.

    ``closed`` names the fields with a query that has a scope of its own (see strategies.ir.references).
    """

    closed: ClassVar[frozenset[str]] = frozenset()


N = TypeVar("N", bound=Node)


_INIT_NAMES: dict[type[Node], tuple[str, ...]] = {}


def _init_names(node: Node) -> tuple[str, ...]:
    kind = type(node)
    names = _INIT_NAMES.get(kind)
    if names is None:
        names = _INIT_NAMES[kind] = tuple(field.name for field in fields(kind) if field.init)
    return names


def init_fields(node: Node) -> dict[str, Any]:
    """The constructor's arguments of ``node`` by name; derived fields are left out."""
    return {name: getattr(node, name) for name in _init_names(node)}


def children(node: Node, *, apart_from: frozenset[str] = frozenset()) -> tuple[Node, ...]:
    """The nodes directly below ``node``, also those in tuples, in the order of its fields.

    Nodes in the fields named ``apart_from`` are left out.
    """
    found: list[Node] = []
    for name in _init_names(node):
        value = getattr(node, name)
        if name in apart_from:
            continue
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(item for item in value if isinstance(item, Node))
    return tuple(found)


def walk(node: Node) -> Iterator[Node]:
    """``node`` and all nodes below it, parents first."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        names = _INIT_NAMES.get(type(here)) or _init_names(here)
        for name in reversed(names):
            value = getattr(here, name)
            if isinstance(value, Node):
                waiting.append(value)
            elif isinstance(value, tuple):
                waiting.extend(item for item in reversed(value) if isinstance(item, Node))


def rebuild(node: N, change: Callable[[Node], Node], *, apart_from: frozenset[str] = frozenset()) -> N:
    """``node`` with each direct child replaced by ``change(child)``; the same object if no child changed.

    The fields named ``apart_from`` stay as they are. Raises InvalidQuery if the new children don't fit.
    """
    changed: dict[str, Any] = {}
    for name, value in init_fields(node).items():
        if name in apart_from:
            continue
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
