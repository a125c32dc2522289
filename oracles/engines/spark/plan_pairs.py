"""Many plans in one call, and runs of both legs' plans of a query over many databases in one call.

The databases are choices among the versions of tables in memory; the JVM compares the rows, as the jar's RowKey defines
that two rows are the same, and tells only where the plans differ.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.leg import SparkLeg
from oracles.engines.spark.leg_conf import leg_conf
from oracles.rules.switch import analyzed_alike
from oracles.sql.spark import SparkCompiler
from strategies.ir import Limit, Relation, Settings


@dataclass(frozen=True, slots=True)
class Planned:
    """A query's plan: Spark's names of the rules that changed it, and its fingerprint, '' if no wanted rule did."""

    changed: frozenset[str]
    plan: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """The result of both plans over many databases; databases are places among those of the call.

    ``differ``: the plans have other rows; ``unrun``: one or both raise, or need jobs; ``one_sided``: one does, and the
    other has rows; ``fresh``: a plan's answer is new. ``ran``: the number of databases over which both have rows.
    ``late``: the time was up before the last one.
    """

    differ: Sequence[int]
    unrun: Sequence[int]
    one_sided: Sequence[int]
    fresh: Sequence[int]
    ran: int
    late: bool


class PlanPair:
    """The plans of one query with a rule on and off, held by the JVM.

    ``ordered``: a plan may tell in which order a table has its rows; ``named``: it may tell more of values than which
    of them are equal. ``problem``: the reason why the JVM can't compare the answers, or ''.
    """

    def __init__(self, spark: SparkEngine, held: Any) -> None:
        self._spark, self._held = spark, held
        facts = json.loads(held.facts())
        self.ordered: bool = facts["ordered"]
        self.named: bool = facts["named"]
        self.problem: str = facts["problem"]

    def run(self, choices: bytes, *, tables: int, seconds: float, most: int = 8) -> Swept:
        """Run both plans over each database of ``choices``; a table's version takes two bytes, the high one first.

        :param most: the most places that are listed as unrun or one-sided, and the most new answers of all calls.
        """
        told = self._spark.calling(lambda: self._held.run(choices, tables, int(seconds * 1000), most))
        return Swept(**json.loads(told))

    def optimized(self) -> tuple[str, str]:
        """The optimized plans as Catalyst's JSON, the one with the rule on first; '' for one that has none.

        Above each table in memory stands a SubqueryAlias with its name; rows in the plan itself are projections.
        """
        on, off = json.loads(self._spark.calling(self._held.optimized))
        return on, off


def plans(
    spark: SparkEngine,
    queries: Sequence[Relation],
    settings: Settings,
    conf: Mapping[str, str],
    *,
    wanted: Collection[str],
    physical: bool,
) -> list[Planned | None]:
    """Plan each of ``queries`` over the loaded tables, without running any; None for one that Spark can't plan.

    :param wanted: Spark's names of rules; a plan without a change by one of them gets no fingerprint. With no names,
        each plan gets one.
    :param physical: whether one of them works on physical plans.
    """
    compiler = SparkCompiler.under(settings)
    texts = json.dumps([compiler.compile(query) for query in queries])
    jvm, jsession = _pairs(spark), spark.session._jsparkSession
    everything = json.dumps({**leg_conf(settings), **conf})
    with spark.watched():  # a rule on trial may never end
        told = json.loads(spark.calling(lambda: jvm.plans(jsession, everything, texts, "\n".join(wanted), physical)))
    return [Planned(frozenset((*each["rules"], *each["injected"])), each["plan"]) if each else None for each in told]


def firing(
    spark: SparkEngine, analyzed: SparkLeg, settings: Settings, confs: Sequence[Mapping[str, str]], *, physical: bool
) -> list[frozenset[str]]:
    """The injected rules that fire while the query of ``analyzed`` is planned under each of ``confs``; nothing runs.

    :param analyzed: a leg of a query over the loaded tables, under ``settings``; a statement's has a scan that no other
        plan may read, so it can't be asked.
    :param physical: whether one of the rules works on physical plans.
    """
    if not confs or analyzed.frame is None:
        return [frozenset() for _ in confs]
    everything = json.dumps([json.dumps({**leg_conf(settings), **conf}) for conf in confs])
    with spark.watched():  # a rule on trial may never end
        told = json.loads(spark.calling(lambda: _pairs(spark).firing(analyzed.frame, everything, physical)))
    return [frozenset(names) for names in told]


def plan_pair(
    spark: SparkEngine, query: Relation, settings: Settings, on: Mapping[str, str], off: Mapping[str, str]
) -> PlanPair | None:
    """The plans of ``query`` over the loaded tables under two legs' settings; None if Spark can't plan it."""
    text, jsession = SparkCompiler.under(settings).compile(query), spark.session._jsparkSession
    confs = [json.dumps({**leg_conf(settings), **conf}) for conf in (on, off)]
    try:
        shared = analyzed_alike(on, off, spark.analyzing)
        held = spark.calling(lambda: _pairs(spark).of(jsession, *confs, text, isinstance(query, Limit), shared))
    except spark.spark_errors:
        return None
    return PlanPair(spark, held)


def _pairs(spark: SparkEngine) -> Any:
    jvm: Any = spark.session._jvm
    return jvm.org.apache.spark.sql.assay.PlanPair
