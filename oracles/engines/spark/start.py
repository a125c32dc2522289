"""A Spark session from options: what it is configured with, how it is started and ended."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import TYPE_CHECKING, Any

from oracles.engines.spark.class_path import class_path
from oracles.engines.spark.cluster import cut_off, refused, unseen
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
from oracles.engines.spark.leg_conf import leg_conf
from oracles.engines.spark.master import cluster_conf, is_cluster
from oracles.rules.points import DEFAULT_POINT
from strategies.ir import Settings

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
    # What an operator over a few rows takes at once, and the collector has to clear: else 32 MB each.
    "spark.buffer.pageSize": "1m",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.planChangeValidation": "true",
    "spark.sql.ansi.enabled": "true",  # as all releases have it from 4.0 on
    # As under ANSI: without it the size of NULL would be -1.
    "spark.sql.legacy.sizeOfNull": "false",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.extensions": "assay.SwitchExtensions",
    # The parser keeps states of all texts that it has seen, six kilobytes each: it is to let go of them before they
    # fill the heap (from 4.1 on: older releases have no such setting), but seldom, for it is slow without.
    "spark.sql.parser.manageParserCaches": "true",
    "spark.sql.parser.parserDfaCacheFlushThreshold": "60000",
    # Else `t0.a <> t0.a` in the condition of a self-join becomes `t0.a <> s0.a`, in DataFrames alone.
    "spark.sql.selfJoinAutoResolveAmbiguity": "false",
    # Else pyspark tells the JVM where in Python each method of a DataFrame program was called, in six calls or more.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    # Most legs run so, and a leg sets only what differs; nor is what else is asked of the session in need of 200 tasks.
    **leg_conf(Settings()),
    "spark.sql.maxMetadataStringLength": "1000000",
    "spark.sql.debug.maxToStringFields": "100000",
}
# What a leg makes is gone with it: the more room there is for it, the less of it is ever copied. Spark starts with no
# less memory than this.
_YOUNG = ("-Xms450m", "-XX:NewSize=300m")
# Legs are small and many: a concurrent collector would take more than it gives, and within minutes so would the
# optimizing compiler. The code cache that belongs to the first compiler alone (48 MB) fills up soon and is then swept
# all the time.
# An error that is often raised at one place has its message all the same: known divergences are told by messages.
_MESSAGES = "-XX:-OmitStackTraceInFastThrow"
_JVM_FLAGS = ("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=256m", "-XX:+UseSerialGC", _MESSAGES, *_YOUNG)
OPTIMIZING = ("-XX:TieredStopAtLevel=4", "-XX:ReservedCodeCacheSize=512m")
"""Flags of a session that lives long enough, or has so many rows, that the optimizing compiler is worth its time."""
_PYSPARKS_CLASSES = ("functions", "org.apache.spark.sql.functions", "PythonUtils")
"""What pyspark mentions in each call of a DataFrame program; asked for one method, the JVM copies all of a class's."""
_END_SECONDS = 120
_DYING_SECONDS = 3
_COLLECTED_AFTER = (20_000, 10, 10)
"""How many objects more there are before Python looks for garbage in cycles: a draw makes a thousand that are gone with
it, and to look after every 700 took a fifth of its time."""
# What goes wrong in a leg is an outcome; what keeps Spark from starting has to be seen, and what it ends itself for.
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
    """Spark can't start, or a jar or rule that it was given doesn't load: bad input, in one line."""


@dataclass(frozen=True, slots=True)
class InjectedRule:
    """A rule for the switch extension to load: ``class_name`` injected at ``point``, on or off to begin with."""

    name: str
    class_name: str
    point: str = DEFAULT_POINT
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
    jvm_flags: tuple[str, ...] = ()


class Methods:
    """The static methods of a class in the JVM, each looked up once: py4j itself asks the JVM at every mention."""

    def __init__(self, java_class: Any) -> None:
        self._java_class = java_class

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._java_class, name)
        setattr(self, name, method)
        return method


@dataclass(slots=True)
class Started:
    """A running session and the folder that holds its files.

    ``since`` is the monotonic time of its start, ``memory`` the last sample of its JVM's memory, ``oom_kills`` what the
    kernel had killed for want of memory before.
    """

    session: SparkSession
    folder: Path
    since: float = field(default_factory=time.monotonic)
    memory: Memory | None = None
    oom_kills: int = field(default_factory=oom_kills)

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
        """The JVM's process; None where it was there before."""
        return self._process.pid if self._process is not None else None

    def ended(self) -> int | None:
        """The JVM's exit code, negative for a signal; None while it runs. One that is about to end is waited for."""
        try:
            return self._process.wait(timeout=_DYING_SECONDS) if self._process is not None else None
        except TimeoutExpired:
            return None

    def has_ended(self) -> bool:
        """Whether the JVM is gone, without waiting for one that is about to end."""
        return self._process is not None and self._process.poll() is not None

    def sample_memory(self) -> None:
        """Note what memory the JVM has: when it is gone, nobody can ask."""
        if self.pid is not None:
            self.memory = memory_of(self.pid) or self.memory

    def last_words(self) -> LastWords:
        """What is left of the JVM, before its files are removed."""
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
        """End the JVM without asking it; what waits for its answer fails. For any thread."""
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """End the session and its JVM, and remove its files, also where the JVM is gone."""
        from py4j.protocol import Py4JError
        from pyspark import SparkContext
        from pyspark.sql import SparkSession

        gateway: Any = self.session.sparkContext._gateway
        process = self._process
        try:
            self.session.stop()
        except (Py4JError, ConnectionError):
            self.kill()
        # Each may have been left undone by a session whose JVM was gone.
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
    """A session of ``options``; SparkUnusable in one line where it can't be had."""
    folder = Path(tempfile.mkdtemp(prefix="assay-spark-"))
    try:
        session = _session(options, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    jvm: Any = session._jvm
    for name in _PYSPARKS_CLASSES:
        setattr(jvm, name, Methods(getattr(jvm, name)))
    started = Started(session, folder)
    gateway: Any = session.sparkContext._gateway
    started.runner.answerAtOnce(gateway.java_gateway_server)
    problems = started.runner.ready(session._jsparkSession)
    if problems:
        started.stop()
        raise SparkUnusable("; ".join(problems.splitlines()))
    if is_cluster(options.master) and (problem := cut_off(session) or unseen(session, folder)):
        started.stop()
        raise SparkUnusable(f"--spark-master {options.master}: {problem}")
    gc.set_threshold(*_COLLECTED_AFTER)
    return started


def _session(options: SparkOptions, folder: Path) -> SparkSession:
    os.environ.update(java_environment())
    own = cluster_conf(options.master)
    if not is_cluster(options.master):  # executors start without the jar
        own = {**own, "spark.shuffle.manager": "org.apache.spark.sql.assay.DriverShuffle"}
    os.environ.setdefault("SPARK_LOCAL_IP", own.get("spark.driver.host", "127.0.0.1"))
    # A Spark that happens to be in the environment isn't the one whose rules are asked about.
    os.environ.pop("SPARK_HOME", None)
    if options.spark_home is not None:
        os.environ["SPARK_HOME"] = str(options.spark_home)
    from py4j.protocol import Py4JError
    from pyspark import SparkConf
    from pyspark.errors import PySparkException, PySparkRuntimeError
    from pyspark.sql import SparkSession

    # A query that Spark refuses is an outcome, told where it matters; pyspark would print it, with all its stack.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    (folder / "log4j2.properties").write_text(_LOGGING)
    conf = SparkConf().setMaster(options.master).setAppName("assay")
    conf.setAll(list({**_conf(options, folder), **own, **options.conf}.items()))
    try:
        with output_into(folder / OUTPUT):
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
    """The flags of the JVM: of two that contradict each other the later one counts, that of ``options``."""
    logging_from = f"-Dlog4j2.configurationFile=file:{folder}/log4j2.properties"
    return " ".join((*_JVM_FLAGS, *huge_pages(), *crash_flags(folder), *options.jvm_flags, logging_from))


def huge_pages(said: Path = Path("/sys/kernel/mm/transparent_hugepage/enabled")) -> tuple[str, ...]:
    """The flag by which heap and compiled code take fewer and larger pages, where the kernel has them: not on other
    systems, which know no such flag, nor where they are turned off, which Java would complain of.
    """
    try:
        return () if "[never]" in said.read_text() else ("-XX:+UseTransparentHugePages",)
    except OSError:
        return ()


def _require_master(master: str, conf: SparkConf) -> None:
    """SparkUnusable, and no JVM left, unless one of the cluster's masters has executors to give."""
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
            return jvm.JavaSparkContext(jvm.org.apache.spark.sql.assay.DriverContext(jconf))

    return DriverContext(conf=conf)
