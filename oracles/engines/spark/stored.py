"""The table in files that a leg's statement changes: a table of the catalog over files of its own.

Before the statement it has been read, and is cached or analyzed if the case says so: its rows afterwards, which are the
answer, are those that no cache and no list of files has from before.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from oracles.engines.spark.sources import analysis, ddl, effective_source
from oracles.sql.spark import STORED
from strategies.ir import OverwritePartitions, Relation, Scan, Settings, Statement, Table, partition_column

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MODE = "spark.sql.sources.partitionOverwriteMode"


def statement_conf(query: Relation) -> dict[str, str]:
    """The session settings that ``query`` needs in order to mean what it says."""
    return {_MODE: "dynamic"} if isinstance(query, OverwritePartitions) else {}


def rows_of(statement: Statement) -> str:
    """The text of the query for the rows of a statement's table, in the order of its columns."""
    return f"SELECT * FROM `{statement.target.table}`"


@contextmanager
def stored(spark: SparkSession, target: Scan, folder: Path, settings: Settings) -> Iterator[None]:
    """``target``, whose files are below ``folder``, as a table that can be changed while the context lasts.

    Its files are copies. A view of its name is one of that table then, and afterwards the name means what it did.
    """
    table = Table(target.table, target.columns)
    kind, changed = effective_source(table, settings.source), folder / f"{target.table}{STORED}"
    _copy(folder / f"{target.table}.{kind}", changed)
    # An analyzed table without folders is no view.
    before = spark.table(target.table) if spark.catalog.getTable(target.table).isTemporary else None
    name = f"`{target.table}{STORED}`"
    try:
        _create(spark, table, name, changed, partition_column(table.columns) if kind == "partitioned" else None)
        if kind == "cached":
            spark.sql(f"CACHE TABLE {name}")
        if settings.statistics:
            spark.sql(analysis(name, table))
        spark.table(target.table).count()
        yield
    finally:
        spark.catalog.dropTempView(target.table)
        if before is not None:
            before.createOrReplaceTempView(target.table)
        spark.sql(f"DROP TABLE IF EXISTS {name}")
        shutil.rmtree(changed, ignore_errors=True)


def _copy(files: Path, folder: Path) -> None:
    """Copy a table's ``files``, a folder or the only file, to the new ``folder``."""
    if files.is_dir():
        shutil.copytree(files, folder)
        return
    folder.mkdir()
    shutil.copy(files, folder / "part-0.parquet")


def _create(spark: SparkSession, table: Table, name: str, folder: Path, by: int | None) -> None:
    parts = "" if by is None else f"PARTITIONED BY (`{table.columns[by].name}`) "
    place = str(folder).replace("'", "\\'")
    spark.sql(f"CREATE TABLE {name} ({ddl(table)}) USING parquet {parts}LOCATION '{place}'")
    if by is not None:
        spark.sql(f"MSCK REPAIR TABLE {name}")
    # The view is a text: Spark looks up the table, whose columns may be in another order, each time that it is read.
    columns = ", ".join(f"`{column.name}`" for column in table.columns)
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW `{table.name}` AS SELECT {columns} FROM {name}")
