"""Patterns of known divergences about statements, and rewrites that take the cause of one away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from strategies.ir import (
    Agg,
    Aggregate,
    Alias,
    And,
    Between,
    Case,
    Col,
    Compare,
    Delete,
    Exists,
    Expr,
    IsNull,
    Item,
    Lit,
    Merge,
    Not,
    NullIf,
    Or,
    Project,
    ScalarSubquery,
    Update,
    is_plain,
    subqueries_of,
    walk,
)


def change_by_a_correlated_subquery(case: Case) -> bool:
    """A DELETE or UPDATE whose condition has a subquery that refers to the changed row."""
    changes = isinstance(case.query, (Delete, Update))
    return changes and any(subquery.outer for subquery in subqueries_of(case.query))


def merge_without_matched(case: Case) -> bool:
    """A MERGE that changes rows without a match, and none with one, by a source that isn't grouped by its key."""
    merge = case.query
    if not isinstance(merge, Merge) or isinstance(merge.source.child, Aggregate):
        return False
    kinds = {clause.when for clause in merge.clauses}
    return "not matched by source" in kinds and "matched" not in kinds


def deletion_by_a_computed_operand(case: Case) -> bool:
    """A DELETE by BETWEEN or NULLIF of what is no column, which Spark computes once, in a projection below a filter."""
    return isinstance(case.query, Delete) and any(
        not isinstance(node.operand if isinstance(node, Between) else node.left, (Col, Lit))
        for node in walk(case.query)
        if isinstance(node, (Between, NullIf))
    )


def deletion_by_a_value_of_a_subquery(case: Case) -> bool:
    """A DELETE by a condition that is never NULL, with a scalar subquery's value in it, or with EXISTS, which Spark
    asks for by such a value, over a source that leaves out groups while a query runs.
    """
    return (
        isinstance(case.query, Delete)
        and "runtime filters" in case.settings.capabilities
        and _is_never_null(case.query.condition)
        and any(isinstance(node, (Exists, ScalarSubquery)) for node in walk(case.query))
    )


def _is_never_null(condition: Expr | None) -> bool:
    match condition:
        case And(left=left, right=right) | Or(left=left, right=right):
            return _is_never_null(left) and _is_never_null(right)
        case Not(operand=operand):
            return _is_never_null(operand)
        case Lit(value=value):
            return value is not None
    return isinstance(condition, (IsNull, Exists)) or (isinstance(condition, Compare) and condition.op == "<=>")


STATEMENTS: Mapping[str, Callable[[Case], bool]] = {
    "change_by_a_correlated_subquery": change_by_a_correlated_subquery,
    "merge_without_matched": merge_without_matched,
    "deletion_by_a_computed_operand": deletion_by_a_computed_operand,
    "deletion_by_a_value_of_a_subquery": deletion_by_a_value_of_a_subquery,
}
"""The patterns about statements, by their names."""


def one_row_for_each_source_key(case: Case) -> Case | None:
    """The source of such a MERGE grouped by its first column, so that no row of the table is matched twice."""
    merge = case.query
    if not isinstance(merge, Merge) or not merge_without_matched(case) or not isinstance(merge.source.child, Project):
        return None
    key, *others = merge.source.child.items
    values: list[Item] = []
    for item in others:
        if not isinstance(item.value, Expr) or not is_plain(item.value.type):
            return None
        values.append(Item(item.name, Agg("max", item.value)))
    grouped = Aggregate(merge.source.child.child, (key,), tuple(values))
    return replace(case, query=replace(merge, source=Alias(grouped, merge.source.name)))


def without_runtime_filters(case: Case) -> Case | None:
    """The tables of such a DELETE in a source that leaves out no groups while a query runs."""
    if not deletion_by_a_value_of_a_subquery(case):
        return None
    kept = tuple(each for each in case.settings.capabilities if each != "runtime filters")
    return replace(case, settings=replace(case.settings, capabilities=kept))
