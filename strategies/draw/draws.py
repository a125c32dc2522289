"""Cheap draws inside composite strategies: one bounded integer each, simplest first.

A new ``sampled_from`` costs more than twice the draw itself; these strategies are made once and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.seeding import ignore_local_constants

T = TypeVar("T")

ignore_local_constants()


@cache
def below(bound: int) -> SearchStrategy[int]:
    """Integers from 0 to ``bound - 1``; shrinks to 0."""
    return st.integers(0, bound - 1)


def pick(draw: DrawFn, options: Sequence[T]) -> T:
    """One of ``options``; shrinks to the first. An option that occurs twice is drawn twice as often."""
    return options[draw(below(len(options)))]


def one_in(draw: DrawFn, number: int) -> bool:
    """True once in ``number`` draws; shrinks to False."""
    return draw(below(number)) == number - 1


def without_mutation(strategy: SearchStrategy[T]) -> SearchStrategy[T]:
    """``strategy`` without Hypothesis's mutation of examples: each value is drawn anew.

    Hypothesis draws one of five examples, and makes the other four by copying parts of an example over others. A check
    costs far more than a draw, so a new query is worth more: 1,000 examples are 970 different queries, not 450
    (measured on 6.170). Inside a list of distinct items Hypothesis doesn't copy; shrinking is the same.
    """
    return st.lists(strategy, min_size=1, max_size=1, unique_by=_same_for_all).map(_only)


def _same_for_all(value: object) -> int:
    return 0


def _only(values: list[T]) -> T:
    return values[0]
