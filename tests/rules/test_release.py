"""The catalogue against the rules of the running Spark."""

from __future__ import annotations

import pytest

from assay.session.rule_names import require_rules
from oracles.rules.catalogue import in_release
from oracles.rules.entries.known import KNOWN
from oracles.rules.entries.unreached import RELEASES, UNREACHED
from oracles.rules.releases import is_among
from oracles.rules.switch import Injected
from tests.unit.command_lines import shared

NAMES = [rule.name for rule in KNOWN]


@pytest.mark.parametrize("rule", KNOWN, ids=NAMES)
def test_an_entry_is_in_the_releases_that_it_names_and_in_no_other(harness, rule):
    found = {rule.rule_name for rule in harness.catalogue.rules}
    assert (rule.rule_name in found) == in_release(rule, harness.spark.version)


def test_a_rule_of_spark_is_asked_for_by_the_name_of_its_class(harness):
    named = [rule.name for rule in harness.catalogue.rules if not isinstance(rule.switch, Injected)]
    require_rules(shared(*(f"--rule={name}" for name in named)))
    assert len(named) > len(KNOWN) / 2


@pytest.mark.parametrize("rule", [rule for rule in KNOWN if rule.batch], ids=lambda rule: rule.name)
def test_an_entry_says_the_rules_batch(harness, rule):
    batches = {found.batch for found in harness.spark.discovered() if found.rule_name == rule.rule_name}
    assert rule.batch in batches


@pytest.mark.parametrize("name", UNREACHED)
def test_what_is_said_to_be_out_of_reach_is_a_rule_of_the_releases_that_are_said_to_have_it(harness, name):
    there = is_among(harness.spark.version, RELEASES.get(name, ">=3.5"))
    assert (name in harness.catalogue.by_name) == there
