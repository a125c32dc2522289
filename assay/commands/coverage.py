"""``assay coverage``: which blocks of the optimizer's rules the drawn cases run."""

from __future__ import annotations

from typing import Any

import click

from assay.commands.cli import declare
from assay.coverage.sources import SOURCES, Source
from assay.options import types
from assay.options.shared import seed_option, shared_options, take_options, workers_option

CHECKS = 1_000

_OPTIONS: list[click.Parameter] = [
    *shared_options(without=("--off", "--by", "--record", "--failures", "--databases", "--known")),
    seed_option(),
    click.Option(
        ["--source"],
        type=click.Choice(SOURCES),
        multiple=True,
        default=SOURCES,
        show_default=True,
        help="general queries, the rules' shapes, or the regression corpus; repeatable",
    ),
    click.Option(["--plan-only"], is_flag=True, help="plan each case's on leg instead of checking the case"),
    click.Option(
        ["--steered"],
        type=click.IntRange(0, 100),
        multiple=True,
        metavar="PERCENT",
        help="after the cases of --max-examples, compare shares of edits of cases that ran new blocks; repeatable",
    ),
    click.Option(
        ["--steered-time"],
        type=types.DURATION,
        default="60s",
        show_default=True,
        help="processor time that each share of --steered takes",
    ),
    workers_option(),
]


@declare(
    "coverage",
    "Count which basic blocks of the optimizer's rules the drawn cases run.",
    _OPTIONS,
    example="tox run -e coverage -- --max-examples 2000 --summary-json coverage.json",
)
def command(
    source: tuple[Source, ...],
    plan_only: bool,
    workers: int,
    steered: tuple[int, ...],
    steered_time: float,
    **given: Any,
) -> int:
    """Print the coverage by rule, and the lines that never ran; or the shares of steered draws side by side."""
    options = take_options(given, max_examples=CHECKS)
    if steered:
        from assay.coverage.steered import SteeredRequest, compare

        return compare(SteeredRequest(options, steered, steered_time, plan_only))
    from assay.coverage.main import CoverageRequest, run

    sources = tuple(each for each in SOURCES if each in source)
    return run(CoverageRequest(options, sources, plan_only, workers))
