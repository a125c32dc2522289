"""Tables from SQL statements, which DuckDB runs: CREATE TABLE and INSERT are the same in both engines."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from assay.queries.arrow_types import arrow_kind
from assay.queries.stored import plain_value
from oracles.engines.arrow import arrow_type
from strategies.ir import Column, Database, Table


class InvalidTables(ValueError):
    """The statements fail, or make a table of a type that the query algebra lacks."""


def tables_of(statements: Iterable[str]) -> Database:
    """The tables that ``statements`` make, in their order."""
    with duckdb.connect() as connection:
        try:
            for statement in statements:
                connection.execute(statement)
        except duckdb.Error as error:
            raise InvalidTables(" ".join(str(error).split())) from error
        names = connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY table_oid").fetchall()
        return Database(tuple(_table(connection, name) for (name,) in names))


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
