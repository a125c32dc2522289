"""Spark's configuration that wakes rules which sleep by default, as groups of entries that belong together.

No group changes an answer. Thresholds are set so that tables of a few rows meet them. A release that doesn't know a key
ignores it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from strategies.draw.group_fits import (
    Fits,
    any_query,
    correlates_in_filters,
    having,
    having_any,
    joins_a_filter,
    joins_a_union,
    joins_by_folders,
    joins_three_inputs,
    keeps_state,
    multiplies_rows,
    reads_folders_alone,
)
from strategies.ir import Aggregate, Capability, Conf, Distinct, Join, Limit, Relation, Settings, Sort, Window

_OPTIMIZER = "spark.sql.optimizer."
_ADAPTIVE = "spark.sql.adaptive."
_BLOOM = _OPTIMIZER + "runtime.bloomFilter."
_PRUNING = _OPTIMIZER + "dynamicPartitionPruning."
_BUCKETING = "spark.sql.sources.v2.bucketing."
_MOST_BYTES = str(2**63 - 1)
"""The size that Spark assumes of a table in memory."""


@dataclass(frozen=True, slots=True)
class Group:
    """Entries ``(key, value)`` that belong together, and the reason: what they wake.

    ``needs`` are other settings of a case, by name, without which the entries do nothing; ``fits`` tells whether a
    query has what they need, as far as that is easy to see. Few queries fit a ``rare`` group.
    """

    why: str
    conf: Conf = ()
    needs: Mapping[str, Any] = field(default_factory=dict)
    fits: Fits = any_query
    rare: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of a case under this group that aren't the defaults."""
        return {**({"conf": self.conf} if self.conf else {}), **self.needs}

    @property
    def is_quick(self) -> bool:
        """Whether the fast path may run a case under this group."""
        return Settings(**self.settings).is_quick


def _partitioned_by(*layout: Capability) -> dict[str, Any]:
    return {"source": "v2", "capabilities": layout, "partitions": 2}


_SHUFFLED = {"aqe": True, "partitions": 3}
_SORTED = {"aqe": True, "partitions": 3, "join": "merge"}

GROUPS: dict[str, Group] = {
    "expanded in two steps": Group(
        "OptimizeExpand aggregates before it multiplies rows for grouping sets",
        ((_OPTIMIZER + "optimizeExpandRatio", "2"),),
        fits=multiplies_rows,
        rare=True,
    ),
    "joined below a union": Group(
        "PushDownJoinThroughUnion copies a broadcast join into the inputs of UNION ALL",
        (
            (_OPTIMIZER + "pushDownJoinThroughUnion.enabled", "true"),
            ("spark.sql.autoBroadcastJoinThreshold", _MOST_BYTES),
        ),
        fits=joins_a_union,
        rare=True,
    ),
    "projects inlined": Group(
        "CollapseProject merges projections even where an expression is then evaluated twice",
        ((_OPTIMIZER + "collapseProjectAlwaysInline", "true"),),
    ),
    "sets of two": Group(
        "OptimizeIn makes a hash set of any list with two values",
        ((_OPTIMIZER + "inSetConversionThreshold", "1"),),
    ),
    "filters of subplans": Group(
        "MergeSubplans merges aggregates under different filters, below joins, too",
        (
            (_OPTIMIZER + "mergeSubplans.filterPropagation.symmetricFilterPropagation.enabled", "true"),
            (_OPTIMIZER + "mergeSubplans.filterPropagation.throughJoin.enabled", "true"),
        ),
        fits=having(Aggregate, Aggregate),
    ),
    "predicates pulled up": Group(
        "PullupCorrelatedPredicates moves correlated predicates by itself, as before there was DecorrelateInnerQuery",
        ((_OPTIMIZER + "decorrelateInnerQuery.enabled", "false"),),
        fits=correlates_in_filters,
        rare=True,
    ),
    "bloom filters": Group(
        "InjectRuntimeFilter filters one side of a shuffled join by the other side's keys",
        (
            (_BLOOM + "applicationSideScanSizeThreshold", "0b"),
            (_BLOOM + "creationSideThreshold", _MOST_BYTES),
            (_BLOOM + "expectedNumItems", "20"),
            (_BLOOM + "numBits", "512"),
            ("spark.sql.autoBroadcastJoinThreshold", "-1"),
        ),
        fits=joins_a_filter,
        rare=True,
    ),
    "no limited sort": Group(
        "SpecialLimits leaves a limit over a sort as two operators",
        (("spark.sql.execution.topKSortFallbackThreshold", "0"),),
        fits=having(Limit),
    ),
    "sorted groups": Group(
        "AggUtils plans aggregates over sorted input",
        (
            ("spark.sql.execution.useHashAggregateExec", "false"),
            ("spark.sql.execution.useObjectHashAggregateExec", "false"),
        ),
        fits=having(Aggregate),
    ),
    "whole keys": Group(
        "EnsureRequirements shuffles unless rows are partitioned by all grouping keys",
        (("spark.sql.requireAllClusterKeysForDistribution", "true"),),
        {"partitions": 2},
    ),
    "few projected partitionings": Group(
        "an operator forgets how its input is partitioned where columns have other names",
        ((_OPTIMIZER + "expressionProjectionCandidateLimit", "0"),),
        {"partitions": 2},
    ),
    "null keys spread": Group(
        "EnsureRequirements deals out rows whose join key is NULL",
        (("spark.sql.shuffle.spreadNullJoinKeys.enabled", "true"), ("spark.sql.autoBroadcastJoinThreshold", "-1")),
        {"partitions": 3},
        fits=having(Join),
    ),
    "no partial aggregates": Group(
        "aggregates in one step",
        (("spark.sql.execution.bypassPartialAggregation", "true"),),
        fits=having(Aggregate),
    ),
    "local sorts pushed down": Group(
        "PushDownLocalSort sorts below an operator that drops rows",
        (("spark.sql.execution.pushDownLocalSort.throughCardinalityReducer", "true"),),
        fits=having(Sort),
    ),
    "segment trees": Group(
        "windows with moving frames are computed by a tree of partial aggregates",
        (("spark.sql.window.segmentTree.enabled", "true"), ("spark.sql.window.segmentTree.minPartitionRows", "1")),
        fits=having(Window),
    ),
    "nothing reused": Group(
        "ReuseExchangeAndSubquery leaves equal exchanges and subqueries apart",
        (("spark.sql.exchange.reuse", "false"), ("spark.sql.execution.reuseSubquery", "false")),
    ),
    "generated expressions": Group(
        "expressions run as generated code in operators that are interpreted",
        (("spark.sql.codegen.factoryMode", "CODEGEN_ONLY"),),
    ),
    "case-sensitive": Group(
        "the analyzer tells names apart by case",
        (("spark.sql.caseSensitive", "true"),),
    ),
    "behind UTC": Group(
        "a date begins at another instant than in UTC",
        (),
        {"time_zone": "Etc/GMT+8"},
    ),
    "behind UTC by half hours": Group(
        "an hour begins at another instant than in UTC; no zone with summer time is here, because the engines differ"
        " about an hour that comes twice",
        (),
        {"time_zone": "Pacific/Marquesas"},
    ),
    "single tasks": Group(
        "MarkSingleTaskExecution plans without shuffles what one task can do",
        ((_OPTIMIZER + "singleTaskExecution.enabled", "true"),),
        {"source": "local", "partitions": 2, "table_partitions": 1},
    ),
    "planned by two threads": Group(
        "ConvertToLocalRelation computes in each of two threads with the expressions of one plan",
        (),
        {"source": "local", "siblings": True},
        fits=keeps_state,
        rare=True,
    ),
    "partitions pruned at run time": Group(
        "PartitionPruning reads only the partitions whose values the other side of a join has, whatever statistics say",
        (
            (_PRUNING + "reuseBroadcastOnly", "false"),
            (_PRUNING + "useStats", "false"),
            (_PRUNING + "fallbackFilterRatio", "10"),
        ),
        {"source": "partitioned", "join": "merge"},
        fits=joins_by_folders,
        rare=True,
    ),
    "partitions for rows": Group(
        "OptimizeMetadataOnlyQuery reads the names of folders instead of the files in them: right, since each has rows",
        ((_OPTIMIZER + "metadataOnly", "true"),),
        {"source": "partitioned"},
        fits=reads_folders_alone,
        rare=True,
    ),
    "one side shuffled to the keys of the other": Group(
        "EnsureRequirements shuffles one input of a join to the partitions that the other's tables are stored in",
        ((_BUCKETING + "shuffle.enabled", "true"),),
        _partitioned_by("identity", "some tables"),
        fits=having(Join),
    ),
    "splits of a key spread": Group(
        "EnsureRequirements joins each split of a key with all rows of that key",
        ((_BUCKETING + "partiallyClusteredDistribution.enabled", "true"),),
        _partitioned_by("identity", "splits"),
        fits=having(Join),
    ),
    "fewer join keys than partition keys": Group(
        "EnsureRequirements joins and groups by some of the columns that tables are stored by",
        (
            (_BUCKETING + "allowJoinKeysSubsetOfPartitionKeys.enabled", "true"),
            ("spark.sql.requireAllClusterKeysForCoPartition", "false"),
        ),
        _partitioned_by("two keys"),
        fits=having_any(Join, Window, Aggregate, Distinct),
    ),
    "fewer join keys and one side shuffled": Group(
        "EnsureRequirements shuffles one input of a join to some of the keys that the other's tables are stored by",
        (
            (_BUCKETING + "shuffle.enabled", "true"),
            (_BUCKETING + "allowJoinKeysSubsetOfPartitionKeys.enabled", "true"),
            ("spark.sql.requireAllClusterKeysForCoPartition", "false"),
        ),
        _partitioned_by("two keys", "some tables", "splits"),
        fits=having(Join),
    ),
    "buckets put together": Group(
        "EnsureRequirements puts buckets together where the tables of a join have other numbers of them",
        ((_BUCKETING + "allowCompatibleTransforms.enabled", "true"),),
        _partitioned_by("buckets", "other buckets"),
        fits=having(Join),
    ),
    "keys that both sides have": Group(
        "EnsureRequirements leaves out the partitions of keys that the other input of a join has not",
        ((_BUCKETING + "partition.filter.enabled", "true"),),
        _partitioned_by("identity", "splits"),
        fits=having(Join),
    ),
    "ordered by their keys": Group(
        "rows of one key need no sort by it, be they in one split or in several that are put together",
        (
            (_BUCKETING + "sorting.enabled", "true"),
            (_BUCKETING + "partitionKeyOrdering.enabled", "true"),
            (_BUCKETING + "preserveKeyOrderingOnCoalesce.enabled", "true"),
        ),
        _partitioned_by("identity", "splits"),
    ),
    "splits of a key merged in order": Group(
        "sorted splits that are put together are merged, and need no sort",
        ((_BUCKETING + "preserveOrderingOnCoalesce.enabled", "true"),),
        _partitioned_by("identity", "splits", "ordering"),
    ),
    "star schemas": Group(
        "CostBasedJoinReorder joins the tables of a star first",
        (("spark.sql.cbo.joinReorder.dp.star.filter", "true"),),
        {"statistics": True},
        fits=joins_three_inputs,
        rare=True,
    ),
    "star joins without costs": Group(
        "ReorderJoin joins a star's largest table with its others first",
        (("spark.sql.cbo.enabled", "false"),),
        {"statistics": True},
        fits=joins_three_inputs,
        rare=True,
    ),
    "skew": Group(
        "OptimizeSkewedJoin splits any partition of a join that is larger than the others",
        (
            (_ADAPTIVE + "forceOptimizeSkewedJoin", "true"),
            (_ADAPTIVE + "skewJoin.skewedPartitionFactor", "0"),
            (_ADAPTIVE + "skewJoin.skewedPartitionThresholdInBytes", "1b"),
            (_ADAPTIVE + "advisoryPartitionSizeInBytes", "1b"),
        ),
        {**_SORTED, "table_partitions": 3},
        fits=having(Join),
    ),
    "partitions put together": Group(
        "CoalesceShufflePartitions puts as many partitions together as fit a small size",
        (
            (_ADAPTIVE + "coalescePartitions.parallelismFirst", "false"),
            (_ADAPTIVE + "coalescePartitions.minPartitionSize", "1b"),
            (_ADAPTIVE + "advisoryPartitionSizeInBytes", "200b"),
            (_ADAPTIVE + "coalescePartitions.initialPartitionNum", "5"),
        ),
        _SHUFFLED,
    ),
    "broadcast at run time": Group(
        "adaptive execution makes a broadcast join of a sort-merge join, and reads shuffles where they are",
        (("spark.sql.autoBroadcastJoinThreshold", "-1"), (_ADAPTIVE + "autoBroadcastJoinThreshold", "10m")),
        _SHUFFLED,
        fits=having(Join),
    ),
    "hashed at run time": Group(
        "DynamicJoinSelection makes a hash join of a sort-merge join",
        (
            ("spark.sql.autoBroadcastJoinThreshold", "-1"),
            (_ADAPTIVE + "autoBroadcastJoinThreshold", "-1"),
            (_ADAPTIVE + "maxShuffledHashJoinLocalMapThreshold", "1g"),
        ),
        _SHUFFLED,
        fits=having(Join),
    ),
    "empty partitions": Group(
        "DemoteBroadcastHashJoin keeps adaptive execution from broadcasting an input that has an empty partition",
        (
            ("spark.sql.autoBroadcastJoinThreshold", "-1"),
            (_ADAPTIVE + "autoBroadcastJoinThreshold", "10m"),
            (_ADAPTIVE + "nonEmptyPartitionRatioForBroadcastJoin", "1.0"),
        ),
        {"aqe": True, "partitions": 8},
        fits=having(Join),
    ),
    "adaptive without shuffles": Group(
        "InsertAdaptiveSparkPlan takes all queries",
        ((_ADAPTIVE + "forceApply", "true"),),
        {"aqe": True},
    ),
    "records filtered by Parquet": Group(
        "the reader by rows drops single records, and lists of two values are pushed down as bounds",
        (
            ("spark.sql.parquet.recordLevelFilter.enabled", "true"),
            ("spark.sql.parquet.pushdown.inFilterThreshold", "1"),
        ),
        {"vectorized": False},
    ),
    "split methods": Group(
        "generated code is split into methods of a line or two, with another map for groups",
        (
            ("spark.sql.codegen.methodSplitThreshold", "1"),
            ("spark.sql.codegen.aggregate.map.vectorized.enable", "true"),
            ("spark.sql.codegen.aggregate.map.twolevel.partialOnly", "false"),
        ),
        {"codegen": True},
    ),
}
"""The groups, by a name for people. Each wakes something that no other settings of a case wake."""

_QUICK_WEIGHT = 3
"""The number of draws of a group of the fast path for one of a group that needs files or jobs, which take longer."""

_RARE_DRAWS = 45
"""The number of draws of all rare groups that fit a query: more than a third of all."""

_RARE = tuple(group for group in GROUPS.values() if group.rare)
_OTHERS = tuple(
    group for group in GROUPS.values() if not group.rare for _ in range(_QUICK_WEIGHT if group.is_quick else 1)
)

PLACES = 128
"""The number of places that a group's place is drawn from; of more, Hypothesis draws the first ones more often."""


def fitting(query: Relation) -> tuple[Group, ...]:
    """The groups that may do something for ``query``, each as often as it is to be drawn; at most PLACES."""
    rare, others = rare_fitting(query), tuple(group for group in _OTHERS if group.fits(query))
    return (*rare * (_RARE_DRAWS // len(rare)), *others) if rare else others


def rare_fitting(query: Relation) -> tuple[Group, ...]:
    """The rare groups that may do something for ``query``."""
    return tuple(group for group in _RARE if group.fits(query))
