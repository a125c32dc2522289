"""A rule's own source file is what its coverage is about, and a JVM that is gone takes its counts along."""

from __future__ import annotations

from assay.coverage.own_rule import OwnProbes, RuleCoverage
from assay.coverage.parts import Part
from oracles.engines.spark.probes import Block, BlockKey

BLOCKS = {
    number: Block(BlockKey("com.acme.MyRule$", "apply()V", number), "MyRule.scala", lines, why)
    for number, (lines, why) in enumerate([((20,), ""), ((31, 34), ""), ((40,), "dead code"), ((20,), "")])
}


def coverage(*ran):
    return RuleCoverage(Part("MyRule", True, BLOCKS, {2: "dead code"}), frozenset(ran))


def test_the_lines_that_never_ran_are_named():
    assert coverage(0, 3).lines() == ["MyRule: lines 31-34 of MyRule.scala never ran"]
    assert coverage(0, 1).lines() == ["MyRule: in part: 20 of MyRule.scala"]


def test_nothing_is_said_of_a_rule_that_ran_as_a_whole():
    assert coverage(0, 1, 3).lines() == []


def test_a_summary_has_ranges():
    told = coverage(0, 3).summary()
    assert told == {"blocks": 4, "ran": 2, "never_run": {"MyRule.scala": [[31, 34]]}}


def test_without_classes_no_session_is_started():
    none = OwnProbes({})
    none.begin(None)
    assert none.of("MyRule", None) is None
