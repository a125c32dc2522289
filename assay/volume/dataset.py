"""Large tables where the engines find them: made by DuckDB from a seed, in its own file, and as parquet for Spark."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from assay.volume.costs import Costs
from assay.volume.fill import fill
from oracles.checks.check import Harness
from oracles.engines.duckdb import SETTINGS
from oracles.engines.spark.sources import ddl
from oracles.failures.scale import Scale
from oracles.sql import DuckdbCompiler
from strategies.ir import Database, Table

_COMPILER = DuckdbCompiler()
_MEMORY = "2GB"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """The tables of ``schema`` (which has no rows), in DuckDB's ``connection`` and as views of Spark's session.

    Answers go into ``folder``, and into DuckDB's tables. ``costs`` has the cost of making the tables.
    """

    harness: Harness
    schema: Database
    connection: duckdb.DuckDBPyConnection
    folder: Path
    costs: Costs

    def file(self, table: Table) -> Path:
        """The parquet file that Spark reads ``table`` from."""
        return self.folder / f"{table.name}.parquet"

    def rows(self, table: Table) -> int:
        """The number of rows of ``table``."""
        [[count]] = self.connection.execute(f"SELECT count(*) FROM {_COMPILER.quote(table.name)}").fetchall()
        return int(count)


@contextmanager
def dataset(harness: Harness, schema: Database, scale: Scale, folder: Path) -> Iterator[Dataset]:
    """The tables of ``schema`` at ``scale`` while the context lasts; all files are below ``folder``, which is new."""
    costs = Costs(lambda: harness.spark.pid)
    with _connected(folder) as connection:
        made = Dataset(harness=harness, schema=schema, connection=connection, folder=folder, costs=costs)
        with costs.of("tables"):
            fill(connection, schema, scale)
            _write(made)
        with _shown(made):
            yield made


@contextmanager
def part(whole: Dataset, condition: Callable[[Table], str], folder: Path) -> Iterator[Dataset]:
    """The rows of each table of ``whole`` for which the table's ``condition`` holds.

    Spark has them under the same names while the context lasts; afterwards it has the whole tables again.
    """
    try:
        with _connected(folder) as connection:
            for table in whole.schema.tables:
                rows = f"SELECT * FROM read_parquet('{whole.file(table)}') WHERE {condition(table)}"
                connection.execute(f"CREATE TABLE {_COMPILER.quote(table.name)} AS {rows}")
            made = replace(whole, connection=connection, folder=folder)
            _write(made)
            with _shown(made):
                yield made
    finally:
        show(whole)


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


def _write(made: Dataset) -> None:
    for table in made.schema.tables:
        made.connection.execute(f"COPY {_COMPILER.quote(table.name)} TO '{made.file(table)}' (FORMAT parquet)")


@contextmanager
def _shown(made: Dataset) -> Iterator[None]:
    session = made.harness.spark.session
    try:
        show(made)
        yield
    finally:
        for table in made.schema.tables:
            session.catalog.dropTempView(table.name)


def show(made: Dataset) -> None:
    """Make the tables the session's views, in the place of others of these names."""
    session = made.harness.spark.session
    for table in made.schema.tables:
        session.read.schema(ddl(table)).parquet(str(made.file(table))).createOrReplaceTempView(table.name)
