"""Subqueries and what they refer to."""

from __future__ import annotations

from oracles.sql.dialect import Dialect
from strategies.ir import Exists, InSubquery, Outer, ScalarSubquery


class Subqueries(Dialect):
    """Expressions with a query in them; each is in parentheses, for ``EXISTS (…) = b`` is no expression in Spark."""

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
