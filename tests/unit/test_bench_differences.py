"""Which ends of one case are different ends, and which rules a harness turns off."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from assay.bench.figures import KEYS
from assay.bench.main import figures, written
from assay.bench.measure import Measured, PathsDisagree, Turns, Workers, differences, is_excused, offs
from assay.bench.messages import End, HarnessName, RoundCost, RoundResult, Seen
from assay.bench.worker import drawn_off
from oracles.rules.rule import Rule
from oracles.rules.switch import Excluded, Reference

AGREE: End = ("agree", None, None)
VACUOUS: End = ("vacuous", None, None)
FINDING: End = ("finding", "rule", "on")
OTHER: End = ("finding", "engine", "duckdb")
NOBODY: End = ("finding", "rule", "unknown")
EXCUSED: End = ("excused", "rule", "off")
RAISED: End = ("raised", None, None)
COST = RoundCost(seconds=2.0, python_seconds=0.5, jvm_seconds=1.0, python_memory=2**27, jvm_memory=2**29)
RULES = [
    Rule(name=name, rule_name=f"a.{name}", batch="batch", switch=Excluded((f"a.{name}",)))
    for name in ("One", "Two", "Three")
]
STOOD_IN = Rule(name="Four", rule_name="a.Four", batch="batch", switch=Reference(("Except",)))


def done(*ends: End, cost: RoundCost = COST) -> RoundResult:
    return RoundResult(tuple(Seen(f"case {place}", end, ("One",)) for place, end in enumerate(ends)), cost)


def found(naive: End, plain: End, fast: End) -> list[tuple[str, bool]]:
    """The marks of differing cases, and whether a known divergence accounts for them."""
    results: dict[HarnessName, RoundResult] = {
        "naive": done(AGREE, naive),
        "plain": done(AGREE, plain),
        "fast": done(AGREE, fast),
    }
    return [(each.mark, is_excused(each)) for each in differences(results)]


@pytest.mark.parametrize(
    "ends",
    [(AGREE, AGREE, AGREE), (VACUOUS, AGREE, VACUOUS), (FINDING, FINDING, FINDING), (RAISED, RAISED, RAISED)],
    ids=["agree", "whether a rule fired", "found by all", "raised by all"],
)
def test_same_ends_are_no_difference(ends: tuple[End, End, End]) -> None:
    assert found(*ends) == []


@pytest.mark.parametrize(
    "ends",
    [(AGREE, AGREE, FINDING), (FINDING, AGREE, AGREE), (OTHER, FINDING, FINDING), (AGREE, RAISED, AGREE)],
    ids=["found by one", "missed by two", "another blame", "raised by one"],
)
def test_other_ends_are_a_difference(ends: tuple[End, End, End]) -> None:
    assert found(*ends) == [("case 1", False)]


def test_a_known_divergence_may_show_on_some_plans_only() -> None:
    assert found(AGREE, EXCUSED, VACUOUS) == [("case 1", True)]


def test_a_known_divergence_is_no_excuse_for_a_finding() -> None:
    assert found(FINDING, EXCUSED, AGREE) == [("case 1", False)]


@pytest.mark.parametrize(
    ("naive", "plain", "fast", "known"),
    [
        (NOBODY, EXCUSED, EXCUSED, True),
        (NOBODY, EXCUSED, AGREE, False),
        (NOBODY, AGREE, AGREE, False),
        (("finding", "internal", "unknown"), EXCUSED, EXCUSED, False),
        (OTHER, EXCUSED, EXCUSED, False),
    ],
    ids=["excused by both others", "by one", "by none", "of another kind", "blamed on an engine"],
)
def test_the_naive_harness_may_blame_nobody_for_what_the_others_excuse(
    naive: End, plain: End, fast: End, known: bool
) -> None:
    assert found(naive, plain, fast) == [("case 1", known)]


def test_a_case_that_was_not_drawn_is_a_difference() -> None:
    results: dict[HarnessName, RoundResult] = {"plain": done(AGREE), "fast": done(AGREE, AGREE)}
    assert [each.mark for each in differences(results)] == ["case 1"]


def test_the_others_are_told_what_was_off() -> None:
    assert offs(done(AGREE, VACUOUS)) == {"case 0": ("One",), "case 1": ("One",)}


@pytest.mark.parametrize(
    ("lot", "names"),
    [
        ((True, 1), ["One", "Two", "Three"]),
        ((False, 0b110), ["Two", "Three"]),
        ((False, 1), ["One"]),
        ((False, 0b1000), ["One"]),
    ],
    ids=["all", "two", "the first", "none of these: the first"],
)
def test_a_lot_takes_some_of_the_rules_that_acted(lot: tuple[bool, int], names: list[str]) -> None:
    assert [rule.name for rule in drawn_off(lot, [*RULES, STOOD_IN])] == names


@pytest.mark.parametrize("lot", [(True, 1), (False, 1)], ids=["all", "some"])
def test_where_only_a_reference_operator_could_stand_in_nothing_is_off(lot: tuple[bool, int]) -> None:
    assert list(drawn_off(lot, [STOOD_IN])) == []


def test_both_results_of_a_difference_are_on_disk(tmp_path: Path) -> None:
    results = {"0a": {"fast": {"kind": "rule"}, "naive": {"kind": None}}}
    files = written(tmp_path, PathsDisagree(results))
    assert [file.relative_to(tmp_path).as_posix() for file in files] == ["paths/0a.fast.json", "paths/0a.naive.json"]
    assert [json.loads(file.read_text())["kind"] for file in files] == ["rule", None]


def turns() -> Turns:
    fast = done(*[AGREE] * 10)
    slower = {"naive": replace(COST, seconds=80.0), "plain": replace(COST, seconds=20.0)}
    others: dict[HarnessName, list[RoundResult]] = {
        "naive": [done(*[AGREE] * 10, cost=slower["naive"])] * 2,
        "plain": [done(*[AGREE] * 10, cost=slower["plain"])] * 2,
    }
    return Turns({**others, "fast": [fast, fast]}, (0.1, None))


def test_figures_are_ratios_of_rates() -> None:
    made = figures(Measured(turns=turns(), workers=Workers((10.0, 20.0), (15.0, 40.0))))
    medians = {key: getattr(value, "median", value) for key, value in made.items()}
    assert tuple(medians) == KEYS
    assert medians == {
        "fast_over_naive": pytest.approx(40.0),
        "plain_over_naive": pytest.approx(4.0),
        "databases_over_naive": None,
        "check_over_catalyst": pytest.approx(2.0),
        "two_workers_over_one": pytest.approx(1.75),
        "last_tenth_over_second": None,
        "seconds_of_long_run": None,
    }


def test_without_a_floor_nothing_is_divided_by_it() -> None:
    made = figures(Measured(turns=replace(turns(), floors=(None, None))))
    assert made["check_over_catalyst"] is None
