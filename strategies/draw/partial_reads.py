"""Draw relations that read fields of columns, so that rules may prune the rest of these columns."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.field_reads import fields_of, has_fields
from strategies.draw.generates import generated
from strategies.draw.operands import columns
from strategies.draw.scopes import new_names, scope
from strategies.ir import Agg, Aggregate, Array, Expr, Generate, Item, Project, Relation, Scan


def read_by_fields(draw: DrawFn, child: Relation, room: int = 1) -> Relation:
    """``child``, or in half of the draws where a column has fields, a projection of one or two fields of each such
    column and most of the other columns; shrinks to ``child``.

    With ``room`` for two operators, the projection of a table is mostly over a Generate of an array of structs. That of
    a Generate is now and then its number of rows.
    """
    if not any(has_fields(column.type) for column in columns(scope(child.fields))) or not one_in(draw, 2):
        return child
    if isinstance(child, Scan) and room > 1 and any(isinstance(field.type, Array) for field in child.fields):
        child = generated(draw, child) if draw(below(3)) else child
    if isinstance(child, Generate) and one_in(draw, 4):
        return Aggregate(child, (), (Item("a", Agg("count")),))
    fields = scope(child.fields)
    values: list[Expr] = []
    for column in columns(fields):
        if reads := fields_of(column):
            values += [pick(draw, reads) for _ in range(pick(draw, (1, 1, 2)))]
        elif not one_in(draw, 3):
            values.append(column)
    if not values:  # none can be referred to: the elements have the array's name
        return child
    names = new_names(draw, fields, len(values))
    return Project(child, tuple(Item(name, value) for name, value in zip(names, values, strict=True)))
