"""Operators of one input, each with the columns by which rows belong together: a condition on these passes it."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick, rarely
from strategies.draw.exprs import Fields
from strategies.draw.scopes import scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    BOOLEAN,
    INT,
    Agg,
    Array,
    Expr,
    Generate,
    IsNull,
    Item,
    Lit,
    MakeArray,
    Over,
    Pivot,
    PivotValue,
    Relation,
    Window,
    is_plain,
)


def windowed(draw: DrawFn, child: Relation) -> tuple[Window, Fields]:
    """``child`` with the number of rows, ``n``, that are like each in its first column, or its first two; and those."""
    keys = scope(child.fields)[: pick(draw, (1, 2))]
    return Window(child, (Over("n", Agg("count")),), tuple(field.column() for field in keys)), keys


def exploded(draw: DrawFn, child: Relation) -> tuple[Generate, Fields]:
    """``child`` once for each element, ``e``, of an array: one of its own, or one of a column and a literal; and all
    of its columns.
    """
    fields = scope(child.fields)
    arrays: list[Expr] = [field.column() for field in fields if isinstance(field.type, Array)]
    made = [
        MakeArray(field.type, (field.column(), draw_literal(draw, field.type)))
        for field in fields
        if is_plain(field.type)
    ]
    array = pick(draw, [*arrays, *made] or [MakeArray(INT, (Lit(INT, 0), Lit(INT, 1)))])
    return Generate(child, array, "e", "p" if rarely(draw, 3) else None, rarely(draw, 3)), fields


def pivoted(draw: DrawFn, child: Relation) -> tuple[Pivot, Fields]:
    """How many rows have NULL in a column and how many have not, for each value of the first one, ``k``; and that."""
    fields = scope(child.fields)
    values = tuple(PivotValue(f"p{place}", Lit(BOOLEAN, place == 0)) for place in range(2))
    asked = IsNull(pick(draw, fields).column())
    pivot = Pivot(child, (Item("k", fields[0].column()),), Agg("count"), asked, values)
    return pivot, scope(pivot.fields)[:1]
