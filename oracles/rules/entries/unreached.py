"""Rules that fire on no drawn query, or hardly ever ("rare"), with the reason.

The coverage table shows them beside the rules that fired.
"""

from __future__ import annotations

_WOKEN = "rare: off by default, and woken by a group of strategies/draw/planner_conf.py"
_STORED = "rare: needs a table that is stored by keys or in an order, which few cases have"

UNREACHED: dict[str, str] = {
    "V2ScanPartitioningAndOrdering": _STORED,
    "PruneFileSourcePartitions": "rare: needs a partitioned table, which few cases have",
    "OptimizeMetadataOnlyQuery": _WOKEN,
    "CollapseRepartition": "rare: needs a hint or DISTRIBUTE BY right above another one",
    "OptimizeRepartition": "rare: needs DISTRIBUTE BY of a constant or of one row, and several shuffle partitions",
    "MarkSingleTaskExecution": "sets a tag, which Spark's tracker does not count as a change of a plan",
    "CollapseGroupedSumOfCount": "V2ScanRelationPushDown does its work before it",
    "GenerateOptimization": "rare: needs the number of elements of an array of structs, and none of their fields",
    "OptimizeCsvJsonExprs": "rare: needs from_json() or from_csv()",
    "OptimizeOneRowRelationSubquery": "rare: needs a subquery without FROM",
    "RemoveRedundantSorts": "rare: needs SORT BY above another sort",
    "SchemaPruning": "rare: needs a file of which a struct's field is read and not the whole struct",
    "SimplifyDateTimeConversions": "rare: needs to_timestamp() of a format, around and below date_format() of the same",
    "OptimizeRand": "rare: needs rand(), which few filters have, beside a number that decides its answer",
    "WidenStatefulOperatorAttributeNullability": "needs streaming",
    "CheckCartesianProducts": "a check that rewrites nothing",
    "CostBasedJoinReorder": "rare: needs statistics of every table, which few cases have, and a join of three or more",
    "InjectRuntimeFilter": _WOKEN,
}

RELEASES: dict[str, str] = {
    "RemoveRedundantSorts": ">=4.0",
    "SimplifyDateTimeConversions": ">=4.1",
    "CollapseGroupedSumOfCount": ">=4.3",
    "MarkSingleTaskExecution": ">=4.3",
    "WidenStatefulOperatorAttributeNullability": ">=4.3",
}
"""The releases with the rule, if not all have it, by the rule lists of 3.5.9, 4.0.5, 4.1.4, 4.2.1 and 4.3.0."""
