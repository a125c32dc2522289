"""Silent entries: known divergences recognized by the query alone, which could excuse another bug's finding.

Every run counts the cases that fit a silent entry: in this share of cases an unknown bug can hide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from oracles.triage.divergences import Divergence
from strategies.ir import Case


def is_silent(entry: Divergence) -> bool:
    """Whether ``entry`` needs no error, does not blame DuckDB, and is not bound to a rule that must be off."""
    return entry.is_silent and not entry.under


def silent_fits(
    entries: Iterable[Divergence],
    case: Case,
    spark: str,
    today: date,
    *,
    shows: Callable[[Divergence], bool] = lambda entry: True,
) -> tuple[str, ...]:
    """The ids of the silent entries in force on release ``spark`` that fit ``case``.

    :param case: the case with its tables' actual source.
    :param shows: whether an entry's cause can make a difference over the case's rows.
    """
    ours = [entry for entry in entries if is_silent(entry) and entry.covers(spark) and today <= entry.expires]
    kinds = {(entry.pattern, entry.without and entry.without.rewrite): entry for entry in ours}
    fits = {kind: entry.fits(case) and shows(entry) for kind, entry in kinds.items()}
    return tuple(
        entry.id
        for entry in ours
        if fits[entry.pattern, entry.without and entry.without.rewrite] and entry.is_asked(case)
    )
