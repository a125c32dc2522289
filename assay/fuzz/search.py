"""One call of Hypothesis: it checks examples until one shows a finding, and then shrinks that example."""

from __future__ import annotations

import time
from typing import Protocol

from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import strategies as st
from hypothesis.errors import Flaky, HypothesisException, Unsatisfiable

from assay.fuzz.drawing import LEAST_EXAMPLES, generating, supervised
from assay.fuzz.failure_store import FailureStore
from assay.fuzz.finding import Finding, digest
from assay.fuzz.policy import Policy
from assay.fuzz.record import Recording
from assay.fuzz.spread import as_suits
from assay.fuzz.supervision import Guard
from oracles.checks.check import Harness
from oracles.checks.paths import PathsDiffer
from oracles.checks.result import CheckResult
from oracles.engines.spark.jvm import SparkLost
from oracles.patterns.unsupported import NoneSupported, lacking, supported_on
from oracles.reductions.reducer import size
from strategies.ir import Case


class Owner(Protocol):
    """The part of a fuzzer that a search uses; see :class:`assay.fuzz.fuzzer.Fuzzer`."""

    harness: Harness
    recorder: Recording
    store: FailureStore
    policy: Policy

    @property
    def guard(self) -> Guard:
        """The supervision of each check."""

    def is_over(self) -> bool:
        """Whether the search must check no more examples."""

    def check_case(self, case: Case, data: st.DataObject) -> CheckResult | None:
        """Check a case; None if no target rule fires."""

    def attributed(self, checked: CheckResult) -> tuple[CheckResult, tuple[str, ...]]:
        """The result after attribution, and its guilty rules."""

    def is_about_others(self, first: CheckResult, checked: CheckResult, rules: tuple[str, ...]) -> bool:
        """Whether the result raised or is excused, and no target rule fired or is guilty."""

    def fits(self, checked: CheckResult) -> tuple[str, ...]:
        """The silent entries that fit the case."""

    def is_target(self, checked: CheckResult, rules: tuple[str, ...]) -> bool:
        """Whether the result is a finding for this fuzzer."""

    def record_finding(self, checked: CheckResult, rules: tuple[str, ...]) -> Finding | None:
        """Keep a new finding that is to be minimized."""

    def still_fails(self, finding: Finding, case: Case, *, fast: bool = False) -> CheckResult | None:
        """The case's result, if it shows the same finding."""


class Found(Exception):
    """Raised in a drawn example to make Hypothesis shrink the example; never leaves this module."""


class _Stop(BaseException):
    """Carries a fault of the suite past Hypothesis, which would shrink an ordinary exception."""


class _OutOfTime(BaseException):
    """Ends minimizing by Hypothesis, which would go on to draw for five minutes; the finding has its smallest case."""


def left_out(spark: str) -> list[HealthCheck]:
    """The health checks that don't hold for Spark ``spark``: of an older release much of what is drawn is left out."""
    return [HealthCheck.filter_too_much] if lacking(spark) else []  # it costs time, and judges nothing


_MOST_REFUSED = 300
"""The number of a search's first draws after which it is over if an older release supports none: each takes as long as
one that is checked.
"""


class Search:
    """A search on behalf of ``fuzzer`` for the first finding that is no duplicate.

    ``seen`` has the digests of the cases drawn so far; the search adds its own until there are ``count``. ``checks``
    counts the cases that this search checked.
    """

    def __init__(self, fuzzer: Owner, seen: set[str], count: int) -> None:
        self.fuzzer = fuzzer
        self.seen = seen
        self.count = count
        self.finding: Finding | None = None
        self.checks = 0
        self._tried: dict[str, bool] = {}
        self._deadline = 0.0

    def run(self, cases: st.SearchStrategy[Case], own_seed: int) -> None:
        """Search among those of ``cases`` that the running Spark supports; over soon if it supports none."""
        spark = self.fuzzer.harness.spark
        supported = supported_on(spark.version, cases, give_up=_MOST_REFUSED)
        cases = supervised(as_suits(spark, supported), self.fuzzer.guard)

        @seed(own_seed)
        @generating(
            max(LEAST_EXAMPLES, self.count - len(self.seen)),
            phases=(Phase.generate, Phase.shrink) if self.fuzzer.policy.drawn_smaller else (Phase.generate,),
            report_multiple_bugs=False,
            suppress_health_check=left_out(spark.version),  # of older releases: they lack much of what is drawn
        )
        @given(case=cases, data=st.data())
        def examples(case: Case, data: st.DataObject) -> None:
            try:
                shows = self._shows(case, data)
            except HypothesisException:
                raise
            except Exception as fault:
                if not isinstance(fault, (SparkLost, PathsDiffer)):  # these say all that there is to say
                    fault.add_note(f"the current case: {case!r}")
                raise _Stop from fault
            if shows:
                raise Found  # here alone: raised elsewhere it would be another failure to Hypothesis

        try:
            examples()
        except (Found, Flaky, NoneSupported, _OutOfTime):
            pass
        except Unsatisfiable:
            if not lacking(spark.version):  # of an older release, each draw of a search may lack something
                raise
        except _Stop as stop:
            fault = stop.__cause__
            assert fault is not None  # raised from one above
            raise fault from None

    def _shows(self, case: Case, data: st.DataObject) -> bool:
        """Whether ``case`` shows a new finding; once the search has a finding, whether ``case`` shows the same one."""
        if self.finding is not None:
            return self._still_shows(self.finding, case)
        mark = digest(case)
        if mark in self.seen or len(self.seen) >= self.count or self.fuzzer.is_over():
            return False
        incidents = self.fuzzer.guard.incidents
        first = self.fuzzer.check_case(case, data)
        self.seen.add(mark)
        if first is None:
            self._dismiss(mark, settled=self.fuzzer.guard.incidents == incidents)
            return False
        checked, rules = self.fuzzer.attributed(first)
        if self.fuzzer.is_about_others(first, checked, rules):
            self._dismiss(mark, settled=True)
            return False
        self.checks += 1
        if self.fuzzer.policy.on_record:
            # Fired rules count for the check as drawn: attribution switches other rules off, or changes the query.
            nothing: tuple[str, ...] = ()
            fits = self.fuzzer.guard.attempt(None, lambda: self.fuzzer.fits(first), nothing)
            self.fuzzer.recorder.check(first, checked.verdict, mark, fits)
        filed = self.fuzzer.guard.attempt(None, lambda: self._filed(checked, rules), None)
        settled = checked.verdict.name == "excused" or self.fuzzer.guard.incidents == incidents
        self.fuzzer.store.unjudged.release(settled=settled or filed is not None)
        self.finding = filed[0] if filed else None
        if self.finding is None:
            return False
        self._deadline = time.monotonic() + self.fuzzer.policy.shrink_seconds / 2
        self._tried[mark] = True
        return True

    def _dismiss(self, mark: str, *, settled: bool) -> None:
        """Record a case over which no target rule fired, if it is ``settled``: no incident happened in its check."""
        if settled and self.fuzzer.policy.on_record:
            self.fuzzer.recorder.not_fired(mark)
        self.fuzzer.store.unjudged.release(settled=settled)

    def _filed(self, checked: CheckResult, rules: tuple[str, ...]) -> tuple[Finding | None]:
        """Record the finding, if there is one, and return it if it is to be minimized."""
        return (self.fuzzer.record_finding(checked, rules) if self.fuzzer.is_target(checked, rules) else None,)

    def _still_shows(self, finding: Finding, case: Case) -> bool:
        mark = digest(case)
        if mark not in self._tried:
            if time.monotonic() > self._deadline or self.fuzzer.guard.stopped():
                raise _OutOfTime
            smaller = self.fuzzer.still_fails(finding, case, fast=finding.fast)
            self._tried[mark] = smaller is not None
            if smaller is not None and size(case) < size(finding.checked.case):
                finding.checked = smaller
        return self._tried[mark]
