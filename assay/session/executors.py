"""A cluster that has no executor left for a campaign: it is waited for, as for room on a disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from oracles.engines.protocol import Engine
from oracles.engines.spark.jvm import ClusterLost
from oracles.engines.spark.start import SparkUnusable

T = TypeVar("T")
_GONE = (ClusterLost, SparkUnusable)
"""What is raised while there are none: by a leg, or by a session that is to start."""

_TRIES = 3
"""What loses all executors so many times is not tried again: it may be what they die of."""

_PAUSE_SECONDS = 5.0


def with_executors(
    spark: Engine,
    what: Callable[[], T],
    *,
    told: Callable[[str], None],
    given_up: Callable[[], bool],
    pause: Callable[[float], object],
) -> T:
    """``what()``, once more on a fresh session whenever the cluster has executors again.

    ``told`` hears why that is waited for, and then, while it lasts, an empty text. ClusterLost when it is ``given_up``,
    or when ``what`` has lost all executors again and again.
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
