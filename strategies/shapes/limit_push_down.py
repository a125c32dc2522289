"""Shape of LimitPushDown: a LIMIT without an order over an operator that has enough rows if its inputs have.

The engine may choose the rows, so such a limit is the root, where it is judged by its size and as a sub-multiset of its
input, or right below ``count(*)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.scopes import fresh_alias, scope
from strategies.ir import (
    BOOLEAN,
    INT,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    Col,
    Column,
    Compare,
    CompareOp,
    Database,
    Distinct,
    Filter,
    IsNull,
    Item,
    Join,
    JoinKind,
    Limit,
    Lit,
    Project,
    Relation,
    SetOp,
    SortKey,
    Table,
    from_fields,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.sides import first_columns, join_sides, joined, scan, side, sides, source

RULE = "LimitPushDown"
_ALWAYS = Lit(BOOLEAN, True)
_COUNTS = (1, 2, 3, 1, 2, 5, 8)


def _limited(draw: DrawFn, child: Relation) -> AnyLimit:
    """``child`` limited to a few rows, with OFFSET in one of four draws; distinct rows limited to one."""
    if isinstance(child, Distinct):
        return AnyLimit(child, 1)
    return AnyLimit(child, pick(draw, _COUNTS), pick(draw, (0, 0, 0, 0, 0, 0, 1, 2)))


def _maybe_counted(draw: DrawFn, limit: AnyLimit) -> Relation:
    return number_of_rows(limit) if draw(st.booleans()) else limit


def _meeting(draw: DrawFn, schema: Database, kind: JoinKind) -> Relation:
    """A join on columns of both sides, because a condition on one side alone would become a filter there."""
    left, right = join_sides(draw, schema)
    pairs = _alike(left, right)
    if not pairs:
        right = Alias(left, fresh_alias(left, right))
        pairs = _alike(left, right)
    return Join(left, right, kind, Compare(pick(draw, ("=", "<=>")), *pick(draw, pairs)))


def _alike(left: Relation, right: Relation) -> list[tuple[Col, Col]]:
    fields, width = scope(from_fields(left) + from_fields(right)), len(left.fields)
    known = referable(fields)
    return [
        (one.column(), two.column())
        for one in fields[:width]
        for two in fields[width:]
        if one.type == two.type and one in known and two in known
    ]


def _unconditional(draw: DrawFn, schema: Database, kind: JoinKind) -> Relation:
    return Join(*join_sides(draw, schema), kind, None if kind == "cross" else _ALWAYS)


# Where it fires.


def _union(draw: DrawFn, schema: Database) -> Relation:
    return SetOp("union", *sides(draw, schema), all=True)


def _outer(draw: DrawFn, schema: Database) -> Relation:
    return joined(draw, schema, pick(draw, ("left", "right")))


def _pairs(draw: DrawFn, schema: Database) -> Relation:
    return _unconditional(draw, schema, pick(draw, ("cross", "inner", "semi")))


def _groups(draw: DrawFn, schema: Database) -> Relation:
    """Distinct rows, of which a limit of one may return any."""
    table = pick(draw, schema.tables)
    return Distinct(first_columns(table, pick(draw, (1, 2, 4))))


def _query(draw: DrawFn, schema: Database) -> Relation:
    limit = _limited(draw, pick(draw, _FORMS)(draw, schema))
    return in_context(draw, schema, number_of_rows(limit)) if draw(st.booleans()) else limit


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (*[_union] * 3, *[_outer] * 3, *[_pairs] * 2, _groups)


def fires() -> SearchStrategy[Case]:
    """``LIMIT`` over UNION ALL, outer joins, joins without a condition, and DISTINCT, by itself or counted; shrinks to
    ``t0 UNION ALL t0 LIMIT 1``.
    """
    return file_cases(over_tables(_query))


# Near misses.


def _over(draw_child: Callable[[DrawFn, Database], Relation]) -> SearchStrategy[Case]:
    return file_cases(over_tables(_near, draw_child))


def _near(draw: DrawFn, schema: Database, draw_child: Callable[[DrawFn, Database], Relation]) -> Relation:
    return _maybe_counted(draw, AnyLimit(draw_child(draw, schema), pick(draw, _COUNTS)))


def _matched(draw: DrawFn, schema: Database, kind: JoinKind) -> Relation:
    """A join in which limited sides would lose or pad rows whose partners are cut off. The tables' first rows are often
    equal, and so no partners by < and >.
    """
    left, right = join_sides(draw, schema)
    fields = scope((*left.fields, *right.fields))
    on = Compare(pick(draw, _MATCHES), fields[0].column(), fields[len(left.fields)].column())
    return AnyLimit(Join(left, right, kind, on), pick(draw, (1, 2)))


_MATCHES: tuple[CompareOp, ...] = ("=", "<", ">")


_KEYS = (Column("k", INT), Column("v", INT))
_TWO = Database((Table("t0", _KEYS), Table("t1", _KEYS)))


def _limited_outer(draw: DrawFn, kind: JoinKind) -> Relation:
    left, right = (scan(table) for table in _TWO.tables)
    on = Compare("=", Col("k", INT, "t0"), Col("k", INT, "t1"))
    return AnyLimit(Join(left, right, kind, on), pick(draw, (1, 2)))


def _turned_over(kind: JoinKind) -> SearchStrategy[Case]:
    """Outer joins with one table in reverse order, so that the first rows of both tables are seldom partners: limited
    sides would give padded rows.
    """
    return file_cases(over_fixed(_TWO, _limited_outer, kind)).map(_second_turned_over)


def _second_turned_over(case: Case) -> Case:
    one, two = case.database.tables
    return replace(case, database=Database((one, replace(two, rows=one.rows[::-1]))))


def _offset(draw: DrawFn, schema: Database) -> Relation:
    """A limit with OFFSET: the input has to deliver the sum of both numbers of rows."""
    table = pick(draw, schema.tables)
    child = _union(draw, schema) if draw(st.booleans()) else side(draw, table, len(table.columns))
    return _maybe_counted(draw, AnyLimit(child, pick(draw, _COUNTS), pick(draw, (1, 2, 3))))


def _some_groups(draw: DrawFn, schema: Database) -> Relation:
    return _maybe_counted(draw, AnyLimit(_groups(draw, schema), pick(draw, (2, 3, 5))))


def _one_of_many_groups(draw: DrawFn, schema: Database) -> Relation:
    """A limit over an aggregate, whose groups have to be complete."""
    table = scan(pick(draw, schema.tables))
    key = scope(table.fields)[0].column()
    groups = Aggregate(table, (Item("k", key),), (Item("n", Agg("count")),))
    return AnyLimit(groups, 1)


def _union_distinct(draw: DrawFn, schema: Database) -> Relation:
    return SetOp("union", *sides(draw, schema))


def _limited_union_distinct(draw: DrawFn, schema: Database) -> Relation:
    return _maybe_counted(draw, AnyLimit(_union_distinct(draw, schema), pick(draw, (2, 3, 5))))


def _filtered(draw: DrawFn, schema: Database) -> Relation:
    """A filter that can't be pushed below the join, between the join and the limit."""
    join = joined(draw, schema, "left")
    padded = scope(join.fields)[len(join.left.fields) :]
    return Filter(join, IsNull(pick(draw, padded).column()))


def _sorted(draw: DrawFn, schema: Database) -> Relation:
    """A limit with an order, so that there is a Sort between it and the join."""
    join = joined(draw, schema, "left")
    named = Project(join, tuple(Item(f"j{place}", field.column()) for place, field in enumerate(scope(join.fields))))
    return Limit(named, tuple(SortKey(field.column()) for field in named.fields), pick(draw, _COUNTS))


def _set_difference(draw: DrawFn, schema: Database) -> Relation:
    return SetOp(pick(draw, ("except", "intersect")), *sides(draw, schema), all=True)


NEAR_MISSES = (
    NearMiss("offset", lambda: file_cases(over_tables(_offset)), fires=True, weight=2),
    NearMiss("inner_with_condition", lambda: file_cases(over_tables(_matched, "inner")), fires=False, weight=3),
    NearMiss("full_with_condition", lambda: _turned_over("full"), fires=False, weight=3),
    NearMiss("left_with_partners", lambda: _turned_over("left"), fires=True, weight=2),
    NearMiss("right_with_partners", lambda: _turned_over("right"), fires=True, weight=2),
    NearMiss("semi_with_condition", lambda: _over(lambda d, s: _meeting(d, s, "semi")), fires=False),
    NearMiss("anti_with_condition", lambda: _over(lambda d, s: _meeting(d, s, "anti")), fires=False),
    NearMiss("distinct_rows", lambda: file_cases(over_tables(_some_groups)), fires=False, weight=2),
    NearMiss("one_counted_group", lambda: file_cases(over_tables(_one_of_many_groups)), fires=False),
    NearMiss("union_distinct", lambda: file_cases(over_tables(_limited_union_distinct)), fires=False),
    NearMiss("filter_between", lambda: _over(_filtered), fires=False),
    NearMiss("except_and_intersect_all", lambda: _over(_set_difference), fires=False),
    NearMiss("table", lambda: _over(source), fires=False),
    NearMiss("sorted", lambda: file_cases(over_tables(_sorted)), fires=False),
)
