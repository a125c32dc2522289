"""Adapts the settings of cases to a cluster, to rules of adaptive execution, and to searches that have many queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import strategies as st

from oracles.engines.protocol import Engine
from oracles.engines.spark.master import EXECUTORS
from oracles.rules.points import Point
from strategies.draw.draws import below
from strategies.draw.group_fits import keeps_state
from strategies.draw.planner_conf import GROUPS
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


_PLACES = 8
_STATE = GROUPS["planned by two threads"].settings


def mostly_quick(cases: st.SearchStrategy[Case], *, near: Iterable[Case]) -> st.SearchStrategy[Case]:
    """``cases``, of which seven in eight of those that need files or generated code run on the fast path instead.

    They are unchanged if none of ``near``, the cases on which a rule came closest to an effect, runs there: the rule
    may not fire on it. The fast path has ten queries in the time of one. One in four of the cases whose functions keep
    state is planned in two threads at once, which share it. Statements stay where the tables are that they change.
    """
    if not any(case.settings.is_quick for case in near):
        return cases
    return st.builds(_in_its_way, cases, below(_PLACES))


def _in_its_way(case: Case, place: int) -> Case:
    settings = case.settings
    if case.query.is_statement:
        return case
    if _PLACES - 3 <= place < _PLACES - 1 and keeps_state(case.query):
        return replace(case, settings=replace(settings.quickened(), capabilities=(), **_STATE))
    if place == _PLACES - 1 or settings.is_quick or settings.siblings:
        return case
    return replace(case, settings=settings.quickened())
