"""Judge a LIMIT without an order: any rows of its input are right, in the right number."""

from __future__ import annotations

from collections import Counter

from oracles.answers.outcome import Outcome, Rows
from strategies.ir import AnyLimit


def settled(limited: Outcome, unlimited: Outcome, limit: AnyLimit, *, whole: bool = False) -> Outcome:
    """A fixed choice of rows of ``unlimited`` if ``limited`` is a right answer to ``limit`` over it; else ``limited``.

    A right answer has the same types, min(count, max(0, rows - offset)) rows, and is a sub-multiset. So legs that chose
    different rows, both right, become equal, and a wrong leg differs from them. If ``unlimited`` raised, its error
    replaces the rows, which can't be judged.

    :param whole: replace a right answer by all of ``unlimited``, for engines that differ in it.
    """
    if not isinstance(limited, Rows):
        return limited
    if not isinstance(unlimited, Rows):
        return unlimited
    size = min(limit.count, max(0, len(unlimited.rows) - limit.offset))
    within = not Counter(limited.rows) - Counter(unlimited.rows)
    right = limited.schema == unlimited.schema and len(limited.rows) == size and within
    if not right:
        return limited
    return unlimited if whole else Rows(unlimited.schema, tuple(sorted(unlimited.rows, key=repr)[:size]))
