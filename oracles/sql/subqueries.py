"""SQL for subqueries and outer columns."""

from __future__ import annotations

from oracles.sql.dialect import Dialect
from strategies.ir import Exists, InSubquery, Outer, ScalarSubquery


class Subqueries(Dialect):
    """The part of a compiler for subqueries, in parentheses, because ``EXISTS (…) = b`` is no expression in Spark."""

    def visit_Outer(self, node: Outer) -> str:
        return self.visit(node.column())

    def visit_ScalarSubquery(self, node: ScalarSubquery) -> str:
        return f"({self.visit(node.query)})"

    def visit_Exists(self, node: Exists) -> str:
        return f"({'NOT ' if node.negated else ''}EXISTS ({self.visit(node.query)}))"

    def visit_InSubquery(self, node: InSubquery) -> str:
        operands = ", ".join(map(self.visit, node.operands))
        row = operands if len(node.operands) == 1 else f"({operands})"
        return f"({row} {'NOT ' if node.negated else ''}IN ({self.visit(node.query)}))"
