"""DuckDB SQL for texts under a collation: each is replaced by a text that stands for all that are equal to it.

Its order is theirs, too. Such a text is only compared; a column of a table is cast as it is stored.
"""

from __future__ import annotations

from collections.abc import Mapping

from oracles.sql.base import Compiler
from strategies.ir import Cast, Col, Collate, Collated, Collation, Expr, InSubquery

_STANDING_FOR: Mapping[Collation, str] = {
    "UTF8_LCASE": "lower({})",
    "UTF8_BINARY_RTRIM": "rtrim({}, ' ')",
    "UTF8_LCASE_RTRIM": "rtrim(lower({}), ' ')",
}


def standing_for(text: str, collation: Collation) -> str:
    """The text that stands for the expression ``text`` under ``collation``."""
    return _STANDING_FOR[collation].format(text)


class DuckdbCollations(Compiler):
    """The part of DuckDB's compiler for texts under a collation."""

    def visit_Col(self, node: Col) -> str:
        text = super().visit_Col(node)
        return standing_for(text, node.type.collation) if isinstance(node.type, Collated) else text

    def visit_Cast(self, node: Cast) -> str:
        if isinstance(node.operand, Col) and isinstance(node.operand.type, Collated):
            return super().visit_Col(node.operand)
        return super().visit_Cast(node)

    def visit_Collate(self, node: Collate) -> str:
        return standing_for(self.visit(node.operand), node.collation)

    def visit_InSubquery(self, node: InSubquery) -> str:
        operand: Expr = node.operands[0]
        if not isinstance(operand.type, Collated):
            return super().visit_InSubquery(node)
        (field,) = node.query.fields
        rows = self.derived(self.visit(node.query), next(self._aliases), node.query.fields)
        listed = f"SELECT {standing_for(self.quote(field.name), operand.type.collation)} FROM {rows}"
        return f"({self.visit(operand)} {'NOT ' if node.negated else ''}IN ({listed}))"
