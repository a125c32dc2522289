"""Run the witnesses of the known divergences on plain sessions: no jar, no extension, default settings.

``python -m oracles.witness`` prints one JSON object: for each entry of this release, whether its witness still fails.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import TYPE_CHECKING

import duckdb

from oracles.divergences import Divergence, load
from oracles.engines.java import java_environment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def still_fails(spark: SparkSession, entry: Divergence) -> bool:
    """Whether the witness's query has another answer under its settings (the rule off) than without them, or than
    the query that means the same.
    """
    for statement in entry.witness.setup:
        spark.sql(statement)
    default = _answer(spark, entry.witness.query)
    if entry.witness.instead:
        return _answer(spark, entry.witness.instead) != default
    for key, value in entry.witness.settings.items():
        spark.conf.set(key, value)
    try:
        return _answer(spark, entry.witness.query) != default
    finally:
        for key in entry.witness.settings:
            spark.conf.unset(key)


def still_fails_on_duckdb(entry: Divergence) -> bool:
    """The same of a DuckDB bug, on a connection with DuckDB's own settings."""
    with duckdb.connect() as connection:
        for statement in entry.witness.setup:
            connection.execute(statement)
        default = connection.execute(entry.witness.query).fetchall()
        for pragma in entry.witness.settings:
            connection.execute(f"PRAGMA {pragma}")
        return sorted(map(repr, connection.execute(entry.witness.query).fetchall())) != sorted(map(repr, default))


def _still_fails(spark: SparkSession, entry: Divergence) -> bool:
    return still_fails_on_duckdb(entry) if entry.blame == "duckdb" else still_fails(spark, entry)


def _answer(spark: SparkSession, query: str) -> list[str]:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return sorted(repr(tuple(row)) for row in spark.sql(query).collect())
    except (PySparkException, Py4JJavaError) as error:
        return [f"raised {type(error).__name__}"]


def main() -> int:
    """Print ``{id: still fails}`` for the entries of the installed release."""
    os.environ.update(java_environment())
    os.environ.pop("SPARK_HOME", None)
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        # Plan validation is what makes a refused plan show; it is off by default, and changes no plan. 200 tasks an
        # exchange, for a few rows, would show nothing more.
        builder = builder.config("spark.sql.planChangeValidation", "true").config("spark.sql.shuffle.partitions", "2")
        spark = builder.config("spark.sql.warehouse.dir", folder).getOrCreate()
        here = [entry for entry in load() if any(spark.version.startswith(release) for release in entry.releases)]
        print(json.dumps({entry.id: _still_fails(spark, entry) for entry in here}))
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
