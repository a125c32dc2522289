"""Durations as they are shown."""

from __future__ import annotations

import pytest

from oracles.answers.plural import duration_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0 s"),
        (0, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (3_599, "59 min 59 s"),
        (3_660, "1 h 1 min"),
        (1e7, "2,777 h 46 min"),
    ],
)
def test_duration_has_two_units_at_most(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
