"""DuckDB SQL for expressions that may raise: an error where Spark raises one, and NULL where Spark has NULL."""

from __future__ import annotations

from oracles.sql.dialect import Dialect
from oracles.sql.scalars import spelling
from strategies.ir import DOUBLE, INTEGERS, Decimal, RaiseError, RaisingArith, RaisingCast, RaisingElement, SqlType

_NO_NUMBER = "x"
"""A text that no cast to a number, a date or a boolean accepts."""


class DuckdbRaising(Dialect):
    """The part of DuckDB's compiler for expressions that may raise.

    By DuckDB's settings division by zero is NULL, and so is an element that isn't there: ``error`` raises instead.
    """

    def visit_RaisingArith(self, node: RaisingArith) -> str:
        left, right = self.visit(node.left), self.visit(node.right)
        if node.op not in ("/", "%"):
            return f"({left} {node.op} {right})"
        result = f"({left} / {right})" if node.op == "/" else self._remainder(node, left, right)
        raised = self._raised("division by zero", node.type) if node.ansi else "NULL"
        return f"CASE WHEN {left} IS NULL OR {right} IS NULL THEN NULL WHEN {right} = 0 THEN {raised} ELSE {result} END"

    def _remainder(self, node: RaisingArith, left: str, right: str) -> str:
        # DuckDB raises for the least integer % -1.
        return f"CAST(CAST({left} AS BIGINT) % CAST({right} AS BIGINT) AS {self.type_name(node.type)})"

    def visit_RaisingCast(self, node: RaisingCast) -> str:
        operand, source = self.visit(node.operand), node.operand.type
        if (pattern := spelling(node)) is not None:
            otherwise = f" WHEN {operand} IS NOT NULL THEN '{_NO_NUMBER}'" if node.ansi else ""
            operand = f"CASE WHEN regexp_matches({operand}, '{pattern}') THEN {operand}{otherwise} END"
        elif node.to in INTEGERS and (source == DOUBLE or isinstance(source, Decimal)):
            operand = f"trunc({operand})"  # CAST rounds
        return f"{'CAST' if node.ansi else 'TRY_CAST'}({operand} AS {self.type_name(node.to)})"

    def visit_RaisingElement(self, node: RaisingElement) -> str:
        array, index = self.visit(node.array), self.visit(node.index)
        raised = self._raised("no such element", node.type) if node.ansi else "NULL"
        return (
            f"CASE WHEN {array} IS NULL OR {index} IS NULL THEN NULL"
            f" WHEN {index} < 0 OR {index} >= len({array}) THEN {raised}"
            f" ELSE ({array})[CAST({index} AS BIGINT) + 1] END"
        )

    def visit_RaiseError(self, node: RaiseError) -> str:
        return self._raised(node.message, node.to)

    def _raised(self, message: str, kind: SqlType) -> str:
        quoted = message.replace("'", "''")
        return f"CAST(error('{quoted}') AS {self.type_name(kind)})"
