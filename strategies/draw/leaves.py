"""Draw relations without an input."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.values import draw_literal
from strategies.ir import Column, Relation, Values, ValuesRow


def literal_rows(draw: DrawFn, columns: tuple[Column, ...]) -> Relation:
    """One to three rows of literals, with the names and types of ``columns``."""
    rows = (
        ValuesRow(tuple(draw_literal(draw, column.type) for column in columns)) for _ in range(pick(draw, (1, 2, 3)))
    )
    return Values(tuple(column.name for column in columns), tuple(rows))
