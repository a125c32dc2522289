"""How a campaign stands: what its workers told, added up for the display, the choice of work and the ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.campaign.sources import Covered
from assay.fuzz.record import merge_finding
from assay.ledger.distinct import Findings
from assay.ledger.rounds import Round, RuleSeen
from oracles.checks.evidence import Evidence
from oracles.checks.tally import Tally


@dataclass(slots=True)
class CampaignState:
    """``covered``, ``rules``, ``pairs`` and ``plans`` are of all that the folder holds, the rest is of this run.

    ``findings`` are by fingerprint; ``incidents`` counts them by kind; ``seen`` is by rule.
    ``lost_rounds`` are rounds of workers that died, with the checks that these had reported.
    """

    covered: Covered = field(default_factory=Covered)
    rules: set[str] = field(default_factory=set)
    pairs: set[tuple[str, str]] = field(default_factory=set)
    plans: set[str] = field(default_factory=set)
    verdicts: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    fits: Counter[str] = field(default_factory=Counter)
    fitting: int = 0
    nonempty: int = 0
    rounds: int = 0
    queries: int = 0
    legs: Counter[str] = field(default_factory=Counter)
    seen: dict[str, RuleSeen] = field(default_factory=dict)
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)
    incidents: Counter[str] = field(default_factory=Counter)
    lost_rounds: int = 0
    lost_checks: int = 0

    def remember(self, one: Round) -> None:
        """A round of an earlier run."""
        self.covered.add(one)
        self.rules.update(name for name, seen in one.rules.items() if seen.changed)
        self.pairs.update(one.pairs)
        self.plans.update(one.plans)

    def finished(self, one: Round) -> None:
        """A round of this run."""
        self.remember(one)
        self.rounds += 1
        self.verdicts.update(one.verdicts)
        self.excused.update(one.excused)
        self.fits.update(one.fits)
        self.fitting += one.fitting or 0
        self.nonempty += one.nonempty
        self.queries += one.queries
        self.legs.update(one.legs)
        for name, seen in one.rules.items():
            self.seen[name] = self.seen.get(name, RuleSeen()) + seen

    def found(self, summary: Mapping[str, Any], replaces: str | None) -> None:
        """Add a finding that a worker reported; it is on disk."""
        merge_finding(self.findings, summary, replaces)

    def fold(self, found: Findings) -> None:
        """Let each finding of this run be told by what stands for its bug in the folder."""
        entries = {entry["fingerprint"]: entry for entry in found.entries}
        folded: dict[str, dict[str, Any]] = {}
        for fingerprint, summary in self.findings.items():
            stands = found.standing.get(fingerprint, fingerprint)
            before = folded[stands]["count"] if stands in folded else 0
            folded[stands] = {**entries.get(stands, summary), "count": summary["count"] + before}
        self.findings = folded

    @property
    def checks(self) -> int:
        """Of this run's finished rounds."""
        return sum(self.verdicts.values())

    @property
    def tally(self) -> Tally:
        """The verdicts of this run's finished rounds."""
        return Tally(dict(self.verdicts), self.nonempty, dict(self.excused))  # type: ignore[arg-type]  # as recorded

    def evidence(self, named: Sequence[str]) -> Evidence:
        """What this run's finished rounds have to show; it was asked for a time, and not for a number of checks."""
        return Evidence(self.legs, self.seen, named, None, self.queries)
