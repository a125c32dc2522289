"""Wait for a cluster that has no executor left, and try again when it has some."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from oracles.engines.protocol import Engine
from oracles.engines.spark.jvm import ClusterLost
from oracles.engines.spark.start import SparkUnusable

T = TypeVar("T")
_GONE = (ClusterLost, SparkUnusable)
"""The errors that are raised while the cluster has no executors: by a leg, or by a session that is to start."""

_TRIES = 3
"""The number of attempts at work that loses all executors each time: the work may be the cause of their deaths."""

_PAUSE_SECONDS = 5.0


def with_executors(
    spark: Engine,
    what: Callable[[], T],
    *,
    told: Callable[[str], None],
    given_up: Callable[[], bool],
    pause: Callable[[float], object],
) -> T:
    """Call ``what``, and after a loss of all executors again on a fresh session when the cluster has executors.

    ``told`` is called with the reason for waiting, and then with an empty text while the wait lasts. ClusterLost if the
    wait is ``given_up``, or if ``what`` has lost all executors again and again.
    """
    if not spark.on_cluster:
        return what()
    for tries in range(1, _TRIES + 1):
        try:
            return what()
        except _GONE as gone:
            if tries == _TRIES:
                raise ClusterLost(f"{gone}; {tries} times at one query") from gone
            told(f"{gone}: waiting for executors")
            _wait(spark, gone, told, given_up, pause)
    raise AssertionError("the last try ends otherwise")


def _wait(
    spark: Engine,
    gone: Exception,
    told: Callable[[str], None],
    given_up: Callable[[], bool],
    pause: Callable[[float], object],
) -> None:
    spark.close()
    while not given_up():
        try:
            _ = spark.session
        except SparkUnusable:
            told("")
            pause(_PAUSE_SECONDS)
        else:
            return
    raise ClusterLost(str(gone)) from gone
