"""Draw tests of random numbers, whose answer is the same for each number: nothing that may depend on one is drawn."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.ir import RandomOp, RandomTest

_TESTS: tuple[tuple[RandomOp, int], ...] = (("<", 1), (">=", 0), ("<", 0), ("<=", 1), (">=", 1), (">", 1), ("<", 2))


IN_SUBQUERIES = 4
"""The least level of an operator in a subquery."""


def random_beside(draw: DrawFn, level: int) -> RandomTest | None:
    """A test beside the condition of one filter in eight, but of none that may be in a subquery."""
    return random_test(draw) if level < IN_SUBQUERIES and one_in(draw, 8) else None


def random_test(draw: DrawFn) -> RandomTest:
    """A test before or after the condition of a filter; shrinks to ``rand() < 1`` after it."""
    op, bound = pick(draw, _TESTS)
    return RandomTest(op, bound, draw(st.booleans()))
