"""Entries of the rules that can't be turned off, because the queries that they rewrite can't run without them."""

from __future__ import annotations

from oracles.rules.rule import OPERATOR_OPTIMIZATION, OPTIMIZER, Rule

_EXTRACTION = "Extract Python UDFs"
_PYTHON = "org.apache.spark.sql.execution.python."


def _needed(
    name: str,
    batch: str,
    law: str,
    *conditions: str,
    inside: str = "",
    package: str = OPTIMIZER,
    needed: bool = False,
) -> Rule:
    """An entry without a switch: Spark is compared with DuckDB alone.

    ``inside`` is the name of the object that the rule is nested in, if any. ``needed``: the release says that the rule
    may be excluded, all the same.
    """
    return Rule(
        name=name,
        rule_name=f"{package}{inside}${name}" if inside else package + name,
        batch=batch,
        switch=None,
        law=law,
        conditions=conditions,
        seeds=("002",),
        needed=needed,
    )


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
    _needed(
        "ExtractPythonUDFFromJoinCondition",
        _EXTRACTION,
        "L JOIN R ON c AND f(l, r) = Filter(f(l, r), L JOIN R ON c), for a function in Python of columns of both sides",
        "the join is an inner one: Spark refuses any other",
        "each part of ON with such a function goes into the filter, and every other part stays",
        "rows meet where the condition is true, not where it is NULL",
    ),
    _needed(
        "ExtractPythonUDFFromAggregate",
        _EXTRACTION,
        "an aggregate's column with a function in Python of aggregates or keys, or of nothing = a column of a "
        "projection above the aggregate, which has the operands as columns",
        "each operand is a column of its own",
        "the function is evaluated after the aggregate, of NULL, too",
        package=_PYTHON,
    ),
    _needed(
        "ExtractGroupingPythonUDFFromAggregate",
        _EXTRACTION,
        "a key with a function in Python = a column of a projection below the aggregate, which is grouped by it",
        "the select list reads the key where it has the same call",
        "a function without operands is a key like any other: no rows make no group",
        "the other columns of the projection are no keys",
        package=_PYTHON,
    ),
    _needed(
        "ExtractPythonUDFs",
        _EXTRACTION,
        "an operator with calls of functions in Python = the same over a worker, which adds their values as columns",
        "calls of the same function of the same operands are computed once, other calls are not",
        "a call of a call is computed from the inside out",
        "the function is called for NULL, too",
        "the added columns go again where the operator shows all of its input",
        package=_PYTHON,
    ),
    _needed(
        "ExtractPythonUDTFs",
        _EXTRACTION,
        "Generate(f(x), R), for a table function f in Python = for each row of R the rows that a worker makes of x, "
        "beside the columns of R that are read",
        "the function is called for each row, also for one that is there twice, and for NULL",
        "what the function makes of one row stays beside that row, in its order of columns",
        "rows that the function makes twice, and NULLs, stay",
        package=_PYTHON,
        needed=True,
    ),
)
