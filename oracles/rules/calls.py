"""Calls of rules by other rules, which neither Spark's lists of excluded rules nor its tracker see.

``tests/unit/test_calls.py`` compares this table with the running release's byte code. Rules run by a batch, or by
OptimizeSubqueries, which runs all rules, don't count as calls: they can be excluded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oracles.rules.releases import is_among
from oracles.rules.rule import OPTIMIZER

_COLLAPSE = OPTIMIZER + "CollapseProject"
_SOURCES = "org.apache.spark.sql.execution.datasources."


@dataclass(frozen=True, slots=True)
class Call:
    """``caller`` calls ``called``, both given by full names, in ``releases``.

    ``scratch``: it does so by an executor of its own, on a plan that it throws away. Then the query's plan holds none
    of the called rule's work, but Spark's tracker shows the called rule although it is excluded.
    """

    caller: str
    called: str
    releases: str = ">=3.5"
    scratch: bool = False


def _calls(caller: str, *called: str, releases: str = ">=3.5", package: str = OPTIMIZER) -> list[Call]:
    return [Call(package + caller, OPTIMIZER + name, releases) for name in called]


CALLS: tuple[Call, ...] = (
    *_calls("Optimizer$FinishAnalysis", "RewriteNonCorrelatedExists"),
    # CollapseProject asks by them whether a value would be read once only; so does the planner, by the same code.
    Call(_COLLAPSE, OPTIMIZER + "SimplifyExtractValueOps", scratch=True),
    Call(_COLLAPSE, OPTIMIZER + "ConstantFolding", scratch=True),
    Call(_COLLAPSE, OPTIMIZER + "SimplifyConditionals", scratch=True),
    *_calls("CombineUnions", "CollapseProject", "PushProjectionThroughUnion"),
    *_calls("InjectRuntimeFilter", "ColumnPruning", "ConstantFolding"),
    *_calls("InjectRuntimeFilter", "RewritePredicateSubquery", releases="<4.0"),
    *_calls("LimitPushDown", "EliminateSorts", releases=">=4.0"),
    *_calls("OptimizeOneRowRelationSubquery", "CollapseProject"),
    # Called by the rule itself and by its helper DecorrelateInnerQuery.
    *_calls("PullupCorrelatedPredicates", "BooleanSimplification", "RewriteCorrelatedScalarSubquery"),
    *_calls("PushDownPredicates", "CombineFilters", "PushPredicateThroughJoin", "PushPredicateThroughNonJoin"),
    *_calls("ReplaceExceptWithFilter", "CombineFilters"),
    *_calls("V1Writes", "EliminateSorts", "FoldablePropagation", package=_SOURCES),
    # These rules fold conditions before they translate them for a data source.
    *_calls("V2ScanRelationPushDown", "ConstantFolding", releases=">=4.1", package=_SOURCES + "v2."),
    *_calls("GroupBasedRowLevelOperationScanPlanning", "ConstantFolding", releases=">=4.1", package=_SOURCES + "v2."),
    *_calls("OptimizeMetadataOnlyDeleteFromTable", "ConstantFolding", releases=">=4.1", package=_SOURCES + "v2."),
    *_calls("V2Writes", "ConstantFolding", releases=">=4.1", package=_SOURCES + "v2."),
    *_calls(
        "RowLevelOperationRuntimeGroupFiltering",
        "RewritePredicateSubquery",
        package="org.apache.spark.sql.execution.dynamicpruning.",
    ),
    Call("org.apache.spark.sql.execution.planmerging.MergeSubplans", _SOURCES + "v2.V2ScanRelationPushDown", ">=4.3"),
)
"""The calls in the byte code of 3.5.9, 4.0.5, 4.1.4, 4.2.1 and 4.3.0."""


def calls_in(release: str, *, scratch: bool = False) -> frozenset[tuple[str, str]]:
    """Pairs of a caller and a called rule in Spark ``release``, of calls that are ``scratch`` or of the others."""
    return frozenset(
        (call.caller, call.called) for call in CALLS if call.scratch == scratch and is_among(release, call.releases)
    )


def callers_of(names: Iterable[str], calls: Iterable[tuple[str, str]]) -> frozenset[str]:
    """All rules that call one of ``names``, directly or through other rules; not ``names`` themselves."""
    callers_by_called: dict[str, set[str]] = {}
    for caller, called in calls:
        callers_by_called.setdefault(called, set()).add(caller)
    first = frozenset(names)
    found, ahead = set(first), list(first)
    while ahead:
        new = callers_by_called.get(ahead.pop(), set()) - found
        found |= new
        ahead += new
    return frozenset(found - first)
