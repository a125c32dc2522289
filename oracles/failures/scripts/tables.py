"""Write a case's tables as SQL statements for a plain session of Spark or DuckDB."""

from __future__ import annotations

from dataclasses import replace

from oracles.engines.spark.sources import CSV_OPTIONS, dealt, effective_source
from oracles.sql import DuckdbCompiler, SparkCompiler
from oracles.sql.spark import quote_string
from strategies.ir import BOOLEAN, INTEGERS, Database, Settings, Source, SqlType, Table, Value, is_plain

_FILES: tuple[Source, ...] = ("parquet", "orc", "csv")
_ANALYZED: tuple[Source, ...] = ("parquet", "orc")


def spark_statements(database: Database, settings: Settings) -> list[str]:
    """Statements for tables of Spark's catalog in the case's file format, cached or analyzed if the case says so.

    Each partition of a table is a file, and so an INSERT, unless it is empty.
    """
    return [statement for place, table in enumerate(database.tables) for statement in _on_spark(table, settings, place)]


def duckdb_statements(database: Database) -> list[str]:
    """Statements for tables of DuckDB."""
    compiler = DuckdbCompiler()
    return [
        statement
        for table in database.tables
        for statement in (f"CREATE TABLE {_head(compiler, table)}", *_insert(compiler, table))
    ]


def _on_spark(table: Table, settings: Settings, place: int) -> list[str]:
    compiler = SparkCompiler("cast")
    kind, name = effective_source(table, settings.source), compiler.quote(table.name)
    using = kind if kind in _FILES else "parquet"
    options = ", ".join(f"{quote_string(key)} = {quote_string(value)}" for key, value in CSV_OPTIONS.items())
    created = f"CREATE TABLE {_head(compiler, table)} USING {using}{f' OPTIONS ({options})' if using == 'csv' else ''}"
    files = (replace(table, rows=rows) for rows in dealt(table.rows, settings.table_partitions, place))
    statements = [created, *(statement for file in files for statement in _insert(compiler, file))]
    if kind == "cached":
        statements.append(f"CACHE TABLE {name}")
    if settings.statistics and kind in _ANALYZED:
        columns = ", ".join(compiler.quote(column.name) for column in table.columns if is_plain(column.type))
        statements.append(f"ANALYZE TABLE {name} COMPUTE STATISTICS{f' FOR COLUMNS {columns}' if columns else ''}")
    return statements


def _head(compiler: SparkCompiler | DuckdbCompiler, table: Table) -> str:
    columns = (f"{compiler.quote(column.name)} {compiler.type_name(column.type)}" for column in table.columns)
    return f"{compiler.quote(table.name)} ({', '.join(columns)})"


def _insert(compiler: SparkCompiler | DuckdbCompiler, table: Table) -> list[str]:
    kinds = [column.type for column in table.columns]
    rows = (
        f"({', '.join(_cell(compiler, kind, value) for kind, value in zip(kinds, row, strict=True))})"
        for row in table.rows
    )
    return [f"INSERT INTO {compiler.quote(table.name)} VALUES\n    " + ",\n    ".join(rows)] if table.rows else []


def _cell(compiler: SparkCompiler | DuckdbCompiler, kind: SqlType, value: Value) -> str:
    if value is None:
        return "NULL"
    # The column has the type already: a constant without a cast is easier to read.
    if kind in INTEGERS:
        return str(value)
    return str(value).lower() if kind == BOOLEAN else compiler.constant(kind, value)
