"""Evidence for the parts of FinishAnalysis: tell which parts fired in one change of the whole rule.

FinishAnalysis turns an analyzed plan into one that can be optimized and run. Each part removes another kind of operator
or expression that only the analyzer understands, so the removed ones tell the parts apart.
"""

from __future__ import annotations

import re

from oracles.rules.plans import PlanNode
from oracles.rules.rule import Evidence

_STANDING_FOR_OTHERS = (
    *("nullif", "nvl", "ifnull", "nvl2", "between", "extract", "left", "right", "split_part", "ilike", "base64"),
    *("try_add", "try_subtract", "try_multiply", "try_divide", "try_element_at"),
    *("get", "array_append", "array_prepend", "array_compact"),
    *("bool_and", "bool_or", "count_if", "regr_count"),
)
"""Functions, as Spark prints them, that Spark replaces by other expressions."""


def fewer_operators(kind: str) -> Evidence:
    """Evidence that an operator of ``kind`` was removed."""
    return lambda before, after: after.count(kind) < before.count(kind)


def fewer(pattern: str) -> Evidence:
    """Evidence that ``pattern`` matches fewer places."""
    compiled = re.compile(pattern)

    def evidence(before: PlanNode, after: PlanNode) -> bool:
        return _matches(compiled, after) < _matches(compiled, before)

    return evidence


def _matches(pattern: re.Pattern[str], plan: PlanNode) -> int:
    return sum(len(pattern.findall(node.text)) for node in plan.nodes())


expressions_replaced = fewer(rf"\b(?:{'|'.join(_STANDING_FOR_OTHERS)})\(")
"""Evidence for ReplaceExpressions."""
exists_asked_once = fewer(r"\bexists#\d+ \[\]")
"""Evidence for RewriteNonCorrelatedExists: only a correlated EXISTS has expressions in the brackets."""
time_computed = fewer(r"\b(?:current_timestamp|current_date|localtimestamp|now)\(")
"""Evidence for ComputeCurrentTime."""
session_named = fewer(r"\b(?:current_catalog|current_schema|current_database|current_user|session_user)\(")
"""Evidence for ReplaceCurrentLike."""


def grouping_pulled_out(before: PlanNode, after: PlanNode) -> bool:
    """Evidence for PullOutGroupingExpressions: a computed key becomes a column of a projection below."""
    return not fewer(r"\b_groupingexpression#\d+")(before, after) and fewer(r"\b_groupingexpression#\d+")(after, before)
