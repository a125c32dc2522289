"""GROUP BY and HAVING."""

from __future__ import annotations

from oracles.sql.selects import Selects
from strategies.ir import Aggregate, Col, Node, columns_of, transform


class Grouping(Selects):
    """Relations that make one row of a group of rows."""

    def having_needs_table(self, node: Aggregate) -> bool:
        """Whether HAVING has to be the WHERE of a derived table, because it can't repeat what it is about."""
        return aliases_shadow_columns(node)

    def visit_Aggregate(self, node: Aggregate) -> str:
        if node.having is None:
            return self._grouped(node)
        if self.having_needs_table(node):
            table = self.derived(self._grouped(node), next(self._aliases), node.fields)
            return f"SELECT * FROM {table} WHERE {self.visit(node.having)}"
        return f"{self._grouped(node)} HAVING {self.visit(inlined_having(node))}"

    def _grouped(self, node: Aggregate) -> str:
        select = f"SELECT {self.listed((*node.keys, *node.aggregates))} {self.source(node.child)}"
        keys = ", ".join(self.visit(key.value) for key in node.keys)
        return f"{select} GROUP BY {keys}" if keys else select


def inlined_having(node: Aggregate) -> Node:
    """HAVING with each output column replaced by what defines it, so that no alias has to be resolved."""
    assert node.having is not None
    definitions = {item.name: item.value for item in (*node.keys, *node.aggregates)}
    return transform(node.having, lambda part: definitions[part.name] if isinstance(part, Col) else part)


def aliases_shadow_columns(node: Aggregate) -> bool:
    """Whether a column in the inlined HAVING would mean another one: an output column of the same name."""
    definitions = {item.name.casefold(): item.value for item in (*node.keys, *node.aggregates)}
    return any(
        column.qualifier is None and definitions.get(column.name.casefold(), column) != column
        for column in columns_of(inlined_having(node))
    )
