"""From the query algebra straight to each engine's language: Spark SQL, DuckDB SQL, a DataFrame program."""

from oracles.sql.base import Compiler
from oracles.sql.dataframe import DataFrameCompiler
from oracles.sql.dialect import UnsupportedNode
from oracles.sql.duckdb import DuckdbCompiler
from oracles.sql.spark import SparkCompiler
from strategies.ir import Form, Relation

__all__ = ["Compiler", "DataFrameCompiler", "DuckdbCompiler", "SparkCompiler", "UnsupportedNode", "spark_text"]


def spark_text(query: Relation, form: Form) -> str:
    """What Spark is given for ``query``: SQL, or the source of a DataFrame program."""
    return DataFrameCompiler().compile(query) if form == "dataframe" else SparkCompiler().compile(query)
