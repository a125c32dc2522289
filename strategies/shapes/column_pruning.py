"""Shape of ColumnPruning: columns that no operator above needs, below an operator that doesn't need them either."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.queries import scope
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    Case,
    Column,
    Compare,
    Database,
    Distinct,
    Filter,
    Generate,
    IsNull,
    Item,
    Join,
    JoinKind,
    Limit,
    MakeArray,
    Over,
    Project,
    Relation,
    Scan,
    SetKind,
    SetOp,
    SortKey,
    Window,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_predicates
from strategies.shapes.context import apart, in_some_context, number_of_rows
from strategies.shapes.data import PAIR, PAIRS, left_and_right, scans_of
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.operators import exploded, windowed
from strategies.shapes.sides import joined, scan, side

RULE = "ColumnPruning"


# Where it fires.


def _counted(draw: DrawFn, schema: Database) -> Relation:
    """``count(*)``, which needs no column."""
    table = pick(draw, schema.tables)
    return number_of_rows(side(draw, table, len(table.columns)))


def _pairs_counted(draw: DrawFn, schema: Database) -> Relation:
    return number_of_rows(joined(draw, schema, pick(draw, _KINDS)))


_KINDS: tuple[JoinKind, ...] = ("inner", "left", "right", "full", "semi", "anti", "cross")


def _wide(draw: DrawFn, schema: Database) -> Scan | None:
    """A table with at least two columns, if there is one."""
    found = [table for table in schema.tables if len(table.columns) > 1]
    return scan(pick(draw, found)) if found else None


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    """An aggregate by one column, of some of the others."""
    table = _wide(draw, schema)
    if table is None:
        return _counted(draw, schema)
    fields = scope(table.fields)
    key, *_ = turned = fields[(start := pick(draw, range(len(fields)))) :] + fields[:start]
    operand = pick(draw, turned[:-1]).column()
    return Aggregate(table, (Item("k", key.column()),), (Item("m", Agg(pick(draw, ("max", "min", "count")), operand)),))


def _aggregate_unused(draw: DrawFn, schema: Database) -> Relation:
    """The key of an aggregate, without its other columns."""
    grouped = _grouped(draw, schema)
    return Project(grouped, (Item("p", grouped.fields[0].column()),))


def _of_join(draw: DrawFn, schema: Database) -> Relation:
    """One column of a join of a table that has others."""
    table = _wide(draw, schema)
    if table is None:
        return _pairs_counted(draw, schema)
    right = Alias(table, "s0")
    place = pick(draw, range(len(table.columns)))
    on = Compare(pick(draw, ("=", "<=>")), table.fields[place].column(), right.fields[place].column())
    join = Join(table, right, pick(draw, ("inner", "left", "semi", "anti")), on)
    return apart(join, (scope(join.fields)[place],))


def _of_limit(draw: DrawFn, schema: Database) -> Relation:
    """Some columns of a limit, which needs all of its sort keys."""
    table = _wide(draw, schema)
    if table is None:
        return _counted(draw, schema)
    limit = Limit(table, tuple(SortKey(field.column()) for field in scope(table.fields)), pick(draw, (1, 2, 3)))
    return number_of_rows(Project(limit, (Item("p", limit.fields[0].column()),)))


def _of_window(draw: DrawFn, schema: Database) -> Relation:
    """A window's column, or another one, with only the partition needed below."""
    table = _wide(draw, schema)
    if table is None:
        return _counted(draw, schema)
    window, keys = windowed(draw, table)
    asked = pick(draw, (window.fields[-1], *keys))
    return Project(window, (Item("p", asked.column()),))


def _of_elements(draw: DrawFn, schema: Database) -> Relation:
    """The elements of an array, without the array, or their number."""
    generated, _ = exploded(draw, scan(pick(draw, schema.tables)))
    if one_in(draw, 3):
        return number_of_rows(generated)
    return Project(generated, (Item("p", generated.fields[-1].column()),))


def _of_union(draw: DrawFn, schema: Database) -> Relation:
    """One column of a union, in groups."""
    table = _wide(draw, schema)
    if table is None:
        return _counted(draw, schema)
    union = SetOp("union", table, table, all=True)
    key = pick(draw, scope(union.fields)).column()
    return Aggregate(union, (Item("k", key),), (Item("n", Agg("count")),))


def _of_rows_compared(draw: DrawFn, schema: Database) -> Relation:
    """One column of EXCEPT or INTERSECT, which needs all columns of its inputs."""
    table = _wide(draw, schema)
    if table is None:
        return _counted(draw, schema)
    kind: SetKind = pick(draw, ("except", "intersect"))
    rows = SetOp(kind, table, Filter(table, draw(plain_predicates(scope(table.fields), depth=0))), all=True)
    return number_of_rows(Project(rows, (Item("p", pick(draw, scope(rows.fields)).column()),)))


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    _counted,
    *[_pairs_counted] * 2,
    *[_grouped] * 2,
    *[_aggregate_unused] * 2,
    *[_of_join] * 2,
    _of_limit,
    *[_of_window] * 2,
    *[_of_elements] * 2,
    _of_union,
    _of_rows_compared,
)


def fires() -> SearchStrategy[Case]:
    """Counts, groups and single columns of wider tables, joins, windows, unions and arrays; shrinks to
    ``SELECT count(*) FROM t0``.
    """
    return file_cases(over_tables(in_some_context, _FORMS))


# Near misses.


_TRIPLE = (*PAIR, Column("c", INT))


@st.composite
def _one_column(draw: DrawFn, child: Callable[[Scan, Scan], Relation], columns: tuple[Column, ...]) -> Question:
    """One column of the relation that ``child`` makes of two tables."""
    database = left_and_right(columns, ())
    left, right = scans_of(database)
    relation = child(left, right)
    return database, apart(relation, (pick(draw, scope(relation.fields)),))


def _distinct(left: Scan, right: Scan) -> Relation:
    return Distinct(left)


def _except(left: Scan, right: Scan) -> Relation:
    return SetOp("except", left, right)


def _intersect(left: Scan, right: Scan) -> Relation:
    return SetOp("intersect", left, right)


def _except_all(left: Scan, right: Scan) -> Relation:
    return SetOp("except", left, right, all=True)


def _of_distinct(child: Callable[[Scan, Scan], Relation], *, fires: bool, name: str, weight: int = 1) -> NearMiss:
    return NearMiss(name, lambda: file_cases(_one_column(child, PAIR)), fires=fires, weight=weight)


def _unused_side(draw: DrawFn, schema: Database) -> Relation:
    """A join with an unused side, which still determines the number of rows."""
    join = joined(draw, schema, pick(draw, ("cross", "left", "inner")))
    return number_of_rows(apart(join, scope(join.fields)[:1]))


@st.composite
def _union_in_another_order(draw: DrawFn) -> Question:
    """A union whose unused columns are at the same position, but have different names."""
    database = left_and_right(_TRIPLE, (), (Column("c", INT), Column("a", INT), Column("b", INT)))
    left, right = scans_of(database)
    union = SetOp("union", left, right, all=True)
    key = pick(draw, union.fields[1:])
    return database, Aggregate(union, (Item("k", key.column()),), (Item("n", Agg("count")),))


def _partition_unasked(draw: DrawFn) -> Relation:
    """A window's column without the partition's keys, or with some of them."""
    table = scans_of(PAIRS)[0]
    fields = scope(table.fields)
    keys = pick(draw, (fields, fields[:1], fields[1:]))
    over = Over("n", pick(draw, (Agg("count"), Agg("max", fields[0].column()))))
    window = Window(table, (over,), tuple(field.column() for field in keys))
    shown = pick(draw, (window.fields[-1:], (window.fields[0], window.fields[-1])))
    return Project(window, tuple(Item(f"p{place}", field.column()) for place, field in enumerate(shown)))


def _elements_unasked(draw: DrawFn) -> Relation:
    """A column of the rows, repeated for each element, without the element."""
    table = scans_of(PAIRS)[0]
    fields = scope(table.fields)
    elements = (fields[0].column(), fields[1].column())
    generated = Generate(table, MakeArray(INT, elements), "e")
    if draw(st.booleans()):
        return number_of_rows(generated)
    return Project(generated, (Item("p", pick(draw, fields).column()),))


@st.composite
def _only_filtered_by(draw: DrawFn) -> Question:
    """Columns that only a filter needs: over a table, Spark drops them after the filter without the rule, too."""
    database = left_and_right(_TRIPLE, ())
    table = scans_of(database)[0]
    condition = draw(predicates(scope(table.fields)[1:], depth=0))
    return database, Project(Filter(table, condition), (Item("a", scope(table.fields)[0].column()),))


@st.composite
def _only_sorted_by(draw: DrawFn) -> Question:
    """Columns that only a sort needs."""
    database = left_and_right(_TRIPLE, ())
    table = Filter(scans_of(database)[0], IsNull(scope(scans_of(database)[0].fields)[0].column(), negated=True))
    fields = scope(table.fields)
    limit = Limit(table, tuple(SortKey(field.column()) for field in (*fields[1:], fields[0])), pick(draw, (1, 2)))
    return database, Aggregate(limit, (Item("k", limit.fields[0].column()),), (Item("n", Agg("count")),))


def _all_columns(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    filtered = Filter(table, draw(plain_predicates(scope(table.fields), depth=1)))
    return pick(draw, (table, filtered, Distinct(table)))


def _all_of_a_set_operator(draw: DrawFn) -> Relation:
    left, right = scans_of(PAIRS)
    return SetOp("union", left, right, all=draw(st.booleans()))


NEAR_MISSES = (
    _of_distinct(_distinct, name="column_of_distinct", fires=True, weight=4),
    _of_distinct(_except, name="column_of_except", fires=True, weight=4),
    _of_distinct(_intersect, name="column_of_intersect", fires=True),
    _of_distinct(_except_all, name="column_of_except_all", fires=True),
    NearMiss("side_that_is_only_counted", lambda: file_cases(over_tables(_unused_side)), fires=True, weight=2),
    NearMiss("union_in_another_order", lambda: file_cases(_union_in_another_order()), fires=True, weight=2),
    NearMiss("partition_unasked", lambda: file_cases(over_fixed(PAIRS, _partition_unasked)), fires=True, weight=2),
    NearMiss("elements_unasked", lambda: file_cases(over_fixed(PAIRS, _elements_unasked)), fires=True, weight=2),
    NearMiss("only_filtered_by", lambda: file_cases(_only_filtered_by()), fires=False),
    NearMiss("only_sorted_by", lambda: file_cases(_only_sorted_by()), fires=True),
    NearMiss("all_columns", lambda: file_cases(over_tables(_all_columns)), fires=False),
    NearMiss("all_of_a_union", lambda: file_cases(over_fixed(PAIRS, _all_of_a_set_operator)), fires=False),
)
