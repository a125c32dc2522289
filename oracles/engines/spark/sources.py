"""Where Spark reads a case's tables from: files of several formats, a cached relation, a local one.

A table in a VALUES clause or made of rows is a LocalRelation, and ConvertToLocalRelation folds whole queries over it
before anything runs; so files are the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as parquet

from oracles.engines.arrow import arrow_table
from oracles.engines.spark.memory import streams
from strategies.ir import (
    BINARY,
    DOUBLE,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Database,
    Source,
    SqlType,
    Struct,
    Table,
    Value,
    is_plain,
    type_text,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_CSV_NULL = "\\N"
# Text formats need every distinction spelled out: '' against NULL, blanks at either end, line breaks in a string.
_CSV_WRITE = {
    "nullValue": _CSV_NULL,
    "emptyValue": "",
    "quoteAll": "true",
    "escape": '"',
    "ignoreLeadingWhiteSpace": "false",
    "ignoreTrailingWhiteSpace": "false",
    "timestampFormat": "yyyy-MM-dd HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd HH:mm:ss.SSSSSS",
}
CSV_OPTIONS = {**_CSV_WRITE, "multiLine": "true", "mode": "FAILFAST"}
"""What a CSV file is read with, so that what was written comes back; what it is written with is among it."""


def ddl(table: Table) -> str:
    """The columns of ``table`` as Spark's schema text."""
    return ", ".join(f"`{column.name}` {type_text(column.type)}" for column in table.columns)


def effective_source(table: Table, source: Source) -> Source:
    """``source``, or parquet where it can't give ``table`` back as it is.

    Spark's CSV has no binary and nothing nested, makes a carriage return a line feed, and reads the marker of NULL as
    NULL. ORC's Java reader takes the fraction of an instant in the last second before 1970 for one after it.
    """
    lost = {"csv": _lost_in_csv, "orc": _lost_in_orc}.get(source)
    if lost is None:
        return source
    if source == "csv" and any(column.type == BINARY or not is_plain(column.type) for column in table.columns):
        return "parquet"
    kinds = [column.type for column in table.columns]
    cells = (part for row in table.rows for kind, value in zip(kinds, row, strict=True) for part in _plain(kind, value))
    return "parquet" if any(lost(kind, value) for kind, value in cells) else source


def _plain(kind: SqlType, value: Value) -> Iterator[tuple[SqlType, Value]]:
    """What ``value`` is made of, with its types."""
    if not isinstance(value, tuple):
        yield kind, value
    elif isinstance(kind, Array):
        for each in value:
            yield from _plain(kind.element, each)
    elif isinstance(kind, Struct):
        for (_, field), each in zip(kind.fields, value, strict=True):
            yield from _plain(field, each)


def _lost_in_csv(kind: SqlType, value: Value) -> bool:
    return kind == STRING and isinstance(value, str) and ("\r" in value or value == _CSV_NULL)


def _lost_in_orc(kind: SqlType, value: Value) -> bool:
    return kind in (TIMESTAMP, TIMESTAMP_NTZ) and str(value).startswith("1969-12-31 23:59:59.")


@contextmanager
def loaded(
    spark: SparkSession,
    database: Database,
    source: Source,
    folder: Path,
    *,
    statistics: bool = False,
    files: int = 1,
) -> Iterator[None]:
    """``database`` as temporary views of ``spark`` while the context lasts; files go below ``folder``.

    What we write is in so many ``files``: each is a task's. Spark writes as many as it has parts.

    With ``statistics``, what is in files is a table of the catalog, analyzed with all its columns: a view has none.
    """
    with ExitStack() as stack:
        for table in database.tables:
            kind = effective_source(table, source)
            path = folder / f"{table.name}.{kind}"
            frame = _READERS[kind](spark, table, path, files)
            if statistics and kind in _IN_FILES:
                stack.callback(spark.sql, f"DROP TABLE IF EXISTS `{table.name}`")
                _analyzed(spark, table, kind, path)
                continue
            frame.createOrReplaceTempView(table.name)
            stack.callback(spark.catalog.dropTempView, table.name)
            if kind == "cached":
                stack.callback(frame.unpersist, blocking=True)
        yield


_IN_FILES: tuple[Source, ...] = ("parquet", "orc")


def _analyzed(spark: SparkSession, table: Table, kind: Source, path: Path) -> None:
    """An external table over the files at ``path``, with statistics of every column that can have them."""
    place = str(path).replace("'", "\\'")
    spark.sql(f"CREATE TABLE `{table.name}` ({ddl(table)}) USING {kind} LOCATION '{place}'")
    columns = ", ".join(f"`{column.name}`" for column in table.columns if is_plain(column.type))
    spark.sql(f"ANALYZE TABLE `{table.name}` COMPUTE STATISTICS {f'FOR COLUMNS {columns}' if columns else ''}")


def _parquet(spark: SparkSession, table: Table, path: Path, files: int) -> DataFrame:
    # As Spark's own writer does: no statistics for a column with NaN. Arrow's leave NaN out, and Spark 4.3.0 then
    # skips row groups for `a = NaN` and `a > Infinity` that hold such rows (tests/rules/test_sources.py).
    described = [
        column.name
        for index, column in enumerate(table.columns)
        if is_plain(column.type) and (column.type != DOUBLE or all(row[index] != "nan" for row in table.rows))
    ]
    rows = arrow_table(table)
    if files == 1:
        parquet.write_table(rows, path, write_statistics=described)
    else:
        path.mkdir()
        for part in range(files):
            own = rows.take(pa.array(range(part, rows.num_rows, files), pa.int64()))
            parquet.write_table(own, path / f"part-{part}.parquet", write_statistics=described)
    return spark.read.schema(ddl(table)).parquet(str(path))


def _local(spark: SparkSession, table: Table, _: Path, files: int) -> DataFrame:
    # By the jar: createDataFrame takes no Arrow table before Spark 4.0, and of rows it makes no LocalRelation.
    from pyspark.sql import DataFrame

    jvm: Any = spark._jvm
    runner = jvm.org.apache.spark.sql.assay.LegRunner
    return DataFrame(runner.local(spark._jsparkSession, streams([[table]])), spark)


def _cached(spark: SparkSession, table: Table, path: Path, files: int) -> DataFrame:
    frame = _parquet(spark, table, path, files).persist()
    # At once: the plan that fills the cache is made now, and fails when it is run under a leg's other readers.
    frame.count()
    return frame


def _orc(spark: SparkSession, table: Table, path: Path, files: int) -> DataFrame:
    # Written by Spark: other writers count old dates by another calendar.
    _local(spark, table, path, files).write.mode("overwrite").orc(str(path))
    return spark.read.schema(ddl(table)).orc(str(path))


def _csv(spark: SparkSession, table: Table, path: Path, files: int) -> DataFrame:
    _local(spark, table, path, files).write.mode("overwrite").options(**_CSV_WRITE).csv(str(path))
    return spark.read.schema(ddl(table)).options(**CSV_OPTIONS).csv(str(path))


_READERS: dict[Source, Callable[[SparkSession, Table, Path, int], DataFrame]] = {
    "parquet": _parquet,
    "orc": _orc,
    "csv": _csv,
    "cached": _cached,
    "local": _local,
}
