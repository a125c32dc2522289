"""Entries of FinishAnalysis, which turns an analyzed plan into one that can be optimized, and of its parts.

It can't be turned off: Spark is compared with DuckDB alone.
"""

from __future__ import annotations

from oracles.rules.finish import (
    exists_asked_once,
    expressions_replaced,
    fewer_operators,
    grouping_pulled_out,
    session_named,
    time_computed,
)
from oracles.rules.rule import OPTIMIZER, Evidence, Rule

FINISH_ANALYSIS = OPTIMIZER + "Optimizer$FinishAnalysis"
_ANALYSIS = "org.apache.spark.sql.catalyst.analysis."
_NO_ANSWER = "takes out what only the analyzer reads: no value of any row depends on it"
_SESSION = "its values are the session's own: there is nothing to compare them with"


def _part(
    name: str, evidence: Evidence, law: str, *conditions: str, package: str = OPTIMIZER, unshaped: str = ""
) -> Rule:
    return Rule(
        name=name,
        rule_name=package + name,
        batch="",
        switch=None,
        law=law,
        conditions=conditions,
        seeds=("002",),
        tracked_as=FINISH_ANALYSIS,
        evidence=evidence,
        unshaped=unshaped,
    )


FINISH: tuple[Rule, ...] = (
    Rule(
        name="FinishAnalysis",
        rule_name=FINISH_ANALYSIS,
        batch="Finish Analysis",
        switch=None,
        law="a plan = the same without what only the analyzer reads: the rules below in one pass, in subqueries, too",
        seeds=("002",),
        unshaped="every query needs it: its parts are drawn for",
    ),
    _part(
        "EliminateResolvedHint",
        fewer_operators("ResolvedHint"),
        "a hint over a relation = a note on the join above it",
        unshaped=_NO_ANSWER,
    ),
    _part(
        "EliminateSubqueryAliases",
        fewer_operators("SubqueryAlias"),
        "L AS name = L",
        package=_ANALYSIS,
        unshaped=_NO_ANSWER,
    ),
    _part("EliminateView", fewer_operators("View"), "a view = its query", package=_ANALYSIS, unshaped=_NO_ANSWER),
    _part(
        "ReplaceExpressions",
        expressions_replaced,
        "a function that stands for others = those",
        "nullif(x, y) = CASE WHEN x = y THEN NULL ELSE x END: x where y is NULL",
        "count_if(c) = count(nullif(c, false)); every(c) = min(c), some(c) = max(c), NULL of no row",
        "try_add(x, y) is NULL where x + y doesn't fit its type",
    ),
    _part(
        "RewriteNonCorrelatedExists",
        exists_asked_once,
        "EXISTS q = (SELECT 1 FROM q LIMIT 1) IS NOT NULL",
        "q is not correlated: it has one answer for all rows",
        "what q's columns hold doesn't matter, nor how many rows it has",
    ),
    _part(
        "PullOutGroupingExpressions",
        grouping_pulled_out,
        "GROUP BY f(k) = GROUP BY x over a projection with f(k) AS x",
        "whatever the select list has of f(k) is x",
        "a constant stays where it is",
        unshaped="every aggregate by a computed key has it",
    ),
    _part(
        "ComputeCurrentTime",
        time_computed,
        "current_timestamp() = a literal, the same all over a query and its subqueries",
        unshaped="no time is the same twice: there is nothing to compare it with",
    ),
    _part("ReplaceCurrentLike", session_named, "current_catalog() and its like = literals", unshaped=_SESSION),
)
