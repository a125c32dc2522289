"""Spark SQL as a chain of pipe operators, ``FROM … |> WHERE … |> SELECT …``, which Spark has since 4.0.

Each operator follows its input. An operator without a pipe form has a SELECT, whose input may be a chain again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from oracles.sql.clauses import MergedClauses
from strategies.ir import (
    Aggregate,
    Alias,
    AnyLimit,
    Clauses,
    CteScan,
    Distinct,
    Exists,
    Filter,
    InSubquery,
    Join,
    Lateral,
    Limit,
    Project,
    Relation,
    ScalarSubquery,
    Scan,
    SetOp,
    Sort,
    Values,
    Window,
    subqueries_of,
)

_FROM_ITEMS = (Scan, CteScan, Values, Alias, Join)
_LINKS = (Aggregate, Alias, AnyLimit, Distinct, Filter, Join, Limit, Project, SetOp, Sort, Window)


class Pipes(MergedClauses):
    """The part of Spark's compiler for chains; only those of "piped" clauses are written in this way.

    A chain keeps the qualifiers of its tables for longer than a derived table does. So a query that refers to the one
    around it is no chain: its tables could hide those of the query around it.
    """

    def __init__(self, clauses: Clauses) -> None:
        super().__init__(clauses)
        self._pipes = self._piped = clauses == "piped"

    def compile(self, relation: Relation) -> str:
        self._pipes = self._piped and not relation.is_statement
        return super().compile(relation)

    @contextmanager
    def _nested(self, is_correlated: bool) -> Iterator[None]:
        """Write what is compiled meanwhile with a SELECT for each operator, if ``is_correlated``."""
        before = self._pipes
        self._pipes = before and not is_correlated
        try:
            yield
        finally:
            self._pipes = before

    def chain(self, relation: Relation) -> str:
        """``relation`` as the beginning of a chain."""
        if isinstance(relation, Alias) and not isinstance(relation.child, (Scan, CteScan, Values)):
            return f"{self.chain(relation.child)} |> AS {self.quote(relation.name)}"
        if isinstance(relation, Join) and is_link(relation):
            return self.visit(relation)
        if isinstance(relation, _FROM_ITEMS):
            return f"FROM {self.from_item(relation)}"
        return self.visit(relation) if is_link(relation) else f"({self.visit(relation)})"

    def visit_Alias(self, node: Alias) -> str:
        return self.chain(node) if self._pipes else super().visit_Alias(node)

    def visit_Join(self, node: Join) -> str:
        if not self._pipes or not is_link(node):
            return super().visit_Join(node)
        joined = f"{self.chain(node.left)} |> {self.joining(node)}"
        return joined if node.on is None else f"{joined} ON {self.visit(node.on)}"

    def visit_Filter(self, node: Filter) -> str:
        if not self._pipes:
            return super().visit_Filter(node)
        return f"{self.chain(node.child)} |> WHERE {self.beside(node.random, self.visit(node.condition))}"

    def visit_Project(self, node: Project) -> str:
        return self._selected("SELECT", node) if self._pipes else super().visit_Project(node)

    def visit_Distinct(self, node: Distinct) -> str:
        if not self._pipes:
            return super().visit_Distinct(node)
        if isinstance(node.child, Project):
            return self._selected("SELECT DISTINCT", node.child)
        return f"{self.chain(node.child)} |> SELECT DISTINCT *"

    def _selected(self, select: str, node: Project) -> str:
        return f"{self.chain(node.child)} |> {select} {self.listed(node.items)}"

    def visit_Window(self, node: Window) -> str:
        if not self._pipes:
            return super().visit_Window(node)
        return f"{self.chain(node.child)} |> EXTEND {self.named_windows(node)}"

    def visit_Aggregate(self, node: Aggregate) -> str:
        if not self._pipes or not is_link(node):
            return super().visit_Aggregate(node)
        keys = ", ".join(self.key_item(key, self.key(key.value)) for key in node.keys)
        parts = ("AGGREGATE", self.listed(node.aggregates), f"GROUP BY {keys}" if keys else "")
        grouped = f"{self.chain(node.child)} |> {' '.join(part for part in parts if part)}"
        return grouped if node.having is None else f"{grouped} |> WHERE {self.visit(node.having)}"

    def visit_SetOp(self, node: SetOp) -> str:
        if not self._pipes:
            return super().visit_SetOp(node)
        return f"{self.chain(node.left)} |> {self.set_operator(node)} ({self.visit(node.right)})"

    def ordered(self, child: Relation, order: str) -> str:
        return f"{self.chain(child)} |> ORDER BY {order}" if self._pipes else super().ordered(child, order)

    def visit_Limit(self, node: Limit) -> str:
        if not self._pipes:
            return super().visit_Limit(node)
        return f"{self.ordered(node.child, self.keys_of(node.order))}{_cut(node)}"

    def visit_AnyLimit(self, node: AnyLimit) -> str:
        return f"{self.chain(node.child)}{_cut(node)}" if self._pipes else super().visit_AnyLimit(node)

    # Queries that may refer to the one around them.

    def joining(self, node: Join) -> str:
        with self._nested(isinstance(node, Lateral)):
            return super().joining(node)

    def visit_Exists(self, node: Exists) -> str:
        with self._nested(bool(node.outer)):
            return super().visit_Exists(node)

    def visit_InSubquery(self, node: InSubquery) -> str:
        with self._nested(bool(node.outer)):
            return super().visit_InSubquery(node)

    def visit_ScalarSubquery(self, node: ScalarSubquery) -> str:
        with self._nested(bool(node.outer)):
            return super().visit_ScalarSubquery(node)


def is_link(relation: Relation) -> bool:
    """Whether ``relation`` has a pipe form.

    A join has none if its left side is a derived table, whose tables the chain would bring into ON, nor has HAVING with
    a subquery over the groups, which need a name there.
    """
    if isinstance(relation, Join):
        return isinstance(relation.left, _FROM_ITEMS) and not isinstance(relation, Lateral)
    if isinstance(relation, Aggregate):
        return relation.having is None or not any(subquery.outer for subquery in subqueries_of(relation.having))
    if isinstance(relation, Sort):
        return not relation.within
    return isinstance(relation, _LINKS)


def _cut(node: Limit | AnyLimit) -> str:
    # A link has one of both clauses.
    return f"{f' |> OFFSET {node.offset}' if node.offset else ''} |> LIMIT {node.count}"
