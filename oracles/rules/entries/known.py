"""Entries of Spark's rules, with the facts that a running optimizer doesn't tell: one for each rule with a shape.

A rule whose entry has no switch is turned off by Spark's lists of excluded rules, if the release allows it.
"""

from __future__ import annotations

from oracles.rules.entries.conditionals import CONDITIONALS
from oracles.rules.entries.expressions import EXPRESSIONS
from oracles.rules.entries.finish import FINISH
from oracles.rules.entries.functions import FUNCTIONS
from oracles.rules.entries.needed import NEEDED
from oracles.rules.entries.objects import OBJECTS
from oracles.rules.entries.operators import OPERATORS
from oracles.rules.entries.relations import RELATIONS
from oracles.rules.entries.stored import STORED
from oracles.rules.entries.windows import WINDOWS
from oracles.rules.entries.writes import WRITES
from oracles.rules.pushdown import filters_met, moved_through_join, moved_through_other
from oracles.rules.rule import OPERATOR_OPTIMIZATION, OPTIMIZER, Evidence, Rule, excludable
from oracles.rules.switch import ByConf, Excluded, Reference, Switch

REPLACE_OPERATORS = "Replace Operators"
AGGREGATE = "Aggregate"
UNION = "Union"


def _replaces(name: str, switch: Switch, law: str, *conditions: str, seeds: tuple[str, ...]) -> Rule:
    return Rule(
        name=name,
        rule_name=OPTIMIZER + name,
        batch=REPLACE_OPERATORS,
        switch=switch,
        law=law,
        conditions=conditions,
        seeds=seeds,
    )


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
        # EXCEPT and INTERSECT become a Distinct first, so they have to be replaced as well.
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


_OUTER_JOINS: tuple[Rule, ...] = (
    excludable(
        "EliminateOuterJoin",
        OPERATOR_OPTIMIZATION,
        "an outer join whose padded rows are rejected above = the join without that padding; one whose partners don't "
        "matter above = its kept side",
        "the filter's condition is false or NULL for a row of NULL in all columns of the padded side that it names",
        "or an aggregate over the kept side's columns alone, to whose functions repeats don't matter",
        "or the kept side's columns alone are asked for, and no key of an equality occurs twice on the other side",
        seeds=("002", "003"),
    ),
)
_GROUPING_KEYS: tuple[Rule, ...] = (
    excludable(
        "RemoveLiteralFromGroupExpressions",
        AGGREGATE,
        "GROUP BY k, 'a' = GROUP BY k: a constant tells no two rows apart",
        "the key is foldable",
        "one key is left, if but a constant: without any, no rows would make a group",
        seeds=("002",),
    ),
    excludable(
        "RemoveRepetitionFromGroupExpressions",
        AGGREGATE,
        "GROUP BY k, k = GROUP BY k",
        "the keys are semantically equal: the same but for names and the order of commutative operands",
        "they are deterministic",
        seeds=("002",),
    ),
)
_LIMITS: tuple[Rule, ...] = (
    excludable(
        "LimitPushDown",
        OPERATOR_OPTIMIZATION,
        "LIMIT n over an operator = LIMIT n over the operator of inputs that are limited to n rows each",
        "each branch of a UNION ALL; below OFFSET m to n + m rows",
        "the kept side of a left or right join; both sides of an inner join without a condition; the left side of a "
        "semi or anti join without one, and one row of its right side",
        "of groups that are nothing but distinct rows just the first is any row",
        seeds=("002",),
    ),
)
_JOIN_ORDER: tuple[Rule, ...] = (
    excludable(
        "ReorderJoin",
        OPERATOR_OPTIMIZATION,
        "inner joins in another order, so that each has a condition where one can be had",
        "all joins are inner or cross joins: an outer join is an input",
        "every condition stays, at the first join that has all its columns",
        "the columns come back in their order",
        seeds=("002",),
    ),
)

_COLUMNS: tuple[Rule, ...] = (
    excludable(
        "PushProjectionThroughUnion",
        OPERATOR_OPTIMIZATION,
        "a projection of a UNION ALL = the UNION ALL of that projection of each branch",
        "columns of the branches correspond by position, whatever they are called",
        "the projection is deterministic",
        "the union keeps all rows: a distinct one compares columns that the projection may drop",
        seeds=("002",),
    ),
    excludable(
        "ColumnPruning",
        OPERATOR_OPTIMIZATION,
        "an operator over R = the operator over those columns of R that it or anything above asks for",
        "below DISTINCT, EXCEPT and INTERSECT all columns count",
        "a side of a join stays where none of its columns is asked for: it has rows",
        "a union's branches lose the same places",
        seeds=("002",),
    ),
)
_UNIONS: tuple[Rule, ...] = (
    excludable(
        # Operator Optimization lists it twice more, because other rules make unions adjacent.
        "CombineUnions",
        UNION,
        "a union of a union = one union of all branches",
        "the lower one keeps all rows, or both are distinct: UNION ALL of a UNION has rows once that come from there",
        "a deterministic projection between them is one of each of the lower one's branches, column by column in their "
        "places",
        "a branch that is there twice stays twice",
        seeds=("002",),
    ),
    excludable(
        "RemoveNoopUnion",
        UNION,
        "L UNION L = the distinct rows of L",
        "the union is distinct, and so are the rows that are left: UNION ALL has those of each branch",
        "the branches are the same but for the names of their columns",
        seeds=("002",),
    ),
)
_CONSTRAINTS: tuple[Rule, ...] = (
    excludable(
        "InferFiltersFromConstraints",
        "Infer Filters",
        "a filter or join = the same with what its condition says of its inputs besides: columns that aren't NULL, "
        "conditions on one of two equal columns for the other one",
        "NULL in the column makes the condition NULL or false: not so for <=>",
        "of an outer or anti join's inputs only the one is filtered whose rows are not kept",
        "whatever is passed on can't tell equal values apart",
        seeds=("002",),
    ),
)

PUSHES_PREDICATES = tuple(
    OPTIMIZER + name for name in ("PushDownPredicates", "PushPredicateThroughNonJoin", "PushPredicateThroughJoin")
)
"""The rules to turn off so that filters stay where they are: other batches list two of the parts as well."""


def _pushes(name: str, law: str, *conditions: str, batch: str = "", evidence: Evidence | None = None) -> Rule:
    carrier = PUSHES_PREDICATES[0] if evidence else ""
    switch = Excluded(PUSHES_PREDICATES)
    return Rule(
        name=name,
        rule_name=OPTIMIZER + name,
        batch=batch,
        switch=switch,
        law=law,
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
        batch=OPERATOR_OPTIMIZATION,
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


_SEMI_JOINS: tuple[Rule, ...] = (
    excludable(
        "PushDownLeftSemiAntiJoin",
        OPERATOR_OPTIMIZATION,
        "a semi or anti join of Op(L) = Op(the join of L)",
        "Project: only where it renames, or nothing is asked of the left side",
        "Aggregate: only by grouping columns, only where there are any, and only if the right side is broadcast",
        "Window: only by columns that it is partitioned by",
        "Union: each branch, by position",
        "other unary operators: only those that neither drop nor change rows by number, and no column that they make",
        "what can't go below stays as a filter above a semi join; then an anti join stays as a whole",
        seeds=("002",),
    ),
)

KNOWN: tuple[Rule, ...] = (
    *_SET_OPERATORS,
    *_OUTER_JOINS,
    *_GROUPING_KEYS,
    *_LIMITS,
    *_JOIN_ORDER,
    *_COLUMNS,
    *_UNIONS,
    *_CONSTRAINTS,
    *_PREDICATES,
    *EXPRESSIONS,
    *CONDITIONALS,
    *FINISH,
    *FUNCTIONS,
    *OBJECTS,
    *OPERATORS,
    *_SEMI_JOINS,
    *NEEDED,
    *WINDOWS,
    *RELATIONS,
    *STORED,
    *WRITES,
)
