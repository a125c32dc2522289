"""The cases of a query: its text over drawn tables, or over the user's own rows, and how each one runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Context
from decimal import Decimal as Number
from random import Random
from typing import Any

from assay.queries.literals import compared_literals
from assay.queries.prepared import Prepared
from assay.queries.schema import Schema
from assay.session.options import Options
from strategies.draw.own_tables import ColumnValues, OwnTables, hostile
from strategies.ir import Case, Column, Database, Decimal, Settings, Table, Value

_OTHERWISE: tuple[dict[str, Any], ...] = (
    {"aqe": True, "codegen": True, "partitions": 2, "table_partitions": 2},
    {"aqe": True, "codegen": True, "partitions": 3},
    {"codegen": True},
    {"statistics": True},
    {"join": "merge", "codegen": True, "partitions": 3},
    {"join": "hash", "aqe": True},
    {"source": "cached"},
    {"source": "orc", "vectorized": False},
)
_ONE_IN = 4
"""One database in so many is read and run in one of these ways, two of them a stock session's; the others by the fast
path, over tables of one partition, two or three in turn."""

Cases = Callable[[Prepared], Iterator[Case]]


def datasets(
    options: Options, drawn: Schema | None, stored: Schema | None, rows: Database | None
) -> Iterator[tuple[Schema, Cases]]:
    """The schemas of the tables to check over, drawn or stored, each with the cases of a query over them."""
    if drawn is not None:
        yield drawn, lambda query: _drawn(query, drawn, options)
    if stored is not None and rows is not None:
        yield stored, lambda query: iter([_of_files(query, rows)])


def _drawn(asked: Prepared, schema: Schema, options: Options) -> Iterator[Case]:
    values = _joined(compared_literals([asked.query], schema.database), _given_values(schema), _wide_values(schema))
    tables = OwnTables(schema.database, schema.required, values).only(asked.reads)
    for number in range(options.max_examples):
        random = Random(f"{options.seed}/{asked.query.name}/{number}")
        settings = settings_of(number, random, count=options.max_examples)
        database = _fitted(hostile(tables, random), schema)
        yield Case(asked.verbatim, _with_given(database, schema) if number == 0 else database, settings)


def _with_given(database: Database, schema: Schema) -> Database:
    """The user's own rows in place of drawn ones: they are checked as they are first."""
    tables = (replace(each, rows=schema.given.get(each.name, each.rows)) for each in database.tables)
    return Database(tuple(tables))


def _given_values(schema: Schema) -> ColumnValues:
    """The values of the user's own rows, by column: drawn rows have them, too."""
    return {
        (table.name, column.name): tuple(values)
        for table in schema.database.tables
        for at, column in enumerate(table.columns)
        if (values := dict.fromkeys(row[at] for row in schema.given.get(table.name, ()) if row[at] is not None))
    }


_DIGITS = 18
"""Digits of the greatest decimals that are drawn for every column."""


def _wide_values(schema: Schema) -> ColumnValues:
    """The greatest and the least value of each wider decimal, and some in between: arithmetic overflows with them."""
    found: dict[tuple[str, str], tuple[Value, ...]] = {}
    for table in schema.database.tables:
        for column in table.columns:
            kind = column.type
            if isinstance(kind, Decimal) and kind.precision > _DIGITS:
                numbers = (
                    10**kind.precision - 1,
                    10 ** (kind.precision - 1),
                    10**kind.scale,
                    1 - 10**kind.precision,
                    0,
                )
                texts = (format(Number(number).scaleb(-kind.scale, _WIDE), "f") for number in numbers)
                found[table.name, column.name] = tuple(texts)
    return found


_WIDE = Context(prec=40)


def _joined(*parts: ColumnValues) -> ColumnValues:
    places = dict.fromkeys(place for part in parts for place in part)
    return {place: tuple(dict.fromkeys(value for part in parts for value in part.get(place, ()))) for place in places}


def _fitted(database: Database, schema: Schema) -> Database:
    """``database`` with texts cut, or padded, to the lengths of their columns."""
    if not schema.lengths:
        return database

    def cell(table: Table, column: Column, value: Value) -> Value:
        limit = schema.lengths.get((table.name, column.name))
        if limit is None or not isinstance(value, str):
            return value
        return value[: limit[0]].ljust(limit[0] if limit[1] else 0)

    return Database(
        tuple(
            replace(
                table,
                rows=tuple(
                    tuple(cell(table, column, value) for column, value in zip(table.columns, row, strict=True))
                    for row in table.rows
                ),
            )
            for table in database.tables
        )
    )


def settings_of(number: int, random: Random, *, count: int) -> Settings:
    """The settings of a query's database ``number`` of ``count``, counted from 0.

    Of fewer than four databases each one is drawn to run in one of the other ways as often as the fourth one is.
    """
    turn = number % _ONE_IN
    otherwise = turn == _ONE_IN - 1 if count >= _ONE_IN else random.randrange(_ONE_IN) == 0
    return Settings(**random.choice(_OTHERWISE) if otherwise else {"table_partitions": turn + 1})


def _of_files(asked: Prepared, rows: Database) -> Case:
    read = tuple(table for table in rows.tables if table.name in asked.reads)
    # So many rows are for jobs and files.
    return Case(asked.verbatim, Database(read), Settings(codegen=True))
