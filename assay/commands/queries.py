"""``assay queries``: the user's own queries, with rules on and off."""

from __future__ import annotations

from typing import Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option, shared_options, take_options, workers_option

DATABASES = 20
"""The databases of each query, unless the user says otherwise."""

_OPTIONS = [
    *shared_options(
        without=("--off", "--by", "--record", "--databases"),
        helps={"--max-examples": "databases that each query is checked over"},
        max_examples=str(DATABASES),
    ),
    seed_option(),
    click.Option(
        ["--schema"],
        metavar="PATH",
        help="CREATE TABLE statements, parquet files, or catalog:NAME.NAMESPACE: rows are drawn",
    ),
    click.Option(["--data"], type=types.PATH, help="parquet files: their own rows are taken"),
    click.Option(["--queries"], type=types.PATH, metavar="DIR", help="files of Spark SQL, or one of them"),
    click.Option(
        ["--without-duckdb"], multiple=True, metavar="QUERY", help="ask Spark alone about this query; repeatable"
    ),
    workers_option(),
    click.Option(
        ["--connect"], type=types.SERVER, help="a Spark Connect server, sc://host:port, that runs the queries"
    ),
]


@declare(
    "queries",
    "Check your own queries, with rules on and off.",
    _OPTIONS,
    example="tox run -e queries -- --schema my.sql --queries my_queries",
)
def command(workers: int, **given: Any) -> int:
    """Ask each query over each database."""
    from assay.queries.main import request_of, run

    named = {name: given.pop(name) for name in ("schema", "data", "queries", "without_duckdb", "connect")}
    return run(request_of(take_options(given, max_examples=DATABASES), **named), named["queries"], workers=workers)
