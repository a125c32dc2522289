"""Entries of rules about whole relations: what a query reads twice, and operators that change nothing."""

from __future__ import annotations

from oracles.rules.rule import OPERATOR_OPTIMIZATION, OPTIMIZER, Rule


def _rewrites(
    name: str,
    batch: str,
    law: str,
    *conditions: str,
    package: str = OPTIMIZER,
    releases: str = ">=3.5",
    needed: bool = False,
    unshaped: str = "",
) -> Rule:
    return Rule(
        name=name,
        rule_name=package + name,
        batch=batch,
        switch=None,
        law=law,
        conditions=conditions,
        releases=releases,
        needed=needed,
        unshaped=unshaped,
    )


RELATIONS: tuple[Rule, ...] = (
    _rewrites(
        # The analyzer's checks also run it, with other arguments, on plans that are thrown away.
        "InlineCTE",
        "Inline CTE",
        "WITH c AS (D) Q = Q with D in each place that reads c",
        "D is deterministic and not recursive, or it is read once",
        "each place has columns of its own: two of them in one join are two relations",
        "D's rows are the same in each place: a condition on one of them is none on the others",
        "D is a query by itself, whose limit and order are about its own rows",
        "what nothing reads goes",
    ),
    _rewrites(
        # It acts on what InlineCTE leaves.
        "PushdownPredicatesAndPruneColumnsForCTEDef",
        OPERATOR_OPTIMIZATION,
        "WITH c AS (D) Q = WITH c AS (the rows and columns of D that Q reads) Q",
        "a row stays if the conditions of any place are true of it; the conditions in Q stay, too",
        "all rows stay if a place has no condition",
        "a column stays if any place shows it or has a condition on it, and each place finds it by its position",
        "the conditions are asked of D's own rows, after its limit, its groups and the numbers that it gives rows",
        "a condition that isn't deterministic, or reads c itself, stays where it is",
    ),
    _rewrites(
        "CleanUpTempCTEInfo",
        "Clean Up Temporary CTE Info",
        "a common table expression = the same without the notes of what was pushed into it",
        unshaped="it drops what PushdownPredicatesAndPruneColumnsForCTEDef noted for itself: no row depends on it",
    ),
    _rewrites(
        # It can't be excluded: without it a lateral join has no physical plan.
        "RewriteLateralSubquery",
        OPERATOR_OPTIMIZATION,
        "L JOIN LATERAL q ON c = L JOIN q' ON c AND what was pulled up out of q: q' is q over the distinct values of "
        "L's columns, where q computes with them",
        "a left join keeps each row of L, whether q has no row for it or c is true of none",
        "a row of L has its own rows of q, NULL in L's columns included; and has them again where it is there twice",
        "c is evaluated over the rows of q, beside what was pulled up",
    ),
    _rewrites(
        # Without it other rules refuse subqueries that read a map, or take a LIMIT for all rows outside together.
        "PullOutNestedDataOuterRefExpressions",
        "Pullup Correlated Expressions",
        "a subquery's read of a map outside, m[k] = a column m[k] of a projection outside, below the subquery",
        "k is a constant or computed outside, too: a read by a key that is computed inside stays",
        "each key that is read has a column of its own, and equal reads share one",
        "the column is NULL where the map lacks the key, is NULL or has NULL there, and every row stays",
        "the added columns are in no result",
        releases=">=4.0",
        needed=True,
    ),
    _rewrites(
        # Older releases have MergeScalarSubqueries, which merges less, or this rule in another package: no entries.
        "MergeSubplans",
        "MergeSubplans",
        "several scalar subqueries or aggregates without keys over the same rows = columns of one aggregate of them",
        "the same rows: of the same relations, joined and filtered alike",
        "or only one is filtered: then its functions get that filter, and no others",
        "each value is read from its own column",
        "all of them are aggregated in the same way, by hashing or sorting",
        package="org.apache.spark.sql.execution.planmerging.",
        releases=">=4.3",
    ),
    _rewrites(
        # Three batches list it.
        "PruneFilters",
        OPERATOR_OPTIMIZATION,
        "Filter(true, L) = L; Filter(false, L) = Filter(NULL, L) = no rows; a condition that is known of L goes",
        "known is what a filter or an inner join below says, as that very condition, or that a column isn't NULL, "
        "which its comparisons say",
        "an outer join's padded rows are none of that side's; a union's rows have what is known of all branches",
        "the condition is deterministic",
    ),
    _rewrites(
        # Three batches list it.
        "RemoveRedundantAliases",
        OPERATOR_OPTIMIZATION,
        "a AS a = a, wherever a new name for a column is its old one",
        "it is that column alone, and not computed from it or from another column",
        "the name stays, and so does the place among the columns",
        "both sides of a join keep columns of their own",
    ),
    _rewrites(
        "RemoveRedundantAggregates",
        OPERATOR_OPTIMIZATION,
        "groups of groups = groups of the rows; groups by all columns of a key = the rows",
        "the upper aggregate's functions don't depend on repeats: greatest and least values, and DISTINCT",
        "the upper one refers only to keys of the lower one, not to its functions",
        "the lower one has keys: without any, no rows make a group",
        "what is between them stays: a filter of the groups, or a limit",
        "a row is the only one of its group where a whole key is grouped by",
    ),
    _rewrites(
        "PartitionPruning",
        "PartitionPruning",
        "L JOIN R ON L.k = R.x = the parts of L whose key k R has, JOIN R: where L is stored by k",
        "no row of L is kept that meets none: an inner or semi join, or one that pads L; R likewise",
        "the keys are all values of R's own side of the comparison, of the rows that R's filter leaves",
        "NULL is no key, because = is never true of it",
        package="org.apache.spark.sql.execution.dynamicpruning.",
    ),
    _rewrites(
        # It can't be excluded.
        "CleanupDynamicPruningFilters",
        "Cleanup filters that cannot be pushed down",
        "L under a filter by the other side's keys = L, where it leaves out no split of a table: it isn't right over "
        "the table, or L has one key",
        "the join itself asks for the keys, and still does",
        "the conditions beside it stay",
        "it is not moved: a limit below it, and the numbers that a projection gives rows, are those of all rows",
        package="org.apache.spark.sql.execution.dynamicpruning.",
    ),
    _rewrites(
        # Off by default: a group of Spark's configuration wakes it.
        "PushDownJoinThroughUnion",
        "Push Down Join Through Union",
        "(A UNION ALL B) JOIN R ON c = (A JOIN R ON c) UNION ALL (B JOIN R ON c), where R can be broadcast",
        "the join is an inner or left one: any other pads or drops a row of R by all branches together",
        "c has an equality between the sides; columns of the branches correspond by position",
        "each branch has columns of R of its own",
        "the union keeps all rows: a distinct one drops repeated rows before the join, and not those that it makes",
        releases=">=4.2",
    ),
    _rewrites(
        # Off by default: a group of Spark's configuration wakes it.
        "OptimizeExpand",
        "Distinct Aggregate Rewrite",
        "aggregates of several sets of distinct values = the same over each combination of keys and values once",
        "each function counts a value once: any other counts repeats of a row, too",
        "no function has a FILTER: of equal combinations one row may pass it, and another one not",
        "rows are equal in the keys and in the values of all sets; NULL is a value of a set as any other",
        "some column is read: otherwise no rows would be one combination",
        releases=">=4.2",
    ),
    _rewrites(
        # Of Spark 4.0 it is off by default.
        "PushVariantIntoScan",
        "Early Filter and Projection Push-Down",
        "variant_get(v, path) over a file = a field of a struct that the file's reader makes of v",
        "each path with its type has a field of its own, and each relation has a struct of its own",
        "a field is NULL where v is, where v lacks the path, and where v has NULL there: then v itself is not NULL",
        "the conditions above the file stay, whatever of v they read",
        "what reads v as a whole still gets it",
        package="org.apache.spark.sql.execution.datasources.",
        releases=">=4.0",
    ),
    _rewrites(
        # It is off by default, and a group of Spark's configuration has it act, while a query runs.
        "DemoteBroadcastHashJoin",
        "AQE:Demote Broadcast Hash Join",
        "a join with an input that was shuffled into empty partitions = that join, with a hint not to broadcast it",
        "only a hint changes: the join keeps its kind, its whole condition and both inputs",
        "an input has rows, though some of its partitions have none",
        "where rows of one input are kept without partners, it is this input's partitions that count",
        "an input with a hint keeps that one",
        package="org.apache.spark.sql.execution.adaptive.",
        releases=">=4.3",
    ),
    _rewrites(
        "PullOutVariantExtractions",
        "Early Filter and Projection Push-Down",
        "variant_get(v, path) in an aggregate function, in ON, above a join, or in ORDER BY = a column that a "
        "projection below the operator, and below all joins, makes of v",
        "each path with its type has a column of its own, made of the v of its own side of a join",
        "all rows stay, also those in which the column is NULL: of the rows that an outer join adds, too",
        "the FILTER of a function remains its own, and a sort keeps its directions and the places of NULLs",
        "v itself stays where anything else reads it, and no column is added to the result",
        package="org.apache.spark.sql.execution.datasources.",
        releases=">=4.3",
    ),
)
