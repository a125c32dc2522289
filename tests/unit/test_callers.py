"""Rules that do other rules' work: they go off with these, or the off leg proves nothing about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assay.fuzz.policy import draw_fixed, draw_one, draw_subset
from oracles.checks.choices import with_their_callers
from oracles.checks.legs import Fired, fired_of, plans_differ
from oracles.engines.protocol import LegReport
from oracles.rules.catalogue import Catalogue, Discovered
from oracles.rules.rule import OPTIMIZER, Rule, with_callers
from oracles.rules.switch import Excluded

NAMES = (
    "PushDownPredicates",
    "ReplaceExceptWithFilter",
    "CombineUnions",
    "EliminateSorts",
    "LimitPushDown",
    "PullupCorrelatedPredicates",
    "BooleanSimplification",
)
KEPT_ON = ("PullupCorrelatedPredicates", "ReplaceExceptWithFilter")
LISTED = [Discovered("a batch", OPTIMIZER + name, name not in KEPT_ON) for name in NAMES]
COMBINE = Rule(
    name="CombineFilters",
    rule_name=OPTIMIZER + "CombineFilters",
    batch="",
    switch=Excluded((OPTIMIZER + "PushDownPredicates",)),
    tracked_as=OPTIMIZER + "PushDownPredicates",
    evidence=lambda before, after: True,
)
CATALOGUE = Catalogue.of_release(LISTED, {"Mine": "my.Mine"}, release="4.3.0", entries=[COMBINE])


def rules(*names: str) -> list[Rule]:
    return [CATALOGUE.rule(name) for name in names]


def names_of(found: Any) -> list[str]:
    return [rule.name for rule in found]


@pytest.mark.parametrize(
    ("release", "rule", "callers"),
    [
        ("4.3.0", "EliminateSorts", {"LimitPushDown"}),
        ("3.5.9", "EliminateSorts", set()),
        ("4.3.0", "BooleanSimplification", {"PullupCorrelatedPredicates"}),
        ("4.3.0", "PushDownPredicates", {"ReplaceExceptWithFilter"}),
        ("4.3.0", "CombineFilters", {"ReplaceExceptWithFilter"}),
        ("4.3.0", "CombineUnions", set()),
        ("4.3.0", "Mine", set()),
    ],
    ids=["called", "not called yet", "by a rule that stays on", "of a part", "not its carrier", "none", "injected"],
)
def test_a_release_says_who_does_a_rules_work(release: str, rule: str, callers: set[str]) -> None:
    catalogue = Catalogue.of_release(LISTED, {"Mine": "my.Mine"}, release=release, entries=[COMBINE])
    found = {name.removeprefix(OPTIMIZER) for name in catalogue.rule(rule).callers}
    assert found - {"org.apache.spark.sql.execution.datasources.V1Writes"} == callers


@pytest.mark.parametrize(
    ("chosen", "among", "off"),
    [
        (["EliminateSorts"], NAMES, ["EliminateSorts", "LimitPushDown"]),
        (["EliminateSorts"], ["EliminateSorts", "CombineUnions"], ["EliminateSorts"]),
        (["LimitPushDown"], NAMES, ["LimitPushDown"]),
        (["LimitPushDown", "EliminateSorts"], NAMES, ["LimitPushDown", "EliminateSorts"]),
        (["Mine"], NAMES, ["Mine"]),
        ([], NAMES, []),
    ],
    ids=["with its caller", "whose caller did nothing", "the caller alone", "both already", "injected", "none"],
)
def test_callers_go_off_with_the_rule(chosen: list[str], among: list[str], off: list[str]) -> None:
    changed_plan = rules(*among)
    assert names_of(with_callers(rules(*chosen), changed_plan)) == off
    assert names_of(with_their_callers(rules(*chosen))(changed_plan)) == off
    assert names_of(draw_fixed(rules(*chosen))(None, changed_plan)) == off  # type: ignore[arg-type]  # draws nothing


class _First:
    """Draws the first of all that there is."""

    def draw(self, strategy: object, label: str) -> set[int]:
        return {0}


def test_a_drawn_subset_has_the_callers_of_its_rules() -> None:
    drawn: Any = _First()
    assert names_of(draw_subset(drawn, rules("EliminateSorts", "CombineUnions", "LimitPushDown"))) == [
        "EliminateSorts",
        "LimitPushDown",
    ]
    assert names_of(draw_subset(drawn, rules("LimitPushDown", "EliminateSorts"))) == ["LimitPushDown"]


class _Offered:
    """Draws the last of all that there is, and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def draw(self, strategy: Any, label: str) -> int:
        self.asked.append(label)
        return int(list(strategy.elements)[-1])


@pytest.mark.parametrize(
    ("named", "among", "off", "draws"),
    [
        (["CombineUnions", "EliminateSorts"], NAMES, ["EliminateSorts", "LimitPushDown"], 1),
        (["CombineUnions", "EliminateSorts"], ["CombineUnions"], ["CombineUnions"], 0),
        (["EliminateSorts", "CombineUnions"], [], ["CombineUnions"], 1),
        (["EliminateSorts"], NAMES, ["EliminateSorts", "LimitPushDown"], 0),
    ],
    ids=["both acted", "one acted", "none acted", "one is named"],
)
def test_of_several_named_rules_one_goes_off_with_its_callers(
    named: list[str], among: list[str], off: list[str], draws: int
) -> None:
    """With all of them off, another rule's work would be evidence about each."""
    data: Any = _Offered()
    assert names_of(draw_one(rules(*named))(data, rules(*among))) == off
    assert len(data.asked) == draws


def report(*changed_plan: str, plan: str = "a plan") -> LegReport:
    return LegReport(outcome=None, changed_plan=frozenset(OPTIMIZER + name for name in changed_plan), plan=plan)


ON = report("EliminateSorts", "LimitPushDown", "BooleanSimplification", plan="another plan")


@pytest.mark.parametrize(
    ("off", "fired"),
    [
        (report(), Fired(("EliminateSorts", "BooleanSimplification"), ())),
        (report("LimitPushDown"), Fired(("BooleanSimplification",), ("EliminateSorts",))),
        (report("LimitPushDown", "PullupCorrelatedPredicates"), Fired((), ("EliminateSorts", "BooleanSimplification"))),
        (report("EliminateSorts"), Fired(("BooleanSimplification",), ())),
        (None, Fired(("EliminateSorts", "BooleanSimplification"), ())),
    ],
    ids=["no caller on", "one caller on", "callers of all on", "still on itself", "no off leg"],
)
def test_a_rule_whose_caller_was_at_work_on_the_off_leg_was_not_off(off: LegReport | None, fired: Fired) -> None:
    assert fired_of(rules("EliminateSorts", "BooleanSimplification", "CombineUnions"), ON, off, {}) == fired


@pytest.mark.parametrize(
    ("off", "differ"),
    [(report(), True), (replace(ON), False), (None, False)],
    ids=["another plan", "the same plan", "no off leg"],
)
def test_plans_differ_only_where_there_are_two(off: LegReport | None, differ: bool) -> None:
    assert plans_differ(ON, off) == differ
