"""The JVM that Spark's session lives in: started when first asked for, perhaps lost, ended."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

from oracles.engines.protocol import Loss
from oracles.engines.spark.cluster import lost_executors, none_left
from oracles.engines.spark.last_words import LastWords
from oracles.engines.spark.master import is_cluster
from oracles.engines.spark.start import SparkOptions, Started, start
from oracles.engines.spark.watchdog import Watchdog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PATIENCE = 1.5
"""A leg that is told to end after its limit may take so many times as long, and some seconds, to do so."""

_GRACE = 5.0
_OUT_OF_MEMORY = 3  # the JVM's own exit code under ExitOnOutOfMemoryError


class SparkLost(RuntimeError):
    """The JVM is gone or no longer answers, so nothing can be concluded from this check."""


class ClusterLost(SparkLost):
    """The JVM is there, and nothing is left of the cluster to run its jobs."""


class SparkJvm:
    """One JVM with one Spark session, started at the first use; close it to end the JVM and remove its files.

    :param watchdog: kills a JVM that doesn't come back from a leg; without one a leg may last for ever.
    """

    def __init__(self, options: SparkOptions, *, watchdog: Watchdog | None = None) -> None:
        self.time_limit = 60.0
        """Seconds that a leg may run unless it says otherwise."""
        self._options = options
        self._watchdog = watchdog

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
    def on_cluster(self) -> bool:
        """Whether tasks run in processes of their own, which see nothing of the driver's memory."""
        return is_cluster(self._options.master)

    def lost_executors(self) -> list[str]:
        """What became of executors that ended since this was asked last, a line each; none where there are none."""
        return lost_executors(self.session) if self.on_cluster and "_started" in self.__dict__ else []

    @cached_property
    def version(self) -> str:
        """Spark's own version text."""
        return self.session.version

    def _watched(self, limit: float) -> AbstractContextManager[None]:
        if self._watchdog is None:
            return nullcontext()
        return self._watchdog.step(limit * _PATIENCE + _GRACE, self._started.kill)

    def require_executors(self, none_left: str) -> None:
        """ClusterLost where a leg failed because ``none_left`` is to run it: that says nothing of its query."""
        if none_left:
            raise ClusterLost(f"--spark-master {self._options.master}: {none_left}")

    def _require_executors(self) -> None:
        if self.on_cluster:
            self.require_executors(none_left(self.session))

    def calling(self, call: Any) -> Any:
        """``call()``, with a lost JVM told apart from errors of Spark."""
        from py4j.protocol import Py4JJavaError, Py4JNetworkError

        try:
            return call()
        except (Py4JNetworkError, ConnectionError) as error:
            words = self.last_words()
            raise SparkLost(f"the JVM {words.line if words else 'is gone'}: {error}") from error
        except Py4JJavaError as error:
            # Asked for later, when the JVM may be gone, its text can't be had.
            error.add_note(str(error))
            raise

    @cached_property
    def jvm_errors(self) -> tuple[type[Exception], ...]:
        """What is raised when the JVM is gone, and else by mistakes: ask :meth:`lost`."""
        from py4j.protocol import Py4JError

        return (SparkLost, Py4JError, ConnectionError)

    def lost(self, error: BaseException | None = None) -> Loss | None:
        """How the JVM was lost, once ``error`` was raised; None where it is there, and answers.

        One that may be about to end, as errors of the link to it suggest, is waited for.
        """
        held = self._running
        if held is None:
            return None
        if not isinstance(error, self.jvm_errors) and not held.has_ended():
            return None
        code = held.ended()
        if code is None:
            return "cut off" if self._is_of_the_link(error) else None
        if self._watchdog is not None and self._watchdog.rang:
            return "hung"
        return "out of memory" if code == _OUT_OF_MEMORY else "died"

    def _is_of_the_link(self, error: BaseException | None) -> bool:
        from py4j.protocol import Py4JNetworkError

        return isinstance(error, (SparkLost, Py4JNetworkError, ConnectionError)) and not isinstance(error, ClusterLost)

    @property
    def _running(self) -> Started | None:
        held = self.__dict__.get("_started")
        return held if isinstance(held, Started) else None

    def sample_memory(self) -> None:
        """Note what memory the JVM has, if there is one: for its last words."""
        if self._running is not None:
            self._running.sample_memory()

    def last_words(self) -> LastWords | None:
        """What is left of the JVM, to be asked before it is closed; None where none was started."""
        return self._running.last_words() if self._running is not None else None

    @property
    def pid(self) -> int | None:
        """The JVM's process; starts it."""
        return self._started.pid

    def kill(self) -> None:
        """End the JVM, if there is one, without asking it."""
        if self._running is not None:
            self._running.kill()

    def abandon(self) -> None:
        """Kill the JVM, if there is one, for a process that is about to end; for any thread."""
        held = self._running
        if held is not None:
            held.kill()
            shutil.rmtree(held.folder, ignore_errors=True)

    def close(self) -> None:
        """End the session and its JVM, and remove its files; nothing happens if it never started."""
        for name in ("_started", "runner"):
            held = self.__dict__.pop(name, None)
            if isinstance(held, Started):
                held.stop()
        if self._watchdog is not None:
            self._watchdog.rang = False
