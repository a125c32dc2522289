"""A plugin of pytest: each statement raises in this process's DuckDB, which may not look into any expression."""

from __future__ import annotations

from oracles.engines import duckdb

duckdb.SETTINGS = (*duckdb.SETTINGS, "SET max_expression_depth = 0")
