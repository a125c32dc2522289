"""``assay rediscover``: known bugs of Spark as a benchmark of the oracle and of what is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import shared_options, take_options

_OTHERS = (
    "--max-examples",
    "--rule",
    "--rule-jar",
    "--extensions",
    "--off",
    "--by",
    "--record",
    "--databases",
    "--known",
)
_OPTIONS: list[click.Parameter] = [
    click.Argument(["folders"], type=types.PATH, nargs=-1, metavar="[DIR...]"),
    *shared_options(without=_OTHERS),
]


@declare(
    "rediscover",
    "Check the witnesses of known bugs on this release; with folders of campaigns, list the known bugs they met.",
    _OPTIONS,
    example="tox run -e rediscover-spark40 -- --summary-json rediscovered.json",
)
def command(folders: tuple[Path, ...], **given: Any) -> int:
    """Print the standing of each ticket, or those that campaigns met."""
    from assay.releases.rediscover.main import run, run_met

    options = take_options(given, max_examples=1)
    return run_met(folders, options.summary_json) if folders else run(options)
