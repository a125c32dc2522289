"""The names that a rule's class mentions, and the aim that becomes of them."""

from __future__ import annotations

import pytest

from assay.fuzz.aim import aim_of
from oracles.engines.protocol import RuleNames
from oracles.rules.rule import OPTIMIZER

MENTIONED = {
    "operators": ("PushDownLeftSemiAntiJoin", {"Aggregate", "Join", "Union", "Window"}, {"Generate"}),
    "extractors": ("ConvertToLocalRelation", {"Limit"}, {"LocalRelation", "OffsetAndLimit"}),
    "expressions": ("LikeSimplification", {"Like", "StartsWith", "EqualTo"}, {"IsNull", "Sum"}),
    "functions": ("LikeSimplification", {"like", "length"}, {"startswith", "trim"}),
    "joins": ("EliminateOuterJoin", {"LeftOuter", "RightOuter", "FullOuter", "Inner"}, {"LeftSemi", "Cross"}),
    "types": ("UnwrapCastInBinaryComparison", {"DateType", "LongType"}, {"BinaryType"}),
    "conf": (
        "OptimizeIn",
        {"spark.sql.optimizer.inSetConversionThreshold"},
        {"spark.sql.optimizer.maxIterations", "spark.sql.caseSensitive"},
    ),
    "literals": ("SimplifyBinaryComparison", {"TrueLiteral", "FalseLiteral"}, {"IntegerLiteral"}),
}
"""By kind of name, a rule, names that it mentions, and names that it doesn't."""


@pytest.mark.parametrize(("kind", "rule", "there", "not_there"), [(kind, *each) for kind, each in MENTIONED.items()])
def test_a_class_says_what_it_mentions(harness, kind, rule, there, not_there):
    found = set(getattr(harness.spark.names_of(OPTIMIZER + rule), kind))
    assert there <= found
    assert not not_there & found


def test_a_class_that_is_not_there_mentions_nothing(harness):
    assert harness.spark.names_of("com.acme.NoRule") == RuleNames()


def test_a_rule_of_a_file_says_what_it_mentions(harness):
    """Not of its own class file alone, but of those nested in it as well."""
    names = harness.spark.names_of(harness.spark.injected["WritesAndAsOr"])
    assert "And" in names.expressions
    assert "And" in aim_of(names).expressions


def test_a_rule_says_what_others_of_its_package_mention_for_it(harness):
    """The class from which several rules are derived names the operator."""
    assert "Filter" in harness.spark.names_of(harness.spark.injected["WritesAndAsOr"]).operators


def test_a_rule_says_which_operators_of_data_sources_it_mentions(harness):
    rule = "org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown"
    names = harness.spark.names_of(rule)
    assert "DataSourceV2ScanRelation" in names.operators
    assert aim_of(names).accepting


def test_a_rule_of_sparks_says_nothing_of_its_neighbours(harness):
    assert "PythonUDF" not in harness.spark.names_of(OPTIMIZER + "CombineFilters").expressions
