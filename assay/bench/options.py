"""The parts of the bench, and a run of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from assay.session.options import Options

Part = Literal["paths", "databases", "workers", "growth", "volume"]
PARTS: tuple[Part, ...] = get_args(Part)
USUAL: tuple[Part, ...] = ("paths", "databases", "workers", "growth")
"""The parts that run by default; ``volume`` is left out, since ten million rows take as long as all of these."""

ROUNDS, CHECKS, SEED = 7, 60, 1
WARM_UP_SECONDS = 60.0
DATABASES = 16
"""More than a fuzz run takes: mutants killed per minute are most at four, databases per second go on rising."""
SCALES = (100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchRequest:
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
