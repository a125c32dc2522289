"""What is known of Spark's rules beyond what a running optimizer tells: one entry for each that has a shape.

An entry without a switch of its own goes off as its release says, by Spark's lists of excluded rules.
"""

from __future__ import annotations

from oracles.rules.pushdown import filters_met, moved_through_join, moved_through_other
from oracles.rules.rule import Evidence, Rule
from oracles.rules.switch import ByConf, Excluded, Reference, Switch

OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer."
REPLACE_OPERATORS = "Replace Operators"


def _replaces(name: str, switch: Switch, law: str, *conditions: str, seeds: tuple[str, ...]) -> Rule:
    return Rule(name, OPTIMIZER + name, REPLACE_OPERATORS, switch, law, conditions=conditions, seeds=seeds)


_SET_OPERATORS: tuple[Rule, ...] = (
    _replaces(
        "ReplaceExceptWithFilter",
        ByConf("spark.sql.optimizer.replaceExceptWithFilter", "false"),
        "L EXCEPT Filter(c, L) = Distinct(Filter(NOT coalesce(c, false), L))",
        "the right side is a filter of the left side's own plan, or a projection of one",
        "c is deterministic and holds no subquery",
        "every column of c is an output column of the left side, under its own name",
        seeds=("000", "001", "004"),
    ),
    _replaces(
        "ReplaceExceptWithAntiJoin",
        Reference(("Except",)),
        "L EXCEPT R = Distinct(L LEFT ANTI JOIN R ON l1 <=> r1 AND ...)",
        seeds=("000", "001", "004"),
    ),
    _replaces(
        "ReplaceIntersectWithSemiJoin",
        Reference(("Intersect",)),
        "L INTERSECT R = Distinct(L LEFT SEMI JOIN R ON l1 <=> r1 AND ...)",
        seeds=("001", "002"),
    ),
    _replaces(
        # EXCEPT and INTERSECT become a Distinct first, so that they have to be out of its way as well.
        "ReplaceDistinctWithAggregate",
        Reference(("Distinct", "Except", "Intersect")),
        "Distinct(L) = L grouped by all its columns",
        seeds=("001", "002"),
    ),
    _replaces(
        "ReplaceDeduplicateWithAggregate",
        Reference(("Deduplicate",)),
        "dropDuplicates(keys) = L grouped by the keys, the first of the other columns",
        "without keys a literal is grouped by, so that no rows make no group",
        seeds=(),
    ),
    _replaces(
        "RewriteExceptAll",
        Reference(("ExceptAll",)),
        "each row max(0, l - r) times: +1 and -1 summed over the union, then replicated",
        seeds=("001", "002"),
    ),
    _replaces(
        "RewriteIntersectAll",
        Reference(("IntersectAll",)),
        "each row min(l, r) times: rows of either side counted over the union, both counts >= 1",
        seeds=("001", "002"),
    ),
)

PUSHES_PREDICATES = tuple(
    OPTIMIZER + name for name in ("PushDownPredicates", "PushPredicateThroughNonJoin", "PushPredicateThroughJoin")
)
"""What has to be off for filters to stay where they are: batches of their own list two of the parts as well."""


def _pushes(name: str, law: str, *conditions: str, batch: str = "", evidence: Evidence | None = None) -> Rule:
    carrier = PUSHES_PREDICATES[0] if evidence else ""
    switch = Excluded(PUSHES_PREDICATES)
    return Rule(
        name,
        OPTIMIZER + name,
        batch,
        switch,
        law,
        conditions=conditions,
        seeds=("002", "003"),
        tracked_as=carrier,
        evidence=evidence,
    )


_PREDICATES: tuple[Rule, ...] = (
    _pushes(
        "PushDownPredicates",
        "a filter's conditions are evaluated as far down as they mean the same: the three rules below in one pass",
        "no condition passes a limit",
        batch="Operator Optimization before Inferring Filters",
    ),
    _pushes(
        "CombineFilters",
        "Filter(c, Filter(d, L)) = Filter(d AND c, L)",
        "d is deterministic",
        "of c's operands stay behind those that are not deterministic or that Spark knows to raise",
        "what d already says is left out of c, compared as whole conditions",
        evidence=filters_met,
    ),
    _pushes(
        "PushPredicateThroughNonJoin",
        "Filter(c, Op(L)) = Op(Filter(c', L)), c' being c over the columns of L",
        "c and what Op computes are deterministic",
        "Project: each column stands for what it is computed from; costly ones aren't computed twice",
        "Aggregate: only conditions on grouping columns, and only where there are any: without, no rows make a group",
        "Window: only conditions on columns that every window is partitioned by",
        "Union: for each branch, by position",
        "other unary operators: only those that neither drop nor change rows by number, and no column that they make",
        batch="Extract Python UDFs",
        evidence=moved_through_other,
    ),
    _pushes(
        "PushPredicateThroughJoin",
        "a condition of one side of a join is evaluated on that side, one of both sides in ON",
        "above the join: on any side of an inner or cross join, else on the side whose every row is kept, or tested",
        "in ON: on any side of an inner or semi join, else on the side of whose rows the unmatched are dropped",
        "a full outer join takes none",
        "no condition that is not deterministic or that Spark knows to raise",
        batch="RewriteSubquery",
        evidence=moved_through_join,
    ),
)

KNOWN: tuple[Rule, ...] = (*_SET_OPERATORS, *_PREDICATES)
