"""``assay inversions``: conditionals of the optimizer inverted one at a time."""

from __future__ import annotations

from typing import Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option, shared_options, take_options

CHECKS = 300
MOST = 200

_OPTIONS: list[click.Parameter] = [
    *shared_options(
        without=("--off", "--by", "--record", "--failures", "--databases", "--rule-jar", "--extensions", "--known")
    ),
    seed_option(),
    click.Option(
        ["--most"], type=types.WHOLE, default=str(MOST), show_default=True, help="conditionals to invert at the most"
    ),
]


@declare(
    "inversions",
    "Invert conditionals of the optimizer one at a time, and count those that the drawn cases show.",
    _OPTIONS,
    example="tox run -e inversions -- --rule LimitPushDown --max-examples 200 --most 50",
)
def command(most: int, **given: Any) -> int:
    """Print what became of each inverted conditional, by rule."""
    from assay.coverage.inverted_main import run

    return run(take_options(given, max_examples=CHECKS), most)
