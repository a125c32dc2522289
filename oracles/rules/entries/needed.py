"""Entries of the rules that can't be turned off, because the queries that they rewrite can't run without them."""

from __future__ import annotations

from oracles.rules.rule import OPERATOR_OPTIMIZATION, OPTIMIZER, Rule


def _needed(name: str, batch: str, law: str, *conditions: str, inside: str = "") -> Rule:
    """An entry without a switch: Spark is compared with DuckDB alone.

    ``inside`` is the name of the object that the rule is nested in, if any.
    """
    full = f"{OPTIMIZER}{inside}${name}" if inside else OPTIMIZER + name
    return Rule(name=name, rule_name=full, batch=batch, switch=None, law=law, conditions=conditions, seeds=("002",))


NEEDED: tuple[Rule, ...] = (
    _needed(
        "RewriteCorrelatedScalarSubquery",
        OPERATOR_OPTIMIZATION,
        "the value of a correlated subquery = that column of a left join with the subquery, grouped by what it is "
        "correlated by",
        "a row that nothing inside meets has the value that the aggregate has of no rows: 0 for a count",
        "HAVING is asked of no rows, too; with keys of its own no rows make no group, and the value is NULL",
    ),
    _needed(
        "RewritePredicateSubquery",
        "RewriteSubquery",
        "EXISTS and IN over a subquery = a semi join, their opposites = an anti join; anywhere but in WHERE and "
        "its ANDs = a flag, which a join adds to every row",
        "NOT IN takes a NULL on either side for a match, but not what the subquery is correlated by",
        "EXISTS is correlated: otherwise it is a subquery of one row",
    ),
    _needed(
        "RewriteDistinctAggregates",
        "Distinct Aggregate Rewrite",
        "aggregates of several sets of distinct values = each set's values as rows of their own, brought down to one "
        "each by one aggregate, over which a second one counts each set's rows alone",
        "functions without DISTINCT are evaluated by the first aggregate, over all rows",
        "FILTER is asked before values are brought down to one",
        "no rows make one group if there are no keys, with counts of 0",
    ),
    _needed(
        "PullupCorrelatedPredicates",
        "Pullup Correlated Expressions",
        "a subquery's conditions that name columns outside = conditions by which it is joined",
        "each means what it meant: = is NULL of NULL, <=> isn't, and an order has its sides",
        "what is aggregated, made distinct or limited inside is so for each row outside",
        "conditions that name nothing outside stay inside",
    ),
    _needed(
        "OptimizeSubqueries",
        "Subquery",
        "a subquery = the same with its own plan optimized, by all rules",
        "a sort on its top may go, one below a limit may not",
        inside="Optimizer",
    ),
)
