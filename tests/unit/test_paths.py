"""When the plain path is asked after the fast one, and what becomes of their differing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from oracles.answers.outcome import Raised
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.extra_databases import ExtraResults, Mismatch
from oracles.checks.paths import Paths, PathsDiffer
from oracles.checks.result import CheckResult, LegSettings
from oracles.checks.verdict import Verdict
from oracles.rules.rule import Rule
from strategies.ir import Case, Database, Settings
from tests.unit.failure_samples import case_of, checked_of

AGREE = Verdict(name="agree", reason="")
VACUOUS = Verdict(name="vacuous", reason="")
RAISED = Verdict(name="raised", reason="")
SAME_ERROR = Verdict(name="same-error", reason="")
OPEN = Verdict(name="order-open", reason="")
INCONCLUSIVE = Verdict(name="inconclusive", reason="")
FINDING = Verdict(name="finding", kind="rule", blame="on", reason="rows differ")
OTHER_FINDING = Verdict(name="finding", kind="engine", blame="duckdb", reason="rows differ")
FAILURE = Verdict(name="finding", kind="internal", blame="on", reason="on fails")
SETTINGS = LegSettings()
OTHER = case_of(rows=((10_007, None),)).database


@dataclass
class TwoEnds:
    """A harness whose paths end as they are told to, and which notes what it was asked."""

    fast: Verdict | None
    plain: Verdict
    jobs: Verdict | None = None
    asked: list[bool] = field(default_factory=list)
    alone: Verdict | None = None
    seen_beside: Verdict | None = None
    late: Sequence[str] = ()

    @property
    def catalogue(self) -> TwoEnds:
        return self

    def rule(self, name: str) -> Any:
        return name

    def check(
        self,
        case: Case,
        choose_off: object,
        settings: LegSettings,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
    ) -> CheckResult:
        self.asked.append(fast)
        verdict = self.plain if not fast else self.fast if in_driver else self.jobs
        if case.database == OTHER:
            verdict = self.alone
        assert verdict is not None
        checked = replace(checked_of(case), verdict=verdict, fast=fast)
        if ("plain" if not fast else "driver" if in_driver else "jobs") in self.late:
            checked = replace(checked, legs={"on": Raised("TIMEOUT", None, "", "timeout")})
        if others and self.seen_beside:
            return replace(checked, beside=ExtraResults(1, Mismatch(OTHER, self.seen_beside, {})))
        return checked

    def check_if_fired(
        self,
        case: Case,
        choose_off: object,
        settings: LegSettings,
        *,
        fast: bool = False,
        others: Sequence[Database] = (),
        rules: Sequence[str] = (),
    ) -> CheckResult | None:
        assert rules == ["A"]
        return self.check(case, choose_off, settings, fast=fast) if self.fast else None


def never(checked: CheckResult) -> bool:
    return False


def checked_by(
    ends: TwoEnds, case: Case, *, fast: bool = True, excused: Callable[[CheckResult], bool] = never
) -> CheckResult:
    paths = Paths(cast(Harness, ends), fast, excused)
    checked = paths.check(case, fixed(()), SETTINGS)
    assert checked is not None
    return checked


def case_that_is_due(due: bool) -> Case:
    """A case whose passing is, or isn't, looked at once more."""
    cases = (case_of(rows=((n, None),)) for n in range(10_000))
    return next(case for case in cases if (len(_asked(case)) == 2) == due)


def _asked(case: Case) -> list[bool]:
    ends = TwoEnds(AGREE, AGREE)
    checked_by(ends, case)
    return ends.asked


@pytest.mark.parametrize("verdict", [AGREE, VACUOUS, RAISED, SAME_ERROR, OPEN], ids=lambda verdict: verdict.name)
def test_what_finds_nothing_on_the_fast_path_is_left_at_that(verdict: Verdict) -> None:
    ends = TwoEnds(verdict, FINDING)
    assert checked_by(ends, case_that_is_due(False)).verdict == verdict
    assert ends.asked == [True]


def test_one_passed_check_in_a_hundred_is_run_again() -> None:
    again = sum(len(_asked(case_of(rows=((n, None),)))) == 2 for n in range(3_000))
    assert 10 < again < 60


def test_what_the_plain_path_finds_after_a_passed_check_is_a_finding() -> None:
    assert checked_by(TwoEnds(AGREE, FINDING), case_that_is_due(True)).verdict == FINDING


@pytest.mark.parametrize(
    ("verdict", "due"),
    [(FINDING, False), (INCONCLUSIVE, False), (RAISED, True), (SAME_ERROR, True), (OPEN, True)],
    ids=["finding", "inconclusive", "raised, now and then", "one error, now and then", "open, now and then"],
)
def test_whatever_else_the_fast_path_ends_in_is_confirmed(verdict: Verdict, due: bool) -> None:
    ends = TwoEnds(verdict, verdict)
    checked = checked_by(ends, case_that_is_due(due))
    assert (checked.verdict, checked.fast, ends.asked) == (verdict, True, [True, False])


@pytest.mark.parametrize("fast", [FINDING, RAISED, SAME_ERROR], ids=["finds", "raises", "raises as drawn"])
@pytest.mark.parametrize("plain", [AGREE, VACUOUS], ids=["agrees", "is vacuous"])
def test_what_the_driver_alone_meets_is_a_fault_of_the_suite(fast: Verdict, plain: Verdict) -> None:
    with pytest.raises(PathsDiffer, match=f"driver, a check ends in {fast.name}.*; run in jobs, in agree") as differ:
        checked_by(TwoEnds(fast, plain, AGREE), case_that_is_due(fast in (RAISED, SAME_ERROR)))
    assert (differ.value.fast.verdict, differ.value.plain.verdict) == (fast, AGREE)


def test_what_jobs_over_the_same_tables_in_memory_find_is_a_finding() -> None:
    checked = checked_by(TwoEnds(FINDING, AGREE, FINDING), case_that_is_due(False))
    assert (checked.verdict, checked.fast, checked.memory_alone) == (FINDING, True, True)


@pytest.mark.parametrize(("fast", "plain"), [(FINDING, FAILURE), (OTHER_FINDING, FINDING), (INCONCLUSIVE, RAISED)])
def test_where_both_meet_something_the_plain_path_has_the_word(fast: Verdict, plain: Verdict) -> None:
    checked = checked_by(TwoEnds(fast, plain), case_that_is_due(False))
    assert (checked.verdict, checked.fast) == (plain, False)


@pytest.mark.parametrize(
    ("jobs", "counts"),
    [(FINDING, FINDING), (FAILURE, FAILURE), (AGREE, OTHER_FINDING), (OTHER_FINDING, OTHER_FINDING)],
    ids=["too", "another one", "not", "of the engines"],
)
def test_a_finding_against_a_rule_stands_though_files_show_a_difference_of_the_engines(
    jobs: Verdict, counts: Verdict
) -> None:
    """That one may be a known divergence of files."""
    checked = checked_by(TwoEnds(FINDING, OTHER_FINDING, jobs), case_that_is_due(False))
    assert (checked.verdict, checked.memory_alone) == (counts, counts != OTHER_FINDING)


CANNOT_TELL = pytest.mark.parametrize("plain", [RAISED, OPEN, INCONCLUSIVE], ids=lambda verdict: verdict.name)


@CANNOT_TELL
@pytest.mark.parametrize("jobs", [FINDING, OTHER_FINDING], ids=["the same", "another one"])
def test_where_files_cannot_tell_jobs_in_memory_have_the_word(plain: Verdict, jobs: Verdict) -> None:
    checked = checked_by(TwoEnds(FINDING, plain, jobs), case_that_is_due(False))
    assert (checked.verdict, checked.memory_alone) == (jobs, True)


@CANNOT_TELL
@pytest.mark.parametrize("jobs", [AGREE, INCONCLUSIVE], ids=["agree", "can't tell either"])
def test_a_finding_that_nothing_confirms_is_not_dropped(plain: Verdict, jobs: Verdict) -> None:
    with pytest.raises(PathsDiffer, match="ends in finding rule on"):
        checked_by(TwoEnds(FINDING, plain, jobs), case_that_is_due(False))


def test_where_a_leg_takes_too_long_over_files_an_isolated_rerun_has_the_word() -> None:
    ends = TwoEnds(FINDING, INCONCLUSIVE, INCONCLUSIVE, late=["plain"])
    assert checked_by(ends, case_that_is_due(False)).verdict == INCONCLUSIVE


def test_a_finding_that_memory_alone_shows_is_one_though_files_take_too_long() -> None:
    checked = checked_by(TwoEnds(FINDING, INCONCLUSIVE, FINDING, late=["plain"]), case_that_is_due(False))
    assert (checked.verdict, checked.memory_alone) == (FINDING, True)


def test_a_finding_over_another_database_that_takes_too_long_there_has_an_isolated_rerun() -> None:
    ends = TwoEnds(AGREE, AGREE, alone=INCONCLUSIVE, seen_beside=FINDING, late=["plain", "driver"])
    checked = over_several(ends, case_that_is_due(False))
    assert (checked.verdict, checked.case.database) == (INCONCLUSIVE, OTHER)


def test_a_finding_over_another_database_that_nothing_confirms_is_not_dropped() -> None:
    ends = TwoEnds(AGREE, AGREE, alone=RAISED, seen_beside=FINDING)
    with pytest.raises(PathsDiffer, match="ends in finding rule on; run over that database alone, in raised"):
        over_several(ends, case_that_is_due(False))


def test_what_is_inconclusive_on_the_fast_path_is_what_the_plain_path_says() -> None:
    assert checked_by(TwoEnds(INCONCLUSIVE, AGREE), case_that_is_due(False)).verdict == AGREE


@pytest.mark.parametrize(("due", "asked"), [(False, [True]), (True, [True, False])], ids=["mostly", "now and then"])
def test_a_known_divergence_may_show_on_the_fast_path_alone_and_is_asked_for_elsewhere_now_and_then(
    due: bool, asked: list[bool]
) -> None:
    ends = TwoEnds(FINDING, AGREE)
    checked = checked_by(ends, case_that_is_due(due), excused=lambda checked: True)
    assert (checked.verdict, checked.fast, ends.asked) == (FINDING, True, asked)


@pytest.mark.parametrize(
    ("case", "fast"),
    [(case_of(settings=Settings(aqe=True)), True), (case_of(settings=Settings("orc")), True), (case_of(), False)],
    ids=["adaptive execution", "another source", "not wanted"],
)
def test_the_plain_path_alone_is_taken(case: Case, fast: bool) -> None:
    ends = TwoEnds(None, AGREE)
    assert checked_by(ends, case, fast=fast).verdict == AGREE
    assert ends.asked == [False]


def test_where_no_rule_fires_nothing_is_confirmed() -> None:
    ends = TwoEnds(None, FINDING)
    paths, rules = Paths(cast(Harness, ends), True, never), cast(list[Rule], ["A"])
    assert paths.check(case_of(), fixed(()), SETTINGS, if_fired=rules) is None
    assert ends.asked == []


def over_several(ends: TwoEnds, case: Case) -> CheckResult:
    checked = Paths(cast(Harness, ends), True, never, databases=3).check(case, fixed(()), SETTINGS)
    assert checked is not None
    return checked


def test_what_shows_over_another_database_and_over_that_alone_is_a_finding() -> None:
    ends = TwoEnds(AGREE, AGREE, alone=FINDING, seen_beside=FINDING)
    checked = over_several(ends, case_that_is_due(False))
    assert (checked.verdict, checked.case.database, checked.fast) == (FINDING, OTHER, True)
    assert ends.asked == [True, True, False]


def test_what_shows_over_another_database_but_not_over_that_alone_is_a_fault_of_the_suite() -> None:
    ends = TwoEnds(AGREE, AGREE, alone=AGREE, seen_beside=FINDING)
    with pytest.raises(PathsDiffer, match="ends in finding rule on; run over that database alone, in agree") as differ:
        over_several(ends, case_that_is_due(False))
    assert differ.value.fast.case.database == differ.value.plain.case.database == OTHER


@pytest.mark.parametrize("alone", [AGREE, RAISED, INCONCLUSIVE], ids=["agrees", "raises", "can't tell"])
def test_what_proves_nothing_over_another_database_leaves_the_first_ones_verdict(alone: Verdict) -> None:
    ends = TwoEnds(VACUOUS, AGREE, alone=alone, seen_beside=INCONCLUSIVE)
    checked = over_several(ends, case_that_is_due(False))
    assert (checked.verdict, checked.case.database == OTHER, checked.beside.agreed) == (VACUOUS, False, 1)


@pytest.mark.parametrize("first", [RAISED, OPEN, INCONCLUSIVE, SAME_ERROR], ids=lambda verdict: verdict.name)
def test_a_finding_against_a_rule_over_another_database_counts_where_the_first_one_is_unclear(first: Verdict) -> None:
    ends = TwoEnds(first, first, alone=FINDING, seen_beside=FINDING)
    assert over_several(ends, case_that_is_due(False)).case.database == OTHER


@pytest.mark.parametrize("first", [RAISED, OPEN, INCONCLUSIVE], ids=lambda verdict: verdict.name)
def test_a_difference_of_the_engines_over_another_database_does_not_count_there(first: Verdict) -> None:
    ends = TwoEnds(first, first, alone=OTHER_FINDING, seen_beside=OTHER_FINDING)
    assert over_several(ends, case_that_is_due(False)).case.database != OTHER


@pytest.mark.parametrize(("excused", "counts"), [(True, True), (False, False)], ids=["known", "new"])
def test_a_finding_against_a_rule_counts_beside_a_known_difference_of_the_engines(excused: bool, counts: bool) -> None:
    """A new difference is a finding itself."""
    ends = TwoEnds(OTHER_FINDING, OTHER_FINDING, alone=FINDING, seen_beside=FINDING)
    paths = Paths(cast(Harness, ends), True, lambda checked: excused and checked.verdict == OTHER_FINDING, databases=3)
    checked = paths.check(case_that_is_due(False), fixed(()), SETTINGS)
    assert checked is not None
    assert (checked.case.database == OTHER) == counts


def test_where_the_first_database_shows_something_the_others_are_not_asked() -> None:
    ends = TwoEnds(FINDING, FINDING, alone=FINDING, seen_beside=FINDING)
    assert over_several(ends, case_that_is_due(False)).case.database != OTHER
    assert ends.asked == [True, False]


def test_a_check_on_the_plain_path_has_one_database() -> None:
    ends = TwoEnds(None, AGREE, alone=FINDING, seen_beside=FINDING)
    assert over_several(ends, case_of(settings=Settings(aqe=True))).verdict == AGREE
