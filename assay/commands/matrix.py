"""``assay matrix``: a campaign on each release of Spark."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from assay.commands import nightly
from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option
from assay.releases.runner import FACTORS, Factor, parse_releases

BUDGET = "10m"

_OPTIONS: list[click.Parameter] = [
    click.Option(
        ["--out"], type=types.PATH, required=True, metavar="DIR", help="the campaigns' folders and the tables"
    ),
    click.Option(["--budget"], default=BUDGET, metavar="TIME", show_default=True, help="of each campaign"),
    click.Option(
        ["--releases"],
        type=types.Parsed("A,B", lambda _, text: parse_releases(text)),
        default=",".join(FACTORS),
        show_default=True,
        help="factors, or exact versions: spark35,4.0.0",
    ),
    seed_option(),
    click.Argument(["others"], nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF nightly]"),
]


@declare(
    "matrix",
    "Run a campaign on each release of Spark; other options are those of nightly.",
    _OPTIONS,
    example="tox run -e matrix -- --out matrix --budget 10m --releases spark35,4.0.0",
)
def command(
    out: Path, budget: str, releases: tuple[Factor, ...], hypothesis_seed: int | None, others: tuple[str, ...]
) -> int:
    """Run the campaigns, and print the table."""
    from assay.releases.matrix.main import run

    # Refused here, and not by the first campaign after its environment was made.
    nightly.command.make_context("matrix", ["--budget", budget, "--out", str(out), *others])
    seed = secrets.randbits(32) if hypothesis_seed is None else hypothesis_seed
    return run(releases, out=out, budget=budget, seed=seed, others=others)


command.ignore_unknown_options = True
