"""What a campaign is asked for, and the times that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.fuzz.isolated_rerun import TIMES
from assay.session.options import Options


def patience(limit: float) -> float:
    """Seconds without a step after which a worker is taken to stand still: longer than any step may take.

    ``limit`` is what a leg may take; alone it may take several times as long.
    """
    return 2 * TIMES * limit + 60


def script_limit(limit: float) -> float:
    """Seconds that the script of a finding may take: less than that."""
    return TIMES * limit + 45


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the user asked for.

    ``budget`` and ``limit`` are in seconds; ``seed`` and ``max_rounds`` are None where none was given. The seed of
    ``options`` means nothing: the folder may have one.
    """

    options: Options
    out: Path
    mutants: tuple[str, ...]
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
