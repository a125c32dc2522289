"""SQL for statements that change a table."""

from __future__ import annotations

from oracles.sql.selects import Selects
from strategies.ir import (
    Assignment,
    Col,
    Delete,
    Expr,
    Insert,
    Merge,
    MergeClause,
    Node,
    Overwrite,
    Recursive,
    Relation,
    Scan,
    SetOp,
    Update,
    With,
    substitute,
)


class Writes(Selects):
    """The part of a compiler for statements; the text of each is the statement alone."""

    def target(self, scan: Scan) -> str:
        """The name of a changed table."""
        return self.quote(scan.table)

    def visit_Delete(self, node: Delete) -> str:
        return f"DELETE FROM {self.target(node.target)}{self._rows_where(node.condition)}"

    def visit_Update(self, node: Update) -> str:
        given = self._assigned(node.assignments)
        return f"UPDATE {self.target(node.target)} SET {given}{self._rows_where(node.condition)}"

    def visit_Insert(self, node: Insert) -> str:
        return f"INSERT INTO {self.rows_into(node.target, node.query)}"

    def rows_into(self, scan: Scan, query: Relation) -> str:
        """The table that gets the rows of ``query``, and these."""
        return f"{self.filled(scan)} {self.written(query)}"

    def filled(self, scan: Scan) -> str:
        """The name of a table that gets rows, with its columns where it has them in another order."""
        return self.target(scan)

    def written(self, query: Relation) -> str:
        """``query`` as the rows of a statement, where neither a parenthesis nor a WITH may begin it."""
        return f"SELECT * {self.source(query)}" if isinstance(query, (SetOp, With, Recursive)) else self.visit(query)

    def overwritten(self, node: Overwrite) -> str | None:
        """The condition of the overwritten rows, whose columns have no qualifier; None for all rows."""
        return None if node.condition is None else self.visit(_bare(node.condition))

    def visit_Merge(self, node: Merge) -> str:
        clauses = " ".join(map(self.visit, node.clauses))
        source = self.from_item(node.source)
        return f"MERGE INTO {self.target(node.target)} USING {source} ON {self.visit(node.on)} {clauses}"

    def visit_MergeClause(self, node: MergeClause) -> str:
        condition = "" if node.condition is None else f" AND {self.visit(node.condition)}"
        return f"WHEN {node.when.upper()}{condition} THEN {self._action(node)}"

    def _action(self, node: MergeClause) -> str:
        if node.action == "update":
            return f"UPDATE SET {self._assigned(node.assignments)}"
        if node.action == "delete":
            return "DELETE"
        names = ", ".join(self.quote(assignment.name) for assignment in node.assignments)
        values = ", ".join(self.visit(assignment.value) for assignment in node.assignments)
        return f"INSERT ({names}) VALUES ({values})"

    def visit_Assignment(self, node: Assignment) -> str:
        return f"{self.quote(node.name)} = {self.visit(node.value)}"

    def _assigned(self, assignments: tuple[Assignment, ...]) -> str:
        return ", ".join(map(self.visit, assignments))

    def _rows_where(self, condition: Expr | None) -> str:
        return "" if condition is None else f" WHERE {self.visit(condition)}"


def _bare(condition: Expr) -> Expr:
    def change(column: Col) -> Node:
        return Col(column.name, column.type, None)

    return substitute(condition, change)
