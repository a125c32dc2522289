"""ReplaceIntersectWithSemiJoin: every INTERSECT."""

from __future__ import annotations

from hypothesis.strategies import SearchStrategy

from strategies.ir import Case
from strategies.shapes import NearMiss
from strategies.shapes.data import counted, misses_without_all, set_operators

RULE = "ReplaceIntersectWithSemiJoin"


def fires() -> SearchStrategy[Case]:
    """``L INTERSECT R`` over tables of one family; shrinks to two bare scans."""
    return set_operators("intersect", keeps_all=False)


NEAR_MISSES = (
    *misses_without_all("intersect"),
    NearMiss("intersect_all", lambda: counted("intersect", keeps_all=True), fires=False),
    NearMiss("except", lambda: counted("except", keeps_all=False), fires=False),
)
