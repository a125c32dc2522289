"""State of a campaign: the totals of its workers' reports, for the display, the choice of work and the ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.campaign.sources import STEERED, Covered
from assay.fuzz.record import merge_finding
from assay.ledger.distinct import Findings
from assay.ledger.rounds import Round
from oracles.checks.stats import Stats


@dataclass(slots=True, kw_only=True)
class CampaignState(Stats):
    """The statistics of this run's finished rounds; ``covered``, ``reached`` (rules that changed a plan), ``pairs`` and
    ``plans`` are of all that the folder holds.

    ``steered`` counts the checks of edited cases, ``members`` those cases that are edited, ``blocks`` those that ran.
    ``findings`` are by fingerprint; ``incidents`` counts them by kind. ``lost_rounds`` are rounds of workers that died,
    with the checks that these had reported.
    """

    covered: Covered = field(default_factory=Covered)
    reached: set[str] = field(default_factory=set)
    pairs: set[tuple[str, str]] = field(default_factory=set)
    plans: set[str] = field(default_factory=set)
    rounds: int = 0
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)
    incidents: Counter[str] = field(default_factory=Counter)
    steered: int = 0
    members: int = 0
    blocks: int = 0
    lost_rounds: int = 0
    lost_checks: int = 0

    def remember(self, one: Round) -> None:
        """Add the coverage of a round of an earlier run."""
        self.covered.add(one)
        self.reached.update(name for name, count in one.rules.items() if count.changed)
        self.pairs.update(one.pairs)
        self.plans.update(one.plans)

    def finished(self, one: Round) -> None:
        """Add the coverage and the statistics of a round of this run."""
        self.remember(one)
        self.rounds += 1
        self.steered += one.checks if one.work == STEERED else 0
        self.update(one)

    def found(self, summary: Mapping[str, Any], replaces: str | None) -> None:
        """Add a finding that a worker reported; it is on disk."""
        merge_finding(self.findings, summary, replaces)

    def fold(self, found: Findings) -> None:
        """Merge findings of this run that the folder records as duplicates of one finding; their counts add up."""
        entries = {entry["fingerprint"]: entry for entry in found.entries}
        folded: dict[str, dict[str, Any]] = {}
        for fingerprint, summary in self.findings.items():
            stands = found.standing.get(fingerprint, fingerprint)
            before = folded[stands]["count"] if stands in folded else 0
            folded[stands] = {**entries.get(stands, summary), "count": summary["count"] + before}
        self.findings = folded
