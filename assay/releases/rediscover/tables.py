"""Tables from SQL statements, which DuckDB runs: CREATE TABLE and INSERT are the same in both engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

import duckdb

from assay.queries.arrow_types import arrow_kind
from assay.queries.stored import plain_value
from oracles.engines.arrow import arrow_type
from strategies.ir import Column, Database, Table


class InvalidTables(ValueError):
    """The statements fail, or make a table of a type that the query algebra lacks."""


def tables_of(statements: Iterable[str]) -> Database:
    """The tables that ``statements`` make, in their order."""
    with _empty() as connection:
        try:
            for statement in statements:
                connection.execute(statement)
        except duckdb.Error as error:
            raise InvalidTables(" ".join(str(error).split())) from error
        names = connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY table_oid"
        ).fetchall()
        return Database(tuple(_table(connection, name) for (name,) in names))


@contextmanager
def _empty() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a database without tables, which is gone afterwards."""
    connection = _duckdb()
    connection.execute("ATTACH ':memory:' AS witness; USE witness")
    try:
        yield connection
    finally:
        connection.execute("USE memory; DETACH witness")


@cache
def _duckdb() -> duckdb.DuckDBPyConnection:
    """One for all witnesses: to connect takes ten times as long as to attach a database."""
    return duckdb.connect()


def _table(connection: duckdb.DuckDBPyConnection, name: str) -> Table:
    found = connection.table(name).to_arrow_table()
    columns = []
    for each in found.schema:
        kind, instead = arrow_kind(each.type)
        if kind is None or instead:
            raise InvalidTables(f"table {name}: column {each.name} has a type that is not drawn: {each.type}")
        columns.append(Column(each.name, kind))
    cells = [
        [plain_value(column.type, value) for value in values.cast(arrow_type(column.type)).to_pylist()]
        for column, values in zip(columns, found.columns, strict=True)
    ]
    return Table(name, tuple(columns), tuple(zip(*cells, strict=True)))
