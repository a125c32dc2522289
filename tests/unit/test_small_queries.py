"""The small queries before the draws of an evaluation: what they add to its findings, verdict, coverage and text."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from assay.coverage.own_rule import RuleCoverage
from assay.coverage.parts import Part
from assay.evaluation.small_queries import refuted, with_small_queries
from assay.evaluation.verdict_text import headline, notes
from assay.verify.bound import Bound
from assay.verify.pairs import PairFinder
from assay.verify.text import notes as notes_of_verify
from assay.verify.verification import Verification
from oracles.checks.result import NO_SETTINGS
from oracles.failures.failure import Failure
from oracles.rules.rule import Rule
from oracles.rules.switch import Excluded
from strategies.ir import Filter, IsNull
from tests.unit.failure_samples import T0, A, case_of, checked_of, failure
from tests.unit.test_own_rule_coverage import BLOCKS
from tests.unit.test_trial_page import finding
from tests.unit.test_verdict_text import evaluation, stats

RULE = Rule(name="Mine", rule_name="com.acme.Mine", batch="", switch=Excluded("com.acme.Mine"))
NEVER = stats(fired=0, differed=0, agreed=0, verdicts=Counter())


def small(fired: int = 3, **more) -> Verification:
    finder = PairFinder(harness=None, rule=RULE, settings=NO_SETTINGS, bound=Bound(), fired=fired)
    return Verification(rule="Mine", point="optimizer", finder=finder, **{"bound": Bound(), **more})


def told_of(failed: Failure, folder: Path) -> dict[str, object]:
    found = finding(failed, folder)
    return {"findings": [found], "counterexamples": [found.fingerprint]}


OTHER = failure(checked_of(case_of(Filter(T0, IsNull(A)))))


def test_a_finding_of_both_is_told_once_and_those_of_small_queries_come_first(tmp_path):
    first, same, other = (told_of(each, tmp_path) for each in (failure(), failure(), OTHER))
    drawn = {name: [*same[name], *other[name]] for name in same}
    both = with_small_queries(evaluation(stats(), **drawn), small(**first))
    assert both.findings == [*first["findings"], *other["findings"]]
    assert both.counterexamples == [*first["counterexamples"], *other["counterexamples"]]


def test_without_findings_the_verdict_is_that_of_the_draws():
    assert with_small_queries(evaluation(stats()), small()).outcome == "acquitted"


@pytest.mark.parametrize("doubt", [{"excused": Counter(an_entry=1)}, {"unexplained": Counter(rule=1)}], ids=list)
def test_a_difference_of_small_queries_that_stays_open_leaves_no_acquittal(doubt):
    assert with_small_queries(evaluation(stats()), small(**doubt)).outcome == "thin evidence"


@pytest.mark.parametrize(("fired", "verdict"), [(3, "thin evidence"), (0, "never fired")])
def test_a_rule_that_fires_on_small_queries_alone_has_fired(fired, verdict):
    assert with_small_queries(evaluation(NEVER), small(fired=fired)).outcome == verdict


def test_lines_that_ran_on_small_queries_ran():
    part = Part("Mine", True, BLOCKS, {})
    drawn = evaluation(stats(), coverage=RuleCoverage(part, frozenset({0, 3}), fired=True))
    both = with_small_queries(drawn, small(coverage=RuleCoverage(part, frozenset({1}), fired=True)))
    assert both.coverage.ran == {0, 1, 3}


def test_what_ran_in_a_jvm_that_is_gone_has_other_numbers_and_is_left_out():
    here, gone = Part("Mine", True, BLOCKS, {}), Part("Mine", True, {0: BLOCKS[1]}, {})
    drawn = evaluation(stats(), coverage=RuleCoverage(here, frozenset({3}), fired=True))
    both = with_small_queries(drawn, small(coverage=RuleCoverage(gone, frozenset({0}), fired=True)))
    assert both.coverage.ran == {3}


def test_a_rule_that_a_small_query_refutes_is_convicted_without_draws(tmp_path):
    told = refuted(small(**told_of(failure(), tmp_path)))
    assert (told.outcome, told.stats.queries) == ("convicted", 0)
    assert headline(told).startswith("convicted (")
    assert "): a small query, refuted, after 0 comparisons of 0 pairs of plans in" in headline(told)
    assert told.summary()["verification"]["verdict"] == "refuted"


@pytest.mark.parametrize(
    ("pairs", "said"),
    [(8, "the enumeration ended at the time: see --verify TIME"), (0, "the enumeration ended at 0 pairs: see verify")],
    ids=["the time is up", "there are enough pairs"],
)
def test_a_trial_names_options_that_it_has(pairs, said):
    verification = small(bound=Bound(pairs=pairs))
    told = with_small_queries(evaluation(stats()), verification)
    assert [line.startswith(said) for line in notes(told) if "enumeration" in line] == [True]
    assert any(line.endswith("see --pairs, --budget") for line in notes_of_verify(verification))


@pytest.mark.parametrize("fired", [3, 0])
def test_a_convicted_rule_is_told_of_no_other_verdict(tmp_path, fired):
    drawn = evaluation(stats(), **told_of(failure(), tmp_path))
    assert notes(with_small_queries(drawn, small(fired=fired))) == ["small queries (0) did not show it"]


def test_a_convicted_rule_is_told_that_small_queries_show_it_too(tmp_path):
    both = with_small_queries(evaluation(stats()), small(**told_of(failure(), tmp_path)))
    (line,) = notes(both)
    assert line.startswith("small queries: refuted, after 0 comparisons")


@pytest.mark.parametrize(("fired", "told"), [(3, True), (0, False)])
def test_executed_plans_are_told_of_where_the_rule_fired(fired, told):
    (line,) = (line for line in notes_of_verify(small(fired=fired)) if line.startswith("fired on"))
    assert ("executed plans" in line) == told


def test_the_verdict_of_draws_says_how_far_the_small_queries_went():
    told = with_small_queries(evaluation(stats()), small())
    lines = notes(told)
    assert lines[0].startswith(
        "small queries: never changed the executed plan of any of 0 queries, 3 of which it fired on"
    )
    assert any(line.startswith("queries: ") for line in lines)
    assert notes(replace(told, verification=None)) == []
