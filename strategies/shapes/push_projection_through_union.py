"""PushProjectionThroughUnion: a projection of a UNION ALL is one of each branch, column by column in their places."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import expressions, kinds
from strategies.draw.queries import scope
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    Aggregate,
    Case,
    Column,
    Database,
    Expr,
    Item,
    Project,
    Relation,
    SetOp,
    TryArith,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.data import PAIR, PAIRS, left_and_right, scans_of
from strategies.shapes.forms import Question, file_cases, over_fixed, over_one_table, over_tables
from strategies.shapes.sides import scan, sides, union_all

RULE = "PushProjectionThroughUnion"


def _named(values: Sequence[Expr]) -> tuple[Item, ...]:
    return tuple(Item(f"p{place}", value) for place, value in enumerate(values))


def _values(draw: DrawFn, relation: Relation) -> tuple[Item, ...]:
    """One to three expressions under new names."""
    fields = referable(scope(relation.fields))
    return _named(
        [draw(expressions(fields, pick(draw, kinds(fields)), depth=1)) for _ in range(pick(draw, (1, 1, 2, 3)))]
    )


def _query(draw: DrawFn, schema: Database) -> Relation:
    union = union_all(*sides(draw, schema))
    if draw(st.booleans()) and len(schema.tables) > 1:
        union = union_all(union, pick(draw, sides(draw, schema))) if _same_width(union, schema) else union
    return in_context(draw, schema, Project(union, _values(draw, union)), reads=True)


def _same_width(union: Relation, schema: Database) -> bool:
    """Whether all tables are as wide as what is there, so that any side fits."""
    return {len(table.columns) for table in schema.tables} == {len(union.fields)}


def fires() -> SearchStrategy[Case]:
    """Expressions over a UNION ALL of two or three; shrinks to ``SELECT a AS p0 FROM (t0 UNION ALL t0)``."""
    return file_cases(over_tables(_query))


@st.composite
def _over(draw: DrawFn, left: tuple[Column, ...], right: tuple[Column, ...]) -> Question:
    """One or two columns of two tables of these columns, as they are or added up."""
    database = left_and_right(left, (), right)
    union = union_all(*scans_of(database))
    columns = [field.column() for field in union.fields]
    values: list[Expr] = [pick(draw, columns) for _ in range(pick(draw, (1, 2)))]
    if draw(st.booleans()):
        values.append(TryArith("-", pick(draw, columns), pick(draw, columns)))
    return database, Project(union, _named(values))


def _one_table_twice(draw: DrawFn, schema: Database) -> Relation:
    """Each row is there twice, and stays so."""
    union = union_all(scan(schema.tables[0]), scan(schema.tables[0]))
    return Project(union, _values(draw, union))


def _distinct(draw: DrawFn, schema: Database) -> Relation:
    """Rows that are told apart by columns that are not asked for."""
    union = SetOp("union", *sides(draw, schema))
    return Project(union, _values(draw, union))


def _pair_distinct(draw: DrawFn) -> Relation:
    left, right = scans_of(PAIRS)
    union = SetOp("union", left, right)
    return Project(union, _named([pick(draw, union.fields).column()]))


def _no_projection(draw: DrawFn, schema: Database) -> Relation:
    return union_all(*sides(draw, schema))


def _all_columns() -> SearchStrategy[Question]:
    union = union_all(*scans_of(PAIRS))
    return st.just((PAIRS, Project(union, _named([field.column() for field in union.fields]))))


def _aggregated(draw: DrawFn) -> Relation:
    union = union_all(*scans_of(PAIRS))
    return Aggregate(union, (), (Item("n", Agg("max", pick(draw, union.fields).column())),))


def _of_intersect(draw: DrawFn, schema: Database) -> Relation:
    both = SetOp("intersect", *sides(draw, schema))
    return Project(both, _values(draw, both))


_TURNED = (Column("b", INT), Column("a", INT))
_WIDE = (Column("a", BIGINT), Column("b", BIGINT))

NEAR_MISSES = (
    NearMiss("names_in_another_order", lambda: file_cases(_over(PAIR, _TURNED)), fires=True, weight=2),
    NearMiss("widened", lambda: file_cases(_over(PAIR, _WIDE)), fires=True),
    NearMiss("one_table_twice", lambda: file_cases(over_one_table(_one_table_twice)), fires=True),
    NearMiss("union_distinct", lambda: file_cases(over_tables(_distinct)), fires=False),
    NearMiss(
        "column_of_a_union_distinct", lambda: file_cases(over_fixed(PAIRS, _pair_distinct)), fires=False, weight=2
    ),
    NearMiss("no_projection", lambda: file_cases(over_tables(_no_projection)), fires=False),
    NearMiss("all_columns_again", lambda: file_cases(_all_columns()), fires=True),
    NearMiss("aggregate", lambda: file_cases(over_fixed(PAIRS, _aggregated)), fires=False),
    NearMiss("intersect", lambda: file_cases(over_tables(_of_intersect)), fires=False),
)
