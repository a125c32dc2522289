"""The result of a verification, as data: what was enumerated, how far it was run, and what was found."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from assay.coverage.own_rule import RuleCoverage
from assay.fuzz.finding import Finding
from assay.verify.bound import Bound
from assay.verify.pairs import PairFinder
from assay.verify.proofs import Proofs
from assay.verify.shaped import Shaped
from assay.verify.sweeps import Sweep

VerificationOutcome = Literal["verified", "refuted", "never fired", "undecided"]


@dataclass(slots=True, kw_only=True)
class Verification:
    """The verification of one rule.

    ``sampled`` counts the databases over which DuckDB answered, too. ``excused``: differences that a known divergence
    excuses, by entry; ``unexplained``: findings of the ordinary check that don't speak against the rule alone;
    ``others``: findings in which the rule has no part. ``files`` has those of both. ``lost``: pairs of which an
    incident took the result. ``unbegun``: pairs that were found, and not run, because the time was up or there were
    enough. ``cut_off``: an incident ended the enumeration. ``shaped``: the queries of the rule's shape, if it has one
    and was not refuted before. ``proofs``: the pairs that were put to the solver, if it was asked.
    """

    rule: str
    point: str
    bound: Bound
    finder: PairFinder
    sweeps: list[Sweep] = field(default_factory=list)
    sampled: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    unexplained: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    files: list[Path] = field(default_factory=list)
    lost: int = 0
    unbegun: int = 0
    cut_off: bool = False
    findings: list[Finding] = field(default_factory=list)
    counterexamples: list[str] = field(default_factory=list)
    coverage: RuleCoverage | None = None
    shaped: Shaped | None = None
    proofs: Proofs | None = None
    seconds: float = 0.0

    @property
    def outcome(self) -> VerificationOutcome:
        """The verdict; a rule with a difference that isn't explained, or with rows of fewer than half of its pairs, is
        not verified.
        """
        if self.findings:
            return "refuted"
        fired = self.sweeps or self.unbegun or (self.shaped and self.shaped.fired)
        if not (fired or self.lost or self.cut_off):
            return "never fired"
        open_questions = self.excused or self.unexplained or self.lost or self.cut_off or self.endless
        too_few = 2 * self.pairs < len(self.sweeps)
        return "undecided" if open_questions or too_few or not self.pairs else "verified"

    @property
    def pairs(self) -> int:
        """The number of pairs of which both plans had rows over some database."""
        return sum(sweep.compared > 0 for sweep in self.sweeps)

    @property
    def compared(self) -> int:
        """The number of comparisons: of both plans of a pair, over one database laid out in one way."""
        return sum(sweep.compared for sweep in self.sweeps)

    @property
    def stands_for(self) -> int:
        """The number of databases of all ways of all pairs, those included for which another one stands."""
        return sum(way.whole for sweep in self.sweeps for way in sweep.ways)

    @property
    def uncompared(self) -> int:
        """The ways of pairs in which one plan had no rows over some database."""
        return sum(way.unrun is not None or bool(way.problem) for sweep in self.sweeps for way in sweep.ways)

    @property
    def endless(self) -> int:
        """The ways of pairs in which a plan did not end over some database."""
        return sum(way.endless for sweep in self.sweeps for way in sweep.ways)

    @property
    def finished(self) -> bool:
        """Whether all pairs of the bound were run over all databases of the bound."""
        left = self.unbegun or self.endless or self.uncompared or any(sweep.rest for sweep in self.sweeps)
        return self.finder.complete and not left

    def summary(self) -> dict[str, Any]:
        """The verification as ``--summary-json`` has it."""
        finder = self.finder
        return {
            "verdict": self.outcome,
            "point": self.point,
            "bound": {name: getattr(self.bound, name) for name in ("rows", "values", "tables", "operators", "pairs")},
            "finished": self.finished,
            "queries": finder.queries,
            "levels": [
                {
                    "operators": each.stage.level.operators,
                    "parts": each.stage.level.parts,
                    "columns": [repr(kind) for kind in each.stage.schema.types],
                    "tables": each.stage.schema.tables,
                    "of": each.stage.part,
                    "queries": each.queries,
                    "complete": each.complete,
                }
                for each in finder.stages
            ],
            "fired": finder.fired,
            "alike": finder.alike,
            "repeated": finder.repeated,
            "unplanned": finder.unplanned,
            "foreign": finder.foreign,
            "pairs": self.pairs,
            "pairs_without_rows": len(self.sweeps) - self.pairs,
            "comparisons": self.compared,
            "stands_for": self.stands_for,
            "left": sum(sweep.rest for sweep in self.sweeps),
            "uncompared": self.uncompared,
            "unbegun": self.unbegun,
            "lost": self.lost,
            "cut_off": self.cut_off,
            "sampled": self.sampled,
            "excused": dict(sorted(self.excused.items())),
            "unexplained": dict(sorted(self.unexplained.items())),
            "others": dict(sorted(self.others.items())),
            "endless": self.endless,
            "files": list(map(str, self.files)),
            "findings": [finding.failure.summary(finding.file) for finding in self.findings],
            "shaped": asdict(self.shaped) if self.shaped else None,
            "proof": self.proofs.summary() if self.proofs else None,
            "coverage": self.coverage.summary() if self.coverage else None,
            "seconds": round(self.seconds, 1),
        }
