"""Every rule that the articles name is in the catalogue: as data, so that none is lost where entries are moved."""

from __future__ import annotations

import pytest

from assay.session.own_rule import AS_WRITTEN, own_rule
from oracles.rules.entries.known import KNOWN
from oracles.rules.rule import Rule

BEFORE, AFTER = (f"Operator Optimization {place} Inferring Filters" for place in ("before", "after"))
NAMED: dict[str, tuple[str, ...]] = {
    "EliminateDistinct": ("Eliminate Distinct",),
    "FinishAnalysis": ("Finish Analysis",),
    "CombineUnions": ("Union", BEFORE, AFTER),
    "RemoveNoopUnion": ("Union",),
    "EliminateLimits": (BEFORE, AFTER, "Infer window group limit"),
    "ConvertToLocalRelation": ("LocalRelation early", "LocalRelation"),
    "PropagateEmptyRelation": ("LocalRelation early", "LocalRelation"),
    "UpdateAttributeNullability": ("LocalRelation early", "LocalRelation"),
    "PullupCorrelatedPredicates": ("Pullup Correlated Expressions",),
    "OptimizeSubqueries": ("Subquery",),
    "ReplaceExceptWithFilter": ("Replace Operators",),
    "ReplaceExceptWithAntiJoin": ("Replace Operators",),
    "ReplaceIntersectWithSemiJoin": ("Replace Operators",),
    "ReplaceDistinctWithAggregate": ("Replace Operators",),
    "ReplaceDeduplicateWithAggregate": ("Replace Operators",),
    "RewriteExceptAll": ("Replace Operators",),
    "RewriteIntersectAll": ("Replace Operators",),
    "RemoveLiteralFromGroupExpressions": ("Aggregate",),
    "RemoveRepetitionFromGroupExpressions": ("Aggregate",),
    "EliminateOuterJoin": (BEFORE, AFTER),
    "PushDownPredicates": (BEFORE, AFTER),
    "PushProjectionThroughUnion": (BEFORE, AFTER),
    "ColumnPruning": (BEFORE, AFTER),
    "LimitPushDown": (BEFORE, AFTER),
    "ReorderJoin": (BEFORE, AFTER),
    "PushDownLeftSemiAntiJoin": (BEFORE, AFTER),
    "CollapseProject": (BEFORE, AFTER, "RewriteSubquery"),
    "NullPropagation": (BEFORE, AFTER, "RewriteSubquery"),
    "ConstantPropagation": (BEFORE, AFTER),
    "ConstantFolding": (BEFORE, AFTER, "Infer window group limit"),
    "BooleanSimplification": (BEFORE, AFTER),
    "SimplifyBinaryComparison": (BEFORE, AFTER),
    "OptimizeIn": (BEFORE, AFTER),
    "SimplifyCasts": (BEFORE, AFTER),
    "RewriteCorrelatedScalarSubquery": (BEFORE, AFTER),
    "InferFiltersFromConstraints": ("Infer Filters",),
    "EliminateSorts": ("Eliminate Sorts",),
    "RewriteDistinctAggregates": ("Distinct Aggregate Rewrite", "MergeSubplans"),
    "RewritePredicateSubquery": ("RewriteSubquery",),
}
"""The batches that list a rule, in one of which its entry has to say that it is."""
PARTS = {
    "CombineFilters": "PushDownPredicates",
    "PushPredicateThroughNonJoin": "PushDownPredicates",
    "PushPredicateThroughJoin": "PushDownPredicates",
    "EliminateResolvedHint": "FinishAnalysis",
    "EliminateSubqueryAliases": "FinishAnalysis",
    "EliminateView": "FinishAnalysis",
    "ReplaceExpressions": "FinishAnalysis",
    "RewriteNonCorrelatedExists": "FinishAnalysis",
    "PullOutGroupingExpressions": "FinishAnalysis",
    "ComputeCurrentTime": "FinishAnalysis",
    "ReplaceCurrentLike": "FinishAnalysis",
}
"""The rule that each is a part of."""
OWN = {
    "ReplaceExceptWithNotFilter": "plan-normalization",
    "ReplaceAntiJoinWithNotFilter": "experimental",
}
"""The rules that an article brings itself, and the point at which each is injected."""


def entry(name: str) -> Rule:
    """The one entry of that name."""
    (found,) = (rule for rule in KNOWN if rule.name == name)
    return found


@pytest.mark.parametrize(("name", "batches"), NAMED.items(), ids=NAMED)
def test_a_rule_that_the_articles_name_is_in_the_catalogue_under_its_batch(name: str, batches: tuple[str, ...]) -> None:
    assert entry(name).batch in batches


@pytest.mark.parametrize(("name", "whole"), PARTS.items(), ids=PARTS)
def test_a_part_is_in_the_catalogue_under_its_whole(name: str, whole: str) -> None:
    assert entry(name).tracked_as == entry(whole).rule_name


@pytest.mark.parametrize(("name", "point"), OWN.items(), ids=OWN)
def test_a_rule_that_an_article_brings_is_an_example_at_its_point_sound_and_as_written(name: str, point: str) -> None:
    sound, written = own_rule(name), own_rule(name + AS_WRITTEN)
    assert sound.point == written.point == point
    assert sound.class_name != written.class_name
    assert sound.rule.conditions
    assert not written.rule.conditions
