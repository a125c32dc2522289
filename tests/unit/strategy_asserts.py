"""The three questions to a strategy: does all of it hold, can it do this, and what is the least it can do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

# A slow machine isn't what these tests are about; every other health check is.
_QUIET = settings(database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def drawn(strategy: SearchStrategy[T], *, count: int = 100) -> list[T]:
    """``count`` examples, the same in each run; fails when Hypothesis finds the strategy unhealthy."""
    examples: list[T] = []

    @seed(0)
    @settings(_QUIET, max_examples=count, phases=[Phase.generate])
    @given(strategy)
    def collect(example: T) -> None:
        examples.append(example)

    collect()
    return examples


def assert_all_examples(strategy: SearchStrategy[T], holds: Callable[[T], object], *, count: int = 100) -> None:
    """Every one of ``count`` examples satisfies ``holds``."""
    wrong = [example for example in drawn(strategy, count=count) if not holds(example)]
    assert wrong == []


def find_any(strategy: SearchStrategy[T], holds: Callable[[T], object], *, within: int = 2_000) -> T:
    """Some example that satisfies ``holds``; hypothesis.errors.NoSuchExample where ``within`` draws have none."""
    return find(strategy, lambda example: bool(holds(example)), settings=_first(within), random=Random(0))


def _first(within: int) -> settings:
    return settings(_QUIET, max_examples=within, phases=[Phase.generate])


def minimal(strategy: SearchStrategy[T], holds: Callable[[T], object] = lambda _: True, *, within: int = 2_000) -> T:
    """What an example that satisfies ``holds`` shrinks to."""
    shrinking = settings(_first(within), phases=[Phase.generate, Phase.shrink])
    return find(strategy, lambda example: bool(holds(example)), settings=shrinking, random=Random(0))
