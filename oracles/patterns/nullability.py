"""Known divergences about what Spark takes for never NULL: patterns, and a rewrite that puts the bug of one in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from strategies.ir import (
    BOOLEAN,
    FLOATING,
    WHOLE,
    Agg,
    Aggregate,
    Alias,
    Case,
    Coalesce,
    Col,
    Compare,
    Distinct,
    Exists,
    Filter,
    GetField,
    IsNull,
    Limit,
    Lit,
    Node,
    Project,
    Ranking,
    Relation,
    ScalarSubquery,
    Sort,
    SqlType,
    Value,
    Window,
    transform,
    walk,
)

_ZEROS: Mapping[SqlType, Value] = {
    **dict.fromkeys(WHOLE, 0),
    **dict.fromkeys(FLOATING, (0.0).hex()),
    BOOLEAN: False,
}


def scalar_subquery_of_what_is_never_null(case: Case) -> bool:
    """A correlated scalar subquery whose value is a number or a boolean, and never NULL where it has a row: a constant,
    a count, the number of a row, or a test for NULL or for rows.
    """
    return any(map(_is_of_never_null, walk(case.query)))


def missing_values_as_zeros(case: Case) -> Case | None:
    """Put the bug into the query: a subquery of the pattern is 0 where it has no row."""
    query: Any = transform(case.query, _zero_if_missing)
    return None if query == case.query else replace(case, query=query)


def _zero_if_missing(node: Node) -> Node:
    if not isinstance(node, ScalarSubquery) or not _is_of_never_null(node):
        return node
    return Coalesce((node, Lit(node.type, _ZEROS[node.type])))


def _is_of_never_null(node: Node) -> bool:
    return (
        isinstance(node, ScalarSubquery)
        and bool(node.outer)
        and node.type in _ZEROS
        and _is_never_null(_made_by(node.query, node.query.fields[0].name))
    )


def _made_by(relation: Relation, name: str) -> Node | None:
    """The expression that makes column ``name`` of ``relation``, if one does right there or below."""
    made: dict[str, Node] = {}
    if isinstance(relation, Project):
        made = {item.name: item.value for item in relation.items}
    elif isinstance(relation, Aggregate):
        made = {item.name: item.value for item in (*relation.keys, *relation.aggregates)}
    elif isinstance(relation, Window):
        made = {over.name: over.function for over in relation.columns}
    elif not isinstance(relation, (Alias, Distinct, Filter, Limit, Sort)):
        return None
    value = made.get(name)
    if isinstance(value, Col):
        return _made_by(relation.child, value.name)
    return value if value is not None or isinstance(relation, (Project, Aggregate)) else _made_by(relation.child, name)


def _is_never_null(value: Node | None) -> bool:
    return (
        isinstance(value, (Exists, IsNull, Ranking))
        or (isinstance(value, Agg) and value.function == "count")
        or (isinstance(value, Lit) and value.value is not None)
    )


def null_of_a_field_in_orc(case: Case) -> bool:
    """A test for NULL of a struct's field, or of what is computed from one, over ORC files."""
    roots = (case.query,) if case.partition is None else (case.query, case.partition)
    return case.settings.source == "orc" and any(
        (isinstance(node, IsNull) or (isinstance(node, Compare) and node.op == "<=>"))
        and any(isinstance(part, GetField) for part in walk(node))
        for root in roots
        for node in walk(root)
    )


NULLABILITY: Mapping[str, Callable[[Case], bool]] = {
    "scalar_subquery_of_what_is_never_null": scalar_subquery_of_what_is_never_null,
    "null_of_a_field_in_orc": null_of_a_field_in_orc,
}
"""The patterns by their names."""
