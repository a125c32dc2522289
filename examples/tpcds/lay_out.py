"""TPC-DS for ``queries``: schema.sql, the 99 queries in Spark's words, and with a scale factor rows, in a folder.

They are those of DuckDB's tpcds extension, which needs a DuckDB of its own: ``tox run -e tpcds -- DIR [SCALE]``.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import duckdb
import sqlglot

from oracles.failures.caller import caller_folder


def lay_out(folder: Path, scale: float) -> None:
    """Fill ``folder``; ``scale`` 1 is a gigabyte of rows, 0 none."""
    extension = next((files("duckdb_extension_tpcds") / "extensions").glob("*/tpcds.duckdb_extension"))  # type: ignore[attr-defined]  # a folder on disk
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(f"LOAD '{extension}'")
    connection.execute(f"CALL dsdgen(sf = {scale})")
    tables = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()]
    (folder / "queries").mkdir(parents=True, exist_ok=True)
    (folder / "schema.sql").write_text("\n".join(_statement(connection, name) for name in tables))
    for number, text in connection.execute("SELECT query_nr, query FROM tpcds_queries()").fetchall():
        (statement,) = sqlglot.transpile(text, read="duckdb", write="spark", pretty=True)
        (folder / "queries" / f"q{number:02}.sql").write_text(statement + "\n")
    if scale:
        (folder / "rows").mkdir(exist_ok=True)
        for name in tables:
            connection.execute(f"COPY {name} TO '{folder / 'rows' / name}.parquet'")


def _statement(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """CREATE TABLE, without keys: what is drawn for it has NULLs everywhere."""
    columns = connection.execute(
        "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index", [table]
    ).fetchall()
    listed = ", ".join(f"{name} {kind}" for name, kind in columns)
    return sqlglot.transpile(f"CREATE TABLE {table} ({listed})", read="duckdb", write="spark", pretty=True)[0] + ";\n"


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder, *scale] if len(scale) < 2:
            lay_out(caller_folder() / folder, float(scale[0]) if scale else 0)
        case _:
            sys.exit("tpcds: needs a folder, and may have a scale factor: 0.01 for ten megabytes of rows")
