"""Draw relations without an input."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import expressions
from strategies.draw.values import draw_literal
from strategies.ir import Coalesce, Column, Expr, Item, OneRow, Outer, Relation, Values, ValuesRow


def literal_rows(draw: DrawFn, columns: tuple[Column, ...]) -> Relation:
    """One to three rows of literals, with the names and types of ``columns``."""
    rows = (
        ValuesRow(tuple(draw_literal(draw, column.type) for column in columns)) for _ in range(pick(draw, (1, 2, 3)))
    )
    return Values(tuple(column.name for column in columns), tuple(rows))


def one_row(draw: DrawFn, columns: tuple[Column, ...], outer: Sequence[Outer] = ()) -> Relation:
    """A SELECT without FROM, with the names and types of ``columns``; its values are constant expressions, and columns
    of the query around it where there are any ``outer`` ones of the type.
    """
    return OneRow(tuple(Item(column.name, _value(draw, column, outer)) for column in columns))


def _value(draw: DrawFn, column: Column, outer: Sequence[Outer]) -> Expr:
    same = [one for one in outer if one.type == column.type]
    if same and not one_in(draw, 4):
        value = pick(draw, same)
        return Coalesce((value, draw_literal(draw, column.type))) if one_in(draw, 3) else value
    return draw(expressions((), column.type, depth=1)) if one_in(draw, 2) else draw_literal(draw, column.type)
