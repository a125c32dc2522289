"""Draw operators of one input, each with the columns of its groups or rows: conditions on these can move below it."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
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
    """A window over ``child`` with the number ``n`` of rows per value of its first column, or first two; and these."""
    keys = scope(child.fields)[: pick(draw, (1, 2))]
    return Window(child, (Over("n", Agg("count")),), tuple(field.column() for field in keys)), keys


def exploded(draw: DrawFn, child: Relation) -> tuple[Generate, Fields]:
    """A Generate over ``child`` with the elements ``e`` of an array column, or of an array of a column and a literal;
    and all columns of ``child``.
    """
    fields = scope(child.fields)
    arrays: list[Expr] = [field.column() for field in fields if isinstance(field.type, Array)]
    made = [
        MakeArray(field.type, (field.column(), draw_literal(draw, field.type)))
        for field in fields
        if is_plain(field.type)
    ]
    array = pick(draw, [*arrays, *made] or [MakeArray(INT, (Lit(INT, 0), Lit(INT, 1)))])
    return Generate(child, array, "e", "p" if one_in(draw, 3) else None, one_in(draw, 3)), fields


def pivoted(draw: DrawFn, child: Relation) -> tuple[Pivot, Fields]:
    """A pivot that counts the rows with NULL and without NULL in a column, by the first column ``k``; and this one."""
    fields = scope(child.fields)
    values = tuple(PivotValue(f"p{place}", Lit(BOOLEAN, place == 0)) for place in range(2))
    asked = IsNull(pick(draw, fields).column())
    pivot = Pivot(child, (Item("k", fields[0].column()),), Agg("count"), asked, values)
    return pivot, scope(pivot.fields)[:1]
