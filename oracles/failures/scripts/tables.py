"""Write a case's tables as SQL statements for a plain session of Spark or DuckDB."""

from __future__ import annotations

from dataclasses import replace

from oracles.engines.spark.leg_conf import TIME_ZONE
from oracles.engines.spark.sources import CSV_OPTIONS, dealt, effective_source
from oracles.engines.spark.variants import extracted, packed, variant_ddl
from oracles.sql import DuckdbCompiler, SparkCompiler
from oracles.sql.spark import STORED, quote_string
from strategies.ir import (
    BOOLEAN,
    STRING,
    UTC,
    WHOLE,
    Collated,
    Database,
    Settings,
    Source,
    SqlType,
    Table,
    Value,
    has_statistics,
    partition_column,
)

_FILES: tuple[Source, ...] = ("parquet", "orc", "csv")
_ANALYZED: tuple[Source, ...] = ("parquet", "orc")


def spark_statements(database: Database, settings: Settings) -> list[str]:
    """Statements for tables of Spark's catalog in the case's file format, cached or analyzed if the case says so.

    Each partition of a table is a file, and so an INSERT, unless it is empty. Instants are written in UTC; then the
    session gets the case's time zone.
    """
    statements = [
        statement for place, table in enumerate(database.tables) for statement in _on_spark(table, settings, place)
    ]
    if settings.time_zone == UTC:
        return statements
    return [f"SET {TIME_ZONE} = {UTC}", *statements, f"SET {TIME_ZONE} = {settings.time_zone}"]


def duckdb_statements(database: Database, time_zone: str) -> list[str]:
    """Statements for tables of DuckDB, whose session is in UTC before them, and in ``time_zone`` after them."""
    compiler = DuckdbCompiler()
    statements = [
        statement
        for table in database.tables
        for statement in (f"CREATE TABLE {_head(compiler, table)}", *_insert(compiler, table))
    ]
    return statements if time_zone == UTC else [*statements, f"SET TimeZone = '{time_zone}'"]


def _on_spark(table: Table, settings: Settings, place: int) -> list[str]:
    compiler = SparkCompiler("cast")
    if (place_of_value := partition_column(table.columns)) is not None and settings.source == "partitioned":
        return _in_folders(compiler, table, table.columns[place_of_value].name, settings, place)
    kind, name = effective_source(table, settings.source), compiler.quote(table.name)
    if kind == "variant":
        return _in_variant(compiler, table, settings, place)
    using = kind if kind in _FILES else "parquet"
    options = ", ".join(f"{quote_string(key)} = {quote_string(value)}" for key, value in CSV_OPTIONS.items())
    created = f"CREATE TABLE {_head(compiler, table)} USING {using}{f' OPTIONS ({options})' if using == 'csv' else ''}"
    files = (replace(table, rows=rows) for rows in dealt(table.rows, settings.table_partitions, place))
    statements = [created, *(statement for file in files for statement in _insert(compiler, file))]
    if kind == "cached":
        statements.append(f"CACHE TABLE {name}")
    if settings.statistics and kind in _ANALYZED:
        columns = ", ".join(compiler.quote(column.name) for column in table.columns if has_statistics(column.type))
        statements.append(f"ANALYZE TABLE {name} COMPUTE STATISTICS{f' FOR COLUMNS {columns}' if columns else ''}")
    return statements


def _in_folders(compiler: SparkCompiler, table: Table, value: str, settings: Settings, place: int) -> list[str]:
    """A view with the columns in their order: Spark puts the column by which a table is partitioned last."""
    folders = replace(table, name=f"{table.name}_in_folders")
    by, columns = compiler.quote(value), ", ".join(compiler.quote(column.name) for column in table.columns)
    files = (replace(folders, rows=rows) for rows in dealt(table.rows, settings.table_partitions, place))
    return [
        f"CREATE TABLE {_head(compiler, folders)} USING parquet PARTITIONED BY ({by})",
        *(statement for file in files for statement in _insert(compiler, file, f" ({columns})")),
        f"CREATE VIEW {compiler.quote(table.name)} AS SELECT {columns} FROM {compiler.quote(folders.name)}",
    ]


def _in_variant(compiler: SparkCompiler, table: Table, settings: Settings, place: int) -> list[str]:
    """A view that extracts the columns from a VARIANT."""
    stored, columns = compiler.quote(f"{table.name}{STORED}"), ", ".join(compiler.quote(c.name) for c in table.columns)
    statements = [f"CREATE TABLE {stored} ({variant_ddl(table)}) USING parquet"]
    for rows in filter(None, dealt(table.rows, settings.table_partitions, place)):
        values = f"VALUES\n    {_tuples(compiler, replace(table, rows=rows))} AS r({columns})"
        statements.append(f"INSERT INTO {stored} SELECT {', '.join(packed(table))} FROM {values}")
    view = f"SELECT {', '.join(extracted(table))} FROM {stored}"
    return [*statements, f"CREATE VIEW {compiler.quote(table.name)} AS {view}"]


def _head(compiler: SparkCompiler | DuckdbCompiler, table: Table) -> str:
    columns = (f"{compiler.quote(column.name)} {compiler.type_name(column.type)}" for column in table.columns)
    return f"{compiler.quote(table.name)} ({', '.join(columns)})"


def _insert(compiler: SparkCompiler | DuckdbCompiler, table: Table, columns: str = "") -> list[str]:
    head = f"INSERT INTO {compiler.quote(table.name)}{columns} VALUES\n    "
    return [head + _tuples(compiler, table)] if table.rows else []


def _tuples(compiler: SparkCompiler | DuckdbCompiler, table: Table) -> str:
    kinds = [column.type for column in table.columns]
    return ",\n    ".join(
        f"({', '.join(_cell(compiler, kind, value) for kind, value in zip(kinds, row, strict=True))})"
        for row in table.rows
    )


def _cell(compiler: SparkCompiler | DuckdbCompiler, kind: SqlType, value: Value) -> str:
    if value is None:
        return "NULL"
    # The column has the type already: a constant without a cast is easier to read.
    if kind in WHOLE:
        return str(value)
    if isinstance(kind, Collated):
        return compiler.constant(STRING, value)
    return str(value).lower() if kind == BOOLEAN else compiler.constant(kind, value)
