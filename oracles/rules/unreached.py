"""Rules that no query drawn here can reach, with the reason: the coverage table shows them beside those that fired."""

from __future__ import annotations

_PYTHON = "needs a Python UDF"
_TYPED = "needs a typed Dataset"
_WRITES = "acts on writes"
_V2 = "needs a data source of the second kind"
_PARTITIONED = "needs a partitioned table"
_VARIANT = "needs a VARIANT column"

UNREACHED: dict[str, str] = {
    "ConvertToCatalyst": _PYTHON,
    "ExtractPythonUDFFromJoinCondition": _PYTHON,
    "ExtractPythonUDFFromAggregate": _PYTHON,
    "ExtractGroupingPythonUDFFromAggregate": _PYTHON,
    "ExtractPythonUDFs": _PYTHON,
    "ExtractPythonUDTFs": _PYTHON,
    "EliminateSerialization": _TYPED,
    "EliminateMapObjects": _TYPED,
    "CombineTypedFilters": _TYPED,
    "ObjectSerializerPruning": _TYPED,
    "ReassignLambdaVariableID": _TYPED,
    "OptimizeMetadataOnlyDeleteFromTable": _WRITES,
    "GroupBasedRowLevelOperationScanPlanning": _WRITES,
    "RowLevelOperationRuntimeGroupFiltering": _WRITES,
    "V1Writes": _WRITES,
    "V2Writes": _WRITES,
    "V2ScanRelationPushDown": _V2,
    "V2ScanPartitioningAndOrdering": _V2,
    "PruneFileSourcePartitions": _PARTITIONED,
    "OptimizeMetadataOnlyQuery": _PARTITIONED,
    "PartitionPruning": _PARTITIONED,
    "CleanupDynamicPruningFilters": _PARTITIONED,
    "PullOutVariantExtractions": _VARIANT,
    "PushVariantIntoScan": _VARIANT,
    "OptimizeRand": "needs rand(), whose answers can't be compared",
    "WidenStatefulOperatorAttributeNullability": "needs streaming",
    "CheckCartesianProducts": "a check that rewrites nothing",
    "CostBasedJoinReorder": "needs the cost-based optimizer, with statistics of every table",
    "InjectRuntimeFilter": "needs tables of at least ten megabytes",
}
