"""What every part of a compiler builds on: how a node finds its words, and what a dialect has to give."""

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
    """A dialect can't say this node; the message names both."""


class Dialect(ABC):
    """What the parts of a compiler ask of each other; a part says the nodes of one subject."""

    UNSUPPORTED: ClassVar[frozenset[str]] = frozenset()
    """Names of the nodes that the dialect has no words for."""
    FUNCTIONS: ClassVar[Mapping[str, str]]
    """A template for each scalar function, as :mod:`oracles.sql.words` has them."""
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
    """A template for each other aggregate function: its operand ``x``, the ``other`` one, the ``key`` made of both,
    ``distinct``, the clause ``where``, its ``condition`` and the result's ``type``."""
    JOINS: ClassVar[Mapping[JoinKind, str]]
    NULL_SAFE_EQUAL: ClassVar[str]
    IGNORE_NULLS: ClassVar[str]
    """A template for a window function's name and its arguments."""

    def __init__(self) -> None:
        self._aliases: Iterator[str] = iter(())

    def compile(self, relation: Relation) -> str:
        """The SELECT that computes ``relation``, without a trailing semicolon.

        :raises UnsupportedNode: the dialect can't say a node in it.
        """
        self._aliases = fresh_aliases(relation)
        return self.visit(relation)

    def supports(self, relation: Relation) -> bool:
        """Whether ``compile`` has words for ``relation``."""
        return not any(type(node).__name__ in self.UNSUPPORTED for node in walk(relation))

    def expression(self, expression: Expr | Agg) -> str:
        """A scalar or aggregate expression by itself, as it stands in a select list."""
        return self.visit(expression)

    def visit(self, node: Node) -> str:
        """The text of any node; a relation's is a whole SELECT."""
        method = getattr(self, f"visit_{type(node).__name__}", None)
        if method is None:
            raise UnsupportedNode(f"{type(self).__name__} has no visit_{type(node).__name__}")
        text: str = method(node)
        return text

    # What a dialect adds.

    @abstractmethod
    def quote(self, name: str) -> str:
        """An identifier that is taken literally."""

    @abstractmethod
    def type_name(self, kind: SqlType) -> str:
        """The name of a type, as CAST takes it."""

    @abstractmethod
    def constant(self, kind: SqlType, value: Value) -> str:
        """A constant of exactly the type ``kind``; ``value`` is not NULL."""

    @abstractmethod
    def derived(self, query: str, alias: str, fields: tuple[Field, ...]) -> str:
        """``query``, whose columns are ``fields``, as a FROM item."""


def unused_names(taken: Collection[str]) -> Iterator[str]:
    """Names that none of ``taken`` is, in any case of letters."""
    folded = {name.casefold() for name in taken}
    return (name for name in (f"q{number}" for number in count()) if name not in folded)


def fresh_aliases(relation: Relation) -> Iterator[str]:
    """Names for derived tables that no scan, alias or common table expression in ``relation`` has."""
    taken = {node.table for node in walk(relation) if isinstance(node, Scan)}
    return unused_names(taken | {node.name for node in walk(relation) if isinstance(node, (Alias, With))})
