"""Patterns of aggregates: predicates for known divergences and for known bugs of older releases."""

from __future__ import annotations

from strategies.ir import (
    Agg,
    Aggregate,
    Case,
    Col,
    Deduplicate,
    Distinct,
    Exists,
    InSubquery,
    Node,
    Outer,
    ScalarSubquery,
    SetOp,
    is_plain,
    walk,
)


def distinct_aggregate_of_a_constant(case: Case) -> bool:
    """An aggregate with DISTINCT whose operand reads no column."""
    return any(
        node.distinct and node.operand is not None and not any(isinstance(part, (Col, Outer)) for part in walk(node))
        for node in walk(case.query)
        if isinstance(node, Agg)
    )


def correlated_aggregate_in_exists_or_in(case: Case) -> bool:
    """EXISTS or IN over an aggregate without keys, of rows that an outer column selects."""
    return _over_a_correlated_aggregate(case, (Exists, InSubquery), least=1)


def correlated_aggregate_of_an_aggregate(case: Case) -> bool:
    """A scalar subquery over an aggregate of an aggregate, both without keys, of rows that an outer column selects."""
    return _over_a_correlated_aggregate(case, (ScalarSubquery,), least=2)


def nested_groups_below_a_union(case: Case) -> bool:
    """A UNION with groups or distinct rows below it, by a column of arrays or structs."""
    return any(
        _groups_by_a_nested_column(below)
        for node in walk(case.query)
        if isinstance(node, SetOp) and node.kind == "union"
        for side in (node.left, node.right)
        for below in walk(side)
    )


def _groups_by_a_nested_column(node: Node) -> bool:
    match node:
        case Aggregate(keys=keys):
            return any(not is_plain(key.value.type) for key in keys)
        case Deduplicate(keys=keys):
            return any(not is_plain(field.type) for field in node.fields if field.name in keys)
        case Distinct() | SetOp(all=False):
            return any(not is_plain(field.type) for field in node.fields)
    return False


def _over_a_correlated_aggregate(
    case: Case, kinds: tuple[type[Exists | InSubquery | ScalarSubquery], ...], *, least: int
) -> bool:
    """Whether a subquery of these kinds has so many aggregates without keys that an outer column stands below."""
    return any(
        isinstance(node, kinds)
        and sum(
            isinstance(part, Aggregate) and not part.keys and any(isinstance(each, Outer) for each in walk(part.child))
            for part in walk(node.query)
        )
        >= least
        for node in walk(case.query)
    )
