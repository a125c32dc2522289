"""Spark behind the same small protocol as DuckDB: tables in, outcomes and evidence out.

One session a process, started when first asked for. A leg is a run of a query under session settings of its
own; the jar's LegRunner plans and runs it in one call, and reads the evidence from that very run.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from oracles.engines.leg_conf import leg_conf
from oracles.engines.memory import streams
from oracles.engines.sources import loaded
from oracles.engines.start import SparkOptions, Started, start
from oracles.outcome import Kind, Outcome, Raised, UnsupportedType, rows_from_arrow
from oracles.rules.catalogue import Discovered
from oracles.rules.plans import PlanNode, read_plan
from oracles.sql.dataframe import DataFrameCompiler
from oracles.sql.dialect import UnsupportedNode
from oracles.sql.spark import SparkCompiler
from strategies.ir import Database, Limit, Relation, Settings, Source, scans

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ANALYSIS = ("resolution", "post-hoc-resolution", "hint-resolution", "check")


class SparkLost(RuntimeError):
    """The JVM is gone or no longer answers, so nothing can be concluded from this check."""


@dataclass(frozen=True, slots=True)
class LegReport:
    """One leg's outcome and evidence.

    ``outcome`` is None for a leg that was only planned. ``effective`` are Spark's names of the rules that changed
    this query's plan, and the names of injected rules that did; ``plan`` is the executed plan with expression ids
    renumbered, equal for equal plans, and '' where planning raised. ``in_driver``: no job was run for the rows.
    ``conduct`` holds what injected rules did wrong beside the answer, by name, where that was watched (see
    :mod:`oracles.conduct`).
    """

    outcome: Outcome | None
    effective: frozenset[str]
    plan: str
    in_driver: bool = False
    conduct: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Handed:
    """The plans that one rule was given: in how many legs, and in how many of these each type of node.

    ``shapes`` are the most frequent forms of a leg's first plan, the most frequent one first.
    """

    legs: int = 0
    nodes: Mapping[str, int] = field(default_factory=dict)
    shapes: Mapping[str, int] = field(default_factory=dict)


class SparkLeg:
    """A query under one leg's settings, planned at most once, and run at most once."""

    def __init__(
        self,
        engine: SparkEngine,
        query: Relation,
        settings: Settings,
        *,
        timeout_seconds: float,
        in_driver: bool,
        like: SparkLeg | None,
    ) -> None:
        self._engine = engine
        self._in_driver = in_driver
        self._ordered = isinstance(query, Limit)
        self._timeout = timeout_seconds
        self._failed: Raised | None = None
        self._frame: Any = None
        self._analyzed_again: Callable[[], Any] = lambda: engine.frame(query, settings)
        analyzed = like._frame if like is not None else None
        try:
            # Always over an analyzed plan, so that of two legs neither counts the rules of the analysis as its own.
            self._frame = engine.runner.fresh(analyzed if analyzed is not None else engine.frame(query, settings))
        except UnsupportedNode as error:
            self._failed = Raised("UNSUPPORTED_NODE", None, str(error), "unsupported")
        except engine.spark_errors as error:
            self._failed = engine.raised(error)

    def plan(self) -> LegReport:
        """Parse, analyze, optimize and plan, without running anything."""
        return self._report(lambda: self._engine.runner.plan(self._frame))

    def run(self) -> LegReport:
        """Plan and execute; the evidence is read after execution, so that adaptive execution's rules count."""
        runner = self._engine.runner
        run = runner.runInDriver if self._in_driver else runner.run
        return self._report(lambda: run(self._frame, int(self._timeout * 1000)), executed=True)

    def milliseconds(self) -> float | None:
        """The time that it takes to optimize, plan and run the query in jobs; None where that raises."""
        if self._failed:
            return None
        runner = self._engine.runner
        report = self._engine.calling(lambda: runner.run(self._frame, int(self._timeout * 1000)))
        facts = json.loads(report.facts())
        if facts["error"]:
            return None
        return sum(float(facts["milliseconds"][phase]) for phase in ("optimize", "plan", "execute"))

    def around(self, rule_name: str) -> tuple[str, str] | None:
        """The plan right before and after ``rule_name`` first changed it, or None if it didn't."""
        if rule_name in self._engine.analyzing:
            return self._around_in_analysis(rule_name)
        if self._failed or self._frame is None:
            return None
        before, after = self._engine.runner.aroundRule(self._frame, rule_name)
        return (before, after) if before else None

    def _around_in_analysis(self, rule_name: str) -> tuple[str, str] | None:
        runner, jsession = self._engine.runner, self._engine.session._jsparkSession
        runner.watch(jsession, rule_name)
        # What the query raises, its leg has reported.
        with suppress(*self._engine.spark_errors):
            self._analyzed_again()
        before, after = runner.seen(jsession)
        return (before, after) if before else None

    def changes(self, rule_name: str) -> list[tuple[PlanNode, PlanNode]]:
        """The plan right before and after each change that a rule of the optimizer made, subqueries' included."""
        if self._failed or self._frame is None:
            return []
        pairs = json.loads(self._engine.calling(lambda: self._engine.runner.changes(self._frame, rule_name)))
        return [(read_plan(before), read_plan(after)) for before, after in pairs]

    def _report(self, call: Callable[[], Any], *, executed: bool = False) -> LegReport:
        if self._failed:
            return self._engine.not_analyzed(self._failed)
        report = self._engine.calling(call)
        facts = json.loads(report.facts())
        changed = {**facts["rules"], **facts["injected"]}
        effective = frozenset(name for name, (_, effective) in changed.items() if effective)
        outcome = self._outcome(report, facts["error"], executed)
        return LegReport(outcome, effective, facts["fingerprint"], facts["inDriver"], facts["conduct"])

    def _outcome(self, report: Any, error: Mapping[str, Any] | None, executed: bool) -> Outcome | None:
        if error is not None:
            return _raised(error)
        if not executed:
            return None
        try:
            return rows_from_arrow(pa.ipc.open_stream(report.arrow()).read_all(), ordered=self._ordered)
        except UnsupportedType as problem:
            return Raised("UNSUPPORTED_TYPE", None, str(problem), "unsupported")


@dataclass(frozen=True, slots=True)
class Stage:
    """Tables that are loaded, and how legs over them run."""

    engine: SparkEngine
    settings: Settings
    in_memory: bool
    in_driver: bool

    def leg(
        self, query: Relation, conf: Mapping[str, str], *, like: SparkLeg | None = None
    ) -> AbstractContextManager[SparkLeg]:
        """``query`` under ``conf`` and the settings, as SparkEngine.leg has it."""
        return self.engine.leg(query, self.settings, conf, in_driver=self.in_driver, like=like)


class SparkEngine:
    """One Spark session, started at the first use; close it to end the JVM and remove its files."""

    def __init__(self, options: SparkOptions) -> None:
        self._options = options
        self._checks = 0

    @cached_property
    def _started(self) -> Started:
        return start(self._options)

    @property
    def session(self) -> SparkSession:
        """The session; SparkUnusable in one line where it can't be had."""
        return self._started.session

    @cached_property
    def runner(self) -> Any:
        """The jar's LegRunner."""
        return self._started.runner

    @cached_property
    def spark_errors(self) -> tuple[type[Exception], ...]:
        """What pyspark raises for an error of Spark itself."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        return (PySparkException, Py4JJavaError)

    @property
    def injected(self) -> dict[str, str]:
        """The classes of the rules that the switch extension loads, by name."""
        return {rule.name: rule.class_name for rule in self._options.injected}

    @cached_property
    def points(self) -> dict[str, str]:
        """Where the switched rules stand, by name: those of extensions too, each at its first point."""
        points = {rule.name: rule.point for rule in self._options.injected}
        if self._options.extensions:
            jvm: Any = self.session._jvm
            for line in jvm.assay.SwitchExtensions.loaded():
                name, _, place = line.partition("=")
                points.setdefault(name, place.rpartition("@")[2])
        return points

    @property
    def brought(self) -> list[str]:
        """Names of the switched rules that extensions brought."""
        return [name for name in self.points if name not in self.injected]

    @cached_property
    def analyzing(self) -> frozenset[str]:
        """Names of the loaded rules that have a say before the optimizer does."""
        return frozenset(name for name, point in self.points.items() if point in _ANALYSIS)

    @property
    def version(self) -> str:
        """Spark's own version text."""
        return self.session.version

    def discovered(self) -> list[Discovered]:
        """Every rule that the running optimizers list, in order, repeats included."""
        lines = (line.split("|") for line in self.runner.rules(self.session._jsparkSession).splitlines())
        return [Discovered(batch, rule_name, excludable == "true") for batch, rule_name, excludable in lines]

    @contextmanager
    def loaded(self, database: Database, source: Source, *, statistics: bool = False) -> Iterator[None]:
        """``database`` as the session's views, or analyzed tables, while the context lasts."""
        session = self.session
        self._checks += 1
        folder = self._started.folder / f"tables-{self._checks}"
        folder.mkdir()
        try:
            with loaded(session, database, source, folder, statistics=statistics):
                yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def stage(
        self, database: Database, settings: Settings, *, fast: bool = False, in_driver: bool = True
    ) -> Iterator[Stage]:
        """``database`` where ``settings`` say, while the context lasts.

        With ``fast`` it is in memory, where they allow it, and run in the driver unless that is refused.
        """
        if fast and settings.is_quick:
            with self.in_memory(database):
                yield Stage(self, settings, in_memory=True, in_driver=in_driver)
            return
        with self.loaded(database, settings.source, statistics=settings.statistics):
            yield Stage(self, settings, in_memory=False, in_driver=False)

    @contextmanager
    def in_memory(self, database: Database) -> Iterator[None]:
        """``database`` as views over rows in the JVM that no rule knows anything about, while the context lasts."""
        names = "\n".join(table.name for table in database.tables)
        jsession = self.session._jsparkSession
        try:
            self.calling(lambda: self.runner.load(jsession, names, streams(database.tables)))
            yield
        finally:
            self.calling(lambda: self.runner.unload(jsession, names))

    @contextmanager
    def leg(
        self,
        query: Relation,
        settings: Settings,
        conf: Mapping[str, str],
        *,
        timeout_seconds: float = 60.0,
        in_driver: bool = False,
        like: SparkLeg | None = None,
    ) -> Iterator[SparkLeg]:
        """``query`` under ``settings`` and ``conf``, which are undone at the end of the context.

        ``in_driver``: rows are computed without jobs where the plan lets them, as over tables in memory. The analyzed
        plan is that of ``like``, a leg of the same query whose settings differ only in what the optimizer reads.
        """
        jsession = self.session._jsparkSession
        everything = {**leg_conf(settings), **conf}
        self.calling(lambda: self.runner.configure(jsession, json.dumps(everything)))
        try:
            yield SparkLeg(self, query, settings, timeout_seconds=timeout_seconds, in_driver=in_driver, like=like)
        finally:
            self.calling(lambda: self.runner.restore(jsession))

    def frame(self, query: Relation, settings: Settings) -> Any:
        """``query`` as the JVM's DataFrame over the loaded views, analyzed under the settings in force."""
        session = self.session
        if settings.form == "dataframe":
            from pyspark.sql import functions

            tables = {name: session.table(name) for name in _tables(query)}
            program = DataFrameCompiler().compile(query)
            return eval(program, {"__builtins__": {}, "F": functions, **tables})._jdf
        return self.runner.frame(session._jsparkSession, SparkCompiler().compile(query))

    def not_analyzed(self, failed: Raised) -> LegReport:
        """The report of a leg whose query could not be analyzed, under the settings in force."""
        if not self.analyzing:
            return LegReport(failed, frozenset(), "")
        jsession = self.session._jsparkSession
        counts = json.loads(self.calling(lambda: self.runner.injected(jsession)))
        effective = frozenset(name for name, (_, effective) in counts.items() if effective)
        return LegReport(failed, effective, "", conduct=json.loads(self.runner.conduct(jsession)))

    def handed(self, most_shapes: int = 10) -> dict[str, Handed]:
        """What plans the switched rules were given while their conduct was watched; '' stands for the analyzer."""
        told = json.loads(self.calling(lambda: self.runner.handed(self.session._jsparkSession, most_shapes)))
        return {name: Handed(**plans) for name, plans in told.items()}

    def operators_of(self, class_name: str) -> list[str]:
        """The types of logical operators that a rule's class speaks of; none where its class file can't be read."""
        lines: str = self.calling(lambda: self.runner.operatorsOf(class_name))
        return lines.splitlines()

    def calling(self, call: Any) -> Any:
        """``call()``, with a lost JVM told apart from errors of Spark."""
        from py4j.protocol import Py4JNetworkError

        try:
            return call()
        except (Py4JNetworkError, ConnectionError) as error:
            raise SparkLost(f"the JVM doesn't answer: {error}") from error

    def raised(self, error: Exception) -> Raised:
        """``error``, which pyspark raised while a query was analyzed, as an outcome."""
        origin = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
        if origin is None:
            return Raised(type(error).__name__, None, str(error), "internal")
        info = self.runner.describe(origin)
        names = ("condition", "sqlState", "message", "internal", "invalidPlan", "timedOut")
        return _raised({"classes": info.classes().split(","), **{name: getattr(info, name)() for name in names}})

    def close(self) -> None:
        """End the session and its JVM, and remove its files; nothing happens if it never started."""
        for name in ("_started", "runner"):
            held = self.__dict__.pop(name, None)
            if isinstance(held, Started):
                held.stop()


def _tables(query: Relation) -> list[str]:
    return sorted({scan.table for scan in scans(query)})


def _raised(error: Mapping[str, Any]) -> Raised:
    kind: Kind = "internal" if error["internal"] else "user"
    if error["invalidPlan"]:
        kind = "invalid-plan"
    if error["timedOut"]:
        kind = "timeout"
    return Raised(error["condition"] or error["classes"][0], error["sqlState"], error["message"] or "", kind)
