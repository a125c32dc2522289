"""Turn queries into analyzed DataFrames of the session, and read the jar's reports on them and on their errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from oracles.answers.outcome import Kind, Raised
from oracles.engines.protocol import LegReport
from oracles.engines.spark.jvm import SparkJvm
from oracles.engines.spark.start import SparkOptions
from oracles.engines.spark.stored import rows_of
from oracles.engines.spark.watchdog import Watchdog
from oracles.engines.timer import NoTimer, Timer
from oracles.rules.points import Point
from oracles.sql import DataFrameCompiler, compiler_of
from strategies.ir import Relation, Settings, Statement, scans

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ANALYSIS = frozenset(point for point in Point if point.analysis)


class SparkFrames(SparkJvm):
    """The session with its injected rules, and queries as its DataFrames.

    :param timer: receives the time of each phase.
    """

    def __init__(self, options: SparkOptions, *, watchdog: Watchdog | None = None, timer: Timer | None = None) -> None:
        super().__init__(options, watchdog=watchdog)
        self._timer = timer or NoTimer()

    @property
    def injected(self) -> dict[str, str]:
        """The classes of the rules that the switch extension loads, by name."""
        return {rule.name: rule.class_name for rule in self._options.injected}

    @property
    def points(self) -> dict[str, str]:
        """The extension points of the switched rules, by name; of a rule at several points, the first one."""
        return {name: points[0] for name, points in self._all_points.items()}

    @cached_property
    def _all_points(self) -> dict[str, list[str]]:
        points = {rule.name: [rule.point] for rule in self._options.injected}
        if self._options.extensions:
            jvm: Any = self.session._jvm
            for line in jvm.assay.SwitchExtensions.loaded():
                name, _, place = line.partition("=")
                if name not in self.injected:
                    points.setdefault(name, []).append(place.rpartition("@")[2])
        return points

    @property
    def brought(self) -> list[str]:
        """Names of the switched rules that extensions inject."""
        return [name for name in self.points if name not in self.injected]

    @cached_property
    def analyzing(self) -> frozenset[str]:
        """Names of the loaded rules that run before the optimizer, perhaps beside other points."""
        return frozenset(name for name, points in self._all_points.items() if not _ANALYSIS.isdisjoint(points))

    def frame(self, query: Relation, settings: Settings) -> Any:
        """``query`` as the JVM's DataFrame over the loaded views, analyzed under the current settings; the rules of the
        analysis don't count as evidence.
        """
        with self._timer("analyze"):
            if settings.form == "dataframe":
                return self.runner.fresh(program(self.session, query, settings)._jdf)
            in_files = settings.source != "v2"
            text = compiler_of(settings, stored=in_files).compile(query)
            if not isinstance(query, Statement):
                return self.runner.freshFrame(self.session._jsparkSession, text)
            return self.runner.statement(self.session._jsparkSession, text, rows_of(query) if in_files else "")

    def not_analyzed(self, failed: Raised) -> LegReport:
        """The report of a leg whose query can't be analyzed under the current settings."""
        if not self.analyzing:
            return LegReport(outcome=failed, changed_plan=frozenset(), plan="")
        jsession = self.session._jsparkSession
        counts = json.loads(self.calling(lambda: self.runner.injected(jsession)))
        changed_plan = frozenset(name for name, (_, changed_plan) in counts.items() if changed_plan)
        return LegReport(
            outcome=failed,
            changed_plan=changed_plan,
            plan="",
            misbehaviour=json.loads(self.runner.misbehaviour(jsession)),
        )

    def facts(self, told: str | bytes) -> dict[str, Any]:
        """Parse the jar's report on a leg, without its rows, and report its times to the timer."""
        facts: dict[str, Any] = json.loads(told)
        for name, milliseconds in facts["milliseconds"].items():
            self._timer.report(name, milliseconds / 1000)
        return facts

    def raised(self, error: Exception) -> Raised:
        """``error``, which pyspark raised while a query was analyzed, as an outcome."""
        self._require_executors()
        origin = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
        if origin is None:
            return Raised(type(error).__name__, None, str(error), "internal")
        info = self.runner.describe(origin)
        names = ("condition", "sqlState", "message", "internal", "invalidPlan", "timedOut")
        return raised_of({"classes": info.classes().split(","), **{name: getattr(info, name)() for name in names}})


def raised_of(error: Mapping[str, Any]) -> Raised:
    """The jar's description of an error as an outcome."""
    kind: Kind = "internal" if error["internal"] else "user"
    if error["invalidPlan"]:
        kind = "invalid-plan"
    if error["timedOut"]:
        kind = "timeout"
    return Raised(error["condition"] or error["classes"][0], error["sqlState"], error["message"] or "", kind)


def program(session: SparkSession, query: Relation, settings: Settings) -> DataFrame:
    """Evaluate the DataFrame program of ``query`` over the views of ``session``."""
    from pyspark.sql import functions

    tables = {name: session.table(name) for name in _tables(query)}
    text = DataFrameCompiler(settings.literals).compile(query)
    frame: DataFrame = eval(text, {"__builtins__": {}, "F": functions, "typed": partial(typed, session), **tables})
    return frame


def typed(session: SparkSession, operation: str, frame: DataFrame, *arguments: Any) -> DataFrame:
    """``frame`` after an operation of a typed Dataset: the method of this name of TypedRows in the jar."""
    rows: Any = session._jvm.userfunctions.TypedRows  # type: ignore[union-attr]  # a session of the driver has it
    return type(frame)(getattr(rows, operation)(frame._jdf, *arguments), session)


def _tables(query: Relation) -> list[str]:
    return sorted({scan.table for scan in scans(query)})
