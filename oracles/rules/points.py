"""The injection points of ``SparkSessionExtensions``, and two of Assay's own, with what is different at each."""

from __future__ import annotations

from enum import StrEnum


class Point(StrEnum):
    """Where a rule of the user's runs; its value is what follows the @ of ``--rule``.

    :param analysis: it belongs to the analyzer, so the rule runs before the optimizer's rules do.
    :param once: logical rules run once for each plan, so nothing makes up for what one application leaves undone.
    :param adaptive: only adaptive execution has it.
    :param running: a rule there meets a plan only after a part of the query has run.
    :param physical: its rules run when the physical plan is made, or later.
    :param tried: a rule there can change a plan, so it can be tried.
    """

    analysis: bool
    once: bool
    adaptive: bool
    running: bool
    physical: bool
    tried: bool

    def __new__(cls, value: str, *traits: str) -> Point:
        """Set what the traits say."""
        point = str.__new__(cls, value)
        point._value_ = value
        point.analysis = "analysis" in traits
        point.once = "once" in traits
        point.adaptive = "adaptive" in traits
        point.running = "running" in traits
        point.physical = "physical" in traits
        point.tried = "changes nothing" not in traits
        return point

    RESOLUTION = "resolution", "analysis"
    POST_HOC_RESOLUTION = "post-hoc-resolution", "analysis", "once"
    HINT_RESOLUTION = "hint-resolution", "analysis"
    CHECK = "check", "analysis", "changes nothing"
    PLAN_NORMALIZATION = "plan-normalization", "once"
    PRE_OPERATOR_OPTIMIZATION = "pre-operator-optimization", "once"
    OPTIMIZER = "optimizer"
    PRE_CBO = "pre-cbo", "once"
    PLANNER_STRATEGY = "planner-strategy", "physical"
    QUERY_POST_PLANNER_STRATEGY = "query-post-planner-strategy", "adaptive", "physical"
    COLUMNAR = "columnar", "physical"
    QUERY_STAGE_PREP = "query-stage-prep", "adaptive", "physical"
    QUERY_STAGE_OPTIMIZER = "query-stage-optimizer", "adaptive", "running", "physical"
    RUNTIME_OPTIMIZER = "runtime-optimizer", "adaptive", "running", "physical"
    EXPERIMENTAL = "experimental"


DEFAULT_POINT = Point.OPTIMIZER
