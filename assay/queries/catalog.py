"""Read a user's schema from a catalog of their Spark: only the tables' columns are read, no rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.queries.lines import one_line
from assay.queries.schema import Declared, Schema, declared_as, schema_of
from assay.session.ending import BadInput

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PREFIX = "catalog:"
"""The prefix of a catalog, as opposed to a path: catalog:NAME.NAMESPACE."""


def read_catalog(spark: SparkSession, place: str) -> Schema:
    """The schema of all tables and views of ``place``, a catalog and the namespace in it, as in ``shop.public``.

    The catalog is one of Spark's settings (``spark.sql.catalog.shop`` and what belongs to it), or ``spark_catalog``.
    BadInput in one line where Spark can't read it, or a column has a type that can't be drawn.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        tables = list(_tables(spark, place))
    except (PySparkException, Py4JJavaError) as error:
        first = next(line for line in str(error).splitlines() if line.strip())
        raise BadInput(f"--schema {PREFIX}{place}: {one_line(first, 200)}") from error
    if not tables:
        raise BadInput(f"--schema {PREFIX}{place}: has no tables")
    parts = tuple(part.casefold() for part in place.split("."))
    names = {(*parts[at:], name.casefold()) for name, _ in tables for at in range(len(parts))}
    return replace(schema_of(PREFIX + place, tables), names=frozenset(names))


def _tables(spark: SparkSession, place: str) -> Iterator[tuple[str, list[Declared]]]:
    namespace = ".".join(f"`{part}`" for part in place.split("."))
    for row in spark.sql(f"SHOW TABLES IN {namespace}").collect():
        if not row["isTemporary"]:
            fields = spark.table(f"{namespace}.`{row['tableName']}`").schema.fields
            yield (
                row["tableName"],
                [declared_as(each.name, each.dataType.simpleString(), required=not each.nullable) for each in fields],
            )
