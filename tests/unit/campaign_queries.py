"""The queries that a campaign's day begins with: drawn once in a process, for every module that asks about them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import TypeVar

from assay.fuzz.draws import fuzz_draws
from strategies.ir import Case, Node, Relation, walk

T = TypeVar("T")


def many_cases() -> tuple[Case, ...]:
    """5,000 cases that a fuzz run draws: general ones, rules' shapes, with settings and predicates."""
    return fuzz_draws()


def many_queries() -> tuple[Relation, ...]:
    """The queries of :func:`many_cases`."""
    return tuple(case.query for case in fuzz_draws())


def lacking(asked: Callable[[tuple[Relation, ...]], Collection[T]]) -> set[T]:
    """The parts that :func:`many_queries` lack, and as many more queries, which are drawn only if they do.

    :param asked: gives the parts that some queries lack.
    """
    found = set(asked(many_queries()))
    return found and found & set(asked(tuple(case.query for case in fuzz_draws(1))))


@cache
def many_nodes() -> tuple[Node, ...]:
    """All nodes of :func:`many_queries`."""
    return tuple(node for query in many_queries() for node in walk(query))
