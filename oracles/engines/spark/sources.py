"""Load a case's tables into Spark from a source: files of several formats, a cached relation, or a local relation.

A table of a VALUES clause or of rows is a LocalRelation, and ConvertToLocalRelation folds whole queries over it before
they run; so files are the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as parquet

from oracles.engines.arrow import in_parquet
from oracles.engines.spark.leg_conf import table_conf
from oracles.engines.spark.memory import streams
from oracles.engines.spark.variants import extracted, packed, variant_columns, variant_ddl
from oracles.sql.spark import STORED
from strategies.ir import (
    BINARY,
    FLOATING,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Database,
    Map,
    Row,
    Source,
    SqlType,
    Struct,
    Table,
    Value,
    has_statistics,
    is_plain,
    partition_column,
    type_text,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_CSV_NULL = "\\N"
# A text format needs options to keep '' apart from NULL, blanks at either end, and line breaks in a string.
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
"""Options to read a CSV file exactly as it was written; they include the options to write it."""

Dealing = tuple[int, int]
"""The number of files of a table, and the place of the table in its database: the file of the first row."""


def ddl(table: Table) -> str:
    """The columns of ``table`` as Spark's schema text."""
    return ", ".join(f"`{column.name}` {type_text(column.type)}" for column in table.columns)


def effective_source(table: Table, source: Source) -> Source:
    """``source``, or parquet if ``source`` can't give ``table`` back unchanged.

    Spark's CSV has no binary or nested types, turns a carriage return into a line feed, and reads the NULL marker as
    NULL. ORC's Java reader moves an instant with a fraction in the last second before 1970 to after 1970. A table
    without a suitable column can't be partitioned, nor be a VARIANT. The source "v2" is the jar's: where the jar isn't,
    there are files.
    """
    if source == "v2":
        return "parquet"
    if source == "partitioned":
        return source if partition_column(table.columns) is not None else "parquet"
    if source == "variant":
        return source if variant_columns(table) else "parquet"
    lost = {"csv": _lost_in_csv, "orc": _lost_in_orc}.get(source)
    if lost is None:
        return source
    if source == "csv" and any(column.type == BINARY or not is_plain(column.type) for column in table.columns):
        return "parquet"
    kinds = [column.type for column in table.columns]
    cells = (part for row in table.rows for kind, value in zip(kinds, row, strict=True) for part in _plain(kind, value))
    return "parquet" if any(lost(kind, value) for kind, value in cells) else source


def _plain(kind: SqlType, value: Value) -> Iterator[tuple[SqlType, Value]]:
    """The plain values inside ``value``, with their types."""
    if not isinstance(value, tuple):
        yield kind, value
    elif isinstance(kind, Array):
        for each in value:
            yield from _plain(kind.element, each)
    elif isinstance(kind, Struct):
        for (_, field), each in zip(kind.fields, value, strict=True):
            yield from _plain(field, each)
    elif isinstance(kind, Map):
        for entry in value:
            if isinstance(entry, tuple):
                yield from (*_plain(kind.key, entry[0]), *_plain(kind.value, entry[1]))


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
    """Load ``database`` as temporary views of ``spark`` while the context lasts; files go below ``folder``.

    :param statistics: make tables in files tables of the catalog, with statistics of all columns; a view has none. Of a
        table in folders the catalog knows each partition then, and PruneFileSourcePartitions reads some alone.
    :param files: the number of files per table, each read by one task. Files that Spark writes have rows, so they are
        fewer if there are fewer rows.
    """
    with ExitStack() as stack:
        with _under(spark, table_conf(files)):
            for place, table in enumerate(database.tables):
                _load(spark, table, source, folder, (files, place), stack, statistics=statistics)
        yield


def _load(
    spark: SparkSession,
    table: Table,
    source: Source,
    folder: Path,
    files: Dealing,
    stack: ExitStack,
    *,
    statistics: bool,
) -> None:
    """Load ``table``; ``stack`` undoes it."""
    kind = effective_source(table, source)
    path = folder / f"{table.name}.{kind}"
    frame = _READERS[kind](spark, table, path, files)
    if kind == "variant":
        frame = _viewed(spark, table, frame, stack)
    if statistics and kind in _IN_FILES:
        frame = _analyzed(spark, table, kind, path, stack)
        if kind != "partitioned":
            return
    frame.createOrReplaceTempView(table.name)
    stack.callback(spark.catalog.dropTempView, table.name)
    if kind == "cached":
        stack.callback(frame.unpersist, blocking=True)


@contextmanager
def _under(spark: SparkSession, conf: Mapping[str, str]) -> Iterator[None]:
    """The session under ``conf``, whose settings it has no values of its own for, while the context lasts."""
    for key, value in conf.items():
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key in conf:
            spark.conf.unset(key)


def dealt(rows: tuple[Row, ...], files: int, first: int) -> list[tuple[Row, ...]]:
    """``rows`` in ``files`` parts, dealt out in turn from part number ``first``: parts are empty if rows are few.

    The jar deals out the rows of tables in memory in the same way.
    """
    return [rows[(part - first) % files :: files] for part in range(files)]


_IN_FILES: tuple[Source, ...] = ("parquet", "orc", "partitioned")


def _analyzed(spark: SparkSession, table: Table, kind: Source, path: Path, stack: ExitStack) -> DataFrame:
    """An external table over the files at ``path``, with statistics of every column that can have them; ``stack`` drops
    it. One in folders has another name, and its columns in another order, which the result mends.
    """
    folders = partition_column(table.columns) if kind == "partitioned" else None
    name = table.name if folders is None else f"{table.name}_in_folders"
    by = "" if folders is None else f"PARTITIONED BY (`{table.columns[folders].name}`)"
    place = str(path).replace("'", "\\'")
    stack.callback(spark.sql, f"DROP TABLE IF EXISTS `{name}`")
    spark.sql(
        f"CREATE TABLE `{name}` ({ddl(table)}) USING {kind if folders is None else 'parquet'} {by} LOCATION '{place}'"
    )
    if folders is not None:
        spark.sql(f"MSCK REPAIR TABLE `{name}`")
    spark.sql(analysis(f"`{name}`", table))
    return spark.table(name).select(*[f"`{column.name}`" for column in table.columns])


def analysis(name: str, table: Table) -> str:
    """The text that computes statistics of all columns of ``table`` that can have them."""
    columns = ", ".join(f"`{column.name}`" for column in table.columns if has_statistics(column.type))
    return f"ANALYZE TABLE {name} COMPUTE STATISTICS {f'FOR COLUMNS {columns}' if columns else ''}"


def _parquet(spark: SparkSession, table: Table, path: Path, files: Dealing) -> DataFrame:
    parts = dealt(table.rows, *files)
    if len(parts) > 1:
        path.mkdir()
    for number, rows in enumerate(parts):
        file = path / f"part-{number}.parquet" if len(parts) > 1 else path
        _write_parquet(replace(table, rows=rows), file)
    return spark.read.schema(ddl(table)).parquet(str(path))


def _write_parquet(table: Table, file: Path) -> None:
    # No statistics for a column with NaN, as Spark's own writer does. Arrow's statistics leave NaN out, and Spark 4.3.0
    # then skips row groups with matching rows for `a = NaN` and `a > Infinity` (tests/rules/test_sources.py).
    described = [
        column.name
        for index, column in enumerate(table.columns)
        if is_plain(column.type) and (column.type not in FLOATING or all(row[index] != "nan" for row in table.rows))
    ]
    parquet.write_table(in_parquet(table), file, write_statistics=described)


def _partitioned(spark: SparkSession, table: Table, path: Path, files: Dealing) -> DataFrame:
    place = partition_column(table.columns)
    assert place is not None  # effective_source
    name, kept = table.columns[place].name, (*table.columns[:place], *table.columns[place + 1 :])
    path.mkdir()
    for number, rows in enumerate(dealt(table.rows, *files)):
        for value in dict.fromkeys(row[place] for row in rows):
            folder = path / f"{name}={_NO_VALUE if value is None else value}"
            folder.mkdir(exist_ok=True)
            those = tuple((*row[:place], *row[place + 1 :]) for row in rows if row[place] == value)
            _write_parquet(Table(table.name, kept, those), folder / f"part-{number}.parquet")
    # Spark puts the column of the folders last.
    return spark.read.schema(ddl(table)).parquet(str(path)).select(*[f"`{column.name}`" for column in table.columns])


_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


def _local(spark: SparkSession, table: Table, _: Path, files: Dealing) -> DataFrame:
    # By the jar: createDataFrame takes no Arrow table before Spark 4.0, and makes no LocalRelation of rows.
    from pyspark.sql import DataFrame

    jvm: Any = spark._jvm
    runner = jvm.org.apache.spark.sql.assay.LegRunner
    return DataFrame(runner.local(spark._jsparkSession, streams([[table]])), spark)


def _cached(spark: SparkSession, table: Table, path: Path, files: Dealing) -> DataFrame:
    frame = _parquet(spark, table, path, files).persist()
    # Fill the cache at once: its plan is made now, and would fail under a leg's other reader settings.
    frame.count()
    return frame


def _orc(spark: SparkSession, table: Table, path: Path, files: Dealing) -> DataFrame:
    # Spark writes the file: other writers use another calendar for old dates.
    _local(spark, table, path, files).write.mode("overwrite").orc(str(path))
    return spark.read.schema(ddl(table)).orc(str(path))


def _variant(spark: SparkSession, table: Table, path: Path, files: Dealing) -> DataFrame:
    _local(spark, table, path, files).selectExpr(*packed(table)).write.mode("overwrite").parquet(str(path))
    return spark.read.schema(variant_ddl(table)).parquet(str(path))


def _viewed(spark: SparkSession, table: Table, files: DataFrame, stack: ExitStack) -> DataFrame:
    """The columns of ``table``, whose files are a view, too; ``stack`` drops it."""
    name = f"{table.name}{STORED}"
    files.createOrReplaceTempView(name)
    stack.callback(spark.catalog.dropTempView, name)
    return files.selectExpr(*extracted(table))


def _csv(spark: SparkSession, table: Table, path: Path, files: Dealing) -> DataFrame:
    _local(spark, table, path, files).write.mode("overwrite").options(**_CSV_WRITE).csv(str(path))
    return spark.read.schema(ddl(table)).options(**CSV_OPTIONS).csv(str(path))


_READERS: dict[Source, Callable[[SparkSession, Table, Path, Dealing], DataFrame]] = {
    "parquet": _parquet,
    "orc": _orc,
    "csv": _csv,
    "cached": _cached,
    "partitioned": _partitioned,
    "local": _local,
    "variant": _variant,
}
