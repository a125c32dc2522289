"""Queries and tables as plain data, for failure files: JSON in, JSON out, nothing evaluated."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import strategies.ir
from strategies.ir.case import Case, Settings
from strategies.ir.data import Column, Database, Table
from strategies.ir.expressions import Expr
from strategies.ir.node import Node, init_fields
from strategies.ir.references import Subquery
from strategies.ir.relations import Relation
from strategies.ir.typed import Typed
from strategies.ir.types import InvalidQuery, SqlType, type_from_text, type_text
from strategies.ir.writes import Statement

_RECORDS = (Column, Table, Database, Settings, Case)
_ABSTRACT = (Node, Expr, Subquery, Relation, Typed, Statement)


@cache
def _kinds() -> dict[str, type[Any]]:
    """The records and the kinds of nodes by their names: those that the package has, once all of it is imported."""
    return {
        name: kind
        for name, kind in vars(strategies.ir).items()
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
    arguments, kind = {**_EARLIER.get(name, {}), **given}, _kinds().get(name)
    if kind is None:
        raise InvalidQuery(f"no such node: {value.get('node')!r}")
    try:
        return kind(**arguments)
    except (TypeError, AttributeError, KeyError) as error:
        raise InvalidQuery(f"{value['node']}: {error}") from error
