"""Statistics of a rule's evaluation, and the verdict that they give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from assay.fuzz.conviction import convicts, has_part
from oracles.checks.evidence import LEAST, RuleCount
from oracles.checks.misbehaviour import is_restless
from oracles.checks.result import CheckResult
from oracles.checks.tally import CEILINGS
from oracles.checks.verdict import Name, Verdict
from oracles.patterns.features import shape
from strategies.ir import Case

EvaluationOutcome = Literal["acquitted", "convicted", "never fired", "thin evidence"]
_KEPT_CASES = 8
_UNKNOWN = ("inconclusive", "order-open")
_FEW = 2
"""The number of checks without a clear answer that is always allowed."""


@dataclass(slots=True, kw_only=True)
class EvaluationStats:
    """Statistics of the evaluation of one rule, updated after each check.

    ``count`` covers the queries that ran; all other queries were only planned, because the rule did not fire on them.
    ``agreed`` counts the checks in which the rule fired and all legs agreed, ``databases`` the databases beside each
    check's own over which its plans agreed, too. ``evident`` counts the shapes of the
    queries of those of them that had rows and whose plans differed, ``evident_alone`` of those that had rows and no off
    leg: edits of one case, and draws that an aim makes alike, say the same again. ``excused`` counts, by entry,
    the excused findings in which the rule may have a part. ``unexplained`` counts the findings in which the rule may
    have a part, that no entry excuses and that do not convict the rule. ``others`` counts the findings that have
    another cause, ``guilty`` those of them with known guilty rules, by what they are and these rules. ``acting`` has
    the verdicts of the checks in which the rule fired, or may have. ``files`` has one failure file for each bug.
    ``cases`` has cases of distinct shapes on which the rule changed the plan and the legs agreed. ``seen`` has the
    shapes so far, by what they count for.
    """

    queries: int = 0
    count: RuleCount = field(default_factory=RuleCount)
    agreed: int = 0
    databases: int = 0
    evident: int = 0
    evident_alone: int = 0
    restless: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    acting: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    unexplained: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    guilty: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    files: list[Path] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    seen: set[tuple[str, frozenset[str]]] = field(default_factory=set)

    @property
    def all_alone(self) -> bool:
        """Whether every check in which the rule fired lacked an off leg, so that only DuckDB's answer was compared."""
        return 0 < self.count.fired == self.count.two_legs

    @property
    def evidence(self) -> int:
        """The number of shapes of queries with an agreement that counts for an acquittal."""
        return self.evident_alone if self.all_alone else self.evident

    @property
    def unclear(self) -> dict[Name, int]:
        """The verdicts that say nothing of an answer, with their counts, if too many checks in which the rule fired
        have them. Those that are excused count by the rule's part in them.
        """
        return {
            name: self.acting[name]
            for name, percent in CEILINGS.items()
            if name != "excused" and self.acting[name] > max(_FEW, self.count.fired * percent / 100)
        }

    def add(self, checked: CheckResult, verdict: Verdict, rules: Sequence[str], rule: str) -> None:
        """Count one completed check as it was drawn; attribution gave it ``verdict`` and the guilty ``rules``."""
        fired = rule in checked.fired
        alone = fired and checked.two_legs
        differed = fired and checked.differed
        agreed = fired and verdict.name == "agree"
        shown = agreed and checked.has_rows and (differed or alone)
        self.count += RuleCount(checked=1, fired=fired, differed=differed, two_legs=alone, agreed=shown)
        self.agreed += agreed
        self.databases += checked.beside.agreed if agreed else 0
        self.evident += agreed and checked.has_rows and differed and self._is_new("evident", checked)
        self.evident_alone += agreed and checked.has_rows and alone and self._is_new("evident alone", checked)
        self.restless += is_restless(checked.misbehaviour)
        self.verdicts[verdict.name] += 1
        # Without a plan it is not known whether the rule fired: a leg was lost, or too late, or raised at planning.
        self.acting[verdict.name] += fired or (verdict.name in _UNKNOWN and not checked.plan)
        if verdict.divergence is not None and has_part(checked, rules, rule):
            self.excused[verdict.divergence] += 1
        if verdict.name == "finding" and not convicts(verdict, rules, rule):
            known_cause = verdict.blame in ("off", "duckdb")
            counter = self.others if known_cause or not has_part(checked, rules, rule) else self.unexplained
            what = f"{verdict.kind}, blame {verdict.blame}"
            counter[what] += 1
            if counter is self.others and rules and not known_cause:
                self.guilty[what, tuple(sorted(rules))] += 1
        if differed and agreed and len(self.cases) < _KEPT_CASES and self._is_new("case", checked):
            self.cases.append(checked.case)

    def _is_new(self, what: str, checked: CheckResult) -> bool:
        """Whether no earlier check that counted for ``what`` had a query of this shape; the next one isn't new."""
        key = (what, frozenset(shape(checked.case.query)))
        is_new = key not in self.seen
        self.seen.add(key)
        return is_new


def outcome(
    stats: EvaluationStats, *, convicted: bool, fired: bool = False, in_doubt: bool = False
) -> EvaluationOutcome:
    """The verdict on a rule; an acquittal needs agreements on :data:`~oracles.checks.evidence.LEAST` shapes of queries.

    A rule that may have a part in a finding, excused or not, is not acquitted; nor is one of which too many checks say
    nothing: what it does to such queries is not known.

    :param fired: whether the rule fired on a query that ``stats`` don't count.
    :param in_doubt: whether it may have a part in a finding that ``stats`` don't count.
    """
    if convicted:
        return "convicted"
    if not stats.count.fired and not fired:
        return "never fired"
    in_doubt = in_doubt or bool(stats.excused or stats.unexplained or stats.unclear)
    return "acquitted" if stats.evidence >= LEAST and not in_doubt else "thin evidence"
