"""RewriteExceptAll: every EXCEPT ALL."""

from __future__ import annotations

from hypothesis.strategies import SearchStrategy

from strategies.ir import Case
from strategies.shapes.data import misses_with_all, set_operators

RULE = "RewriteExceptAll"


def fires() -> SearchStrategy[Case]:
    """``L EXCEPT ALL R`` over tables of one family; shrinks to two bare scans."""
    return set_operators("except", keeps_all=True)


NEAR_MISSES = misses_with_all("except")
