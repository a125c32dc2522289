"""Compile the query algebra directly to each engine's language: Spark SQL, DuckDB SQL, DataFrame programs, SQLite."""

from oracles.sql.base import Compiler
from oracles.sql.dataframe import DataFrameCompiler, needs_methods
from oracles.sql.dialect import UnsupportedNode
from oracles.sql.duckdb import DuckdbCompiler
from oracles.sql.paths import PathCompiler
from oracles.sql.spark import SparkCompiler
from strategies.ir import Relation, Settings

__all__ = [
    "Compiler",
    "DataFrameCompiler",
    "DuckdbCompiler",
    "SparkCompiler",
    "UnsupportedNode",
    "compiler_of",
    "needs_methods",
    "spark_text",
]


def spark_text(query: Relation, settings: Settings) -> str:
    """``query`` as text for Spark: SQL, or the source of a DataFrame program."""
    if settings.form == "dataframe":
        return DataFrameCompiler(settings.literals).compile(query)
    return compiler_of(settings).compile(query)


def compiler_of(settings: Settings, *, stored: bool = False) -> SparkCompiler:
    """The compiler to Spark SQL for a case under ``settings``; ``stored`` is of :class:`SparkCompiler`."""
    kind = PathCompiler if settings.source == "variant" else SparkCompiler
    return kind.under(settings, stored=stored)
