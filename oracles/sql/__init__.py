"""From the query algebra straight to each engine's language: Spark SQL, DuckDB SQL, a DataFrame program."""

from oracles.sql.base import Compiler, UnsupportedNode
from oracles.sql.dataframe import DataFrameCompiler
from oracles.sql.duckdb import DuckdbCompiler
from oracles.sql.spark import SparkCompiler

__all__ = ["Compiler", "DataFrameCompiler", "DuckdbCompiler", "SparkCompiler", "UnsupportedNode"]
