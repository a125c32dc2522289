"""The fates of inverted conditionals in summaries of ``inversions``, by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assay.coverage.inverted import FATES, Fate

Fates = Mapping[str, Mapping[Fate, int]]
"""For each rule, how many of its conditionals had each fate."""


def fates_of(summary: Mapping[str, Any]) -> Fates | None:
    """The fates in a summary of ``inversions``; None if it is none."""
    rules = summary.get("rules")
    if not isinstance(rules, dict) or not all(map(_are_fates, rules.values())):
        return None
    return rules


def _are_fates(counts: object) -> bool:
    return (
        isinstance(counts, dict)
        and set(counts) <= set(FATES)
        and all(isinstance(each, int) for each in counts.values())
    )


def together(runs: Sequence[Fates]) -> Fates:
    """The fates of all runs, by rule; a conditional that no case ran never ran in the run that has fewest of these."""
    found: dict[str, Counter[Fate]] = {}
    for run in runs:
        for name, fates in run.items():
            tried = Counter({fate: count for fate, count in fates.items() if fate != "never run"})
            found.setdefault(name, Counter()).update(tried)
    for name, fates in found.items():
        fates["never run"] = min(run[name].get("never run", 0) for run in runs if name in run)
    return dict(sorted(found.items()))
