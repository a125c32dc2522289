"""The rules that a verification names, and the end of a run of several."""

from __future__ import annotations

import pytest

from assay.session.ending import Exit
from assay.session.mutant_sources import load_mutants
from assay.session.options import parse_rule
from assay.verify.chosen import all_mutants, shaped_rules
from assay.verify.main import exit_of
from strategies.shapes import load_shapes


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        (["verified", "verified"], Exit.GREEN),
        (["verified", "undecided"], Exit.UNDECIDED),
        (["never fired"], Exit.UNDECIDED),
        (["never fired", "refuted", "verified"], Exit.FOUND),
    ],
)
def test_the_worst_verdict_is_the_end(outcomes, code):
    assert exit_of(outcomes) == code


def test_all_are_the_rules_of_spark_with_a_shape():
    """Shapes of rules of one's own are none of Spark's, which has all others in this release."""
    names = [request.name for request in shaped_rules((1, 1))]
    assert names == [name for name, shape in load_shapes().items() if not shape.own]


@pytest.mark.parametrize("total", [1, 3, 8])
def test_each_rule_is_in_one_shard(total):
    shards = [(number, total) for number in range(1, total + 1)]
    rules = [request.name for shard in shards for request in shaped_rules(shard)]
    mutants = [name for shard in shards for name in all_mutants(shard)]
    assert sorted(rules) == [request.name for request in shaped_rules((1, 1))]
    assert sorted(mutants) == sorted(mutant.name for mutant in load_mutants())


def test_a_rule_that_is_named_beside_all_is_not_there_twice(tmp_path):
    known = parse_rule("CombineFilters", tmp_path)
    assert "CombineFilters" not in {request.name for request in shaped_rules((1, 1), [known])}
