"""Options of a campaign, and the time limits that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.fuzz.isolated_rerun import TIMES
from assay.session.options import Options


def patience(limit: float) -> float:
    """Seconds without a new step after which a worker counts as stuck: longer than any step may take.

    ``limit`` is the time limit of a leg; in an isolated rerun a leg may take several times as long, and the whole check
    that may follow has four legs at most.
    """
    return 4 * TIMES * limit + 60


def script_limit(limit: float) -> float:
    """Seconds that the script of a finding may take: less than :func:`patience`."""
    return TIMES * limit + 45


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRequest:
    """The options of a campaign, as the user gave them.

    ``budget`` and ``limit`` are in seconds; ``seed`` and ``max_rounds`` are None where none was given. The seed of
    ``options`` is ignored, since the folder may have one.
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
    steered: bool
    junit: Path | None
