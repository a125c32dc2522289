"""Judging a LIMIT without an order: any rows will do, as long as there are enough and all are its input's."""

from __future__ import annotations

from collections import Counter

from oracles.answers.outcome import Outcome, Rows
from strategies.ir import AnyLimit


def settled(limited: Outcome, unlimited: Outcome, limit: AnyLimit, *, whole: bool = False) -> Outcome:
    """One choice of rows of ``unlimited``, where ``limited`` is a right answer to ``limit`` over it; else ``limited``.

    Rows of an input that itself raises can't be judged: what it raises then stands for the answer. Right is: the same
    types, min(count, max(0, rows - offset)) rows, and a sub-multiset. Two legs that chose other rows, both rightly,
    are thereby equal; one that chose wrongly differs from all, and so does one that answers with all rows. With
    ``whole`` all of ``unlimited`` stands for a right answer: for engines that don't agree on that.
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
