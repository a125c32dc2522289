"""Run the witnesses of the known divergences on plain sessions: no extension, default settings, and nothing of Assay's
but the data source of its jar, for bugs about statements that no source of stock Spark supports.

``python -m oracles.triage.witness [--entries FILE]`` prints one JSON object: for each entry of this release, whether
its witness still fails. ``--results FILE`` stores what it showed, for the gallery of docs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from jars.build import build
from oracles.engines.spark.java import java_environment
from oracles.engines.spark.user_functions import PYTHON
from oracles.triage.divergences import KNOWN, Divergence, load
from oracles.triage.witness_results import Witnessed, store
from oracles.triage.witness_sides import FOLDER, Answer, Side, Sides, answer_of, duckdb_plan, lines_of, raised

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_CHANCES = 1_000

OWN_SOURCE = "org.apache.spark.sql.assay.connector.StoredTables"
"""The catalog of tables in memory that a witness may ask for in its statements; it is in Assay's jar."""

PROGRAM = "spark."
"""A witness's query begins so if it is a DataFrame program, for what SQL lacks: dropDuplicates."""


def sides(spark: SparkSession, entry: Divergence, folder: str) -> Sides:
    """Both sides of the witness of ``entry``, on a session of its own, which then has its tables: the witness's query
    without its settings, and under them (the rule off), or the query with the same meaning.

    :param folder: a folder for the witness's files, which its statements call ``{folder}``.
    """
    witness = entry.witness
    for statement in witness.setup:
        spark.sql(statement.replace(FOLDER, folder))
    default = _side(spark, witness.query, folder)
    if witness.instead:
        return Sides(default, _side(spark, witness.instead, folder))
    for key, value in witness.settings.items():
        spark.conf.set(key, value)
    try:
        return Sides(default, _side(spark, witness.query, folder))
    finally:
        for key in witness.settings:
            spark.conf.unset(key)


def sides_on_duckdb(connection: duckdb.DuckDBPyConnection, entry: Divergence) -> Sides:
    """Both sides of the witness of a DuckDB bug, on a connection with DuckDB's default settings, which then has its
    tables.

    A bug may show only now and then: a query is compared with one of the same meaning many times, until they differ.
    """
    witness = entry.witness
    for statement in witness.setup:
        connection.execute(statement)
    default = _duckdb_side(connection, witness.query)
    if witness.instead:
        other = _duckdb_side(connection, witness.instead)
        tries = (_duckdb_answer(connection, witness.query) for _ in range(_CHANCES - 1))
        answers = (answer for answer in tries if answer.differs(other.answer))
        if not default.answer.differs(other.answer):
            default = replace(default, answer=next(answers, default.answer))
        return Sides(default, other)
    for pragma in witness.settings:
        connection.execute(f"PRAGMA {pragma}")
    return Sides(default, _duckdb_side(connection, witness.query))


def _duckdb_side(connection: duckdb.DuckDBPyConnection, query: str) -> Side:
    connection.execute("SET explain_output = 'optimized_only'")
    ((_, explained),) = connection.execute(f"EXPLAIN (FORMAT json) {query}").fetchall()
    return Side(_duckdb_answer(connection, query), duckdb_plan(explained))


def _duckdb_answer(connection: duckdb.DuckDBPyConnection, query: str) -> Answer:
    found = connection.execute(query)
    return answer_of([(name, str(kind)) for name, kind, *_ in found.description or ()], found.fetchall())


def _side(spark: SparkSession, query: str, folder: str) -> Side:
    query, frame = query.replace(FOLDER, folder), None
    try:
        frame = eval(query, {"spark": spark}) if query.startswith(PROGRAM) else spark.sql(query)
        answer = answer_of(frame.dtypes, frame.collect())
    except spark_errors() as error:
        answer = raised(error, folder)
    return Side(answer, () if frame is None else _plan(frame, folder))


def _plan(frame: DataFrame, folder: str) -> tuple[str, ...]:
    execution = frame._jdf.queryExecution()
    try:
        text = execution.optimizedPlan().toString()
    except spark_errors():
        text = execution.analyzed().toString()
    return lines_of(text, folder)


def spark_errors() -> tuple[type[Exception], ...]:
    """The exceptions in which a query on Spark may end."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    return PySparkException, Py4JJavaError


def main() -> int:
    """Print ``{id: still fails}`` for the entries of the installed release; exit code 1 if a result can't be stored."""
    parser = argparse.ArgumentParser(prog="witness", description="Run the witnesses of known divergences.")
    parser.add_argument("--entries", type=Path, default=KNOWN, metavar="FILE", help="other entries than Assay's own")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="this entry only (repeatable)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="store answers, plans and tables in this file")
    options = parser.parse_args()
    import pyspark

    entries = load(options.entries)
    if unknown := sorted(set(options.only) - {entry.id for entry in entries}):
        parser.error(f"no entry is called {', '.join(unknown)}")
    here = [entry for entry in entries if entry.covers(pyspark.__version__)]
    if elsewhere := sorted(set(options.only) - {entry.id for entry in here}):
        parser.error(f"Spark {pyspark.__version__} has no {', '.join(elsewhere)}: see the releases of the entry")
    here = [entry for entry in here if not options.only or entry.id in options.only]
    witnessed = {entry.id: _on_duckdb(entry) for entry in here if entry.blame == "duckdb"}
    if others := [entry for entry in here if entry.blame != "duckdb"]:
        witnessed |= _on_spark(others, with_tables=options.results is not None)
    print(json.dumps({entry.id: witnessed[entry.id].sides.differ for entry in here}))
    if options.results is None:
        return 0
    store(options.results, entries, witnessed)
    stale = [entry.id for entry in here if not witnessed[entry.id].sides.differ]
    for name in stale:
        print(f"{name}: its witness does not fail, so it has no result to store", file=sys.stderr)
    return 1 if stale else 0


def _on_duckdb(entry: Divergence) -> Witnessed:
    with duckdb.connect() as connection:
        both = sides_on_duckdb(connection, entry)
        tables = {
            name: _duckdb_answer(connection, f'FROM "{name}"')
            for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        }
    return Witnessed(f"DuckDB {duckdb.__version__}", both, tables)


def _on_spark(entries: Sequence[Divergence], *, with_tables: bool) -> dict[str, Witnessed]:
    os.environ.update(java_environment())
    os.environ.pop("SPARK_HOME", None)
    os.environ.setdefault(PYTHON, sys.executable)
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        # Plan validation reports an invalid plan; it is off by default, and changes no plan. 200 tasks per exchange,
        # Spark's default, would only take time.
        builder = builder.config("spark.sql.planChangeValidation", "true").config("spark.sql.shuffle.partitions", "2")
        if any(OWN_SOURCE in statement for entry in entries for statement in entry.witness.setup):
            builder = builder.config("spark.driver.extraClassPath", str(build().main))
        spark = builder.config("spark.sql.warehouse.dir", folder).getOrCreate()
        witnessed = {}
        for entry in entries:
            # A session for each entry: the witnesses' settings stay apart, and only the catalog is shared.
            session = spark.newSession()
            before = _tables(session) if with_tables else set()
            both = sides(session, entry, folder)
            own = _tables(session) - before if with_tables else set()
            tables = {name: _side(session, f"SELECT * FROM {name}", folder).answer for _, name in sorted(own)}
            witnessed[entry.id] = Witnessed(f"Spark {spark.version}", both, tables)
        spark.stop()
    return witnessed


def _tables(spark: SparkSession) -> set[tuple[str, str]]:
    """Schema and name of the session's tables."""
    return {(schema, name) for schema, name, _ in spark.sql("SHOW TABLES").collect()}


if __name__ == "__main__":
    sys.exit(main())
