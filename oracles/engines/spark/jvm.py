"""The JVM of Spark's session: start it when first used, detect its loss, and end it."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

from oracles.engines.protocol import Loss
from oracles.engines.spark.cluster import lost_executors, none_left
from oracles.engines.spark.interruption import was_interrupted
from oracles.engines.spark.last_words import LastWords
from oracles.engines.spark.master import is_cluster
from oracles.engines.spark.start import SparkOptions, Started, start
from oracles.engines.spark.watchdog import Watchdog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PATIENCE = 1.5
"""A leg may take this many times its time limit, and _GRACE seconds, before the watchdog kills its JVM."""

_GRACE = 5.0
_OUT_OF_MEMORY = 3  # the JVM's own exit code under ExitOnOutOfMemoryError


class SparkLost(RuntimeError):
    """The JVM is gone or no longer answers, so the check has no result."""


class ClusterLost(SparkLost):
    """The JVM runs, but the cluster has no executors left for its jobs."""


class SparkJvm:
    """One JVM with one Spark session, started when first used; close it to end the JVM and remove its files.

    :param watchdog: kills a JVM that doesn't return from a leg; without a watchdog, a leg may last for ever.
    """

    def __init__(self, options: SparkOptions, *, watchdog: Watchdog | None = None) -> None:
        self.time_limit = 60.0
        """Seconds that a leg may run by default."""
        self._options = options
        self._watchdog = watchdog

    @cached_property
    def _started(self) -> Started:
        return start(self._options)

    @property
    def session(self) -> SparkSession:
        """The session; raises SparkUnusable, with one line, if it can't start."""
        return self._started.session

    @cached_property
    def runner(self) -> Any:
        """The jar's LegRunner."""
        return self._started.runner

    @cached_property
    def spark_errors(self) -> tuple[type[Exception], ...]:
        """The exceptions of pyspark for an error of Spark itself."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        return (PySparkException, Py4JJavaError)

    @property
    def on_cluster(self) -> bool:
        """Whether tasks run in other processes than the driver, without access to its memory."""
        return is_cluster(self._options.master)

    def lost_executors(self) -> list[str]:
        """A line for each executor that ended since the last call, and why; none without a cluster."""
        return lost_executors(self.session) if self.on_cluster and "_started" in self.__dict__ else []

    @cached_property
    def version(self) -> str:
        """Spark's own version text."""
        return self.session.version

    def _watched(self, limit: float) -> AbstractContextManager[None]:
        if self._watchdog is None:
            return nullcontext()
        return self._watchdog.step(limit * _PATIENCE + _GRACE, self._started.kill)

    def watched(self) -> AbstractContextManager[None]:
        """A context in which the watchdog, if there is one, kills the JVM if it takes longer than ``time_limit``."""
        return self._watched(self.time_limit)

    def require_executors(self, none_left: str) -> None:
        """Raise ClusterLost, with the reason ``none_left``, unless it is '': the leg's error isn't the query's."""
        if none_left:
            raise ClusterLost(f"--spark-master {self._options.master}: {none_left}")

    def _require_executors(self) -> None:
        if self.on_cluster:
            self.require_executors(none_left(self.session))

    def calling(self, call: Any) -> Any:
        """The result of ``call()``; raises SparkLost if the JVM is gone, and Spark's own errors as they are."""
        from py4j.protocol import Py4JJavaError, Py4JNetworkError

        try:
            return call()
        except (Py4JNetworkError, ConnectionError) as error:
            words = self.last_words()
            raise SparkLost(f"the JVM {words.line if words else 'is gone'}: {error}") from error
        except Py4JJavaError as error:
            # The text is in the JVM, which may be gone when the error is reported.
            error.add_note(str(error))
            raise

    @cached_property
    def jvm_errors(self) -> tuple[type[Exception], ...]:
        """The exceptions for a lost JVM, and for some mistakes: :meth:`lost` tells them apart."""
        from py4j.protocol import Py4JError

        return (SparkLost, Py4JError, ConnectionError)

    def lost(self, error: BaseException | None = None) -> Loss | None:
        """The kind of the JVM's loss, after ``error`` was raised; None if it runs and answers.

        If ``error`` suggests that the JVM is about to end, this waits a little for its end.

        :raises KeyboardInterrupt: ``error`` came of an interruption, which goes on.
        """
        if was_interrupted(error):
            raise KeyboardInterrupt from error
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
        """Record the JVM's memory, if there is a JVM, for :meth:`last_words`."""
        if self._running is not None:
            self._running.sample_memory()

    def last_words(self) -> LastWords | None:
        """The traces of a lost JVM, before it is closed; None if none was started."""
        return self._running.last_words() if self._running is not None else None

    @property
    def pid(self) -> int | None:
        """The process id of the JVM, which is started for this."""
        return self._started.pid

    def kill(self) -> None:
        """Kill the JVM, if there is one."""
        if self._running is not None:
            self._running.kill()

    def abandon(self) -> None:
        """Kill the JVM, if there is one, for a process that is about to end; callable from any thread."""
        held = self._running
        if held is not None:
            held.kill()
            shutil.rmtree(held.folder, ignore_errors=True)

    def close(self) -> None:
        """End the session and its JVM, if it was started, and remove its files."""
        for name in ("_started", "runner"):
            held = self.__dict__.pop(name, None)
            if isinstance(held, Started):
                held.stop()
        if self._watchdog is not None:
            self._watchdog.rang = False
