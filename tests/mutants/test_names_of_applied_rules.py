"""A rule that mentions few operators itself is aimed at what the rules of Spark's mention that it applies."""

from __future__ import annotations

import pytest

from assay.fuzz.aim import aim_of
from oracles.checks.check import Harness

pytestmark = pytest.mark.by("general")


def test_a_rule_of_few_operators_says_what_the_rule_mentions_that_it_applies(harness: Harness) -> None:
    names = harness.spark.names_of(harness.spark.injected["MergeSubplansForgetsFilter"])
    assert {"Aggregate", "Project", "WithCTE"} <= set(names.operators)
    assert "ScalarSubquery" in aim_of(names).operators


def test_a_rule_of_many_operators_says_its_own_alone(harness: Harness) -> None:
    names = harness.spark.names_of(harness.spark.injected["PruneFiltersOneBranch"])
    assert "Union" in names.operators
    assert "PythonUDF" not in names.expressions


def test_a_rule_reads_the_configuration_that_helpers_of_the_rule_read_that_it_applies(harness: Harness) -> None:
    names = harness.spark.names_of(harness.spark.injected["MergeSubplansForgetsFilter"])
    assert any(".mergeSubplans.filterPropagation." in key for key in names.conf)
    assert "filters of subplans" in aim_of(names).groups
