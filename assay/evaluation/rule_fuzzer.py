"""The fuzzer of the evaluation of one rule: counts checks, looks closer at some, and draws near the best cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from assay.evaluation.acquittal import EvaluationStats
from assay.fuzz.case_mix import forms_of
from assay.fuzz.conviction import convicts
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.steering import Effect, Nearest, steered_cases, with_shown
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict
from oracles.patterns.features import shape
from oracles.reductions.size import size
from oracles.triage.dedup import Known
from strategies.edits.edits import is_member
from strategies.edits.shown import signed_cases, without_signs
from strategies.ir import Case

_MANY = 24
"""The databases of a closer look, a second check of a query whose other plans agreed: an acquittal counts kinds, so the
first queries of each kind get one. Most queries need none: the rule doesn't fire, or makes the same plan.
"""
_LOOKS = 3
"""The number of queries of a kind, with other plans, that get a closer look."""

_SEARCH = 50
"""The number of queries after which the next ones are drawn near the cases that came closest to an effect by then."""


def effect_of(checked: CheckResult, verdict: Verdict) -> Effect:
    """How close a rule that fired in ``checked`` came to another answer; attribution gave the check this ``verdict``.

    An excused check counts as one without another plan: its edits are mostly excused, too, and say nothing of the rule.
    """
    if verdict.name == "excused" or not (checked.differed or checked.two_legs):
        return Effect.FIRED
    return Effect.WITH_ROWS if checked.has_rows or checked.beside.with_rows else Effect.OTHER_PLAN


@dataclass(slots=True, kw_only=True)
class RuleFuzzer(Fuzzer):
    """Fuzzes the rule on trial, ``policy.target_rule``.

    ``stats`` counts its checks, and ``told`` is called with them after each query. ``strangers`` are the findings that
    the rule has no part in. ``steered`` is the percentage of edits among the queries, once there are cases to edit.
    ``is_new`` says whether code of the rule ran for the first time.
    """

    stats: EvaluationStats = field(default_factory=EvaluationStats)
    told: Callable[[EvaluationStats], None] = lambda stats: None
    strangers: Known = field(default_factory=Known)
    steered: int = 0
    is_new: Callable[[], bool] = lambda: False
    _drawn: CheckResult | None = None
    _batch: int | None = _SEARCH
    _nearest: Nearest = field(default_factory=Nearest)
    _near: list[Case] = field(default_factory=list)
    _looks: Counter[frozenset[str]] = field(default_factory=Counter)
    _is_closer: bool = False

    @property
    def databases(self) -> int:
        """The policy's, and many for a closer look."""
        return _MANY if self._is_closer else self.policy.databases

    def check_case(self, case: Case, data: st.DataObject) -> CheckResult | None:
        """Check ``case``, once more over many databases if it is worth a closer look."""
        checked = Fuzzer.check_case(self, case, data)
        if checked is not None and self._is_worth_a_look(checked):
            self._is_closer = True
            try:
                checked = Fuzzer.check_case(self, case, data) or checked
            finally:
                self._is_closer = False
        self._drawn = checked
        self.stats.queries += 1
        self.told(self.stats)
        case = without_signs(case, forms_of=forms_of)
        if not self._nearest and self.guard.attempt(None, self.is_new, False) and is_member(case):
            self._near.append(case)
        return checked

    def _is_worth_a_look(self, checked: CheckResult) -> bool:
        """Whether the rule made other plans that agree, for one of the first queries of a kind; counts the looks."""
        assert self.policy.target_rule is not None  # the rule on trial
        other_plans = checked.differed or checked.two_legs
        if checked.verdict.name != "agree" or self.policy.target_rule.name not in checked.fired or not other_plans:
            return False
        kind = frozenset(shape(checked.case.query))
        self._looks[kind] += 1
        return self._looks[kind] <= _LOOKS

    def _remember(self, checked: CheckResult, verdict: Verdict) -> None:
        """Keep the case for edits if the rule fired on it, over a database that gives it rows, if there is one."""
        assert self.policy.target_rule is not None  # the rule on trial
        if self.policy.target_rule.name not in checked.fired:
            return
        case, other = checked.case, checked.beside.with_rows
        if other is not None and not checked.has_rows:
            case = replace(case, database=other)
        self._nearest.add(case, effect_of(checked, verdict))

    def drawn_from(self, cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
        """``cases``, and edits of those that came closest to an effect (see :class:`~assay.fuzz.steering.Nearest`), or
        else of those on which code of the rule ran for the first time. Half of those that can show the signs of zeros.
        """
        nearest = with_shown(self._nearest.cases) or sorted(self._near, key=size)
        return signed_cases(steered_cases(cases, nearest, self.steered), forms_of=forms_of)

    def is_target(self, checked: CheckResult, rules: tuple[str, ...]) -> bool:
        """Whether ``checked`` convicts the target rule; counts every check, and stores any other finding."""
        assert self.policy.target_rule is not None  # the rule on trial
        assert self._drawn is not None  # judging may have turned off other rules, or taken a part of the query
        rule, verdict = self.policy.target_rule.name, checked.verdict
        self.stats.add(self._drawn, verdict, rules, rule)
        self._remember(self._drawn, verdict)
        if verdict.name != "finding" or convicts(verdict, rules, rule):
            return verdict.name == "finding"
        failure = self.failure(checked, rules)
        if self.strangers.earlier(failure) is None:
            failure, file = self.store.file(failure, self.harness)
            self.strangers.add(failure, file)
            self.stats.files.append(file)
        return False
