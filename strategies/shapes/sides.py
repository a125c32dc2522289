"""The two sides of a set operator: tables of one family, now and then filtered, projected or made free of NULL."""

from __future__ import annotations

from dataclasses import replace

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.joins import join_conditions
from strategies.draw.queries import scope
from strategies.draw.scopes import fresh_alias
from strategies.draw.values import value_at
from strategies.ir import (
    Alias,
    Coalesce,
    Database,
    Filter,
    Item,
    Join,
    JoinKind,
    Lit,
    Project,
    Relation,
    Scan,
    SetOp,
    SqlType,
    Table,
    common_type,
)


def scan(table: Table) -> Scan:
    """All of ``table``."""
    return Scan(table.name, table.columns)


def first_columns(table: Table, width: int) -> Relation:
    """The first ``width`` columns of ``table``; the bare scan where these are all."""
    columns = table.columns[:width]
    if len(columns) == len(table.columns):
        return scan(table)
    fields = scope(scan(table).fields)[:width]
    return Project(scan(table), tuple(Item(field.name, field.column()) for field in fields))


def fitting(table: Table, types: tuple[SqlType, ...]) -> bool:
    """Whether the first columns of ``table`` can stand against columns of ``types`` in a set operator."""
    kinds = [column.type for column in table.columns[: len(types)]]
    return len(kinds) == len(types) and all(common_type(*pair) is not None for pair in zip(kinds, types, strict=True))


def two_tables(draw: DrawFn, schema: Database) -> tuple[Table, Table]:
    """The tables of the two sides: different ones where there are two, now and then one table twice."""
    tables = schema.tables
    if len(tables) == 1 or one_in(draw, 8):
        return tables[0], tables[0]
    left = draw(below(len(tables)))
    others = [*tables[left + 1 :], *tables[:left]]
    return tables[left], pick(draw, others)


def join_sides(draw: DrawFn, schema: Database) -> tuple[Relation, Relation]:
    """The inputs of a join: two tables, now and then one with itself under another name."""
    one, two = two_tables(draw, schema)
    left, right = scan(one), scan(two)
    return left, Alias(right, fresh_alias(left, right)) if one is two else right


def source(draw: DrawFn, schema: Database) -> Relation:
    """A table, now and then filtered or projected."""
    table = pick(draw, schema.tables)
    return side(draw, table, len(table.columns))


def joined(draw: DrawFn, schema: Database, kind: JoinKind) -> Join:
    """Two tables, or one with itself, joined by any condition, an equality most of the time."""
    left, right = join_sides(draw, schema)
    return Join(left, right, kind, None if kind == "cross" else draw(join_conditions(left, right)))


def union_all(left: Relation, right: Relation) -> SetOp:
    """``left UNION ALL right``."""
    return SetOp("union", left, right, all=True)


def sides(draw: DrawFn, schema: Database) -> tuple[Relation, Relation]:
    """Left and right of a set operator, as wide as the narrower table; shrink to two bare scans.

    The right side of one table against itself has no filter, so that it isn't the left side's plan under a filter.
    """
    left, right = two_tables(draw, schema)
    width = min(len(left.columns), len(right.columns))
    return side(draw, left, width), side(draw, right, width, may_filter=left is not right)


def side(draw: DrawFn, table: Table, width: int, *, may_filter: bool = True) -> Relation:
    """The first ``width`` columns of ``table``: filtered in one of four draws, one column free of NULL in one of
    sixteen (sides that differ in nullability are a hazard).
    """
    relation: Relation = first_columns(table, width)
    if may_filter and one_in(draw, 4):
        condition = draw(predicates(scope(scan(table).fields), depth=1))
        filtered = Filter(scan(table), condition)
        relation = replace(relation, child=filtered) if isinstance(relation, Project) else filtered
    return _free_of_null(draw, relation) if one_in(draw, 16) else relation


def _free_of_null(draw: DrawFn, relation: Relation) -> Relation:
    child = relation.child if isinstance(relation, Project) else relation
    fields = scope(relation.fields)
    place = draw(below(len(fields)))
    items = [Item(field.name, field.column()) for field in fields]
    column = fields[place].column()
    default = Lit(column.type, value_at(column.type, 0))
    items[place] = Item(column.name, default if one_in(draw, 3) else Coalesce((column, default)))
    return Project(child, tuple(items))
