"""Compile the query algebra directly to each engine's language: Spark SQL, DuckDB SQL, DataFrame programs, SQLite."""

from oracles.sql.base import Compiler
from oracles.sql.dataframe import DataFrameCompiler, needs_methods
from oracles.sql.dialect import UnsupportedNode
from oracles.sql.duckdb import DuckdbCompiler
from oracles.sql.spark import SparkCompiler
from strategies.ir import Relation, Settings

__all__ = [
    "Compiler",
    "DataFrameCompiler",
    "DuckdbCompiler",
    "SparkCompiler",
    "UnsupportedNode",
    "needs_methods",
    "spark_text",
]


def spark_text(query: Relation, settings: Settings) -> str:
    """``query`` as text for Spark: SQL, or the source of a DataFrame program."""
    kind = DataFrameCompiler if settings.form == "dataframe" else SparkCompiler
    return kind(settings.literals).compile(query)
