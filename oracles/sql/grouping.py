"""SQL for GROUP BY with HAVING, grouping sets, PIVOT and UNPIVOT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from oracles.sql.dialect import unused_names
from oracles.sql.selects import Selects
from strategies.ir import (
    BOOLEAN,
    Agg,
    Aggregate,
    Cast,
    Col,
    Expr,
    GroupingId,
    GroupingSets,
    InvalidQuery,
    Item,
    Lit,
    Pivot,
    PivotValue,
    Unpivot,
    columns_of,
    is_plain,
    subqueries_of,
    substitute,
)


class Grouping(Selects):
    """The part of a compiler for relations that make one row of a group of rows."""

    def having_needs_table(self, node: Aggregate | GroupingSets) -> bool:
        """Whether HAVING can't repeat the expressions that it refers to, and becomes a WHERE over a derived table."""
        return not outers_are_plain(node) or aliases_shadow_columns(node)

    def visit_Aggregate(self, node: Aggregate) -> str:
        if node.having is None:
            return self._grouped(node)
        if self.having_needs_table(node):
            alias = next(self._aliases)
            table = self.derived(self._grouped(node), alias, node.fields)
            having = node.having
            if any(subquery.outer for subquery in subqueries_of(having)):
                having = substitute(having, lambda column: replace(column, qualifier=alias))
            return f"SELECT * FROM {table} WHERE {self.visit(having)}"
        return f"{self._grouped(node)} HAVING {self.visit(inlined_having(node))}"

    def _grouped(self, node: Aggregate) -> str:
        keys = self._texts(node)
        listed = ", ".join((*map(self.key_item, node.keys, keys), *map(self.visit, node.aggregates)))
        select = f"SELECT {listed} {self.source(node.child)}"
        return f"{select} GROUP BY {self.group_by(node, keys)}" if keys else select

    def group_by(self, node: Aggregate, keys: list[str]) -> str:
        """The keys of ``node``, which have these texts, in GROUP BY."""
        return ", ".join(keys)

    def grouped(self, node: Aggregate | GroupingSets, listed: str) -> str:
        """A SELECT of ``listed``, by the groups of ``node``."""
        keys = self._texts(node)
        by = _sets(node, keys) if isinstance(node, GroupingSets) else ", ".join(keys)
        select = f"SELECT {listed} {self.source(node.child)}"
        return f"{select} GROUP BY {by}" if keys else select

    def _texts(self, node: Aggregate | GroupingSets) -> list[str]:
        """The texts of the keys: one for both places, since a subquery in one gets new aliases each time."""
        return [self.key(key.value) for key in node.keys]

    def key(self, value: Expr | Agg) -> str:
        """The text of a grouping key, in GROUP BY and in the select list alike."""
        return self.visit(value)

    def key_item(self, item: Item, key: str) -> str:
        """The grouping key with the text ``key`` in a select list."""
        return self.visit(item.value) if item.is_bare else f"{key} AS {self.quote(item.name)}"

    def visit_GroupingSets(self, node: GroupingSets) -> str:
        if node.having is None:
            return self._grouped_by_sets(node)
        if node.ids or having_of_sets_needs_table(node) or self.having_needs_table(node):
            table = self.derived(self._grouped_by_sets(node), next(self._aliases), node.fields)
            return f"SELECT * FROM {table} WHERE {self.visit(node.having)}"
        return f"{self._grouped_by_sets(node)} HAVING {self.visit(inlined_having(node))}"

    def _grouped_by_sets(self, node: GroupingSets) -> str:
        keys = self._texts(node)
        listed = ", ".join((*map(self.key_item, node.keys, keys), *map(self.visit, (*node.aggregates, *node.ids))))
        return f"SELECT {listed} {self.source(node.child)} GROUP BY {_sets(node, keys)}"

    def visit_GroupingId(self, node: GroupingId) -> str:
        keys = ", ".join(map(self.key, node.keys))
        # grouping() for one key, because Spark's grouping_id needs all keys; it is TINYINT in Spark, BIGINT in DuckDB.
        call = f"grouping_id({keys})" if len(node.keys) > 1 else f"CAST(grouping({keys}) AS BIGINT)"
        return f"{call} AS {self.quote(node.name)}"

    def visit_Pivot(self, node: Pivot) -> str:
        # All columns of its input that it doesn't mention are keys: the input must have no others.
        names = unused_names([key.name for key in node.keys])
        mentioned = {"column": node.column, "operand": node.aggregate.operand, "where": node.aggregate.where}
        if not is_plain(node.column.type):
            # A value with NULL needs a nullable column type: a cast makes the column nullable.
            mentioned["column"] = Cast(node.column, node.column.type)
        parts = {role: Item(next(names), value) for role, value in mentioned.items() if value is not None}
        columns = {role: Col(item.name, item.value.type) for role, item in parts.items()}
        column = columns.pop("column")
        inner = f"SELECT {self.listed((*node.keys, *parts.values()))} {self.source(node.child)}"
        aggregate = self.visit(replace(node.aggregate, operand=columns.get("operand"), where=columns.get("where")))
        pivot = f"PIVOT ({aggregate} FOR {self.visit(column)} IN ({', '.join(map(self.visit, node.values))}))"
        return f"SELECT * FROM {self.derived(inner, next(self._aliases), ())} {pivot}"

    def visit_Unpivot(self, node: Unpivot) -> str:
        columns = ", ".join(map(self.visit, node.columns))
        nulls = " INCLUDE NULLS" if node.nulls else ""
        made = f"{self.quote(node.value)} FOR {self.quote(node.name)} IN ({columns})"
        return f"SELECT * FROM {self.from_item(node.child)} UNPIVOT{nulls} ({made})"

    def visit_PivotValue(self, node: PivotValue) -> str:
        return f"{self.visit(node.literal)} AS {self.quote(node.name)}"


def _sets(node: GroupingSets, keys: Sequence[str]) -> str:
    """The sets of ``node``, whose keys have these texts."""
    if node.kind != "sets":
        return f"{node.kind.upper()} ({', '.join(keys)})"
    sets = (", ".join(keys[place] for place in places) for places in node.sets)
    return f"GROUPING SETS ({', '.join(f'({keys})' for keys in sets)})"


def having_of_sets_needs_table(node: GroupingSets) -> bool:
    """Whether HAVING over grouping sets can't repeat the definitions of the columns that it refers to.

    A literal in HAVING is a literal, and not the key, which is NULL in sets without it. And Spark doesn't find a key
    that is selected under another name, or beside an aggregate.
    """
    values = definitions(node)
    assert node.having is not None
    used = {column.name: values.get(column.name) for column in columns_of(node.having)}
    mixed = len({isinstance(value, Agg) for value in used.values()}) > 1
    renamed = any(not isinstance(value, Agg) and not _is_called(value, name) for name, value in used.items())
    return mixed or renamed or any(isinstance(key.value, Lit) for key in node.keys)


def _is_called(value: Expr | None, name: str) -> bool:
    return isinstance(value, Col) and value.name == name


def inlined_having(node: Aggregate | GroupingSets) -> Expr:
    """HAVING with each output column replaced by its definition, so that no alias has to be resolved."""
    assert node.having is not None
    values = definitions(node)
    return substitute(node.having, lambda column: values[column.name])


def outers_are_plain(node: Aggregate | GroupingSets) -> bool:
    """Whether each output column that a subquery in HAVING refers to is a column with a qualifier in itself."""
    values = definitions(node)
    known = (values[c.name] for q in subqueries_of(node.having or Lit(BOOLEAN, True)) for c in q.outer)
    if not all(isinstance(value, Col) and value.qualifier is not None for value in known):
        return False
    try:
        inlined_having(node)
    except InvalidQuery:  # the qualifier has another meaning in the subquery
        return False
    return True


def definitions(node: Aggregate | GroupingSets) -> dict[str, Expr | Agg]:
    """The keys and aggregates of ``node`` by their names."""
    return {item.name: item.value for item in (*node.keys, *node.aggregates)}


def aliases_shadow_columns(node: Aggregate | GroupingSets) -> bool:
    """Whether a column in the inlined HAVING would refer to an output column of the same name instead."""
    values = {item.name.casefold(): item.value for item in (*node.keys, *node.aggregates)}
    return any(
        column.qualifier is None and values.get(column.name.casefold(), column) != column
        for column in columns_of(inlined_having(node))
    )
