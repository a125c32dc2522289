"""The three questions to a strategy: does all of it hold, can it do this, and what is the least it can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count as numbers
from itertools import islice
from random import Random
from typing import Generic, TypeVar

from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import DrawFn, SearchStrategy, booleans, composite

from strategies.ir import InvalidQuery

T = TypeVar("T")

# A slow machine isn't what these tests are about; every other health check is.
_QUIET = settings(database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def drawn(strategy: SearchStrategy[T], *, count: int = 100, run: int = 0) -> list[T]:
    """``count`` examples, the same each time for one ``run``; fails when Hypothesis finds the strategy unhealthy."""
    examples: list[T] = []

    @seed(run)
    @settings(_QUIET, max_examples=count, phases=[Phase.generate])
    @given(strategy)
    def collect(example: T) -> None:
        examples.append(example)

    collect()
    return examples


class Sample(Generic[T]):
    """Examples of one strategy for many questions: drawn when the first of them needs them, and kept."""

    def __init__(self, strategy: SearchStrategy[T]) -> None:
        self._strategy = strategy
        self._kept: list[T] = []
        self._runs = numbers()

    def __iter__(self) -> Iterator[T]:
        """Without end."""
        for index in numbers():
            if index == len(self._kept):
                self._kept += drawn(self._strategy, count=60, run=next(self._runs))
            yield self._kept[index]

    def find_any(self, holds: Callable[[T], object], *, within: int = 2_000) -> T:
        """Some example that satisfies ``holds``; hypothesis.errors.NoSuchExample where ``within`` draws have none."""
        for example in islice(self, within):
            if holds(example):
                return example
        raise NoSuchExample(f"none of {within:,} draws")


def assert_all_examples(strategy: SearchStrategy[T], holds: Callable[[T], object], *, count: int = 100) -> None:
    """Every one of ``count`` examples satisfies ``holds``."""
    wrong = [example for example in drawn(strategy, count=count) if not holds(example)]
    assert wrong == []


def find_any(strategy: SearchStrategy[T], holds: Callable[[T], object], *, within: int = 2_000) -> T:
    """Some example that satisfies ``holds``; hypothesis.errors.NoSuchExample where ``within`` draws have none."""
    return find(strategy, lambda example: bool(holds(example)), settings=_first(within), random=Random(0))


def least_of(
    strategy: SearchStrategy[T],
    holds: Callable[[T], object],
    size: Callable[[T], int],
    *,
    enough: int,
    starts: int = 6,
) -> int:
    """The least ``size`` among the minima of several examples that satisfy ``holds``, since the shrinker may end in
    another minimum from another example. A minimum of ``enough`` or less ends the search.
    """
    least = size(minimal(strategy, holds))
    for start in range(1, starts):
        if least <= enough:
            break
        least = min(least, size(minimal(strategy, holds, skipped=100 * start)))
    return least


def _first(within: int) -> settings:
    return settings(_QUIET, max_examples=within, phases=[Phase.generate])


def minimal(
    strategy: SearchStrategy[T], holds: Callable[[T], object] = lambda _: True, *, within: int = 2_000, skipped: int = 0
) -> T:
    """The example that one that satisfies ``holds`` shrinks to: the first one after ``skipped`` examples."""
    shrinking = settings(_first(within), phases=[Phase.generate, Phase.shrink])
    seen = numbers()
    return find(
        strategy, lambda example: next(seen) >= skipped and bool(holds(example)), settings=shrinking, random=Random(0)
    )


@composite
def half_faulty(draw: DrawFn, values: SearchStrategy[T]) -> T:
    """``values``, half of whose draws fail as by a fault of their strategy."""
    value = draw(values)
    if draw(booleans()):
        raise InvalidQuery("planted")
    return value
