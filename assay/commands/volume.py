"""``assay volume``: rules on and off over large tables."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option, shared_options, take_options
from assay.volume.execution import MASTER

CHECKS = 10
ROWS = 1_000_000
LEAST = 1_000

_OPTIONS = [
    *shared_options(without=("--off", "--by", "--record", "--databases"), spark_master=MASTER),
    seed_option(),
    click.Option(
        ["--scale"],
        type=types.Parsed("ROWS", partial(types.rows, least=LEAST)),
        default=str(ROWS),
        show_default=True,
        help="rows of each table",
    ),
]


@declare(
    "volume",
    "Check rules on and off over large tables, with spilling, sort-merge joins and re-planning.",
    _OPTIONS,
    example="tox run -e volume -- --scale 10000000 --rule RewriteExceptAll",
)
def command(scale: int, **given: Any) -> int:
    """Check so many queries over tables of so many rows."""
    from assay.volume.main import run

    return run(take_options(given, max_examples=CHECKS), scale)
