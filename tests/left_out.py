"""The rows of parametrized tests that ``tox run`` leaves to ``tox run -e left-out``, where they are marked as slow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

STEPS = {"rules": 5, "cli": 3}
"""By the folder below tests: of a test's rows tox run takes the first one, and each so-many-th after it.

Each such row costs queries in Spark or a process. A test says another step by ``@pytest.mark.one_in(step)``.
"""


def places_left_out(rows: Iterable[tuple[str, int]]) -> list[int]:
    """The places of the rows that are left out, of rows as (test, step)."""
    seen: Counter[str] = Counter()
    out = []
    for place, (test, step) in enumerate(rows):
        if seen[test] % step:
            out.append(place)
        seen[test] += 1
    return out


def mark_left_out(items: Sequence[pytest.Item]) -> None:
    """Mark the rows that are left out among ``items`` as slow."""
    rows = [item for item in items if hasattr(item, "callspec")]
    for place in places_left_out((item.nodeid.partition("[")[0], _step(item)) for item in rows):
        rows[place].add_marker(pytest.mark.slow)


def _step(item: pytest.Item) -> int:
    own = item.get_closest_marker("one_in")
    step: int = own.args[0] if own else STEPS.get(item.path.relative_to(Path(__file__).parent).parts[0], 1)
    return step
