"""Spark behind the same small protocol as DuckDB: tables in, outcomes and evidence out.

One session a process, started when first asked for. A leg is a run of a query under session settings of its
own; the jar's LegRunner plans and runs it in one call, and reads the evidence from that very run.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from oracles.answers.outcome import Raised
from oracles.engines.spark.cluster import cancelled_after
from oracles.engines.spark.jvm import SparkJvm
from oracles.engines.spark.leg import Handed, LegReport, SparkLeg, raised_of
from oracles.engines.spark.leg_conf import leg_conf
from oracles.engines.spark.master import EXECUTORS
from oracles.engines.spark.memory import streams
from oracles.engines.spark.sources import loaded
from oracles.engines.spark.start import SparkOptions
from oracles.engines.spark.watchdog import Watchdog
from oracles.rules.catalogue import Discovered
from oracles.sql.dataframe import DataFrameCompiler
from oracles.sql.spark import SparkCompiler
from strategies.ir import Database, Relation, Settings, Source, scans

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_ANALYSIS = ("resolution", "post-hoc-resolution", "hint-resolution", "check")


@dataclass(frozen=True, slots=True)
class Described:
    """What Spark says of a query's text: its plan as parsed (or the text itself), names and types of its columns."""

    plan: str
    fields: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Stage:
    """Tables that are loaded, in memory perhaps as several databases have them, and how legs over them run."""

    engine: SparkEngine
    settings: Settings
    in_memory: bool
    in_driver: bool
    databases: int = 1

    def leg(
        self, query: Relation, conf: Mapping[str, str], *, like: SparkLeg | None = None
    ) -> AbstractContextManager[SparkLeg]:
        """``query`` under ``conf`` and the settings, as SparkEngine.leg has it."""
        return self.engine.leg(query, self.settings, conf, in_driver=self.in_driver, like=like)


class SparkEngine(SparkJvm):
    """Tables, legs and evidence over that one session."""

    def __init__(self, options: SparkOptions, *, watchdog: Watchdog | None = None) -> None:
        super().__init__(options, watchdog=watchdog)
        self._checks = 0

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
            with ExitStack() as stack:
                with self._watched(self.time_limit):
                    files = EXECUTORS if self.on_cluster else 1
                    limited = cancelled_after(session, self.time_limit) if self.on_cluster else nullcontext()
                    views = loaded(session, database, source, folder, statistics=statistics, files=files)
                    try:
                        with limited:
                            stack.enter_context(views)
                    except self.spark_errors:
                        self._require_executors()
                        raise
                yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def stage(
        self,
        database: Database,
        settings: Settings,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
    ) -> Iterator[Stage]:
        """``database`` where ``settings`` say, while the context lasts.

        With ``fast`` it is in memory, where they allow it, and run in the driver unless that is refused. On a cluster
        it never is: its executors would find no rows there. ``others``, of the same tables, are loaded beside it for
        what runs in the driver, and for nothing else.
        """
        if fast and settings.is_quick and not self.on_cluster:
            databases = [database, *others] if in_driver else [database]
            with self.in_memory(databases):
                yield Stage(self, settings, in_memory=True, in_driver=in_driver, databases=len(databases))
            return
        with self.loaded(database, settings.source, statistics=settings.statistics):
            yield Stage(self, settings, in_memory=False, in_driver=False)

    @contextmanager
    def in_memory(self, databases: Sequence[Database]) -> Iterator[None]:
        """The first of ``databases`` as views over rows in the JVM that no rule knows anything about, while the context
        lasts; the others have the same tables, and stay where a leg can turn to them.

        ValueError on a cluster, whose executors would take these tables for empty, in silence.
        """
        if self.on_cluster:
            raise ValueError(f"{self._options.master}: executors see nothing of tables in the driver's memory")
        names = "\n".join(table.name for table in databases[0].tables)
        versions = zip(*(database.tables for database in databases), strict=True)
        jsession = self.session._jsparkSession
        try:
            with self._watched(self.time_limit):
                self.calling(lambda: self.runner.load(jsession, names, streams(versions)))
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
        timeout_seconds: float | None = None,
        in_driver: bool = False,
        like: SparkLeg | None = None,
    ) -> Iterator[SparkLeg]:
        """``query`` under ``settings`` and ``conf``, which are undone at the end of the context.

        It may run for ``timeout_seconds``, or else the engine's ``time_limit``.

        ``in_driver``: rows are computed without jobs where the plan lets them, as over tables in memory. The analyzed
        plan is that of ``like``, a leg of the same query whose settings differ only in what the optimizer reads.
        """
        jsession = self.session._jsparkSession
        everything = {**leg_conf(settings), **conf}
        limit = self.time_limit if timeout_seconds is None else timeout_seconds
        with self._watched(limit):
            self.calling(lambda: self.runner.configure(jsession, json.dumps(everything)))
            try:
                yield SparkLeg(self, query, settings, timeout_seconds=limit, in_driver=in_driver, like=like)
            finally:
                self.calling(lambda: self.runner.restore(jsession))

    def described(self, text: str) -> Described:
        """What Spark says of ``text`` over the loaded views; it has to be a query: a command would be run at once."""
        jsession = self.session._jsparkSession
        plan = jsession.sessionState().sqlParser().parseQuery(text)
        fields = self.runner.frame(jsession, text).schema().fields()
        named = [(str(field.name()), str(field.dataType().catalogString())) for field in fields]
        return Described(str(plan.toString()), named)

    def frame(self, query: Relation, settings: Settings) -> Any:
        """``query`` as the JVM's DataFrame over the loaded views, analyzed under the settings in force; no rule of that
        analysis counts for it.
        """
        if settings.form == "dataframe":
            return self.runner.fresh(self.program(query)._jdf)
        return self.runner.freshFrame(self.session._jsparkSession, SparkCompiler().compile(query))

    def program(self, query: Relation) -> DataFrame:
        """What the DataFrame program of ``query`` evaluates to over the loaded views."""
        from pyspark.sql import functions

        tables = {name: self.session.table(name) for name in _tables(query)}
        frame: DataFrame = eval(DataFrameCompiler().compile(query), {"__builtins__": {}, "F": functions, **tables})
        return frame

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

    def planning_seconds(self, text: str, on: Mapping[str, str], off: Mapping[str, str]) -> float | None:
        """Seconds that Spark itself takes to parse and analyze ``text``, and to optimize and plan it under both confs;
        None where that raises.
        """
        jsession = self.session._jsparkSession
        taken: float = self.calling(lambda: self.runner.planning(jsession, text, json.dumps(on), json.dumps(off)))
        return None if taken < 0 else taken

    def operators_of(self, class_name: str) -> list[str]:
        """The types of logical operators that a rule's class speaks of; none where its class file can't be read."""
        lines: str = self.calling(lambda: self.runner.operatorsOf(class_name))
        return lines.splitlines()

    def facts(self, told: str | bytes) -> dict[str, Any]:
        """What the jar's report of a leg says of it, but for its rows."""
        facts: dict[str, Any] = json.loads(told)
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


def _tables(query: Relation) -> list[str]:
    return sorted({scan.table for scan in scans(query)})
