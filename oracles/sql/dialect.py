"""The base of all parts of a compiler: dispatch by node, and the methods that a dialect has to define."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import ClassVar

from strategies.ir import (
    Agg,
    AggFunction,
    Alias,
    Expr,
    Field,
    JoinKind,
    Node,
    Relation,
    Scan,
    SqlType,
    Value,
    With,
    walk,
)


class UnsupportedNode(ValueError):
    """The dialect doesn't support the node; the message names both."""


class Dialect(ABC):
    """The interface among the parts of a compiler, each of which compiles one group of nodes."""

    UNSUPPORTED: ClassVar[frozenset[str]] = frozenset()
    """Names of the nodes that the dialect doesn't support."""
    FUNCTIONS: ClassVar[Mapping[str, str]]
    """A template for each scalar function, in the format of :mod:`oracles.sql.words`."""
    AGGREGATES: ClassVar[Mapping[AggFunction, str]] = {
        "count": "count",
        "sum": "sum",
        "avg": "avg",
        "min": "min",
        "max": "max",
        "every": "bool_and",
        "some": "bool_or",
    }
    AGGREGATE_FORMS: ClassVar[Mapping[AggFunction, str]]
    """A template for each other aggregate function, with the fields ``x`` (the operand), ``other`` (the second one),
    ``key`` (made of both), ``distinct``, ``where`` (the clause), ``condition`` (of it) and ``type`` (of the result)."""
    JOINS: ClassVar[Mapping[JoinKind, str]]
    NULL_SAFE_EQUAL: ClassVar[str]
    RANDOM: ClassVar[str]
    """A number that is at least 0 and less than 1, another one for each row."""
    IGNORE_NULLS: ClassVar[str]
    """A template for a window function's name and its arguments."""
    LITERAL_ROWS: ClassVar[str]
    """A template for the rows of VALUES, an alias and the names of its columns, as an item of FROM."""

    def __init__(self) -> None:
        self._aliases: Iterator[str] = iter(())

    def compile(self, relation: Relation) -> str:
        """The SELECT that computes ``relation``, without a trailing semicolon.

        :raises UnsupportedNode: the dialect doesn't support a node in it.
        """
        self._aliases = fresh_aliases(relation)
        return self.visit(relation)

    def supports(self, relation: Relation) -> bool:
        """Whether the dialect supports all nodes of ``relation``."""
        return not any(type(node).__name__ in self.UNSUPPORTED for node in walk(relation))

    def expression(self, expression: Expr | Agg) -> str:
        """The text of a scalar or aggregate expression in a select list."""
        return self.visit(expression)

    def visit(self, node: Node) -> str:
        """The text of any node; a relation's is a whole SELECT."""
        method = getattr(self, f"visit_{type(node).__name__}", None)
        if method is None:
            raise UnsupportedNode(f"{type(self).__name__} has no visit_{type(node).__name__}")
        text: str = method(node)
        return text

    # Methods that a dialect defines.

    @abstractmethod
    def quote(self, name: str) -> str:
        """``name`` as a quoted identifier."""

    @abstractmethod
    def type_name(self, kind: SqlType) -> str:
        """The name of a type in CAST."""

    @abstractmethod
    def constant(self, kind: SqlType, value: Value) -> str:
        """A constant of exactly the type ``kind``; ``value`` is not NULL."""

    @abstractmethod
    def derived(self, query: str, alias: str, fields: tuple[Field, ...]) -> str:
        """``query``, whose columns are ``fields``, as a FROM item."""


def unused_names(taken: Collection[str]) -> Iterator[str]:
    """Names that differ from all of ``taken``, in upper and lower case."""
    folded = {name.casefold() for name in taken}
    return (name for name in (f"q{number}" for number in count()) if name not in folded)


def fresh_aliases(relation: Relation) -> Iterator[str]:
    """Names for derived tables, different from those of scans, aliases and common table expressions in ``relation``."""
    taken = {node.table for node in walk(relation) if isinstance(node, Scan)}
    return unused_names(taken | {node.name for node in walk(relation) if isinstance(node, (Alias, With))})
