"""``assay nightly``: a campaign until a budget ends."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option, shared_options, take_options, unsteered_option

if TYPE_CHECKING:
    from assay.campaign.options import CampaignRequest

ROUND = 200
"""Checks of a round: few, so that a lost round costs little, but enough that writing the ledger costs little."""

LIMIT_SECONDS = 60
"""The time limit of a leg, in seconds."""

_OPTIONS = [
    click.Option(["--budget"], type=types.DURATION, required=True, help="how long: 90s, 10m, 8h"),
    click.Option(
        ["--out"], type=types.PATH, required=True, metavar="DIR", help="the campaign's folder; again with it goes on"
    ),
    click.Option(
        ["--shard"],
        type=types.SHARD,
        default="1/1",
        show_default=True,
        help="this machine's part of a campaign on N machines",
    ),
    click.Option(
        ["-n", "--workers"],
        type=types.WHOLE,
        default=lambda: os.environ.get("ASSAY_WORKERS", "2"),
        show_default="ASSAY_WORKERS, or 2",
        help="processes",
    ),
    seed_option(),
    click.Option(
        ["--round", "size"],
        type=types.WHOLE,
        default=str(ROUND),
        show_default=True,
        help="checks of a round; one of a shape has a sixteenth of them, five at least",
    ),
    click.Option(["--max-rounds"], type=types.WHOLE, help="end after so many rounds, if the budget hasn't ended"),
    click.Option(["--no-witnesses"], is_flag=True, help="don't look for stale known divergences"),
    unsteered_option(),
    click.Option(["--junit-xml"], type=types.OUT_FILE, help="write findings and all that is red there as tests"),
    click.Option(["--mutant"], multiple=True, metavar="NAME", help="plant a wrong rule of jars/; repeatable"),
    click.Option(
        ["--time-limit"],
        type=types.SECONDS,
        default=str(LIMIT_SECONDS),
        show_default=True,
        help="what a query may take",
    ),
    *shared_options(without=("--by", "--record", "--failures", "--max-examples")),
]


@declare(
    "nightly",
    "Check rules until a budget ends; with the same folder, go on where it ended.",
    _OPTIONS,
    example="tox run -e nightly -- --budget 8h --out campaign",
)
def command(out: Path, shard: tuple[int, int], **given: Any) -> int:
    """Run the campaign."""
    from assay.campaign.main import run

    return run(request_of(out, shard, **given))


def request_of(
    out: Path,
    shard: tuple[int, int],
    *,
    budget: float,
    workers: int,
    size: int,
    max_rounds: int | None,
    no_witnesses: bool,
    unsteered: bool,
    junit_xml: Path | None,
    mutant: tuple[str, ...],
    time_limit: float,
    **given: Any,
) -> CampaignRequest:
    """The campaign that the parsed options ask for; its findings are below ``out``."""
    from assay.campaign.options import CampaignRequest

    seed = given["hypothesis_seed"]
    options = replace(take_options(given, max_examples=1), failures=out / "findings")
    return CampaignRequest(
        options=options,
        out=out,
        mutants=mutant,
        budget=budget,
        shard=shard[0],
        shards=shard[1],
        workers=workers,
        size=size,
        limit=time_limit,
        max_rounds=max_rounds,
        seed=seed,
        witnesses=not no_witnesses,
        steered=not unsteered,
        junit=junit_xml,
    )
