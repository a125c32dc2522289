"""Spark behind the same small protocol as DuckDB: tables in, outcomes and evidence out.

One session a process, started when first asked for. A leg is a run of a query under session settings of its
own; the jar's LegRunner plans and runs it in one call, and reads the evidence from that very run.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from oracles.engines.class_path import class_path
from oracles.engines.java import java_environment
from oracles.engines.leg_conf import leg_conf
from oracles.engines.sources import loaded
from oracles.outcome import Kind, Outcome, Raised, UnsupportedType, rows_from_arrow
from oracles.rules.catalogue import Discovered
from oracles.rules.plans import PlanNode, read_plan
from oracles.sql.dataframe import DataFrameCompiler
from oracles.sql.dialect import UnsupportedNode
from oracles.sql.spark import SparkCompiler
from strategies.ir import Database, Limit, Relation, Settings, Source, scans

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_BASE_CONF = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.default.parallelism": "1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.planChangeValidation": "true",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.extensions": "assay.SwitchExtensions",
}
# Legs are small and many: the optimizing compiler and a concurrent collector would take more than they give. The code
# cache that belongs to the first compiler alone (48 MB) fills up within minutes and is then swept all the time.
_JVM_FLAGS = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:+UseSerialGC"
# What goes wrong in a leg is an outcome; only what keeps Spark from starting has to be seen.
_LOGGING = """
rootLogger.level = fatal
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c{1}: %m%n
"""


class SparkUnusable(RuntimeError):
    """Spark can't start, or a jar or rule that it was given doesn't load: bad input, in one line."""


class SparkLost(RuntimeError):
    """The JVM is gone or no longer answers, so nothing can be concluded from this check."""


@dataclass(frozen=True, slots=True)
class InjectedRule:
    """A rule for the switch extension to load: ``class_name`` injected at ``point``, on or off to begin with."""

    name: str
    class_name: str
    point: str = "optimizer"
    on: bool = True

    def entry(self) -> str:
        """This rule as the switch extension's setting spells it."""
        return f"{self.name}={self.class_name}@{self.point}{'' if self.on else '!off'}"


@dataclass(frozen=True, slots=True)
class SparkOptions:
    """What a session is started with; ``jars`` go on the driver's class path and to the executors."""

    jars: tuple[Path, ...]
    injected: tuple[InjectedRule, ...] = ()
    extensions: tuple[str, ...] = ()
    conf: Mapping[str, str] = field(default_factory=dict)
    master: str = "local[1]"
    spark_home: Path | None = None


@dataclass(frozen=True, slots=True)
class LegReport:
    """One leg's outcome and evidence.

    ``outcome`` is None for a leg that was only planned. ``effective`` are Spark's names of the rules that changed
    this query's plan, and the names of injected rules that did; ``plan`` is the executed plan with expression ids
    renumbered, equal for equal plans, and '' where planning raised.
    """

    outcome: Outcome | None
    effective: frozenset[str]
    plan: str


class SparkLeg:
    """A query under one leg's settings, planned at most once, and run at most once."""

    def __init__(self, engine: SparkEngine, query: Relation, settings: Settings, timeout_seconds: float) -> None:
        self._engine = engine
        self._ordered = isinstance(query, Limit)
        self._timeout = timeout_seconds
        self._failed: Raised | None = None
        self._frame: Any = None
        try:
            self._frame = engine.frame(query, settings)._jdf
        except UnsupportedNode as error:
            self._failed = Raised("UNSUPPORTED_NODE", None, str(error), "unsupported")
        except engine.spark_errors as error:
            self._failed = engine.raised(error)

    def plan(self) -> LegReport:
        """Parse, analyze, optimize and plan, without running anything."""
        return self._report(lambda: self._engine.runner.plan(self._frame))

    def run(self) -> LegReport:
        """Plan and execute; the evidence is read after execution, so that adaptive execution's rules count."""
        return self._report(lambda: self._engine.runner.run(self._frame, int(self._timeout * 1000)), executed=True)

    def around(self, rule_name: str) -> tuple[str, str] | None:
        """The plan right before and after ``rule_name`` first changed it, or None if it didn't."""
        if self._failed or self._frame is None:
            return None
        before, after = self._engine.runner.aroundRule(self._frame, rule_name)
        return (before, after) if before else None

    def changes(self, rule_name: str) -> list[tuple[PlanNode, PlanNode]]:
        """The plan right before and after each change that a rule of the optimizer made, subqueries' included."""
        if self._failed or self._frame is None:
            return []
        pairs = json.loads(self._engine.calling(lambda: self._engine.runner.changes(self._frame, rule_name)))
        return [(read_plan(before), read_plan(after)) for before, after in pairs]

    def _report(self, call: Callable[[], Any], *, executed: bool = False) -> LegReport:
        if self._failed:
            return LegReport(self._failed, frozenset(), "")
        report = self._engine.calling(call)
        facts = json.loads(report.facts())
        changed = {**facts["rules"], **facts["injected"]}
        effective = frozenset(name for name, (_, effective) in changed.items() if effective)
        return LegReport(self._outcome(report, facts["error"], executed), effective, facts["fingerprint"])

    def _outcome(self, report: Any, error: Mapping[str, Any] | None, executed: bool) -> Outcome | None:
        if error is not None:
            return _raised(error)
        if not executed:
            return None
        try:
            return rows_from_arrow(pa.ipc.open_stream(report.arrow()).read_all(), ordered=self._ordered)
        except UnsupportedType as problem:
            return Raised("UNSUPPORTED_TYPE", None, str(problem), "unsupported")


class SparkEngine:
    """One Spark session, started at the first use; close it to end the JVM and remove its files."""

    def __init__(self, options: SparkOptions) -> None:
        self._options = options
        self._folder: Path | None = None
        self._checks = 0

    @cached_property
    def session(self) -> SparkSession:
        """The session; SparkUnusable in one line where it can't be had."""
        self._folder = Path(tempfile.mkdtemp(prefix="assay-spark-"))
        os.environ.update(java_environment())
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        # A Spark that happens to be in the environment isn't the one whose rules are asked about.
        os.environ.pop("SPARK_HOME", None)
        if self._options.spark_home is not None:
            os.environ["SPARK_HOME"] = str(self._options.spark_home)
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException, PySparkRuntimeError
        from pyspark.sql import SparkSession

        (self._folder / "log4j2.properties").write_text(_LOGGING)
        builder = SparkSession.builder.master(self._options.master).appName("assay")
        for key, value in self._conf(self._folder).items():
            builder = builder.config(key, value)
        try:
            with _errors_into(self._folder / "spark.log"):
                session = builder.getOrCreate()
        except (PySparkException, PySparkRuntimeError, Py4JError, OSError) as error:
            raise SparkUnusable(f"Spark doesn't start: {str(error).strip().splitlines()[0]}") from error
        problems = _leg_runner(session).ready(session._jsparkSession)
        if problems:
            raise SparkUnusable("; ".join(problems.splitlines()))
        return session

    @cached_property
    def runner(self) -> Any:
        """The jar's LegRunner."""
        return _leg_runner(self.session)

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
        assert self._folder is not None  # the session makes it
        self._checks += 1
        folder = self._folder / f"tables-{self._checks}"
        folder.mkdir()
        try:
            with loaded(session, database, source, folder, statistics=statistics):
                yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def leg(
        self, query: Relation, settings: Settings, conf: Mapping[str, str], *, timeout_seconds: float = 60.0
    ) -> Iterator[SparkLeg]:
        """``query`` under ``settings`` and ``conf``, which are undone at the end of the context."""
        jsession = self.session._jsparkSession
        everything = {**leg_conf(settings), **conf}
        self.calling(lambda: self.runner.configure(jsession, json.dumps(everything)))
        try:
            yield SparkLeg(self, query, settings, timeout_seconds)
        finally:
            self.calling(lambda: self.runner.restore(jsession))

    def frame(self, query: Relation, settings: Settings) -> Any:
        """``query`` as a DataFrame over the loaded views, analyzed under the settings in force."""
        session = self.session
        if settings.form == "dataframe":
            from pyspark.sql import functions

            tables = {name: session.table(name) for name in _tables(query)}
            program = DataFrameCompiler().compile(query)
            return eval(program, {"__builtins__": {}, "F": functions, **tables})
        return session.sql(SparkCompiler().compile(query))

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
        if "session" in self.__dict__:
            session = self.session
            gateway: Any = session.sparkContext._gateway
            session.stop()
            gateway.shutdown()
            process = getattr(gateway, "proc", None)
            if process is not None:
                process.stdin.close()
                process.wait(timeout=30)
            from pyspark import SparkContext

            SparkContext._gateway = None
            SparkContext._jvm = None
            for name in ("session", "runner"):
                self.__dict__.pop(name, None)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _conf(self, folder: Path) -> dict[str, str]:
        return {
            **_BASE_CONF,
            "spark.local.dir": str(folder / "local"),
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.driver.extraJavaOptions": f"{_JVM_FLAGS} -Dlog4j2.configurationFile=file:{folder}/log4j2.properties",
            "spark.jars": ",".join(map(str, self._options.jars)),
            "spark.driver.extraClassPath": class_path(self._options.jars, self._options.spark_home),
            "spark.assay.rules": ";".join(rule.entry() for rule in self._options.injected),
            "spark.assay.extensions": ",".join(self._options.extensions),
            **self._options.conf,
        }


def _leg_runner(session: SparkSession) -> Any:
    jvm: Any = session._jvm
    return jvm.org.apache.spark.sql.assay.LegRunner


@contextmanager
def _errors_into(path: Path) -> Iterator[None]:
    """File descriptor 2 goes to ``path`` while the context lasts, and so does that of processes started in it."""
    sys.stderr.flush()
    saved = os.dup(2)
    with path.open("a") as log:
        os.dup2(log.fileno(), 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(saved, 2)
        os.close(saved)


def _tables(query: Relation) -> list[str]:
    return sorted({scan.table for scan in scans(query)})


def _raised(error: Mapping[str, Any]) -> Raised:
    kind: Kind = "internal" if error["internal"] else "user"
    if error["invalidPlan"]:
        kind = "invalid-plan"
    if error["timedOut"]:
        kind = "timeout"
    return Raised(error["condition"] or error["classes"][0], error["sqlState"], error["message"] or "", kind)
