"""Counts of verdicts over a run, and the ceilings above which a run proves too little to be green."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb

from oracles.checks.evidence import Evidence, missing
from oracles.checks.verdict import NAMES, Name

# In percent of all checks. These verdicts are no evidence about a rule; above the ceiling they may hide findings.
CEILINGS: Mapping[Name, int] = {"inconclusive": 2, "raised": 5, "order-open": 5, "excused": 5}


class InvalidTally(ValueError):
    """Counts that no run can have."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of checks by verdict.

    :param verdicts: checks per verdict; a missing verdict counts 0.
    :param nonempty: agreements in which there was at least one row.
    :param excused: excused findings per known divergence.
    :raises InvalidTally: a negative count, an unknown verdict, more agreements with rows than agreements,
        or excuses that don't add up to the excused checks.
    """

    verdicts: Mapping[Name, int] = field(default_factory=dict)
    nonempty: int = 0
    excused: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if unknown := set(self.verdicts) - set(NAMES):
            raise InvalidTally(f"unknown verdicts: {sorted(unknown)}")
        if min((*self.verdicts.values(), self.nonempty, *self.excused.values()), default=0) < 0:
            raise InvalidTally(f"negative counts in {self!r}")
        if self.nonempty > self.verdicts.get("agree", 0):
            raise InvalidTally(f"{self.nonempty} agreements with rows among {self.verdicts.get('agree', 0)}")
        if sum(self.excused.values()) != self.verdicts.get("excused", 0):
            raise InvalidTally(f"{self.verdicts.get('excused', 0)} excused checks, but by divergence {self.excused}")
        # All verdicts, in one order: equal counts are equal tallies, and read alike in a summary.
        object.__setattr__(self, "verdicts", {name: self.verdicts.get(name, 0) for name in NAMES})
        object.__setattr__(self, "excused", dict(sorted(self.excused.items())))

    @property
    def checks(self) -> int:
        """The number of all checks, of any verdict: the base of percentages."""
        return sum(self.verdicts.values())


def ceilings_broken(tally: Tally, evidence: Evidence | None = None) -> list[str]:
    """One line for each ceiling that a run breaks: its name, the counts, and what to do.

    :param evidence: the run's evidence beside ``tally``; if None, only the verdicts count.
    """
    checks, agreed = tally.checks, tally.verdicts["agree"]
    if not checks:
        return [_too_few_checks(0, evidence)]
    lines = []
    if evidence is not None and evidence.asked is not None and checks < evidence.asked and not evidence.named:
        lines.append(_too_few_checks(checks, evidence))
    if fewer_than_half(agreed, checks):
        lines.append(
            f"agree: only {agreed:,} of {checks:,} checks, fewer than half: --record DIR keeps why each ended as it did"
        )
    lines += [
        f"{name}: {tally.verdicts[name]:,} of {checks:,} checks, more than {percent} %"
        for name, percent in CEILINGS.items()
        if tally.verdicts[name] * 100 > checks * percent
    ]
    if fewer_than_half(tally.nonempty, agreed):
        lines.append(f"nonempty: only {tally.nonempty:,} of {agreed:,} agreements had any row, fewer than half")
    return [*lines, *missing(evidence, checks)] if evidence is not None else lines


def _too_few_checks(checks: int, evidence: Evidence | None) -> str:
    asked, queries = (evidence.asked, evidence.queries) if evidence is not None else (None, 0)
    of = f" of {asked:,} that were asked for" if asked is not None else ""
    if queries > checks:
        return (
            f"checks: {checks:,}{of} were made, over {queries:,} queries: check-rule --shapes takes queries that suit"
        )
    return f"checks: {checks:,}{of} were made: look above, or in the logs, for what ended the run before its time"


def fewer_than_half(part: int, whole: int) -> bool:
    """Whether ``part`` is less than half of ``whole``; 0 of any is. Of :data:`_FEW` or fewer it counts as less only if
    luck does not explain it (one-sided binomial test at 1 %).
    """
    if part * 2 >= whole:
        return False
    return part == 0 or whole > _FEW or sum(comb(whole, few) for few in range(part + 1)) * 100 < 2**whole


_FEW = 100
