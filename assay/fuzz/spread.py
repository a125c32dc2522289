"""Adapts the settings of cases to a cluster, and to rules of adaptive execution."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from oracles.engines.protocol import Engine
from oracles.engines.spark.master import EXECUTORS
from oracles.rules.points import Point
from strategies.ir import Case

PARTITIONS = EXECUTORS + 1


def spread(case: Case) -> Case:
    """``case`` with adaptive execution and enough shuffle partitions, unless its settings are not the quick ones."""
    if not case.settings.is_quick:
        return case
    partitions = max(case.settings.partitions, PARTITIONS)
    return replace(case, settings=replace(case.settings, aqe=True, partitions=partitions))


def as_suits(spark: Engine, cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    """``cases`` unchanged if Spark is one process, and changed by :func:`spread` on a cluster.

    A cluster gets no statements: they need the source "v2", which is in the memory of one process.
    """
    return cases.filter(_is_query).map(spread) if spark.on_cluster else cases


def _is_query(case: Case) -> bool:
    return not case.query.is_statement


_ADAPTIVE = frozenset(point for point in Point if point.adaptive)


def suited(cases: st.SearchStrategy[Case], *points: str) -> st.SearchStrategy[Case]:
    """``cases`` with adaptive execution on, if a rule at one of ``points`` runs only there; else unchanged."""
    return cases.map(_adaptive) if any(point in _ADAPTIVE for point in points) else cases


def _adaptive(case: Case) -> Case:
    return replace(case, settings=replace(case.settings, aqe=True))
