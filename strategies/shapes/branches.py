"""Draw conditionals: CASE with given branches, or ``if()`` where there are just two results."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in
from strategies.ir import BOOLEAN, Call, CaseWhen, Column, Expr, Lit, When

TRUE, FALSE, UNKNOWN = (Lit(BOOLEAN, value) for value in (True, False, None))
TRUTHS = (Column("c", BOOLEAN), Column("d", BOOLEAN))
"""Two columns that are true, false or NULL by themselves."""


def case(*branches: tuple[Expr, Expr], otherwise: Expr | None = None) -> CaseWhen:
    """``CASE WHEN condition THEN result … [ELSE otherwise] END``."""
    return CaseWhen(tuple(When(condition, result) for condition, result in branches), otherwise)


def either(draw: DrawFn, condition: Expr, one: Expr, two: Expr) -> Expr:
    """``one`` where ``condition`` is true, else ``two``: mostly a CASE, to which it shrinks, now and then ``if()``."""
    return Call("if", (condition, one, two)) if one_in(draw, 3) else case((condition, one), otherwise=two)


def in_either_order(draw: DrawFn, one: Expr, two: Expr) -> tuple[Expr, Expr]:
    """Both, in either order; shrinks to the given one."""
    return (two, one) if draw(st.booleans()) else (one, two)
