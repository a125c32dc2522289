"""``assay seed-bench``: what the two example rules of jars/src/examples are worth."""

from __future__ import annotations

from pathlib import Path

import click
from platformdirs import user_cache_path

from assay.commands.cli import declare
from assay.options import types

_OPTIONS: list[click.Parameter] = [
    click.Option(["--megabytes"], type=types.WHOLE, default="500", show_default=True, help="size of the CSV file"),
    click.Option(["--turns"], type=types.WHOLE, default="5", show_default=True, help="how often each way is run"),
    click.Option(["--data"], type=types.PATH, metavar="DIR", help="the file's folder; the user's cache if not given"),
    click.Option(["--spark-master"], type=types.MASTER, default="local[*]", show_default=True, help="where Spark runs"),
    click.Option(["--parts"], is_flag=True, help="also run what every way does at the least"),
]


@declare(
    "seed-bench",
    "Time EXCEPT over a large CSV file with each of the example rules.",
    _OPTIONS,
    example="python -m assay seed-bench --megabytes 100 --turns 3",
)
def command(megabytes: int, turns: int, data: Path | None, spark_master: str, parts: bool) -> int:
    """Make the data where it isn't, run, and print the table."""
    from assay.bench.seed import report

    folder = data or user_cache_path("assay") / "bench"
    return report(megabytes, turns, folder=folder, master=spark_master, parts=parts)
