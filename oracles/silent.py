"""Silent entries: known divergences that are told by the query alone, and so could excuse another bug's finding.

Which cases they fit is counted in every run: the share is how much of the space of cases an unknown bug can hide in.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from oracles.divergences import Divergence
from strategies.ir import Case


def is_silent(entry: Divergence) -> bool:
    """Whether ``entry`` needs no error, does not blame DuckDB, and is not bound to a rule that must be off."""
    return not entry.raised and entry.blame != "duckdb" and not entry.under


def silent_fits(entries: Iterable[Divergence], case: Case, spark: str, today: date) -> tuple[str, ...]:
    """The ids of the silent entries in force on release ``spark`` whose pattern fits ``case``.

    :param case: the case as it was run: its source is where the tables were read from.
    """
    ours = [entry for entry in entries if is_silent(entry) and entry.covers(spark) and today <= entry.expires]
    fits = {entry.pattern: entry.fits(case) for entry in {entry.pattern: entry for entry in ours}.values()}
    return tuple(entry.id for entry in ours if fits[entry.pattern])
