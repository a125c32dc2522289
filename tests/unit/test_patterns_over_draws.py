"""Laws of all patterns of known divergences, over cases as a fuzz run draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import Case, SetOp, walk
from tests.unit.campaign_queries import many_cases

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two


def raised_over(pattern: Callable[[Case], bool], cases: Iterable[Case]) -> list[str]:
    """The errors that ``pattern`` raises over ``cases``, one line each."""
    problems = []
    for case in cases:
        try:
            pattern(case)
        except Exception as error:  # noqa: BLE001  # whatever it is, it would end a run
            problems.append(f"{type(error).__name__}: {error}: {case.query!r}")
    return problems


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_raises(name: str) -> None:
    assert raised_over(PATTERNS[name], many_cases())[:1] == []


def test_a_pattern_that_raises_is_seen() -> None:
    def faulty(case: Case) -> bool:
        return next(node.all for node in walk(case.query) if isinstance(node, SetOp))

    assert any("StopIteration" in problem for problem in raised_over(faulty, many_cases()))
