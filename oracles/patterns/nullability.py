"""Known divergences about what Spark takes for never NULL: patterns, and rewrites that put a bug in or take it away."""

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
    CaseWhen,
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
    RaisingElement,
    Ranking,
    Relation,
    ScalarSubquery,
    Sort,
    SqlType,
    Value,
    When,
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


def element_at_a_position_that_may_be_null(case: Case) -> bool:
    """An element that has to be there, at a position that is no constant, of an array that no table holds: its elements
    may be known not to be NULL.
    """
    stored = {column.name for table in case.database.tables for column in table.columns}
    return any(
        isinstance(node, RaisingElement)
        and not isinstance(node.index, Lit)
        and not (isinstance(node.array, Col) and node.array.name in stored)
        for node in walk(case.query)
    )


def elements_at_known_positions(case: Case) -> Case | None:
    """Ask for each such element where its position is known alone; None if there is none."""

    def change(node: Node) -> Node:
        if not isinstance(node, RaisingElement) or isinstance(node.index, Lit):
            return node
        return CaseWhen((When(IsNull(node.index, negated=True), node),))

    query: Any = transform(case.query, change)
    return None if query == case.query else replace(case, query=query)


NULLABILITY: Mapping[str, Callable[[Case], bool]] = {
    "scalar_subquery_of_what_is_never_null": scalar_subquery_of_what_is_never_null,
    "null_of_a_field_in_orc": null_of_a_field_in_orc,
    "element_at_a_position_that_may_be_null": element_at_a_position_that_may_be_null,
}
"""The patterns by their names."""
