"""Large tables where the engines find them: made by DuckDB from a seed, in its own file, and as parquet for Spark."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from oracles.check import Laboratory
from oracles.engines.duckdb import SETTINGS
from oracles.engines.sources import ddl
from oracles.sql import DuckdbCompiler
from oracles.volume.fill import Scale, fill
from strategies.ir import Database

_COMPILER = DuckdbCompiler()
_MEMORY = "2GB"


@dataclass(frozen=True, slots=True)
class Ground:
    """The tables of ``schema`` (which has no rows), in DuckDB's ``connection`` and as views of Spark's session.

    Answers go into ``folder``, and into DuckDB's tables.
    """

    laboratory: Laboratory
    schema: Database
    connection: duckdb.DuckDBPyConnection
    folder: Path


@contextmanager
def ground(laboratory: Laboratory, schema: Database, scale: Scale, folder: Path) -> Iterator[Ground]:
    """The tables of ``schema`` at ``scale`` while the context lasts; all its files are below ``folder``, which is new."""
    with _connected(folder) as connection:
        fill(connection, schema, scale)
        with _shown(laboratory, schema, connection, folder) as made:
            yield made


@contextmanager
def _connected(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    folder.mkdir(parents=True)
    connection = duckdb.connect(folder / "tables.duckdb")
    try:
        # The answers here don't depend on the order of the rows.
        own = ("SET threads = 2", f"SET memory_limit = '{_MEMORY}'", f"SET temp_directory = '{folder / 'spilled'}'")
        for setting in (*SETTINGS, *own):
            connection.execute(setting)
        yield connection
    finally:
        connection.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _shown(
    laboratory: Laboratory, schema: Database, connection: duckdb.DuckDBPyConnection, folder: Path
) -> Iterator[Ground]:
    session = laboratory.spark.session
    try:
        for table in schema.tables:
            path = folder / f"{table.name}.parquet"
            connection.execute(f"COPY {_COMPILER.quote(table.name)} TO '{path}' (FORMAT parquet)")
            session.read.schema(ddl(table)).parquet(str(path)).createOrReplaceTempView(table.name)
        yield Ground(laboratory, schema, connection, folder)
    finally:
        for table in schema.tables:
            session.catalog.dropTempView(table.name)
