"""What can be asked of the bench, and what is wrong with it in one line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from assay.bench.naive import MASTER
from assay.session.ending import BadInput
from assay.session.options import Options, add_options, caller_folder, parse_options, parse_seed, whole_number

Part = Literal["paths", "databases", "workers", "growth", "volume"]
PARTS: tuple[Part, ...] = get_args(Part)
USUAL: tuple[Part, ...] = ("paths", "databases", "workers", "growth")
"""Unless it is said otherwise; ten million rows take as long as all of these."""

ROUNDS, CHECKS, SEED = 7, 60, 1
WARM_UP_SECONDS = 60.0
DATABASES = 16
"""More than a fuzz run takes: mutants killed per minute are most at four, databases per second go on rising."""
SCALES = (100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True, slots=True)
class Asked:
    """A run of the bench; times are in seconds, ``long_run`` 0 is none."""

    options: Options
    parts: frozenset[Part]
    rounds: int
    checks: int
    warm_up: float
    long_run: float
    plot: Path
    naive_master: str
    scales: tuple[int, ...] = ()


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]  # one line, as everywhere else
        raise BadInput(f"bench: {message}")


def parse(arguments: Sequence[str] | None = None) -> Asked:
    """What ``arguments`` ask for; BadInput in one line."""
    raw = _parser().parse_args(arguments)
    here = caller_folder()
    seed = SEED if raw.hypothesis_seed is None else parse_seed(raw.hypothesis_seed)
    everything = argparse.Namespace(**{**vars(_defaults()), **vars(raw)})
    return Asked(
        options=parse_options(everything, here=here, seed=seed, max_examples=CHECKS),
        parts=_parts(raw.parts),
        rounds=whole_number("--rounds", raw.rounds),
        checks=whole_number("--checks", raw.checks),
        warm_up=seconds_of("--warm-up", raw.warm_up),
        long_run=seconds_of("--long-run", raw.long_run),
        plot=here / raw.plot,
        naive_master=raw.naive_master,
        scales=tuple(whole_number("--scale", each) for each in raw.scale.split(",")),
    )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="bench", description="Checks per second beside a naive harness, in one run and in turn.")
    add = parser.add_argument
    add("--hypothesis-seed", metavar="N", help=f"the run's seed (default {SEED})")
    add("--parts", default=",".join(USUAL), metavar="A,B", help=f"what is measured (default {','.join(USUAL)})")
    add("--scale", default=",".join(map(str, SCALES)), metavar="ROWS,ROWS", help="rows of the tables of volume")
    add("--rounds", default=str(ROUNDS), metavar="N", help=f"rounds of each harness (default {ROUNDS})")
    add("--checks", default=str(CHECKS), metavar="N", help=f"checks of a round (default {CHECKS})")
    add(
        "--warm-up",
        default=f"{WARM_UP_SECONDS:.0f}s",
        metavar="TIME",
        help="of each harness: 90s, 0s; 10m: as in a campaign",
    )
    add("--long-run", default="0s", metavar="TIME", help="a session of the fast path: 30m, 2h (default none)")
    add("--databases", default=str(DATABASES), metavar="K", help=f"databases a pair of plans (default {DATABASES})")
    add("--summary-json", metavar="PATH", help="write the figures there")
    add("--plot", default="bench.html", metavar="PATH", help="the page with the growth (default bench.html)")
    add("--failures", default="failures", metavar="DIR", help="where differing results go")
    add("--rule", action="append", default=[], metavar="RULE", help="a rule of yours that Assay's harnesses load")
    add("--naive-master", default=MASTER, metavar="URL", help=f"where the naive harness runs (default {MASTER})")
    return parser


def _defaults() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_options(parser.add_argument)
    return parser.parse_args([])


def _parts(text: str) -> frozenset[Part]:
    asked = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in asked if name not in PARTS]:
        raise BadInput(f"--parts {text}: there is no {unknown[0]!r}; there are {', '.join(PARTS)}")
    return frozenset(part for part in PARTS if part in asked)


_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(option: str, text: str) -> float:
    """``90s``, ``30m`` or ``1.5h`` in seconds; BadInput for anything else."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if match is None:
        raise BadInput(f"{option} {text}: needs a time such as 90s, 30m or 2h")
    return float(match[1]) * _UNITS[match[2]]
