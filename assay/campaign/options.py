"""The campaign's options: those of every environment that fuzzes, and its own."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.campaign.budget import parse_budget, parse_shard
from assay.fuzz.isolated_rerun import TIMES
from assay.session.ending import BadInput
from assay.session.options import Options, add_options, parse_options, parse_seed, whole_number

ROUND = 200
"""Checks of a round: few enough that little is lost with one, enough that files and counts are not what costs."""

LIMIT = 60.0
"""Seconds that a leg may take."""

_ELSEWHERE = ("--by", "--record", "--failures", "--max-examples")
"""Options of other environments: a campaign has a budget, and a folder."""


def patience(limit: float) -> float:
    """Seconds without a step after which a worker is taken to stand still: longer than any step may take.

    ``limit`` is what a leg may take; alone it may take several times as long.
    """
    return 2 * TIMES * limit + 60


def script_limit(limit: float) -> float:
    """Seconds that the script of a finding may take: less than that."""
    return TIMES * limit + 45


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user asked for. ``budget`` and ``limit`` are in seconds, ``seed`` and ``max_rounds`` None where none was
    given.
    """

    raw: Mapping[str, Any]
    here: Path
    out: Path
    budget: float
    shard: int
    shards: int
    workers: int
    size: int
    limit: float
    max_rounds: int | None
    seed: int | None
    witnesses: bool
    junit: Path | None

    def options(self, seed: int) -> Options:
        """The options that all environments share; BadInput where they mean nothing."""
        return shared_options(self.raw, self.here, self.out, seed)


def shared_options(raw: Mapping[str, Any], here: Path, out: Path, seed: int) -> Options:
    """The options that all environments share, with findings below ``out``."""
    given = argparse.Namespace(**raw, by="both", record=None, failures=str(out / "findings"), max_examples=None)
    return parse_options(given, here=here, seed=seed, max_examples=1)


def parser() -> argparse.ArgumentParser:
    """What the command line of ``nightly`` takes."""
    made = argparse.ArgumentParser(prog="nightly", description="Check rules until a budget ends; go on where it ended.")

    def add(name: str, **how: Any) -> None:
        if name not in _ELSEWHERE:
            made.add_argument(name, **how)

    made.add_argument("--budget", required=True, metavar="TIME", help="how long: 90s, 10m, 8h")
    made.add_argument("--out", required=True, metavar="DIR", help="the campaign's folder; again with it goes on")
    made.add_argument("--shard", default="1/1", metavar="I/N", help="this machine's part of a campaign on N machines")
    made.add_argument("-n", "--workers", default=os.environ.get("ASSAY_WORKERS", "2"), metavar="N", help="processes")
    made.add_argument("--hypothesis-seed", metavar="N", help="the campaign's seed; the folder's own, or drawn")
    made.add_argument("--round", default=str(ROUND), metavar="N", help="checks of a round")
    made.add_argument("--max-rounds", metavar="N", help="end after so many rounds, if the budget hasn't ended")
    made.add_argument("--no-witnesses", action="store_true", help="don't look for stale known divergences")
    made.add_argument("--junit-xml", metavar="PATH", help="write findings and all that is red there, as tests")
    made.add_argument("--mutant", action="append", default=[], metavar="NAME", help="plant a wrong rule of jars/")
    made.add_argument("--time-limit", default=str(LIMIT), metavar="SECONDS", help="what a query may take")
    add_options(add)
    return made


_OWN = (
    "budget",
    "out",
    "shard",
    "workers",
    "hypothesis_seed",
    "round",
    "max_rounds",
    "time_limit",
    "no_witnesses",
    "junit_xml",
)


def parse(raw: argparse.Namespace, here: Path) -> Asked:
    """What ``raw`` asks for, paths taken from ``here``; BadInput says what is wrong with it."""
    shard, shards = parse_shard(raw.shard)
    return Asked(
        {name: value for name, value in vars(raw).items() if name not in _OWN},
        here,
        (here / raw.out).absolute(),
        parse_budget(raw.budget),
        shard,
        shards,
        whole_number("--workers", raw.workers),
        whole_number("--round", raw.round),
        _seconds("--time-limit", raw.time_limit),
        None if raw.max_rounds is None else whole_number("--max-rounds", raw.max_rounds),
        None if raw.hypothesis_seed is None else parse_seed(raw.hypothesis_seed),
        not raw.no_witnesses,
        here / raw.junit_xml if raw.junit_xml else None,
    )


def _seconds(option: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise BadInput(f"{option} {text}: needs a number of seconds above 0")
    return seconds
