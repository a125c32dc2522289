"""One leg on Spark: plan and run a query under the current settings, and report its outcome and evidence."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from oracles.answers.outcome import Outcome, Raised, Rows, outcome_of
from oracles.engines.protocol import Leg, LegReport
from oracles.engines.spark.frames import SparkFrames, raised_of
from oracles.rules.plans import PlanNode, read_plan
from oracles.sql.dialect import UnsupportedNode
from strategies.ir import Relation, Settings, has_an_order, keys_of_order


class SparkLeg:
    """A query under one leg's settings, planned at most once, and run at most once."""

    def __init__(
        self,
        engine: SparkFrames,
        query: Relation,
        settings: Settings,
        *,
        timeout_seconds: float,
        in_driver: bool,
        like: Leg | None,
    ) -> None:
        self._engine = engine
        self._in_driver = in_driver
        self._ordered, self._keys = has_an_order(query), keys_of_order(query)
        self._timeout = timeout_seconds
        self._failed: Raised | None = None
        self._frame: Any = None
        self._analyzed_again: Callable[[], Any] = lambda: engine.frame(query, settings)
        # An analyzed statement has a scan of its own that its plan is to read: no other leg takes it.
        analyzed = like._frame if isinstance(like, SparkLeg) and not query.is_statement else None
        try:
            # Always start from an analyzed plan, so that no leg counts the rules of the analysis as its own.
            self._frame = engine.frame(query, settings) if analyzed is None else engine.runner.fresh(analyzed)
        except UnsupportedNode as error:
            self._failed = Raised("UNSUPPORTED_NODE", None, str(error), "unsupported")
        except engine.spark_errors as error:
            self._failed = engine.raised(error)

    @property
    def frame(self) -> Any:
        """The DataFrame of the query under Java's Spark; None if the query can't be analyzed."""
        return None if self._failed else self._frame

    def plan(self) -> LegReport:
        """Parse, analyze, optimize and plan, without running anything."""
        return self._report(lambda: self._engine.runner.toldPlan(self._frame))

    def run(self, *, known: str = "", databases: int = 1) -> LegReport:
        """Plan and execute; the evidence is read after execution, so that adaptive execution's rules count.

        If the executed plan is the ``known`` one, it doesn't run, and there is no outcome. A plan that runs in the
        driver runs over the first ``databases`` of the loaded databases.
        """
        milliseconds = int(self._timeout * 1000)
        run = self._engine.runner.toldRun
        return self._report(lambda: run(self._frame, milliseconds, self._in_driver, known, databases))

    def write(self, folder: Path) -> LegReport:
        """Plan and execute, with the rows in parquet files below ``folder`` that have the columns c0, c1 and so on.

        The report's ``outcome`` is None unless the query raises.
        """
        milliseconds = int(self._timeout * 1000)
        written = self._engine.runner.toldWritten
        return self._report(lambda: written(self._frame, milliseconds, str(folder)))

    def pairs_all(self) -> bool:
        """Whether its plan has a join without keys, which pairs each row of one input with each row of the other."""
        if self._failed:
            return False
        plan = str(self._engine.calling(lambda: self._frame.queryExecution().executedPlan().toString()))
        return "CartesianProduct" in plan or "BroadcastNestedLoopJoin" in plan

    def milliseconds(self) -> float | None:
        """The milliseconds to optimize, plan and run the query as Spark jobs; None if it raises."""
        if self._failed:
            return None
        runner = self._engine.runner
        report = self._engine.calling(lambda: runner.run(self._frame, int(self._timeout * 1000)))
        facts = self._engine.facts(report.facts())
        if facts["error"]:
            return None
        return sum(float(facts["milliseconds"][phase]) for phase in ("optimize", "plan", "execute"))

    def around(self, rule_name: str) -> tuple[str, str] | None:
        """The plan right before and after ``rule_name`` first changed it; None if it didn't."""
        if rule_name in self._engine.analyzing:
            return self._around_in_analysis(rule_name)
        if self._failed or self._frame is None:
            return None
        before, after = self._engine.runner.aroundRule(self._frame, rule_name)
        return (before, after) if before else None

    def _around_in_analysis(self, rule_name: str) -> tuple[str, str] | None:
        runner, jsession = self._engine.runner, self._engine.session._jsparkSession
        runner.watch(jsession, rule_name)
        # The leg has reported the query's error already.
        with suppress(*self._engine.spark_errors):
            self._analyzed_again()
        before, after = runner.seen(jsession)
        return (before, after) if before else None

    def changes(self, rule_name: str) -> list[tuple[PlanNode, PlanNode]]:
        """The plan right before and after each change by a rule of the optimizer, changes in subqueries included."""
        if self._failed or self._frame is None:
            return []
        pairs = json.loads(self._engine.calling(lambda: self._engine.runner.changes(self._frame, rule_name)))
        return [(read_plan(before), read_plan(after)) for before, after in pairs]

    def _report(self, call: Callable[[], str]) -> LegReport:
        if self._failed:
            return self._engine.not_analyzed(self._failed)
        told, _, rows = b64decode(self._engine.calling(call)).partition(b"\n")
        facts = self._engine.facts(told)
        self._engine.require_executors(facts.get("noneLeft", ""))
        changed = {**facts["rules"], **facts["injected"]}
        changed_plan = frozenset(name for name, (_, changed_plan) in changed.items() if changed_plan)
        outcome = self._outcome(facts["error"], rows)
        others: Sequence[Rows | None] = ()
        if isinstance(outcome, Rows):
            outcome, others = _split(outcome, facts["counts"])
        plan, shape = facts["fingerprint"], facts["shape"]
        return LegReport(
            outcome=outcome,
            changed_plan=changed_plan,
            plan=plan,
            in_driver=facts["inDriver"],
            misbehaviour=facts["misbehaviour"],
            shape=shape,
            written=facts.get("written", {}),
            executors=facts.get("executors", {}),
            others=others,
        )

    def _outcome(self, error: Mapping[str, Any] | None, rows: bytes) -> Outcome | None:
        if error is not None:
            return raised_of(error)
        if not rows:
            return None
        return outcome_of(lambda: pa.ipc.open_stream(rows).read_all(), ordered=self._ordered, keys=self._keys)


def _split(together: Rows, counts: Sequence[int]) -> tuple[Rows, Sequence[Rows | None]]:
    """The rows of the first database, and of each other one, or None for a count below 0."""
    first, *others = counts
    if not others:
        return together, ()
    place, parts = first, list[Rows | None]()
    for count in others:
        parts.append(None if count < 0 else replace(together, rows=together.rows[place : place + count]))
        place += max(count, 0)
    return replace(together, rows=together.rows[:first]), parts
