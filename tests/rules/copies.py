"""Every pair of replication counts at once: one table pair whose rows occur l times on the left, r on the right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

from strategies.ir import INT, Column, Database, Row, Table
from strategies.shapes.data import MAX_COPIES, left_and_right

COUNTS = range(MAX_COPIES + 1)
_COLUMNS = (Column("l", INT), Column("r", INT), Column("v", INT))
_VALUES = (0, None)

EVERY_PAIR = left_and_right(
    _COLUMNS, tuple(((left, right, value), (left, right)) for left, right, value in product(COUNTS, COUNTS, _VALUES))
)
"""Rows ``(l, r, v)``, once without a NULL and once with one, ``l`` times in ``t0`` and ``r`` times in ``t1``."""


def only_null(left: int, right: int) -> Database:
    """A row of NULL alone, so many times in ``n0`` and in ``n1``."""
    rows = ((None,),)
    return Database(tuple(Table(name, (Column("a", INT),), rows * n) for name, n in (("n0", left), ("n1", right))))


def expected(copies: Callable[[int, int], int]) -> Counter[Row]:
    """The rows that a set operator makes of :data:`EVERY_PAIR` if it answers each row ``copies(l, r)`` times."""
    found = {(left, right, value): copies(left, right) for left, right, value in product(COUNTS, COUNTS, _VALUES)}
    return Counter({row: count for row, count in found.items() if count})
