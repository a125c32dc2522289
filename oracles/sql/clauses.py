"""Spark SQL with more than one operator in a SELECT, as users write it.

A projection of an aggregate's groups stands in its SELECT, with HAVING over aggregate functions that it need not list.
A filter of a window's rows is QUALIFY, and GROUP BY ALL is by all keys.
"""

from __future__ import annotations

from oracles.sql.base import Compiler
from oracles.sql.grouping import definitions, having_of_sets_needs_table, inlined_having
from strategies.ir import (
    Agg,
    Aggregate,
    Clauses,
    Expr,
    Filter,
    GroupingSets,
    Item,
    Lit,
    Outer,
    Project,
    Relation,
    Window,
    columns_of,
    resolve,
    subqueries_of,
    substitute,
    walk,
)


class MergedClauses(Compiler):
    """The part of Spark's compiler for such SELECTs; with "nested" clauses each operator has one of its own."""

    def __init__(self, clauses: Clauses) -> None:
        super().__init__()
        self._merges = clauses == "merged"

    def visit_Project(self, node: Project) -> str:
        items = of_groups(node) if self._merges else None
        group = node.child
        if items is None or not isinstance(group, (Aggregate, GroupingSets)):
            return super().visit_Project(node)
        grouped = self.grouped(group, self.listed(items))
        return grouped if group.having is None else f"{grouped} HAVING {self.visit(inlined_having(group))}"

    def group_by(self, node: Aggregate, keys: list[str]) -> str:
        may_be_all = self._merges and node.having is None and not any(_is_no_key_of_all(key.value) for key in node.keys)
        return "ALL" if may_be_all else super().group_by(node, keys)

    def visit_Filter(self, node: Filter) -> str:
        return self._qualified(node) if self._merges and is_qualified(node) else super().visit_Filter(node)

    def source(self, relation: Relation) -> str:
        if self._merges and is_qualified(relation):
            return f"FROM {self.derived(self.visit(relation), next(self._aliases), relation.fields)}"
        return super().source(relation)

    def _qualified(self, node: Filter) -> str:
        return f"{self.visit(node.child)} QUALIFY {self.visit(node.condition)}"


def of_groups(node: Project) -> tuple[Item, ...] | None:
    """The items of ``node`` over the columns below the groups that it reads; None if its SELECT can't be that of the
    groups.

    Subqueries that refer to the groups, and keys with subqueries, stay where they are. Of grouping sets it lists keys
    and aggregates alone. No name of an item may hide a column from HAVING.
    """
    group = node.child
    if not isinstance(group, (Aggregate, GroupingSets)):
        return None
    if any(isinstance(part, Outer) or getattr(part, "outer", ()) for item in node.items for part in walk(item)):
        return None
    if any(True for key in group.keys for _ in subqueries_of(key)):
        return None
    if isinstance(group, GroupingSets) and not _may_be_merged(group, node):
        return None
    values = definitions(group)
    items = tuple(Item(item.name, substitute(item.value, lambda column: values[column.name])) for item in node.items)
    if group.having is None:
        return items
    if any(True for _ in subqueries_of(group.having)):
        return None
    names: dict[str, Expr | Agg] = {item.name.casefold(): item.value for item in items}
    asked = columns_of(inlined_having(group))
    return items if all(names.get(column.name.casefold(), column) == column for column in asked) else None


def _may_be_merged(group: GroupingSets, node: Project) -> bool:
    """Whether the SELECT of ``group`` can list what ``node`` lists: a constant there is no key, which sets may lack."""
    if group.ids or any(isinstance(key.value, Lit) for key in group.keys):
        return False
    known = group.having is None or not having_of_sets_needs_table(group)
    return known and all(item.is_bare for item in node.items)


def is_qualified(relation: Relation) -> bool:
    """Whether ``relation`` is a filter that QUALIFY can say: of a window's rows, by columns without ambiguity."""
    if not isinstance(relation, Filter) or not isinstance(relation.child, Window) or relation.random is not None:
        return False
    if any(True for _ in subqueries_of(relation.condition)):
        return False
    window = relation.child
    names = {over.name.casefold() for over in window.columns}
    known = (field.name.casefold() for field in window.child.fields)
    used = columns_of(relation.condition)
    return not names.intersection(known) and all(len(resolve(column, window.fields)) == 1 for column in used)


def _is_no_key_of_all(value: Expr | Agg) -> bool:
    """Whether ``value`` is a constant, or has a subquery: ALL takes neither for a key."""
    return any(True for _ in subqueries_of(value)) or not any(True for _ in columns_of(value))
