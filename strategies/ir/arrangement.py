"""Relations with the rows of their input in another order or in other partitions: ORDER BY, SORT BY, REPARTITION."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from strategies.ir.bags import Limit, SortKey, names_every_column
from strategies.ir.expressions import Col, Expr
from strategies.ir.references import subqueries_of
from strategies.ir.relations import Relation
from strategies.ir.verbatim import Verbatim

Exchange = Literal["distribute", "repartition", "coalesce", "range", "rebalance"]
EXCHANGES: tuple[Exchange, ...] = ("distribute", "repartition", "coalesce", "range", "rebalance")
"""DISTRIBUTE BY, and the hints REPARTITION, COALESCE, REPARTITION_BY_RANGE and REBALANCE."""


@dataclass(frozen=True, slots=True)
class Sort(Relation):
    """``child ORDER BY order``, without a limit; ``within`` means SORT BY, an order within each partition.

    The rows are those of ``child``. Their order is part of the answer at the top alone, if the keys are total and the
    sort is global (:func:`has_an_order`): any other relation above may lose it.
    """

    child: Relation
    order: tuple[SortKey, ...]
    within: bool = False

    def __post_init__(self) -> None:
        self._determined(self.child)
        if not self.order:
            raise self._refuse("needs at least one key")
        for key in self.order:
            self._resolve(key, self.child.fields)
            if next(subqueries_of(key), None) is not None:
                raise self._refuse("a key must have no subquery")
        self._outputs(self._unqualified(self.child.fields))


@dataclass(frozen=True, slots=True)
class Repartition(Relation):
    """The rows of ``child`` in other partitions, in which Spark puts them by an exchange.

    ``count`` is the number of partitions, or None for the session's. ``keys`` are the values by which rows are put
    together; columns alone in a hint, any expression in DISTRIBUTE BY.
    """

    child: Relation
    kind: Exchange
    count: int | None = None
    keys: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        self._determined(self.child)
        if self.kind not in EXCHANGES:
            raise self._refuse(f"no kind {self.kind!r}")
        if self.count is not None and self.count < 1:
            raise self._refuse(f"count {self.count} must be positive")
        if self.kind == "coalesce" and (self.count is None or self.keys):
            raise self._refuse("coalesce takes a number of partitions, and no keys")
        if self.kind == "distribute" and self.count is not None:
            raise self._refuse("DISTRIBUTE BY takes no number of partitions")
        if self.kind in ("distribute", "range") and not self.keys:
            raise self._refuse(f"{self.kind} needs at least one key")
        if self.kind == "repartition" and self.count is None and not self.keys:
            raise self._refuse("repartition needs a number of partitions or keys")
        if self.kind != "distribute" and not all(isinstance(key, Col) for key in self.keys):
            raise self._refuse("a hint takes columns as keys")
        for key in self.keys:
            self._resolve(key, self.child.fields)
            if next(subqueries_of(key), None) is not None:
                raise self._refuse("a key must have no subquery")
        self._outputs(self._unqualified(self.child.fields))


def has_an_order(query: Relation) -> bool:
    """Whether SQL fixes the order of the answer: a limit, or ORDER BY of all columns, is at the top."""
    if isinstance(query, Sort) and not query.within:
        return names_every_column([key.value for key in query.order], query.child.fields)
    return isinstance(query, Limit)


def keys_of_order(query: Relation) -> tuple[int, ...]:
    """The columns of the answer, from 0, that order its rows, where the query does not fix their whole order."""
    return query.keys if isinstance(query, Verbatim) else ()
