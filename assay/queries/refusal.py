"""The types of a user's columns that the running Spark hasn't got, or has turned off."""

from __future__ import annotations

from assay.queries.column_types import ColumnType
from assay.queries.lines import spark_line
from oracles.engines.protocol import Engine
from strategies.ir import type_text


def refusal(spark: Engine, column: ColumnType) -> str:
    """Why ``spark`` can't make a column of its stored one, in one line; '' if it can."""
    if not column.made or column.kind is None:
        return ""
    try:
        spark.described(f"SELECT {column.made.format(f'CAST(NULL AS {type_text(column.kind)})')}")
    except spark.spark_errors as error:
        return spark_line(spark.raised(error).message, 120)
    return ""
