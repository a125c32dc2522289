"""Fit a relation into the place of another one: the same columns, in order, under the same names and qualifiers."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.exprs import expressions
from strategies.draw.operands import Fields
from strategies.draw.scopes import scope
from strategies.draw.tables import MAX_TABLES
from strategies.ir import (
    Alias,
    CteScan,
    Database,
    Expr,
    Field,
    InvalidQuery,
    Item,
    Node,
    Project,
    Relation,
    Scan,
    Table,
    referable,
    scans,
    transform,
)


def fitting(draw: DrawFn, new: Relation, old: Relation) -> Relation:
    """``new`` in the place of ``old``: itself if it has the columns of ``old``, else a projection or an alias of it.

    A column of ``old`` is the column of ``new`` of that name and type if there is one, else a drawn expression.
    """
    new = _with_columns(draw, new, old.fields)
    match old:
        case Scan(table=name) | CteScan(name=name) | Alias(name=name):
            return new if new.fields == old.fields and type(new) is type(old) else _called(new, name)
    return new


def _called(relation: Relation, name: str) -> Relation:
    return Alias(relation.child if isinstance(relation, Alias) else relation, name)


def _with_columns(draw: DrawFn, relation: Relation, wanted: Fields) -> Relation:
    if [(field.name, field.type) for field in relation.fields] == [(field.name, field.type) for field in wanted]:
        return relation
    fields = scope(relation.fields)
    return Project(relation, tuple(Item(field.name, _value(draw, fields, field)) for field in wanted))


def _value(draw: DrawFn, fields: Fields, wanted: Field) -> Expr:
    same = [field for field in referable(fields) if (field.name, field.type) == (wanted.name, wanted.type)]
    return same[0].column() if same else draw(expressions(fields, wanted.type, depth=0))


def with_tables_of(relation: Relation, donor: Database, database: Database) -> tuple[Relation, Database]:
    """``relation``, which reads ``donor``, over ``database``, with the tables that ``database`` lacks.

    A table of the same name and columns is the one of ``database``. Raises InvalidQuery for too many tables.
    """
    known = {table.name: table for table in database.tables}
    called: dict[str, str] = {}
    for scan in scans(relation):
        if scan.table in called:
            continue
        same = [table.name for table in known.values() if table.columns == scan.columns]
        if scan.table in same:
            called[scan.table] = scan.table
        elif same:
            called[scan.table] = same[0]
        else:
            called[scan.table] = name = _free_name(known)
            known[name] = Table(name, scan.columns, donor.table(scan.table).rows)
    if len(known) > MAX_TABLES:
        raise InvalidQuery(f"{len(known)} tables, at most {MAX_TABLES} can be filled")

    def change(node: Node) -> Node:
        if isinstance(node, Scan) and called[node.table] != node.table:
            return Alias(Scan(called[node.table], node.columns), node.table)
        return node

    changed = transform(relation, change)
    assert isinstance(changed, Relation)  # a relation replaces a relation
    return changed, Database(tuple(known.values()))


def _free_name(known: dict[str, Table]) -> str:
    return next(name for number in range(len(known) + 1) if (name := f"t{number}") not in known)
