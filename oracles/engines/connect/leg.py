"""One leg behind a Connect server: a query's text under the current settings, its rows, plan and fired rules."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Timer
from typing import Any, Protocol

from oracles.answers.outcome import Kind, Outcome, Raised, outcome_of
from oracles.engines.protocol import LegReport
from oracles.engines.spark.jvm import SparkLost
from oracles.rules.plans import PlanNode, renumbered

_UNREACHABLE = ("StatusCode.UNAVAILABLE", "failed to connect", "INVALID_HANDLE")


class Server(Protocol):
    """The parts of a Connect server's engine that a leg uses."""

    @property
    def session(self) -> Any:
        """The client's session."""

    @property
    def spark_errors(self) -> tuple[type[Exception], ...]:
        """The client's exceptions for an error of the server's Spark."""

    def explained(self, text: str, mode: str) -> str:
        """The text of ``explain`` for ``text`` in one of its modes."""

    def acting_on(self, text: str, conf: Mapping[str, str]) -> frozenset[str]:
        """Full names of the rules that fire on ``text``; none if ``conf`` turns off a rule."""


class ConnectLeg:
    """A query's text under one leg's settings; ``changed_plan`` is empty if the leg turns off a rule."""

    def __init__(self, engine: Server, text: str, conf: Mapping[str, str], *, timeout_seconds: float) -> None:
        self._server = engine
        self._text = text
        self._conf = conf
        self._limit = timeout_seconds

    def plan(self) -> LegReport:
        """Plan the query, and run nothing."""
        return LegReport(outcome=None, changed_plan=self._effective(), plan=self._plan())

    def run(self, *, known: str = "", databases: int = 1) -> LegReport:
        """Run the query."""
        plan = self._plan()
        # ``explain`` shows only adaptive execution's initial plan: equal plans may end differently, so both run.
        return LegReport(outcome=self._rows(), changed_plan=self._effective(), plan=plan)

    def pairs_all(self) -> bool:
        """Whether the plan pairs each row with each."""
        plan = self._plan()
        return "CartesianProduct" in plan or "BroadcastNestedLoopJoin" in plan

    def around(self, rule_name: str) -> tuple[str, str] | None:
        """None: Connect shows no plans of single rules."""
        return None

    def changes(self, rule_name: str) -> list[tuple[PlanNode, PlanNode]]:
        """None: Connect shows no plans of single rules."""
        return []

    def _effective(self) -> frozenset[str]:
        return self._server.acting_on(self._text, self._conf)

    def _plan(self) -> str:
        try:
            return renumbered(self._server.explained(self._text, "simple"))
        except self._server.spark_errors:
            return ""

    def _rows(self) -> Outcome:
        session, late = self._server.session, []

        def ring() -> None:
            late.append(True)
            session.interruptAll()

        alarm = Timer(self._limit, ring)
        alarm.start()
        try:
            return outcome_of(session.sql(self._text).toArrow)
        except self._server.spark_errors as error:
            return raised_of(error, late=bool(late))
        finally:
            alarm.cancel()


def raised_of(error: Any, *, late: bool = False) -> Raised:
    """The client's exception as an outcome; raises SparkLost if the server is gone."""
    message = str(error)
    if any(text in message for text in _UNREACHABLE):
        raise SparkLost(f"the Connect server doesn't answer: {message.splitlines()[0][:200]}") from error
    condition = error.getCondition()
    kind: Kind = "user"
    if condition is None or condition.startswith("INTERNAL_ERROR"):
        kind = "internal"
    elif condition.startswith("PLAN_VALIDATION_FAILED"):
        kind = "invalid-plan"
    return Raised(condition or type(error).__name__, error.getSqlState(), message, "timeout" if late else kind)
