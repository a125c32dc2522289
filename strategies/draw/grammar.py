"""How the parts of the expression strategies ask each other for operands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.operands import Fields
from strategies.ir import Expr, SqlType


@dataclass(frozen=True, slots=True)
class Grammar:
    """Strategies of expressions of a type, and of conditions, over some fields and about so many levels deep."""

    expressions: Callable[[Fields, SqlType, int], SearchStrategy[Expr]]
    predicates: Callable[[Fields, int], SearchStrategy[Expr]]


Rule = Callable[[DrawFn, Grammar, Fields, SqlType, int], Expr]
"""Draws an expression of a type; its operands are of the next lower depth."""
