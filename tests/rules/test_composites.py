"""Composite shapes bring the rules together that they are there for."""

from __future__ import annotations

from datetime import date

import pytest

from oracles.checks.choices import all_that_changed
from oracles.triage.bisect import guilty_rules
from oracles.triage.divergences import fitting
from strategies.shapes.composites import COMPOSITES
from tests.rules.shape_checks import DIVERGENCES, drawn, mostly

DRAWS = 24
SET_OPERATORS = {
    "ReplaceExceptWithAntiJoin",
    "ReplaceIntersectWithSemiJoin",
    "RewriteExceptAll",
    "RewriteIntersectAll",
    "ReplaceDistinctWithAggregate",
}
TOGETHER = {
    "aggregate over an eliminated outer join": ("EliminateOuterJoin", {"ColumnPruning"}),
    "filter through a union under a set operator": ("PushDownPredicates", SET_OPERATORS),
    "window over pruned columns": ("ColumnPruning", {"CollapseProject"}),
    "limit over a union over an outer join": ("LimitPushDown", {"ColumnPruning"}),
    "subquery over an aggregate": ("RewritePredicateSubquery", {"PushDownPredicates"}),
    "limit over random values over an order": ("PushDownPredicates", {"ColumnPruning"}),
    "set operator over a distinct join": ("EliminateOuterJoin", SET_OPERATORS),
}


def test_every_composite_says_what_comes_together():
    assert TOGETHER.keys() == COMPOSITES.keys()


@pytest.mark.parametrize("name", COMPOSITES)
def test_both_rules_act_in_most_draws_and_the_answers_are_right(harness, name):
    one, others = TOGETHER[name]

    def are_together(check):
        return one in check.changed_plan and bool(others & set(check.changed_plan))

    def checked(count):
        return [harness.check(case, all_that_changed, fast=True) for case in drawn(COMPOSITES[name](), count)]

    found = mostly(checked, DRAWS, 0.6, are_together)
    assert sum(map(are_together, found)) >= 0.6 * len(found)
    assert not [check.verdict for check in found if check.verdict.name == "finding" and not _known(harness, check)]


def _known(harness, check):
    guilty = {harness.catalogue.whole(name) for name in guilty_rules(harness, check)}
    return bool(fitting(DIVERGENCES, check, guilty, harness.spark.version, date.today()))
