"""Draw recursive common table expressions, which end after few steps."""

from __future__ import annotations

from dataclasses import replace

from hypothesis.strategies import DrawFn

from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import expressions, kinds, predicates
from strategies.draw.operands import Fields
from strategies.draw.scopes import new_names, scope
from strategies.ir import (
    BOOLEAN,
    MAX_STEPS,
    Col,
    Database,
    Distinct,
    Expr,
    Field,
    InSubquery,
    Item,
    Lit,
    Project,
    Recursive,
    Relation,
    Scan,
    is_plain,
)

_STEPS = (1, 2, 3, MAX_STEPS, 0)


def recursive(draw: DrawFn, schema: Database, child: Relation, room: int) -> Relation:
    """A recursion over ``child``, with at most ``room`` operators in its step; shrinks to one that repeats each row.

    A ``child`` with too many rows for a recursion gets DISTINCT instead.
    """
    most = MAX_JOINED_ROWS // max(1, most_rows(child)) - 1
    if most < 1:
        return Distinct(child)
    bare = Recursive(child, _names(draw, child), min(pick(draw, _STEPS), most))
    changes = (_change(draw, bare.fields, field) for field in bare.fields[:-1] if one_in(draw, 2))
    changed = tuple(item for item in changes if item.value != Col(item.name, item.value.type))
    return replace(bare, changes=changed, condition=_condition(draw, schema, bare.fields, room))


def _names(draw: DrawFn, child: Relation) -> tuple[str, ...]:
    names = tuple(new_names(draw, scope(child.fields), len(child.fields) + 1))
    apart = len({name.casefold() for name in names}) == len(names)
    return names if apart else tuple(f"e{place}" for place in range(len(names)))


def _change(draw: DrawFn, fields: Fields, changed: Field) -> Item:
    if changed.type in kinds(fields):
        return Item(changed.name, draw(expressions(fields, changed.type, depth=draw(below(2)))))
    return Item(changed.name, pick(draw, [field.column() for field in fields if field.type == changed.type]))


def _condition(draw: DrawFn, schema: Database, fields: Fields, room: int) -> Expr | None:
    form = draw(below(10))
    if form < 4:
        return None
    if form == 9:
        return Lit(BOOLEAN, False)
    if form > 6 and room > 0 and (pairs := _pairs(schema, fields)):
        column, values = pick(draw, pairs)
        return InSubquery((column,), values, one_in(draw, 2))
    return draw(predicates(fields, depth=1))


def _pairs(schema: Database, fields: Fields) -> list[tuple[Expr, Relation]]:
    """Each of ``fields`` with each column of a table that has its type."""
    return [
        (field.column(), Project(Scan(table.name, table.columns), (Item(column.name, Col(column.name, column.type)),)))
        for field in fields
        for table in schema.tables
        for column in table.columns
        if column.type == field.type and is_plain(field.type)
    ]
