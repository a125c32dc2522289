"""The catalogue: what the running Spark lists, with what is known of its rules."""

from __future__ import annotations

import pytest

from oracles.rules.catalogue import KNOWN, Catalogue, Discovered, Rule, UnknownRule, can_go_off, short_name
from oracles.rules.switch import ByConf, Excluded, Injected, Reference

OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer."
AQE_PARTNER = "org.apache.spark.sql.execution.adaptive.AQEPropagateEmptyRelation"
LISTED = (
    Discovered("Finish Analysis", OPTIMIZER + "Optimizer$FinishAnalysis", False),
    Discovered("Replace Operators", OPTIMIZER + "ReplaceExceptWithFilter", False),
    Discovered("Replace Operators", OPTIMIZER + "RewriteExceptAll", False),
    Discovered("Operator Optimization", OPTIMIZER + "ConstantFolding", True),
    Discovered("Operator Optimization", OPTIMIZER + "EliminateOuterJoin", True),
    Discovered("Operator Optimization again", OPTIMIZER + "EliminateOuterJoin", True),
    Discovered("LocalRelation", OPTIMIZER + "PropagateEmptyRelation", True),
    Discovered("AQE Propagate Empty Relations", AQE_PARTNER, True),
)
CATALOGUE = Catalogue.of_release(LISTED, {"Mine": "my.Mine"})


def test_a_release_has_each_rule_once_in_its_order_and_then_the_injected() -> None:
    assert [rule.name for rule in CATALOGUE.rules] == [
        "Optimizer$FinishAnalysis",
        "ReplaceExceptWithFilter",
        "RewriteExceptAll",
        "ConstantFolding",
        "EliminateOuterJoin",
        "PropagateEmptyRelation",
        "Mine",
    ]


SWITCHES = {
    "Optimizer$FinishAnalysis": None,
    "ReplaceExceptWithFilter": ByConf("spark.sql.optimizer.replaceExceptWithFilter", "false"),
    "RewriteExceptAll": Reference(("ExceptAll",)),
    "ConstantFolding": Excluded((OPTIMIZER + "ConstantFolding",)),
    "EliminateOuterJoin": Excluded((OPTIMIZER + "EliminateOuterJoin",)),
    "PropagateEmptyRelation": Excluded((OPTIMIZER + "PropagateEmptyRelation", AQE_PARTNER)),
    "Mine": Injected("Mine"),
}


@pytest.mark.parametrize(("name", "switch"), SWITCHES.items(), ids=SWITCHES)
def test_each_rule_goes_off_its_own_way(name: str, switch: object) -> None:
    assert CATALOGUE.rule(name).switch == switch


@pytest.mark.parametrize("rule", KNOWN, ids=lambda rule: rule.name)
@pytest.mark.parametrize("excludable", [False, True], ids=["not excludable", "excludable"])
def test_a_known_rule_keeps_its_entry_whatever_the_release_says(rule: Rule, excludable: bool) -> None:
    assert Catalogue.of_release([Discovered("Some Batch", rule.rule_name, excludable)]).rules == (rule,)


def test_a_known_rule_that_the_release_lacks_is_left_out() -> None:
    assert Catalogue.of_release(LISTED[:1]).named([rule.rule_name for rule in KNOWN]) == []


@pytest.mark.parametrize(
    ("name", "able"),
    [
        ("Optimizer$FinishAnalysis", False),
        ("ConstantFolding", False),
        ("EliminateOuterJoin", True),
        ("ReplaceExceptWithFilter", True),
        ("RewriteExceptAll", True),
        ("Mine", True),
    ],
)
def test_only_rules_with_a_switch_and_without_a_reason_to_stay_go_off_unasked(name: str, able: bool) -> None:
    assert can_go_off(CATALOGUE.rule(name)) == able
    assert (CATALOGUE.rule(name) in CATALOGUE.switchable()) == able


@pytest.mark.parametrize("name", ["ConstantFolding", "EliminateOffsets", "CheckCartesianProducts"])
def test_a_rule_that_stays_on_says_why_and_can_still_be_named(name: str) -> None:
    rule = Catalogue.of_release([Discovered("A Batch", OPTIMIZER + name, True)]).rule(name)
    assert rule.keep
    assert rule.switch == Excluded((OPTIMIZER + name,))


@pytest.mark.parametrize("name", ["EliminateOuterJoin", OPTIMIZER + "EliminateOuterJoin"])
def test_a_rule_answers_to_its_short_and_to_its_full_name(name: str) -> None:
    assert CATALOGUE.rule(name).rule_name == OPTIMIZER + "EliminateOuterJoin"


@pytest.mark.parametrize("name", ["EliminateOuterJoins", "eliminateouterjoin", "", "x\ny", "RewriteIntersectAll"])
def test_an_unknown_rule_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(UnknownRule) as refused:
        CATALOGUE.rule(name)
    assert str(refused.value).startswith(f"no rule called {name!r}")
    assert len(str(refused.value).splitlines()) == 1


def test_a_misspelt_rule_is_refused_with_what_was_meant() -> None:
    with pytest.raises(UnknownRule, match=r"EliminateOuterJoin\b"):
        CATALOGUE.rule("EliminateOuterJoins")


def test_named_rules_come_in_the_catalogues_order_and_others_are_passed_over() -> None:
    seen = [AQE_PARTNER, "Mine", OPTIMIZER + "EliminateOuterJoin", OPTIMIZER + "ReplaceExceptWithFilter"]
    assert [rule.name for rule in CATALOGUE.named(seen)] == ["ReplaceExceptWithFilter", "EliminateOuterJoin", "Mine"]


@pytest.mark.parametrize(
    ("rule_name", "name"),
    [
        (OPTIMIZER + "EliminateOuterJoin", "EliminateOuterJoin"),
        (OPTIMIZER + "Optimizer$FinishAnalysis", "Optimizer$FinishAnalysis"),
        ("Mine", "Mine"),
    ],
)
def test_the_short_name_is_the_last_part(rule_name: str, name: str) -> None:
    assert short_name(rule_name) == name


@pytest.mark.parametrize("rule", KNOWN, ids=lambda rule: rule.name)
def test_a_known_rule_states_its_law_and_can_go_off(rule: Rule) -> None:
    assert rule.law
    assert can_go_off(rule)
    assert rule.rule_name == OPTIMIZER + rule.name
