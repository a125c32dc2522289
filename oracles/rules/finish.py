"""Evidence for the parts of FinishAnalysis: which of them worked, in one change of the whole.

It turns an analyzed plan into one that can be optimized and run; each part takes out what only the analyzer knew, so
that what tells the parts apart is what is there before and no longer after.
"""

from __future__ import annotations

import re

from oracles.rules.plans import PlanNode
from oracles.rules.rule import Evidence

_STANDING_FOR_OTHERS = (
    *("nullif", "nvl", "ifnull", "nvl2", "between", "extract", "left", "right", "split_part", "ilike", "base64"),
    *("try_add", "try_subtract", "try_multiply", "try_divide", "try_element_at"),
    *("get", "array_append", "array_prepend", "array_compact"),
    *("bool_and", "bool_or", "count_if"),
)
"""Functions, as Spark prints them, that are written with others."""


def fewer_operators(kind: str) -> Evidence:
    """Whether an operator of ``kind`` is gone."""
    return lambda before, after: after.count(kind) < before.count(kind)


def fewer(pattern: str) -> Evidence:
    """Whether what matches ``pattern`` stands in fewer places."""
    compiled = re.compile(pattern)

    def evidence(before: PlanNode, after: PlanNode) -> bool:
        return _matches(compiled, after) < _matches(compiled, before)

    return evidence


def _matches(pattern: re.Pattern[str], plan: PlanNode) -> int:
    return sum(len(pattern.findall(node.text)) for node in plan.nodes())


expressions_replaced = fewer(rf"\b(?:{'|'.join(_STANDING_FOR_OTHERS)})\(")
"""ReplaceExpressions."""
exists_asked_once = fewer(r"\bexists#\d+ \[\]")
"""RewriteNonCorrelatedExists: a correlated one has what it is correlated by in brackets."""
time_computed = fewer(r"\b(?:current_timestamp|current_date|localtimestamp|now)\(")
"""ComputeCurrentTime."""
session_named = fewer(r"\b(?:current_catalog|current_schema|current_database|current_user|session_user)\(")
"""ReplaceCurrentLike."""


def grouping_pulled_out(before: PlanNode, after: PlanNode) -> bool:
    """PullOutGroupingExpressions: a key that is computed is a column of a projection below."""
    return not fewer(r"\b_groupingexpression#\d+")(before, after) and fewer(r"\b_groupingexpression#\d+")(after, before)
