"""Queries and tables as plain data, for failure files: JSON in, JSON out, nothing evaluated."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from strategies.ir import (
    aggregates,
    arrangement,
    bags,
    case,
    casts,
    collations,
    cte,
    data,
    expressions,
    generate,
    grouping,
    lateral,
    maps,
    nested,
    raising,
    recursion,
    references,
    relations,
    subqueries,
    typed,
    unpivot,
    user_functions,
    verbatim,
    windows,
    writes,
)
from strategies.ir.node import Node, init_fields
from strategies.ir.types import InvalidQuery, SqlType, type_from_text, type_text

_RECORDS = (data.Column, data.Table, data.Database, case.Settings, case.Case)
_ABSTRACT = (Node, expressions.Expr, references.Subquery, relations.Relation, typed.Typed, writes.Statement)
_KINDS: dict[str, type[Any]] = {
    name: kind
    for module in (
        aggregates,
        arrangement,
        bags,
        case,
        casts,
        collations,
        cte,
        data,
        expressions,
        generate,
        grouping,
        lateral,
        maps,
        nested,
        raising,
        recursion,
        references,
        relations,
        subqueries,
        typed,
        unpivot,
        user_functions,
        verbatim,
        windows,
        writes,
    )
    for name, kind in vars(module).items()
    if isinstance(kind, type) and (issubclass(kind, Node) or kind in _RECORDS) and kind not in _ABSTRACT
}

_EARLIER: dict[str, dict[str, Any]] = {"Settings": {"literals": "cast"}}
"""Arguments that files of earlier versions lack, with the values that those versions meant."""


def to_plain(value: Any) -> Any:
    """``value`` (a case, a node, a database, a type or a plain value) as JSON-ready data."""
    if isinstance(value, SqlType):
        return {"type": type_text(value)}
    if isinstance(value, Node):
        return {"node": type(value).__name__, **{name: to_plain(part) for name, part in init_fields(value).items()}}
    if isinstance(value, _RECORDS):
        parts = {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
        return {"node": type(value).__name__, **parts}
    if isinstance(value, tuple):
        return [to_plain(part) for part in value]
    return value


def from_plain(value: Any) -> Any:
    """Inverse of :func:`to_plain`; lists become tuples.

    Raises InvalidQuery for an unknown node, missing or extra arguments, and for arguments that constructors refuse.
    """
    if isinstance(value, list):
        return tuple(from_plain(part) for part in value)
    if not isinstance(value, dict):
        return value
    if set(value) == {"type"}:
        return type_from_text(str(value["type"]))
    name = str(value.get("node"))
    given = {argument: from_plain(part) for argument, part in value.items() if argument != "node"}
    arguments, kind = {**_EARLIER.get(name, {}), **given}, _KINDS.get(name)
    if kind is None:
        raise InvalidQuery(f"no such node: {value.get('node')!r}")
    try:
        return kind(**arguments)
    except (TypeError, AttributeError, KeyError) as error:
        raise InvalidQuery(f"{value['node']}: {error}") from error
