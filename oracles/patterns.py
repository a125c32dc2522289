"""What a case must look like for a known divergence to excuse it: named predicates, for use in divergences.toml."""

from __future__ import annotations

from collections.abc import Callable

from oracles.subquery_patterns import (
    in_subquery_where_null_shows,
    not_in_as_a_join_condition,
    subquery_beside_an_outer_column,
    zero_of_the_other_sign,
)
from oracles.window_patterns import pivot_for_nan, pivot_for_null_binary, window_aggregate_with_a_filter
from strategies.ir import (
    DOUBLE,
    TIMESTAMP_NTZ,
    AnyLimit,
    Case,
    Col,
    Compare,
    Expr,
    InList,
    Join,
    Lit,
    Project,
    Relation,
    SetOp,
    TryArith,
    walk,
)


def anything(_: Case) -> bool:
    """Every case: for an entry that its verdict and guilty rules pin down alone."""
    return True


def except_side_reuses_a_name(case: Case) -> bool:
    """An EXCEPT whose side is a projection (under filters) with a computed column named like a column below."""
    return any(
        _reuses_a_name(side)
        for node in walk(case.query)
        if isinstance(node, SetOp) and node.kind == "except" and not node.all
        for side in (node.left, node.right)
    )


def _reuses_a_name(side: Relation) -> bool:
    return any(
        item.name in {field.name for field in node.child.fields}
        and not (isinstance(item.value, Col) and item.value.name == item.name)
        for node in walk(side)
        if isinstance(node, Project)
        for item in node.items
    )


def limit_over_a_full_join(case: Case) -> bool:
    """A LIMIT without an order with a full join somewhere below it."""
    return any(
        isinstance(node, AnyLimit) and any(isinstance(below, Join) and below.kind == "full" for below in walk(node))
        for node in walk(case.query)
    )


def orc_in_list_with_null(case: Case) -> bool:
    """An IN list with a NULL over tables read from ORC."""
    return case.settings.source == "orc" and any(
        isinstance(node, InList) and any(isinstance(item, Lit) and item.value is None for item in node.items)
        for node in walk(case.query)
    )


def equal_doubles(case: Case) -> bool:
    """Two columns of DOUBLE that are equal, as a join or a filter says."""
    return any(
        isinstance(node, Compare)
        and node.op in ("=", "<=>")
        and all(isinstance(side, Col) and side.type == DOUBLE for side in (node.left, node.right))
        for node in walk(case.query)
    )


def estimated_timestamp_ntz(case: Case) -> bool:
    """A comparison with a TIMESTAMP_NTZ over tables whose statistics the cost-based optimizer uses."""
    return case.settings.statistics and any(
        isinstance(node, Expr) and node.type == TIMESTAMP_NTZ for node in walk(case.query)
    )


def nested_try_arithmetic(case: Case) -> bool:
    """A + or * that is NULL on overflow, right inside another of the same operator."""
    return any(
        isinstance(node, TryArith)
        and any(isinstance(side, TryArith) and side.op == node.op for side in (node.left, node.right))
        for node in walk(case.query)
    )


PATTERNS: dict[str, Callable[[Case], bool]] = {
    "anything": anything,
    "except_side_reuses_a_name": except_side_reuses_a_name,
    "limit_over_a_full_join": limit_over_a_full_join,
    "orc_in_list_with_null": orc_in_list_with_null,
    "equal_doubles": equal_doubles,
    "estimated_timestamp_ntz": estimated_timestamp_ntz,
    "nested_try_arithmetic": nested_try_arithmetic,
    "window_aggregate_with_a_filter": window_aggregate_with_a_filter,
    "pivot_for_nan": pivot_for_nan,
    "pivot_for_null_binary": pivot_for_null_binary,
    "not_in_as_a_join_condition": not_in_as_a_join_condition,
    "in_subquery_where_null_shows": in_subquery_where_null_shows,
    "subquery_beside_an_outer_column": subquery_beside_an_outer_column,
    "zero_of_the_other_sign": zero_of_the_other_sign,
}
