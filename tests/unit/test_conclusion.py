"""A run's conclusion names missing evidence and rules of which too little is known, and says first how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from oracles.answers.outcome import Raised
from oracles.checks.conclusion import Conclusion, conclude
from oracles.checks.evidence import LEAST, LEGS, STOCK, TWO_LEGS, Evidence, RuleCount, legs_of, missing, thin
from oracles.checks.tally import Tally, ceilings_broken
from strategies.ir import Settings
from tests.unit.failure_samples import answer, case_of, checked_of

ALL_LEGS = {"on": 600, "off": 600, "duckdb": 600}
OTHERS = {f"R{number}": RuleCount(checked=60, fired=50, differed=40) for number in range(18)}
RULES = {
    "A": RuleCount(checked=600, fired=600, differed=500, agreed=400),
    "B": RuleCount(checked=600, fired=300, differed=200, agreed=100),
    "C": RuleCount(checked=600, fired=0, differed=0),
    **OTHERS,
}
AGREED = Tally({"agree": 600}, 400)


def evidence(**own: Any) -> Evidence:
    """That of a general run of 600 checks, all of which agree."""
    return Evidence(**{"legs": ALL_LEGS, "rules": RULES, "asked": 600, "queries": 600, **own})


def about(
    rule: str, fired: int, differed: int | None = None, *, alone: int = 0, agreed: int | None = None, **own: Any
) -> Evidence:
    """That of a run about one rule; in so many checks DuckDB ``alone`` judged, and in so many all legs ``agreed``."""
    other = fired if differed is None else differed
    shown = max(other, alone) if agreed is None else agreed
    count = RuleCount(checked=fired, fired=fired, differed=other, two_legs=alone, agreed=shown)
    return evidence(**{"rules": {rule: count}, "named": [rule], "asked": None, **own})


def test_evidence_of_every_kind_breaks_no_ceiling() -> None:
    assert ceilings_broken(AGREED, evidence()) == []


@pytest.mark.parametrize("leg", LEGS)
def test_a_leg_without_evidence_has_a_line_of_its_own(leg: str) -> None:
    """Which says how much, and what to do."""
    (line,) = ceilings_broken(AGREED, evidence(legs={**ALL_LEGS, leg: 0}))
    assert (line.startswith(f"{leg} leg: "), "none of 600 checks" in line, " -- " in line or "--record" in line) == (
        (True,) * 3
    )
    (same,) = ceilings_broken(AGREED, evidence(legs={name: 600 for name in ALL_LEGS if name != leg}))
    assert same == line


def test_a_leg_that_gave_evidence_once_is_not_missing() -> None:
    assert missing(evidence(legs=dict.fromkeys(LEGS, 1)), 600) == []


@pytest.mark.parametrize(
    ("rules", "checks", "line"),
    [
        (0, 600, "fired: no rule fired in 600 checks, fewer than 20"),
        (1, 600, "fired: only 1 rule fired in 600 checks, fewer than 20"),
        (19, 600, "fired: only 19 rules fired in 600 checks, fewer than 20"),
        (20, 600, ""),
        (3, 12, ""),
        (2, 12, "fired: only 2 rules fired in 12 checks, fewer than 3"),
        (0, 1, "fired: no rule fired in 1 check, fewer than 1"),
    ],
)
def test_a_run_in_which_hardly_a_rule_fired_has_a_line_of_its_own(rules: int, checks: int, line: str) -> None:
    """Unless it is about some rules."""
    counts = {f"R{number}": RuleCount(checked=1, fired=int(number < rules)) for number in range(30)}
    lines = ceilings_broken(Tally({"agree": checks}, checks), evidence(rules=counts, asked=None))
    assert [told.partition(":")[0] + ":" + told.split(":")[1] for told in lines] == ([line] if line else [])
    assert missing(evidence(rules=counts, named=["A"]), checks) == []


def test_rules_that_cannot_be_turned_off_have_no_off_leg() -> None:
    two = {"on": 600, "duckdb": 600, TWO_LEGS: 600}
    assert missing(about("A", 600, legs=two), 600) == []
    (line,) = missing(about("A", 600, legs={**two, TWO_LEGS: 599}), 600)
    assert line.startswith("off leg: ")
    assert missing(evidence(legs=two), 600) == [line]


@pytest.mark.parametrize(
    ("checks", "asked", "line"),
    [
        (600, 600, ""),
        (600, None, ""),
        (599, 600, "checks: 599 of 600 that were asked for were made"),
        (0, 600, "checks: 0 of 600 that were asked for were made"),
        (0, None, "checks: 0 were made"),
    ],
    ids=["all", "as many as the time allowed", "fewer", "none of some", "none in the time"],
)
def test_fewer_checks_than_were_asked_for_break_a_ceiling(checks: int, asked: int | None, line: str) -> None:
    lines = ceilings_broken(Tally({"agree": checks}, checks), evidence(asked=asked, queries=checks))
    assert [told.partition(": look")[0] for told in lines] == ([line] if line else [])


THIN: Mapping[str, tuple[Evidence, int, str]] = {
    "enough": (about("A", LEAST), 600, ""),
    "one less": (about("A", LEAST - 1), 600, "A fired in 29 of 600 queries, fewer than 30: "),
    "never": (about("A", 0, queries=12_000), 0, "A never fired in 12,000 queries: "),
    "never, and not even asked": (about("B", 600, named=["A"]), 600, "A never fired in 600 queries: "),
    "in few of the queries looked at": (about("A", 4, queries=652), 4, "A fired in 4 of 652 queries, fewer than 30: "),
    "without a difference": (
        about("A", 600, 3),
        600,
        "A fired in 600 of 600 queries, and the plans that ran differed in 3, fewer than 30: ",
    ),
    "without agreement": (
        about("A", 600, agreed=29),
        600,
        "A fired in 600 of 600 queries, and of these all legs agreed with rows in 29, fewer than 30: ",
    ),
    "without an off leg, and without agreement": (
        about("A", 600, 0, alone=600, agreed=0, legs={TWO_LEGS: 600}),
        600,
        "A fired in 600 of 600 queries, and of these all legs agreed with rows in 0, fewer than 30: ",
    ),
    "without an off leg there are no plans to differ": (about("A", 600, 0, alone=600, legs={TWO_LEGS: 600}), 600, ""),
    "with an off leg in some": (about("A", 600, 30, alone=570, legs={**ALL_LEGS, TWO_LEGS: 570}), 600, ""),
    "with another rule's two legs": (
        about("A", 600, 3, alone=1, legs={**ALL_LEGS, TWO_LEGS: 300}),
        600,
        "A fired in 600 of 600 queries, and the plans that ran differed in 3, fewer than 30: ",
    ),
    "less than was asked for": (
        about("A", 300, asked=600, queries=12_000),
        300,
        "A fired in 300 of 12,000 queries, and 600 checks were asked for: ",
    ),
    "of few that were asked for, a quarter": (about("A", 3, asked=10, queries=10), 10, ""),
    "of few that were asked for, less": (
        about("A", 2, asked=10, queries=10),
        10,
        "A fired in 2 of 10 queries, fewer than 3: ",
    ),
}


@pytest.mark.parametrize(("shown", "checks", "line"), THIN.values(), ids=THIN)
def test_too_little_of_a_named_rule_is_told_with_its_counts(shown: Evidence, checks: int, line: str) -> None:
    lines = thin(shown, checks)
    assert [told[: len(line)] for told in lines] == ([line] if line else [])
    assert all("check-rule" in told for told in lines)


def test_of_several_rules_each_has_to_fire() -> None:
    lines = thin(evidence(named=["A", "B", "C"]), 600)
    assert [line.partition(" ")[0] for line in lines] == ["C"]


SENTENCES: Mapping[str, tuple[Tally, Evidence, int, str]] = {
    "proof": (AGREED, evidence(), 0, "400 agreements with rows over 20 rules that fired, no finding"),
    "proof of one rule": (
        Tally({"agree": 100}, 90),
        about("A", 100),
        0,
        "90 agreements with rows over 1 rule that fired, no finding",
    ),
    "a finding": (
        Tally({"agree": 599, "finding": 1}, 400),
        evidence(),
        1,
        "1 finding; 400 agreements with rows over 20 rules that fired",
    ),
    "findings and nothing else": (
        Tally({"finding": 600}),
        evidence(),
        2,
        "2 findings; 0 agreements with rows over 20 rules that fired",
    ),
    "no check": (Tally(), Evidence(), 0, "nothing was checked: nothing is known"),
    "no check of a rule's": (
        Tally(),
        about("A", 0, queries=652),
        0,
        "fired in 0 of 652 queries: nothing is known about this rule",
    ),
    "hardly any check of a rule's": (
        Tally({"agree": 4}, 1),
        about("A", 4, queries=652),
        0,
        "fired in 4 of 652 queries: nothing is known about this rule",
    ),
    "checks that are mostly vacuous": (
        Tally({"agree": 4, "vacuous": 648}, 1),
        about("A", 4, queries=652),
        0,
        "fired in 4 of 652 checks: nothing is known about this rule",
    ),
    "no plan differed": (
        AGREED,
        about("A", 600, 3),
        0,
        "fired in 600 and changed the plan that ran in 3 of 600 checks: nothing is known about this rule",
    ),
    "nothing agreed": (
        AGREED,
        about("A", 600, agreed=4),
        0,
        "fired in 600 and agreed with rows in 4 of 600 checks: nothing is known about this rule",
    ),
    "two of three rules": (
        AGREED,
        evidence(named=["A", "C", "D"]),
        0,
        "C fired in 0, D fired in 0 of 600 checks: nothing is known about these rules",
    ),
    "no rule": (
        Tally({"vacuous": 2000}),
        evidence(rules={}, asked=None, queries=2000),
        0,
        "no rule fired in 2,000 checks: nothing is known about any rule",
    ),
    "too many that prove nothing": (
        Tally({"agree": 500, "inconclusive": 100}, 400),
        evidence(),
        0,
        "too little is proven: 400 agreements with rows over 20 rules that fired, in 600 checks",
    ),
}


@pytest.mark.parametrize(("tally", "shown", "findings", "sentence"), SENTENCES.values(), ids=SENTENCES)
def test_the_first_word_says_what_was_proven(tally: Tally, shown: Evidence, findings: int, sentence: str) -> None:
    ended = conclude(tally, shown, findings)
    assert (ended.sentence, ended.proof) == (sentence, sentence.endswith("no finding"))


def test_a_run_is_proof_only_without_findings_and_broken_ceilings() -> None:
    assert conclude(AGREED, evidence(), 0).proof
    assert not conclude(AGREED, evidence(), 1).proof
    assert not conclude(AGREED, evidence(asked=601), 0).proof
    assert not conclude(AGREED, evidence(named=["C"]), 0).proof


def test_whatever_was_found_the_broken_ceilings_are_told() -> None:
    ended = conclude(Tally({"finding": 600}), evidence(), 3)
    assert [line.partition(" only")[0] for line in ended.red] == ["red: agree:"]


def test_why_a_run_is_red_is_told_a_line_each() -> None:
    assert Conclusion("", False, ("raised: 6 of 100",), ("A never fired",)).red == [
        "red: raised: 6 of 100",
        "red: A never fired",
    ]
    assert Conclusion("", True).red == []


ERROR = Raised("X", None, "no", "user")


@pytest.mark.parametrize(
    ("changed_plan", "legs", "found"),
    [
        (("A",), {"on": answer(), "off": answer(), "duckdb": answer()}, ["on", "off", "duckdb"]),
        ((), {"on": answer(), "off": answer(), "duckdb": answer()}, ["off", "duckdb"]),
        (("A",), {"on": answer(), "off": answer(), "duckdb": ERROR}, ["on", "off"]),
        (("A",), {"on": answer(), "off": ERROR, "duckdb": answer()}, ["on", "duckdb"]),
        (("A",), {"on": answer(), "duckdb": answer()}, ["on", TWO_LEGS, "duckdb"]),
        ((), {"on": ERROR}, []),
    ],
    ids=["all", "a silent tracker", "DuckDB raises", "the off leg raises", "two legs", "not run"],
)
def test_the_legs_that_gave_evidence_in_a_check(
    changed_plan: tuple[str, ...], legs: Mapping[str, Any], found: list[str]
) -> None:
    assert legs_of(checked_of(changed_plan=changed_plan, legs=legs)) == found


@pytest.mark.parametrize(
    ("on", "fast", "found"),
    [
        (answer(), False, [STOCK, "on", "off", "duckdb"]),
        (answer(), True, ["on", "off", "duckdb"]),
        (ERROR, False, ["on", "off", "duckdb"]),
    ],
    ids=["in jobs over files", "on the fast path", "it raises"],
)
def test_a_check_as_in_a_stock_session_is_counted_where_it_had_rows(on: Any, fast: bool, found: list[str]) -> None:
    stock = case_of(settings=Settings(aqe=True, codegen=True, partitions=3))
    legs = {"on": on, "off": answer(), "duckdb": answer()}
    assert legs_of(replace(checked_of(case=stock, changed_plan=("A",), legs=legs), fast=fast)) == found
