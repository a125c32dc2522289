"""PushDownLeftSemiAntiJoin: a semi or anti join over an operator that says no more of a row than what is joined by."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, pick
from strategies.draw.scopes import scope
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    Call,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Expr,
    Field,
    IsNull,
    Item,
    Join,
    JoinKind,
    Limit,
    Lit,
    Over,
    Project,
    Relation,
    SetOp,
    SortKey,
    Table,
    TryArith,
    Window,
    common_type,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.correlated import INNER_A, INNER_B, INSIDE, OUTSIDE
from strategies.shapes.data import PAIRS, left_and_right, scans_of
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.sides import scan, sides

RULE = "PushDownLeftSemiAntiJoin"
_KINDS: tuple[JoinKind, ...] = ("semi", "anti")


# Relations that the join passes, each with the number of columns that it may be joined by.

_Passed = tuple[Relation, int]


def _union(draw: DrawFn, schema: Database) -> _Passed:
    union = SetOp("union", *sides(draw, schema), all=True)
    return union, len(union.fields)


def _distinct(draw: DrawFn, schema: Database) -> _Passed:
    rows = Distinct(scan(schema.tables[0]))
    return rows, len(rows.fields)


def _grouped(draw: DrawFn, schema: Database) -> _Passed:
    base = scan(schema.tables[0])
    keys = scope(base.fields)[: pick(draw, (1, 2))]
    items = tuple(Item(field.name, field.column()) for field in keys)
    return Aggregate(base, items, (Item("n", Agg("count")),)), len(keys)


def _renamed(draw: DrawFn, schema: Database) -> _Passed:
    base = scan(schema.tables[0])
    columns = enumerate(scope(base.fields))
    made = Project(base, tuple(Item(f"p{place}", field.column()) for place, field in columns))
    return made, len(made.fields)


def _windowed(draw: DrawFn, schema: Database) -> _Passed:
    base = scan(schema.tables[0])
    keys = tuple(field.column() for field in scope(base.fields)[: pick(draw, (1, 2))])
    return Window(base, (Over("n", Agg("count")),), keys), len(keys)


_OPERATORS: tuple[Callable[[DrawFn, Database], _Passed], ...] = (
    *[_union] * 3,
    *[_distinct] * 2,
    *[_grouped] * 2,
    *[_windowed] * 2,
    _renamed,
)


def _query(draw: DrawFn, schema: Database) -> Relation:
    passed, width = pick(draw, _OPERATORS)(draw, schema)
    left = Alias(passed, "l")
    right = Alias(scan(pick(draw, schema.tables)), "r")
    pairs = _pairs(from_fields(left)[:width], from_fields(right))
    on: Expr = Compare("=", *pick(draw, pairs))
    if draw(below(4)) == 3:
        on = And(on, Compare(pick(draw, ("=", "<", "<=>")), *pick(draw, pairs)))
    join = Join(left, right, pick(draw, _KINDS), on)
    return in_context(draw, schema, join)


def _pairs(left: tuple[Field, ...], right: tuple[Field, ...]) -> list[tuple[Col, Col]]:
    pairs = [(one, two) for one in left for two in right if common_type(one.type, two.type) is not None]
    return [(one.column(), two.column()) for one, two in pairs]


def fires() -> SearchStrategy[Case]:
    """A semi or anti join of a union, of groups by their keys, of a window by its partition, or of renamed columns;
    shrinks to ``(SELECT DISTINCT * FROM t0) AS l SEMI JOIN t0 AS r ON l.a = r.a``.
    """
    return file_cases(over_tables(_query))


# Where it must not, or does no harm: over two tables of two columns.

_A, _B = Col("a", INT, "l"), Col("b", INT, "l")


def _joined(draw: DrawFn, left: Relation, on: Expr) -> Relation:
    return Join(Alias(left, "l"), INSIDE, pick(draw, _KINDS), on)


def _on_the_other_column(draw: DrawFn) -> Relation:
    """The window's value is of a partition that the join would thin out."""
    column = pick(draw, (Over("n", Agg("count")), Over("n", Agg("max", Col("b", INT)))))
    window = Window(OUTSIDE, (column,), pick(draw, ((), (Col("a", INT),))))
    return _joined(draw, window, Compare("=", _B, INNER_B))


def _on_the_partition(draw: DrawFn) -> Relation:
    return _joined(draw, Window(OUTSIDE, (Over("n", Agg("count")),), (Col("a", INT),)), Compare("=", _A, INNER_A))


def _on_the_aggregate(draw: DrawFn) -> Relation:
    """``ON max(b) = t1.a`` of two groups, or beside the key of as many as ``a`` has values."""
    extreme = Item("b", Agg(pick(draw, ("max", "min")), Col("b", INT)))
    on = Compare(pick(draw, ("=", "<", ">", "<")), _B, pick(draw, (INNER_A, INNER_B)))
    if draw(below(4)) < 3:
        return _joined(draw, Aggregate(OUTSIDE, (Item("k", IsNull(Col("a", INT))),), (extreme,)), on)
    grouped = Aggregate(OUTSIDE, (Item("a", Col("a", INT)),), (extreme,))
    return _joined(draw, grouped, And(Compare("=", _A, INNER_A), on))


def _no_keys(draw: DrawFn) -> Relation:
    """The join asks for a row on the right alone: without one the group of all rows is gone, or there."""
    counted = number_of_rows(OUTSIDE)
    return _joined(draw, counted, Compare("=", INNER_A, Lit(INT, pick(draw, (0, 1, 2)))))


def _limited(draw: DrawFn) -> Relation:
    columns = tuple(SortKey(field.column()) for field in scope(OUTSIDE.fields))
    return _joined(draw, Limit(OUTSIDE, columns, pick(draw, (1, 2, 3))), Compare("=", _A, INNER_A))


def _computed(draw: DrawFn) -> Relation:
    """A join on a computed column, which would be computed twice below the projection."""
    made = Project(OUTSIDE, (Item("a", TryArith("-", Col("a", INT), Col("b", INT))),))
    return _joined(draw, made, Compare("=", _A, INNER_A))


@st.composite
def _union_turned(draw: DrawFn) -> Question:
    """The second branch has the names in another order."""
    turned = (Column("b", INT), Column("a", INT))
    database = left_and_right((Column("a", INT), Column("b", INT)), (), turned)
    other = Table("t2", (Column("a", INT), Column("b", INT)))
    first, second = scans_of(database)
    union = SetOp("union", first, second, all=True)
    on = Compare("=", pick(draw, (_A, _B)), Col("a", INT, "t2"))
    return Database((*database.tables, other)), Join(Alias(union, "l"), scan(other), pick(draw, _KINDS), on)


def _one_of_two_branches(draw: DrawFn) -> Relation:
    union = SetOp("union", OUTSIDE, OUTSIDE, all=True)
    return _joined(draw, union, Compare("=", pick(draw, (_A, _B)), INNER_A))


def _bare(draw: DrawFn) -> Relation:
    return Join(OUTSIDE, INSIDE, pick(draw, _KINDS), Compare("=", Col("a", INT, "t0"), INNER_A))


def _of_a_computed_key(draw: DrawFn) -> Relation:
    """A key that several values on the right have, beside a condition that tells these apart (SPARK-52873)."""
    keys = (Call("positive_modulo", (column, Lit(INT, 2))) for column in (Col("a", INT, "t0"), INNER_B))
    on = And(Compare("=", *keys), Compare(pick(draw, ("<>", "<", "=")), Col("b", INT, "t0"), INNER_B))
    return Join(OUTSIDE, INSIDE, pick(draw, _KINDS), on)


def _inner() -> SearchStrategy[Question]:
    union = SetOp("union", OUTSIDE, OUTSIDE, all=True)
    question: Question = (PAIRS, Join(Alias(union, "l"), INSIDE, "inner", Compare("=", _A, INNER_A)))
    return st.just(question)


def _on_the_count(draw: DrawFn) -> Relation:
    """A part of the condition is about the count: an anti join stays as a whole."""
    grouped = Aggregate(OUTSIDE, (Item("a", Col("a", INT)),), (Item("n", Agg("count")),))
    on = And(Compare("=", _A, INNER_A), Compare("=", Col("n", BIGINT, "l"), Lit(BIGINT, pick(draw, (1, 2)))))
    return Join(Alias(grouped, "l"), INSIDE, "anti", on)


_HASHED = {"join": "hash", "conf": ()}
NEAR_MISSES = (
    NearMiss("union_turned", lambda: file_cases(_union_turned()), fires=True),
    NearMiss("one_of_two_branches", lambda: file_cases(over_fixed(PAIRS, _one_of_two_branches)), fires=True),
    NearMiss("on_the_partition", lambda: file_cases(over_fixed(PAIRS, _on_the_partition)), fires=True),
    NearMiss("on_the_other_column", lambda: file_cases(over_fixed(PAIRS, _on_the_other_column)), fires=True, weight=2),
    NearMiss("on_the_aggregate", lambda: file_cases(over_fixed(PAIRS, _on_the_aggregate)), fires=False, weight=3),
    NearMiss("on_the_count", lambda: file_cases(over_fixed(PAIRS, _on_the_count)), fires=False),
    NearMiss("no_keys", lambda: file_cases(over_fixed(PAIRS, _no_keys)), fires=False, weight=2),
    NearMiss("limited", lambda: file_cases(over_fixed(PAIRS, _limited)), fires=False),
    NearMiss("computed", lambda: file_cases(over_fixed(PAIRS, _computed)), fires=False),
    NearMiss("bare", lambda: file_cases(over_fixed(PAIRS, _bare)), fires=False),
    NearMiss(
        "of_a_computed_key", lambda: file_cases(over_fixed(PAIRS, _of_a_computed_key), needs=_HASHED), fires=False
    ),
    NearMiss("inner", lambda: file_cases(_inner()), fires=False),
)
