"""ReplaceDistinctWithAggregate: SELECT DISTINCT and UNION, as SQL (a DataFrame's ``distinct()`` is a Deduplicate)."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import expressions, kinds
from strategies.draw.queries import scope
from strategies.ir import (
    Agg,
    Aggregate,
    Case,
    Column,
    Database,
    Distinct,
    Item,
    Project,
    Relation,
    SetOp,
    Table,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.data import DOUBLES, INT_AND_TEXT
from strategies.shapes.forms import over_one_table, over_tables
from strategies.shapes.sides import scan, side, sides

RULE = "ReplaceDistinctWithAggregate"


def _query(draw: DrawFn, schema: Database) -> Relation:
    return in_context(draw, schema, _distinct(draw, schema))


def _distinct(draw: DrawFn, schema: Database) -> Relation:
    if one_in(draw, 4):
        return SetOp("union", *sides(draw, schema))
    table = pick(draw, schema.tables)
    relation = side(draw, table, len(table.columns))
    return Distinct(_computed(draw, relation) if one_in(draw, 4) else relation)


def _computed(draw: DrawFn, relation: Relation) -> Relation:
    fields = scope(relation.fields)
    values = [draw(expressions(fields, pick(draw, kinds(fields)), depth=1)) for _ in range(pick(draw, (1, 2)))]
    return Project(relation, tuple(Item(f"d{place}", value) for place, value in enumerate(values)))


def fires() -> SearchStrategy[Case]:
    """DISTINCT of a table, a filter, a projection or a UNION ALL; shrinks to that of a bare scan."""
    return cases_of(over_tables(_query))


def _of_table(columns: tuple[Column, ...]) -> SearchStrategy[tuple[Database, Relation]]:
    table = Table("t0", columns)
    return st.just((Database((table,)), Distinct(scan(table))))


def _union_all(draw: DrawFn, schema: Database) -> Relation:
    return SetOp("union", *sides(draw, schema), all=True)


def _distinct_aggregate(draw: DrawFn, schema: Database) -> Relation:
    left = scan(schema.tables[0])
    column = pick(draw, scope(left.fields)).column()
    return Aggregate(left, (), (Item("n", Agg("count", column, distinct=True)),))


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    left = scan(schema.tables[0])
    keys = tuple(Item(field.name, field.column()) for field in scope(left.fields))
    return Aggregate(left, keys, (Item("n", Agg("count")),))


NEAR_MISSES = (
    NearMiss("null_rows", lambda: cases_of(_of_table(INT_AND_TEXT)), fires=True),
    NearMiss("nan_and_zeros", lambda: cases_of(_of_table(DOUBLES)), fires=True),
    NearMiss("union_all", lambda: cases_of(over_tables(_union_all)), fires=False),
    NearMiss("distinct_aggregate", lambda: cases_of(over_one_table(_distinct_aggregate)), fires=False),
    NearMiss("group_by", lambda: cases_of(over_one_table(_grouped)), fires=False),
)
