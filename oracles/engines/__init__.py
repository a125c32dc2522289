"""Spark and DuckDB behind one small protocol."""
