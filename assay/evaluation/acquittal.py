"""What the checks of a trial amount to: counts, and which findings speak against the rule on trial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from oracles.answers.outcome import Raised, Rows
from oracles.answers.rows import same
from oracles.checks.evidence import LEAST, RuleCount
from oracles.checks.misbehaviour import is_restless
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict
from oracles.patterns.features import shape
from strategies.ir import Case

EvaluationOutcome = Literal["acquitted", "convicted", "never fired", "thin evidence"]
_KEPT_CASES = 8


def convicts(verdict: Verdict, rules: Sequence[str], rule: str) -> bool:
    """Whether a finding with this ``verdict``, whose guilty rules are ``rules``, speaks against ``rule``.

    Of several guilty rules none does without: with the others off, it alone makes the difference.
    Where DuckDB has the on leg's rows, it is Spark without the rule that is wrong.
    """
    if verdict.name != "finding" or verdict.kind is None or not verdict.kind.convicts or rule not in rules:
        return False
    return verdict.blame == "on" or (verdict.kind == "rule" and verdict.blame == "unknown")


def has_part(checked: CheckResult, rules: Sequence[str], rule: str) -> bool:
    """Whether ``rule`` may have a part in the finding of ``checked``, whose guilty rules are ``rules``.

    It has none where it didn't fire, where the plans that ran were the same, and where the finding is there without
    the rule: the off leg ends like the on leg. Without an off leg, or with one that may have kept the rule's work, this
    can't be told, so it may have one.
    """
    if rule in rules:
        return True
    if rule not in checked.fired:
        return rule in checked.kept
    return "off" not in checked.legs or (checked.differed and not _is_there_without(checked))


def _is_there_without(checked: CheckResult) -> bool:
    on, off = checked.legs["on"], checked.legs["off"]
    if isinstance(on, Raised) and isinstance(off, Raised):
        return on.condition == off.condition
    # Any other finding of legs that have rows is about the on leg alone: its parts, or how the rule behaves.
    return checked.verdict.kind == "engine" and isinstance(on, Rows) and isinstance(off, Rows) and same(on, off)


@dataclass(slots=True)
class EvaluationStats:
    """What a trial has seen so far.

    ``count`` is of the queries that were run: on the others the plan shows that the rule doesn't fire. ``agreed`` are
    its agreements; ``evident`` are those with rows in which the plans differed, ``evident_alone`` those with rows that
    had no off leg. ``excused`` counts, by entry, the excused findings that the rule may have a part in,
    ``unexplained`` such findings that nothing excuses and that don't convict it, ``others`` the findings that say
    nothing of the rule; ``files`` has one of each bug. ``cases`` are some on which it made a difference and did no
    wrong, each of another kind.
    """

    queries: int = 0
    count: RuleCount = field(default_factory=RuleCount)
    agreed: int = 0
    evident: int = 0
    evident_alone: int = 0
    restless: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    unexplained: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    files: list[Path] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    kinds: set[frozenset[str]] = field(default_factory=set)

    @property
    def all_alone(self) -> bool:
        """Whether DuckDB alone judged the rule: nothing turns it off, so that no plans were ever compared."""
        return 0 < self.count.fired == self.count.two_legs

    @property
    def evidence(self) -> int:
        """The agreements that count for an acquittal."""
        return self.evident_alone if self.all_alone else self.evident

    def add(self, checked: CheckResult, verdict: Verdict, rules: Sequence[str], rule: str) -> None:
        """Count one completed check as it was drawn; judging it gave ``verdict`` and the guilty ``rules``."""
        fired = rule in checked.fired
        alone = fired and checked.two_legs
        differed = fired and checked.differed
        agreed = fired and verdict.name == "agree"
        self.count += RuleCount(1, fired, differed, alone)
        self.agreed += agreed
        self.evident += agreed and checked.has_rows and differed
        self.evident_alone += agreed and checked.has_rows and alone
        self.restless += is_restless(checked.misbehaviour)
        self.verdicts[verdict.name] += 1
        if verdict.divergence is not None and has_part(checked, rules, rule):
            self.excused[verdict.divergence] += 1
        if verdict.name == "finding" and not convicts(verdict, rules, rule):
            known_cause = verdict.blame in ("off", "duckdb")
            counter = self.others if known_cause or not has_part(checked, rules, rule) else self.unexplained
            counter[f"{verdict.kind}, blame {verdict.blame}"] += 1
        kind = frozenset(shape(checked.case.query))
        if differed and agreed and kind not in self.kinds:
            self.kinds.add(kind)
            if len(self.cases) < _KEPT_CASES:
                self.cases.append(checked.case)


def outcome(stats: EvaluationStats, *, convicted: bool) -> EvaluationOutcome:
    """The verdict on a rule: it is acquitted by so many agreements as :data:`~oracles.checks.evidence.LEAST` says.

    A finding that it may have a part in keeps it from being acquitted, excused or not.
    """
    if convicted:
        return "convicted"
    if not stats.count.fired:
        return "never fired"
    in_doubt = stats.excused or stats.unexplained
    return "acquitted" if stats.evidence >= LEAST and not in_doubt else "thin evidence"
