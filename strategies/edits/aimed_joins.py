"""Draw joins of the forms that some groups of configuration ask for, over a relation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.group_fits import Fits, joins_a_filter, joins_a_union, joins_by_folders, joins_three_inputs
from strategies.draw.joins import join_conditions, side
from strategies.draw.limits import limited
from strategies.draw.scopes import fresh_alias, scope
from strategies.draw.setops import fitting_table
from strategies.edits.aim import Aim
from strategies.ir import (
    Alias,
    And,
    Compare,
    Database,
    Expr,
    Filter,
    Join,
    JoinKind,
    Relation,
    Scan,
    SetOp,
    Table,
    common_type,
    from_fields,
    partition_column,
    referable,
)

_PADDED: tuple[JoinKind, ...] = ("inner", "left", "right", "semi", "inner", "anti", "full")
_OF_UNION: tuple[JoinKind, ...] = ("inner", "left", "inner", "left", "right", "full")
_EXISTENCE: tuple[JoinKind, ...] = ("semi", "anti")


def _scan(table: Table) -> Scan:
    return Scan(table.name, table.columns)


def _kind(draw: DrawFn, left: Relation, right: Relation, kinds: Sequence[JoinKind], aim: Aim) -> JoinKind:
    """One of ``kinds``, mostly one that ``aim`` names if it names any; "semi" or "anti" if rows beside their partners
    would be too many.
    """
    if most_rows(left) * most_rows(right) > MAX_JOINED_ROWS:
        return pick(draw, _EXISTENCE)
    asked = [kind for kind in aim.joins if kind != "cross"]  # a cross join compares nothing
    return pick(draw, asked if asked and not one_in(draw, 3) else kinds)


def _filtered(draw: DrawFn, relation: Relation) -> Filter:
    return Filter(relation, draw(predicates(scope(from_fields(relation)), depth=0)))


def join_of_filter(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """A join of the relation and a table of which a filter leaves a part, on either side."""
    left = side(draw, child)
    right: Relation = Alias(_filtered(draw, _scan(pick(draw, schema.tables))), fresh_alias(left))
    left, right = (right, left) if one_in(draw, 2) else (left, right)
    return Join(left, right, _kind(draw, left, right, _PADDED, aim), draw(join_conditions(left, right)))


def join_of_union(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """A join of a UNION with a table, mostly of a UNION ALL."""
    union = SetOp("union", child, fitting_table(draw, schema, child), all=not one_in(draw, 4))
    left = Alias(union, fresh_alias(child))
    right = Alias(_scan(pick(draw, schema.tables)), fresh_alias(left))
    if most_rows(left) * most_rows(right) > MAX_JOINED_ROWS:
        return left
    return Join(left, right, _kind(draw, left, right, _OF_UNION, aim), draw(join_conditions(left, right)))


def join_of_joins(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """Inner joins of the relation and two tables."""
    joined: Relation = side(draw, child)
    for _ in range(2):
        right = Alias(_scan(pick(draw, schema.tables)), fresh_alias(joined))
        if most_rows(joined) * most_rows(right) > MAX_JOINED_ROWS:
            return joined
        joined = Join(joined, right, "inner", draw(join_conditions(joined, right)))
    return joined


def join_by_folder(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """A join of a table, or the first rows of one, and a filter of the relation, by the column that the table can be
    partitioned by; another join with a filter if there is no such table, or nothing to compare with the column.
    """
    whole = [table for table in schema.tables if partition_column(table.columns) is not None]
    if not whole:
        return join_of_filter(draw, schema, child, aim)
    table = _scan(pick(draw, whole))
    place = partition_column(table.columns)
    assert place is not None  # the table is one of those with such a column
    other = Alias(_filtered(draw, child), fresh_alias(table))
    fields = scope(table.fields + other.fields)
    folder, known = fields[place], referable(fields)
    keys = [one for one in fields[len(table.fields) :] if one in known and common_type(one.type, folder.type)]
    if folder not in known or not keys:
        return join_of_filter(draw, schema, child, aim)
    on: Expr = Compare("=", folder.column(), pick(draw, keys).column())
    whole_side: Relation = Alias(limited(draw, table), table.table) if one_in(draw, 4) else table
    left, right = (other, whole_side) if one_in(draw, 2) else (whole_side, other)
    if one_in(draw, 3):
        on = And(on, draw(join_conditions(left, right)))
    return Join(left, right, _kind(draw, left, right, _PADDED, aim), on)


JOINS: dict[str, Callable[[DrawFn, Database, Relation, Aim], Relation]] = {
    "JoinOfFilter": join_of_filter,
    "JoinOfUnion": join_of_union,
    "JoinOfJoins": join_of_joins,
    "JoinByFolder": join_by_folder,
}
"""The joins, by the name under which an aim may ask for them."""

JOINS_THAT_FIT: dict[Fits, str] = {
    joins_a_filter: "JoinOfFilter",
    joins_a_union: "JoinOfUnion",
    joins_three_inputs: "JoinOfJoins",
    joins_by_folders: "JoinByFolder",
}
"""The joins that fit groups of configuration, by the test that a group has for queries."""
