"""Adapts the settings of cases to a cluster, to rules of adaptive execution, and to searches that have many queries."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from oracles.engines.protocol import Engine
from oracles.engines.spark.master import EXECUTORS
from oracles.rules.points import Point
from strategies.draw.draws import below
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


_SLOW = 4


def mostly_quick(cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    """``cases``, of which three in four of those that need files or generated code run on the fast path instead.

    It has ten queries in the time of one. Statements stay where the tables are that they change, and queries that are
    also planned in two threads keep these.
    """
    return st.builds(_in_its_way, cases, below(_SLOW))


def _in_its_way(case: Case, place: int) -> Case:
    settings = case.settings
    if place == _SLOW - 1 or settings.is_quick or settings.siblings or case.query.is_statement:
        return case
    return replace(case, settings=settings.quickened())
