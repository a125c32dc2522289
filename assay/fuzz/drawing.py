"""The settings of Hypothesis with which a run draws its examples, from the run's seed alone."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from assay.fuzz.finding import digest
from assay.fuzz.supervision import Guard
from strategies.ir import Case

LEAST_EXAMPLES = 10
"""Examples that Hypothesis draws at the least: its first ones are trivial, and in a later search were seen before."""


def generating(count: int, **more: Any) -> settings:
    """Settings that draw ``count`` examples and reuse none of an earlier run; ``more`` are settings of Hypothesis."""
    given: dict[str, Any] = {"phases": (Phase.generate,), "database": None, "deadline": None, "derandomize": False}
    return settings(settings.get_profile("default"), max_examples=count, **{**given, **more})


def distinct_cases(cases: SearchStrategy[Case], count: int, *, of_seed: int) -> dict[str, Case]:
    """A few more than ``count`` examples of ``cases`` by their digests, each once, in the order of their draws.

    The same seed gives the same cases. Equal examples may leave fewer than ``count``.
    """
    found: dict[str, Case] = {}

    @seed(of_seed)
    @generating(
        count + LEAST_EXAMPLES,
        suppress_health_check=list(HealthCheck),  # slow draws cost time here, and nothing is judged by them
    )
    @given(cases)
    def collect(case: Case) -> None:
        found.setdefault(digest(case), case)

    collect()
    return found


@composite
def supervised(draw: DrawFn, cases: SearchStrategy[Case], guard: Guard) -> Case:
    """``cases`` under ``guard``: a draw that fails by a fault of a strategy is an incident, and another is drawn."""
    nothing: Case | None = None
    case = guard.attempt(None, lambda: draw(cases), nothing)
    return reject() if case is None else case
