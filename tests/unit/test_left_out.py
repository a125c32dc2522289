"""Of a parametrized test tox run takes the first row and each so-many-th; all others are for left-out."""

from __future__ import annotations

import pytest

from tests.left_out import places_left_out


@pytest.mark.parametrize(
    ("rows", "out"),
    [
        ([], []),
        ([("a", 3)], []),
        ([("a", 3)] * 5, [1, 2, 4]),
        ([("a", 1)] * 5, []),
        ([("a", 2), ("b", 2), ("a", 2), ("b", 2), ("a", 2)], [2, 3]),
        ([("a", 2), ("b", 1), ("a", 2), ("b", 1)], [2]),
    ],
    ids=["none", "one", "every third", "all", "two tests", "two steps"],
)
def test_the_first_row_of_each_test_and_each_so_many_th_are_taken(rows: list[tuple[str, int]], out: list[int]) -> None:
    assert places_left_out(rows) == out
