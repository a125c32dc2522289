"""The interface by which the parts of the expression strategies draw operands from each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.operands import Fields
from strategies.ir import Expr, SqlType


@dataclass(frozen=True, slots=True)
class Grammar:
    """Strategies for expressions of a type, and for conditions, over fields and with an approximate depth."""

    expressions: Callable[[Fields, SqlType, int], SearchStrategy[Expr]]
    predicates: Callable[[Fields, int], SearchStrategy[Expr]]


Rule = Callable[[DrawFn, Grammar, Fields, SqlType, int], Expr]
"""Draws an expression of a type; its operands have the next lower depth."""
