"""Run the witnesses of the known divergences on plain sessions: no jar, no extension, default settings.

``python -m oracles.triage.witness [--entries FILE]`` prints one JSON object: for each entry of this release, whether
its witness still fails.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from oracles.engines.spark.java import java_environment
from oracles.triage.divergences import KNOWN, Divergence, load

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_CHANCES = 1_000

PROGRAM = "spark."
"""A witness's query begins so if it is a DataFrame program, for what SQL lacks: dropDuplicates."""


def still_fails(spark: SparkSession, entry: Divergence, folder: str) -> bool:
    """Whether the witness's query has another answer under its settings (the rule off) than without them, or than the
    query with the same meaning.

    :param folder: a folder for the witness's files, which its statements call ``{folder}``.
    """
    query = entry.witness.query.replace("{folder}", folder)
    for statement in entry.witness.setup:
        spark.sql(statement.replace("{folder}", folder))
    default = _answer(spark, query)
    if entry.witness.instead:
        return _answer(spark, entry.witness.instead) != default
    for key, value in entry.witness.settings.items():
        spark.conf.set(key, value)
    try:
        return _answer(spark, query) != default
    finally:
        for key in entry.witness.settings:
            spark.conf.unset(key)


def still_fails_on_duckdb(entry: Divergence) -> bool:
    """Whether the witness of a DuckDB bug still fails, on a connection with DuckDB's default settings.

    A bug may show only now and then: a query is compared with one of the same meaning many times.
    """
    with duckdb.connect() as connection:

        def answer(query: str) -> list[str]:
            return sorted(map(repr, connection.execute(query).fetchall()))

        for statement in entry.witness.setup:
            connection.execute(statement)
        query, instead = entry.witness.query, entry.witness.instead
        if instead:
            meant = answer(instead)
            return any(answer(query) != meant for _ in range(_CHANCES))
        default = answer(query)
        for pragma in entry.witness.settings:
            connection.execute(f"PRAGMA {pragma}")
        return answer(query) != default


def _answer(spark: SparkSession, query: str) -> list[str]:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        frame = eval(query, {"spark": spark}) if query.startswith(PROGRAM) else spark.sql(query)
        return sorted(repr(tuple(row)) for row in frame.collect())
    except (PySparkException, Py4JJavaError) as error:
        return [f"raised {type(error).__name__}"]


def main() -> int:
    """Print ``{id: still fails}`` for the entries of the installed release."""
    parser = argparse.ArgumentParser(prog="witness", description="Run the witnesses of known divergences.")
    parser.add_argument("--entries", type=Path, default=KNOWN, metavar="FILE", help="other entries than Assay's own")
    entries = parser.parse_args().entries
    import pyspark

    here = [entry for entry in load(entries) if entry.covers(pyspark.__version__)]
    fails = {entry.id: still_fails_on_duckdb(entry) for entry in here if entry.blame == "duckdb"}
    if others := [entry for entry in here if entry.blame != "duckdb"]:
        fails |= _still_fail(others)
    print(json.dumps({entry.id: fails[entry.id] for entry in here}))
    return 0


def _still_fail(entries: Iterable[Divergence]) -> dict[str, bool]:
    os.environ.update(java_environment())
    os.environ.pop("SPARK_HOME", None)
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        # Plan validation reports an invalid plan; it is off by default, and changes no plan. 200 tasks per exchange,
        # Spark's default, would only take time.
        builder = builder.config("spark.sql.planChangeValidation", "true").config("spark.sql.shuffle.partitions", "2")
        spark = builder.config("spark.sql.warehouse.dir", folder).getOrCreate()
        # A session for each entry: the witnesses' settings stay apart, and only the catalog is shared.
        fails = {entry.id: still_fails(spark.newSession(), entry, folder) for entry in entries}
        spark.stop()
    return fails


if __name__ == "__main__":
    sys.exit(main())
