"""The catalogue: what the running Spark lists, with what is known of its rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.rules.catalogue import (
    Catalogue,
    Discovered,
    MissingRule,
    UnknownRule,
    can_go_off,
    in_release,
    short_name,
)
from oracles.rules.entries.known import KNOWN
from oracles.rules.rule import Rule
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
ENTRIES = [rule for rule in KNOWN if rule.rule_name in {found.rule_name for found in LISTED}]
PART = Rule(
    name="Part",
    rule_name=OPTIMIZER + "Part",
    batch="",
    switch=Excluded((OPTIMIZER + "EliminateOuterJoin",)),
    law="a law",
    tracked_as=OPTIMIZER + "EliminateOuterJoin",
    evidence=lambda before, after: True,
)
CATALOGUE = Catalogue.of_release(LISTED, {"Mine": "my.Mine"}, release="4.3.0", entries=ENTRIES)


def test_a_release_has_each_rule_once_in_its_order_and_then_the_injected() -> None:
    assert [rule.name for rule in CATALOGUE.rules] == [
        "FinishAnalysis",
        "ReplaceExceptWithFilter",
        "RewriteExceptAll",
        "ConstantFolding",
        "EliminateOuterJoin",
        "PropagateEmptyRelation",
        "Mine",
    ]


SWITCHES = {
    "FinishAnalysis": None,
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


WITH_A_SWITCH = [rule for rule in KNOWN if rule.switch is not None and not rule.tracked_as]


@pytest.mark.parametrize("rule", WITH_A_SWITCH, ids=lambda rule: rule.name)
@pytest.mark.parametrize("excludable", [False, True], ids=["not excludable", "excludable"])
def test_a_switch_of_its_own_stays_whatever_the_release_says(rule: Rule, excludable: bool) -> None:
    listed = [Discovered("Some Batch", rule.rule_name, excludable)]
    assert Catalogue.of_release(listed, release="4.3.0", entries=[rule]).rules == (rule,)


@pytest.mark.parametrize(
    ("excludable", "switch"),
    [(False, None), (True, Excluded((OPTIMIZER + "X",)))],
    ids=["not excludable", "excludable"],
)
def test_an_entry_without_a_switch_goes_off_as_the_release_says(excludable: bool, switch: Excluded | None) -> None:
    entry = Rule(name="X", rule_name=OPTIMIZER + "X", batch="Some Batch", switch=None, law="a law")
    listed = [Discovered("Some Batch", OPTIMIZER + "X", excludable)]
    rule = Catalogue.of_release(listed, release="4.3.0", entries=[entry]).rule("X")
    assert (rule.switch, rule.law) == (switch, "a law")


def test_a_rule_without_which_some_plans_do_not_run_has_no_switch_whatever_the_release_says() -> None:
    entry = Rule(name="X", rule_name=OPTIMIZER + "X", batch="Some Batch", switch=None, needed=True)
    listed = [Discovered("Some Batch", OPTIMIZER + "X", excludable=True)]
    assert Catalogue.of_release(listed, release="4.3.0", entries=[entry]).rule("X").switch is None


def test_a_release_without_a_rule_that_it_should_have_is_refused_by_name() -> None:
    with pytest.raises(MissingRule, match=r"Spark 4\.3\.0 should have Part, ReplaceExceptWithFilter, and has not"):
        Catalogue.of_release(LISTED[:1], release="4.3.0", entries=[*ENTRIES[:1], PART])


def test_a_rule_of_other_releases_is_left_out() -> None:
    entry = Rule(name="X", rule_name=OPTIMIZER + "X", batch="Some Batch", switch=None, law="a law", releases=">=4.4")
    assert [rule.name for rule in Catalogue.of_release(LISTED[:1], release="4.3.0", entries=[entry]).rules] == [
        "Optimizer$FinishAnalysis"
    ]


@pytest.mark.parametrize(
    ("releases", "release", "inside"),
    [
        (">=3.5", "4.3.0", True),
        (">=3.5", "3.4.2", False),
        (">=3.5,<4.1", "4.0.1", True),
        (">=3.5,<4.1", "4.1.0", False),
        (">=4.4", "4.4.0-SNAPSHOT", True),
        (">=3.5", "a build", False),
    ],
)
def test_releases_are_read_as_version_specifiers(releases: str, release: str, inside: bool) -> None:
    assert in_release(Rule(name="X", rule_name="X", batch="", switch=None, releases=releases), release) == inside


def test_a_part_can_be_named_and_goes_off_with_its_carrier_unasked() -> None:
    catalogue = Catalogue.of_release(LISTED, release="4.3.0", entries=[*ENTRIES, PART])
    assert catalogue.rule("Part") is PART
    assert PART not in catalogue.named([PART.carrier])
    assert PART not in catalogue.switchable()


def test_a_part_that_a_batch_lists_is_tracked_there_and_its_carrier_offered() -> None:
    entry = replace(PART, batch="A Batch")
    listed = [*LISTED, Discovered("A Batch", PART.rule_name, True)]
    catalogue = Catalogue.of_release(listed, release="4.3.0", entries=[*ENTRIES, entry])
    assert catalogue.named([PART.rule_name]) == [entry]
    assert [rule.name for rule in catalogue.offered([PART.rule_name])] == ["EliminateOuterJoin"]
    assert [rule.name for rule in catalogue.offered([PART.carrier, PART.rule_name])] == ["EliminateOuterJoin"]


@pytest.mark.parametrize(
    ("name", "whole"), [("Part", "EliminateOuterJoin"), ("RewriteExceptAll", "RewriteExceptAll"), ("Mine", "Mine")]
)
def test_a_part_is_known_by_its_whole(name: str, whole: str) -> None:
    catalogue = Catalogue.of_release(LISTED, {"Mine": "my.Mine"}, release="4.3.0", entries=[*ENTRIES, PART])
    assert catalogue.whole(name) == whole


def test_only_what_may_go_off_unasked_is_offered() -> None:
    assert [rule.name for rule in CATALOGUE.offered(found.rule_name for found in LISTED)] == [
        rule.name for rule in CATALOGUE.switchable() if rule.name != "Mine"
    ]


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        (Rule(name="X", rule_name="a.X", batch="", switch=None), {"a.X"}),
        (Rule(name="X", rule_name="a.X", batch="", switch=ByConf("k", "v")), {"a.X"}),
        (Rule(name="X", rule_name="a.X", batch="", switch=Excluded(("a.X", "a.Y"))), {"a.X", "a.Y"}),
        (Rule(name="X", rule_name="a.X", batch="", switch=Excluded(("a.Y",)), tracked_as="a.Z"), {"a.X", "a.Y", "a.Z"}),
    ],
    ids=["no switch", "a setting", "an exclusion of two", "a part"],
)
def test_a_switch_has_to_turn_off_all_that_it_names(rule: Rule, names: set[str]) -> None:
    assert rule.turned_off == names


@pytest.mark.parametrize(
    ("name", "able"),
    [
        ("FinishAnalysis", False),
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


@pytest.mark.parametrize(
    "name", ["ConstantFolding", "EliminateOffsets", "CheckCartesianProducts", "RewriteWithExpression"]
)
def test_a_rule_that_stays_on_says_why_and_can_still_be_named(name: str) -> None:
    listed = [Discovered("A Batch", OPTIMIZER + name, True)]
    rule = Catalogue.of_release(listed, release="4.3.0", entries=()).rule(name)
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
def test_a_known_rule_states_its_law(rule: Rule) -> None:
    assert rule.law


@pytest.mark.parametrize("rule", KNOWN, ids=lambda rule: rule.name)
def test_a_part_has_evidence_and_goes_off_with_its_carrier(rule: Rule) -> None:
    assert bool(rule.tracked_as) == (rule.evidence is not None)
    wholes = [whole for whole in KNOWN if whole.rule_name == rule.tracked_as]
    assert bool(wholes) == bool(rule.tracked_as)
    assert all((rule.switch is None) == (whole.switch is None) for whole in wholes)


BROUGHT = Catalogue.of_release(
    [*LISTED, Discovered("User Provided", "com.acme.Swaps", True)],
    {"Mine": "my.Mine"},
    release="4.3.0",
    entries=ENTRIES,
    brought=["com.acme.Swaps", "com.acme.one.Twice", "com.acme.two.Twice", "com.acme.Mine", "com.acme.Ext.check.3"],
)


def test_the_rules_of_extensions_are_called_by_the_last_part_of_their_class_where_that_is_free() -> None:
    own = {rule.name: rule.switch for rule in BROUGHT.rules[-5:]}
    assert own == {
        "Swaps": Injected("com.acme.Swaps"),
        "com.acme.one.Twice": Injected("com.acme.one.Twice"),
        "com.acme.two.Twice": Injected("com.acme.two.Twice"),
        "com.acme.Mine": Injected("com.acme.Mine"),
        "com.acme.Ext.check.3": Injected("com.acme.Ext.check.3"),
    }
