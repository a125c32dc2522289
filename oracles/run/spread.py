"""Cases for a cluster: those that don't say how they are run are run so that rows travel between its executors."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from oracles.engines.master import EXECUTORS
from oracles.engines.spark import SparkEngine
from strategies.ir import Case

PARTITIONS = EXECUTORS + 1


def spread(case: Case) -> Case:
    """``case`` run adaptively, and shuffled into several partitions, unless it says otherwise."""
    if not case.settings.is_quick:
        return case
    return replace(case, settings=replace(case.settings, aqe=True, partitions=PARTITIONS))


def as_suits(spark: SparkEngine, cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    """``cases`` as they are where Spark is one process, and :func:`spread` on a cluster."""
    return cases.map(spread) if spark.on_cluster else cases
