"""The rows that a user's schema itself has: Spark computes what stands in INSERT and in views of VALUES alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from assay.queries.column_types import column_type
from assay.queries.lines import one_line, spark_line
from assay.queries.schema import Schema
from assay.queries.statements import View, body_after
from assay.session.ending import BadInput
from oracles.answers.outcome import Cell, Rows
from oracles.engines.protocol import Engine, Stage
from strategies.ir import (
    BINARY,
    DATE,
    INT,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Column,
    Database,
    InvalidQuery,
    Map,
    Row,
    Settings,
    SqlType,
    Struct,
    Table,
    Value,
    Verbatim,
)

_NOTHING = Database((Table("assay_nothing", (Column("a", INT),)),))
_EPOCH = datetime(1970, 1, 1)
_OF_VALUES = re.compile(r"(?:SELECT\s+\*\s+FROM\s+)?VALUES\b", re.IGNORECASE)


def with_rows(schema: Schema, spark: Engine) -> Schema:
    """``schema`` with the rows of its INSERTs, and its views of VALUES as tables; BadInput for what is no row."""
    views = [view for view in schema.views if _is_of_values(view)]
    if not views and not schema.inserted:
        return schema
    tables, given = list(schema.database.tables), dict[str, tuple[Row, ...]]()
    with spark.stage(_NOTHING, Settings(), fast=True) as stage:
        for table in schema.database.tables:
            kinds = [column.type for column in table.columns]
            for query in schema.inserted.get(table.name, ()):
                given[table.name] = (*given.get(table.name, ()), *_rows(stage, table.name, query, kinds))
        for view in tuple(views):
            columns = _columns(spark, view)
            if columns is None:
                views.remove(view)  # it stays a view
                continue
            made = Table(view.name, columns)
            tables.append(made)
            given[view.name] = _rows(stage, view.name, _query(view), [column.type for column in columns])
    rest = tuple(view for view in schema.views if view not in views)
    return replace(schema, database=Database(tuple(tables)), views=rest, given=given)


def _is_of_values(view: View) -> bool:
    words = body_after(view.text, "VALUES")[1].upper().split()
    return bool(_OF_VALUES.match(view.text.strip())) and not {"UNION", "EXCEPT", "INTERSECT", "WHERE", "JOIN"} & {
        *words
    }


def _query(view: View) -> str:
    return f"SELECT * FROM ({view.text}) AS v{view.head}"


def _columns(spark: Engine, view: View) -> tuple[Column, ...] | None:
    """The columns of a view as those of a table; None if no table is stored with one of their types."""
    try:
        fields = spark.described(_query(view)).fields
    except spark.spark_errors as error:
        raise BadInput(f"view {view.name}: {spark_line(spark.raised(error).message)}") from error
    types = [column_type(said) for _, said in fields]
    names = {name.casefold() for name, _ in fields}
    if len(names) < len(fields) or any(each.kind is None or each.made for each in types):
        return None
    return tuple(Column(name, each.kind) for (name, _), each in zip(fields, types, strict=True) if each.kind)


def _rows(stage: Stage, name: str, query: str, kinds: Sequence[SqlType]) -> tuple[Row, ...]:
    with stage.leg(Verbatim(query, why_not="Spark alone computes rows"), {}) as leg:
        outcome = leg.run().outcome
    if not isinstance(outcome, Rows):
        raise BadInput(f"rows of {name}: {spark_line(outcome.message if outcome else 'none')}")
    try:
        return tuple(tuple(map(plain_cell, kinds, row)) for row in outcome.rows)
    except (ValueError, OverflowError, InvalidQuery) as error:
        raise BadInput(f"rows of {name}: {one_line(error)}") from error


def plain_cell(kind: SqlType, cell: Cell) -> Value:
    """The plain value, of a cell of ``kind``, that a table holds; ValueError if it can't hold it."""
    if cell is None:
        return None
    payload = cell[1]
    if isinstance(payload, tuple):
        if isinstance(kind, Array):
            return tuple(plain_cell(kind.element, each) for each in payload)
        if isinstance(kind, Struct):
            return tuple(plain_cell(field, each) for (_, field), each in zip(kind.fields, payload, strict=True))
        if isinstance(kind, Map):
            pairs = [each[1] for each in payload if each is not None and isinstance(each[1], tuple)]
            return tuple((plain_cell(kind.key, key), plain_cell(kind.value, value)) for key, value in pairs)
        raise ValueError(f"{payload!r} is no {kind!r}")
    if isinstance(payload, bytes):
        if kind != BINARY:
            raise ValueError(f"{payload!r} is no text in UTF-8")
        return payload.hex()
    if kind == DATE:
        return (_EPOCH.date() + timedelta(days=int(payload))).isoformat()
    if kind in (TIMESTAMP, TIMESTAMP_NTZ):
        return (_EPOCH + timedelta(microseconds=int(payload))).isoformat(sep=" ", timespec="microseconds")
    return payload
