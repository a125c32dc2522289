"""References across scopes: an expression's own columns, and the outer columns of a query.

A subquery is a scope of its own: a ``Col`` in it refers to a column of its own relations, an ``Outer`` to a column of
the query right around it, never of one further out (Spark refuses that). For the query around it, a subquery is an
expression over the columns that its Outers refer to, so ``columns_of`` finds these, and none of its inner columns. The
same holds for the right side of a LATERAL join, whose Outers refer to columns of the left side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from strategies.ir.expressions import Col, Expr
from strategies.ir.node import Node, children, rebuild
from strategies.ir.types import SqlType

N = TypeVar("N", bound=Node)


@dataclass(frozen=True, slots=True)
class Outer(Expr):
    """A column of the query around this one; ``qualifier`` is its qualifier there.

    Only a subquery in HAVING has Outers without a qualifier, because columns of a group have none.
    """

    name: str
    kind: SqlType
    qualifier: str | None = None

    def __post_init__(self) -> None:
        self._has_type(self.kind)

    def column(self) -> Col:
        """The column as an expression of the query around."""
        return Col(self.name, self.kind, self.qualifier)


@dataclass(frozen=True, slots=True)
class Subquery(Expr):
    """An expression with a query in it; ``outer`` are the outer columns that the query refers to, each once."""

    closed: ClassVar[frozenset[str]] = frozenset({"query"})
    scalar: ClassVar[bool] = False
    outer: tuple[Col, ...] = field(init=False, repr=False, compare=False)


def columns_of(expression: Node) -> tuple[Col, ...]:
    """The columns that ``expression`` refers to in its own scope, in order, repeats included."""
    return tuple(_columns(expression))


def _columns(node: Node) -> Iterator[Col]:
    if isinstance(node, Col):
        yield node
    for child in children(node, apart_from=node.closed):
        yield from _columns(child)
    if isinstance(node, Subquery):
        yield from node.outer


def subqueries_of(expression: Node) -> Iterator[Subquery]:
    """The subqueries in ``expression``, without those inside other subqueries."""
    if isinstance(expression, Subquery):
        yield expression
    for child in children(expression, apart_from=expression.closed):
        yield from subqueries_of(child)


def outers_of(query: Node) -> Iterator[Outer]:
    """The Outers of ``query`` itself, repeats included."""
    if isinstance(query, Outer):
        yield query
    for child in children(query, apart_from=query.closed):
        yield from outers_of(child)


def outer_columns(query: Node) -> tuple[Col, ...]:
    """The outer columns that ``query`` refers to, each once."""
    return tuple(dict.fromkeys(outer.column() for outer in outers_of(query)))


def substitute(expression: N, change: Callable[[Col], Node]) -> N:
    """``expression`` with each column of its own scope replaced, also in the Outers of its subqueries.

    For an Outer's column, ``change`` must return a column. Raises InvalidQuery if the result doesn't fit.
    """
    if isinstance(expression, Col):
        new: Any = change(expression)
        return new  # type: ignore[no-any-return]  # N stays N
    changed = rebuild(expression, lambda child: substitute(child, change), apart_from=expression.closed)
    if isinstance(changed, Subquery) and changed.outer:
        inner: Any = changed
        return replace(inner, query=with_outers(inner.query, change))  # type: ignore[no-any-return]  # N stays N
    return changed


def with_outers(query: N, change: Callable[[Col], Node]) -> N:
    """``query`` with the columns that its Outers refer to replaced by others."""
    if isinstance(query, Outer):
        column: Any = change(query.column())
        if not isinstance(column, Col):
            raise query._refuse(f"can't mean {column!r}")
        new: Any = Outer(column.name, column.kind, column.qualifier)
        return new  # type: ignore[no-any-return]  # N stays N
    return rebuild(query, lambda child: with_outers(child, change), apart_from=query.closed)
