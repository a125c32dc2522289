"""Start a Spark session from options, with its configuration and logging, and end it with its JVM."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import TYPE_CHECKING, Any

from oracles.engines.spark.class_path import class_path
from oracles.engines.spark.cluster import cut_off, refused, unseen
from oracles.engines.spark.interruption import end_started, own_ctrl_c, silent_loss
from oracles.engines.spark.java import java_environment
from oracles.engines.spark.last_words import (
    OUTPUT,
    LastWords,
    Memory,
    crash_flags,
    last_words,
    memory_of,
    oom_kills,
    output_into,
)
from oracles.engines.spark.leg_conf import TIME_ZONE, TIMES, leg_conf
from oracles.engines.spark.master import cluster_conf, is_cluster
from oracles.engines.spark.user_functions import PYTHON, register_python
from oracles.rules.entries.functions import TRANSLATES
from oracles.rules.points import DEFAULT_POINT
from strategies.draw.seeding import collect_seldom
from strategies.ir import UTC, Settings

if TYPE_CHECKING:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

_BASE_CONF = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.default.parallelism": "1",
    # An operator allocates a page at once, which the collector has to clear: 32 MB without this setting.
    "spark.buffer.pageSize": "1m",
    TIME_ZONE: UTC,
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.planChangeValidation": "true",
    "spark.sql.ansi.enabled": "true",  # the default from 4.0 on
    TRANSLATES: "true",  # alone of those functions in Python that were registered for it
    # The defaults from 4.1 on: without these no join uses how the tables of a data source are partitioned.
    "spark.sql.sources.v2.bucketing.enabled": "true",
    "spark.sql.sources.v2.bucketing.pushPartValues.enabled": "true",
    **TIMES,
    # As under ANSI: without this, the size of NULL would be -1.
    "spark.sql.legacy.sizeOfNull": "false",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.extensions": "assay.SwitchExtensions",
    # The parser caches states for all texts that it has parsed, six kilobytes each. Clear the cache before it fills the
    # heap (from 4.1 on: older releases have no such setting), but seldom, because the parser is slow without it.
    "spark.sql.parser.manageParserCaches": "true",
    "spark.sql.parser.parserDfaCacheFlushThreshold": "60000",
    # Without this, `t0.a <> t0.a` in the condition of a self-join becomes `t0.a <> s0.a`, in DataFrames alone.
    "spark.sql.selfJoinAutoResolveAmbiguity": "false",
    # Without this, pyspark sends the JVM the call site of each method of a DataFrame program, in six calls or more.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    # The settings of most legs: a leg changes only its differences. Other queries don't need 200 tasks either.
    **leg_conf(Settings()),
    "spark.sql.maxMetadataStringLength": "1000000",
    "spark.sql.debug.maxToStringFields": "100000",
}
# A leg's objects die with it: the larger the young generation, the fewer of them are copied. Spark doesn't start with
# less memory than this.
_YOUNG = ("-Xms450m", "-XX:NewSize=300m")
# Legs are small and many: a concurrent collector would cost more than it saves, and in the first minutes so would the
# optimizing compiler. The first compiler's default code cache (48 MB) fills up soon and is then swept all the time.
# Errors raised often at one place keep their messages, by which known divergences are recognized.
_MESSAGES = "-XX:-OmitStackTraceInFastThrow"
_JVM_FLAGS = ("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=256m", "-XX:+UseSerialGC", _MESSAGES, *_YOUNG)
OPTIMIZING = ("-XX:TieredStopAtLevel=4", "-XX:ReservedCodeCacheSize=512m")
"""Flags for the optimizing compiler, for a session that runs long enough, or has so many rows, that it saves time."""
INLINING_LESS = ("-XX:FreqInlineSize=30", "-XX:InlineSmallCode=500", "-XX:MaxInlineLevel=5")
"""Flags that halve the optimizing compiler's work, for sessions of small queries: all of Catalyst runs, a little."""
_PYSPARKS_CLASSES = ("functions", "org.apache.spark.sql.functions", "PythonUtils")
"""Classes that pyspark looks up at each call of a DataFrame program; each time the JVM copies all of their methods."""
_END_SECONDS = 120
_DYING_SECONDS = 3
# A leg's error is an outcome. Only errors at Spark's start, and those that make it end itself, are logged.
_LOGGING = """
rootLogger.level = fatal
rootLogger.appenderRef.stderr.ref = stderr
logger.last.name = org.apache.spark.util.SparkUncaughtExceptionHandler
logger.last.level = error
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c{1}: %m%n
"""


class SparkUnusable(RuntimeError):
    """Spark can't start, or a given jar or rule doesn't load: bad input; the message is one line."""


@dataclass(frozen=True, slots=True)
class InjectedRule:
    """A rule that the switch extension loads: ``class_name`` at extension point ``point``, at first on or off."""

    name: str
    class_name: str
    point: str = DEFAULT_POINT
    on: bool = True

    def entry(self) -> str:
        """This rule in the syntax of the switch extension's setting."""
        return f"{self.name}={self.class_name}@{self.point}{'' if self.on else '!off'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkOptions:
    """The options of a session; ``jars`` go on the driver's class path and to the executors.

    ``agent``: the jar of the agent for probes (see :mod:`oracles.engines.spark.probes`), None for a session without.
    """

    jars: tuple[Path, ...]
    injected: tuple[InjectedRule, ...] = ()
    extensions: tuple[str, ...] = ()
    conf: Mapping[str, str] = field(default_factory=dict)
    master: str = "local[1]"
    spark_home: Path | None = None
    jvm_flags: tuple[str, ...] = ()
    agent: Path | None = None


class Methods:
    """The static methods of a class in the JVM, each looked up once: py4j itself asks the JVM at each access."""

    def __init__(self, java_class: Any) -> None:
        self._java_class = java_class

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._java_class, name)
        setattr(self, name, method)
        return method


@dataclass(slots=True, kw_only=True)
class Started:
    """A running session and the folder of its files.

    ``since`` is the monotonic time of its start, ``memory`` the last sample of its JVM's memory, ``oom_kills`` the
    number of processes that the OOM killer had killed before, ``killed`` whether this process killed the JVM.
    """

    session: SparkSession
    folder: Path
    since: float = field(default_factory=time.monotonic)
    memory: Memory | None = None
    oom_kills: int = field(default_factory=oom_kills)
    killed: bool = False

    @property
    def runner(self) -> Any:
        """The jar's LegRunner."""
        jvm: Any = self.session._jvm
        return Methods(jvm.org.apache.spark.sql.assay.LegRunner)

    @property
    def _process(self) -> Popen[bytes] | None:
        gateway: Any = self.session.sparkContext._gateway
        process: Popen[bytes] | None = getattr(gateway, "proc", None)
        return process

    @property
    def pid(self) -> int | None:
        """The JVM's process id; None if this process hasn't started the JVM."""
        return self._process.pid if self._process is not None else None

    def ended(self) -> int | None:
        """The JVM's exit code, negative for a signal; None if it still runs after a short wait."""
        try:
            return self._process.wait(timeout=_DYING_SECONDS) if self._process is not None else None
        except TimeoutExpired:
            return None

    def has_ended(self) -> bool:
        """Whether the JVM has ended, without a wait."""
        return self._process is not None and self._process.poll() is not None

    def sample_memory(self) -> None:
        """Record the JVM's memory, which can't be read once it is gone."""
        if self.pid is not None:
            self.memory = memory_of(self.pid) or self.memory

    def last_words(self) -> LastWords:
        """The traces of the JVM, to be collected before its files are removed."""
        lived = time.monotonic() - self.since
        return last_words(
            self.folder,
            self.pid,
            self.ended(),
            seconds=lived,
            memory=self.memory,
            oom_kills_before=self.oom_kills,
        )

    def kill(self) -> None:
        """Kill the JVM; calls that wait for it fail. Callable from any thread."""
        if self._process is not None:
            self.killed = True
            self._process.kill()

    def stop(self) -> None:
        """End the session and its JVM, even if the JVM is gone, and remove its files."""
        from py4j.protocol import Py4JError
        from pyspark import SparkContext
        from pyspark.sql import SparkSession

        gateway: Any = self.session.sparkContext._gateway
        process = self._process
        try:
            with silent_loss() if self.killed else nullcontext():
                self.session.stop()
        except (Py4JError, ConnectionError):
            self.kill()
        # session.stop() doesn't do these if the JVM is gone.
        SparkContext._active_spark_context = None
        SparkSession._instantiatedSession = None
        _end(gateway, process)
        shutil.rmtree(self.folder, ignore_errors=True)


def _end(gateway: Any, process: Popen[bytes] | None) -> None:
    """End the JVM that pyspark would use for its next session."""
    from py4j.protocol import Py4JError
    from pyspark import SparkContext

    with suppress(Py4JError, ConnectionError):
        gateway.shutdown()
    if process is not None:
        assert process.stdin is not None  # pyspark makes a pipe of it
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.wait(timeout=_END_SECONDS)
    SparkContext._gateway = None
    SparkContext._jvm = None


def start(options: SparkOptions) -> Started:
    """Start a session with ``options``; raises SparkUnusable, with one line, if it can't start."""
    folder = Path(tempfile.mkdtemp(prefix="assay-spark-"))
    try:
        return _started(options, folder)
    except BaseException as error:
        if not isinstance(error, Exception):  # Ctrl-C: nobody else knows the JVM
            end_started(str(folder))
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _started(options: SparkOptions, folder: Path) -> Started:
    session = _session(options, folder)
    jvm: Any = session._jvm
    for name in _PYSPARKS_CLASSES:
        setattr(jvm, name, Methods(getattr(jvm, name)))
    started = Started(session=session, folder=folder)
    gateway: Any = session.sparkContext._gateway
    started.runner.answerAtOnce(gateway.java_gateway_server)
    problems = started.runner.ready(session._jsparkSession)
    if problems:
        started.stop()
        raise SparkUnusable("; ".join(problems.splitlines()))
    register_python(session)
    if is_cluster(options.master) and (problem := cut_off(session) or unseen(session, folder)):
        started.stop()
        raise SparkUnusable(f"--spark-master {options.master}: {problem}")
    collect_seldom()
    return started


def quiet_query_errors() -> None:
    """Keep pyspark from printing each query that Spark refuses, with its whole stack: that is an outcome here."""
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)


def _session(options: SparkOptions, folder: Path) -> SparkSession:
    os.environ.update(java_environment())
    own = cluster_conf(options.master)
    if not is_cluster(options.master):  # a cluster's executors start without the jar
        own = {**own, "spark.shuffle.manager": "org.apache.spark.sql.assay.DriverShuffle"}
    os.environ.setdefault("SPARK_LOCAL_IP", own.get("spark.driver.host", "127.0.0.1"))
    # The environment may name another Spark than the one under test.
    os.environ.pop("SPARK_HOME", None)
    os.environ.setdefault(PYTHON, sys.executable)
    if options.spark_home is not None:
        os.environ["SPARK_HOME"] = str(options.spark_home)
    from py4j.protocol import Py4JError
    from pyspark import SparkConf
    from pyspark.errors import PySparkException, PySparkRuntimeError
    from pyspark.sql import SparkSession

    quiet_query_errors()
    (folder / "log4j2.properties").write_text(_LOGGING)
    conf = SparkConf().setMaster(options.master).setAppName("assay")
    conf.setAll(list({**_conf(options, folder), **own, **options.conf}.items()))
    try:
        with output_into(folder / OUTPUT), own_ctrl_c():
            if is_cluster(options.master):
                _require_master(options.master, conf)
            return SparkSession(_context(conf))
    except (PySparkException, PySparkRuntimeError, Py4JError, OSError) as error:
        raise SparkUnusable(f"Spark doesn't start: {str(error).strip().splitlines()[0]}") from error


def _conf(options: SparkOptions, folder: Path) -> dict[str, str]:
    return {
        **_BASE_CONF,
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.driver.extraJavaOptions": driver_flags(options, folder),
        "spark.jars": ",".join(map(str, options.jars)),
        "spark.driver.extraClassPath": class_path(options.jars, options.spark_home),
        "spark.assay.rules": ";".join(rule.entry() for rule in options.injected),
        "spark.assay.extensions": ",".join(options.extensions),
    }


def driver_flags(options: SparkOptions, folder: Path) -> str:
    """The flags of the JVM; if two contradict each other, the later one counts, which is that of ``options``."""
    logging_from = f"-Dlog4j2.configurationFile=file:{folder}/log4j2.properties"
    agent = () if options.agent is None else (f"-javaagent:{options.agent}",)
    return " ".join((*_JVM_FLAGS, *huge_pages(), *crash_flags(folder), *options.jvm_flags, *agent, logging_from))


def huge_pages(said: Path = Path("/sys/kernel/mm/transparent_hugepage/enabled")) -> tuple[str, ...]:
    """The flag for large memory pages of heap and compiled code, if the kernel offers them: Java has no such flag on
    other systems, and warns if the kernel has turned them off.
    """
    try:
        return () if "[never]" in said.read_text() else ("-XX:+UseTransparentHugePages",)
    except OSError:
        return ()


def _require_master(master: str, conf: SparkConf) -> None:
    """Raise SparkUnusable, and end the JVM, unless a master of the cluster has executors to give."""
    from pyspark import SparkContext

    SparkContext._ensure_initialized(conf=conf)
    gateway: Any = SparkContext._gateway
    if problem := refused(SparkContext._jvm, master, conf):
        _end(gateway, getattr(gateway, "proc", None))
        raise SparkUnusable(f"--spark-master {master}: {problem}")


def _context(conf: SparkConf) -> SparkContext:
    """A Spark context of the jar's own class."""
    from pyspark import SparkContext

    class DriverContext(SparkContext):
        def _initialize_context(self, jconf: Any) -> Any:
            jvm: Any = self._jvm
            return jvm.JavaSparkContext(jvm.org.apache.spark.sql.assay.DriverContext.start(jconf))

    return DriverContext(conf=conf)
