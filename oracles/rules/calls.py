"""Which rules do another rule's work themselves: they call it past the lists of excluded rules, and past the tracker.

``tests/unit/test_calls.py`` reads the running release's byte code, and compares what it finds with this table. A rule
that a batch runs is not called in this sense, nor are all rules together by OptimizeSubqueries: exclusion holds there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oracles.rules.releases import is_among
from oracles.rules.rule import OPTIMIZER

_SOURCES = "org.apache.spark.sql.execution.datasources."


@dataclass(frozen=True, slots=True)
class Call:
    """``caller`` calls ``called``, both by their full names, in these ``releases``."""

    caller: str
    called: str
    releases: str = ">=3.5"


def _calls(caller: str, *called: str, releases: str = ">=3.5", package: str = OPTIMIZER) -> list[Call]:
    return [Call(package + caller, OPTIMIZER + name, releases) for name in called]


CALLS: tuple[Call, ...] = (
    *_calls("Optimizer$FinishAnalysis", "RewriteNonCorrelatedExists"),
    *_calls("CombineUnions", "CollapseProject", "PushProjectionThroughUnion"),
    *_calls("InjectRuntimeFilter", "ColumnPruning", "ConstantFolding"),
    *_calls("InjectRuntimeFilter", "RewritePredicateSubquery", releases="<4.0"),
    *_calls("LimitPushDown", "EliminateSorts", releases=">=4.0"),
    *_calls("OptimizeOneRowRelationSubquery", "CollapseProject"),
    # Both itself and by its helper DecorrelateInnerQuery.
    *_calls("PullupCorrelatedPredicates", "BooleanSimplification", "RewriteCorrelatedScalarSubquery"),
    *_calls("PushDownPredicates", "CombineFilters", "PushPredicateThroughJoin", "PushPredicateThroughNonJoin"),
    *_calls("ReplaceExceptWithFilter", "CombineFilters"),
    *_calls("V1Writes", "EliminateSorts", "FoldablePropagation", package=_SOURCES),
    # These translate conditions for a data source, folded.
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
"""As the byte code of 3.5.9, 4.0.5, 4.1.4, 4.2.1 and 4.3.0 has them."""


def calls_in(release: str) -> frozenset[tuple[str, str]]:
    """Callers with what they call in Spark ``release``."""
    return frozenset((call.caller, call.called) for call in CALLS if is_among(release, call.releases))


def callers_of(names: Iterable[str], calls: Iterable[tuple[str, str]]) -> frozenset[str]:
    """All rules that do the work of one of ``names``: those that call it, and those that call these; not ``names``."""
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
