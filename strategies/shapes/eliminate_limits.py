"""Shape of EliminateLimits: a LIMIT over an input with no more rows, right over another LIMIT, and LIMIT 0."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.queries import scope
from strategies.ir import (
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    Compare,
    Database,
    Distinct,
    Filter,
    IsNull,
    Item,
    Join,
    Limit,
    RandomColumn,
    Relation,
    SetOp,
    Sort,
    SortKey,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_context, number_of_rows
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.sides import scan, source

RULE = "EliminateLimits"


def _ordered(draw: DrawFn, child: Relation, count: int, offset: int = 0) -> Limit:
    """The first ``count`` rows of ``child``, in an order of all columns, ascending or descending."""
    fields = scope(child.fields)
    turned = fields[::-1] if one_in(draw, 3) else fields
    return Limit(child, tuple(SortKey(field.column(), draw(st.booleans())) for field in turned), count, offset)


# Where it fires.


def _none(draw: DrawFn, schema: Database) -> Relation:
    """``LIMIT 0``."""
    rows = source(draw, schema)
    return _ordered(draw, rows, 0) if draw(st.booleans()) else AnyLimit(rows, 0)


def _of_fewer(draw: DrawFn, schema: Database) -> Relation:
    """An ordered limit that is at least the maximum number of rows."""
    count = pick(draw, (1, 2, 3))
    lower = _ordered(draw, source(draw, schema), count, pick(draw, (0, 0, 1)))
    return _ordered(draw, pick(draw, _KEEPING)(draw, lower), count + pick(draw, (0, 1, 2)))


def _same(draw: DrawFn, lower: Relation) -> Relation:
    return lower


def _distinct(draw: DrawFn, lower: Relation) -> Relation:
    return Distinct(lower)


def _grouped(draw: DrawFn, lower: Relation) -> Relation:
    key = pick(draw, scope(lower.fields)).column()
    return Aggregate(lower, (Item("k", key),), (Item("n", Agg("count")),))


_KEEPING: tuple[Callable[[DrawFn, Relation], Relation], ...] = (_same, _same, _distinct, _grouped)
"""Operators with no more rows than their input."""


def _of_one(draw: DrawFn, schema: Database) -> Relation:
    """A limit of an aggregate without keys, which has one row."""
    return _ordered(draw, number_of_rows(source(draw, schema)), pick(draw, (1, 2)))


def _right_over(draw: DrawFn, schema: Database) -> Relation:
    """Two adjacent limits: the smaller one counts, less the skipped rows."""
    most = pick(draw, (2, 1, 3, 5))
    lower = _ordered(draw, source(draw, schema), most)
    # An OFFSET comes between the limits: such a limit is removed only if it keeps all other rows.
    return AnyLimit(lower, most, 1) if one_in(draw, 4) else AnyLimit(lower, pick(draw, (1, 2, 3, 4)))


def _query(draw: DrawFn, schema: Database) -> Relation:
    limit = pick(draw, _FORMS)(draw, schema)
    if isinstance(limit, AnyLimit):
        return in_context(draw, schema, number_of_rows(limit)) if draw(st.booleans()) else limit
    return in_context(draw, schema, limit)


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    _none,
    *[_of_fewer] * 4,
    *[_right_over] * 3,
    _of_one,
)


def fires() -> SearchStrategy[Case]:
    """Limits over limits, over one row, and LIMIT 0; shrinks to ``t0 LIMIT 0``."""
    return file_cases(over_tables(_query))


# Near misses.


def _table(draw: DrawFn, schema: Database) -> Relation:
    return scan(pick(draw, schema.tables))


def _of_more(draw: DrawFn) -> Relation:
    """Two limits where the upper one has fewer rows, in another order, so that both matter."""
    table = scans_of(PAIRS)[0]
    a, b = (field.column() for field in table.fields)
    descending = draw(st.booleans())
    lower = Limit(table, (SortKey(a), SortKey(b)), pick(draw, (2, 2, 3)))
    first, second = (field.column() for field in lower.fields)
    return Limit(lower, (SortKey(second, descending), SortKey(first, not descending)), 1)


def _one_row_too_many(draw: DrawFn, schema: Database) -> Relation:
    """A limit of one row less than the maximum."""
    count = pick(draw, (2, 3))
    return _ordered(draw, _ordered(draw, _table(draw, schema), count), count - 1)


def _one_row(draw: DrawFn, schema: Database, count: int) -> Relation:
    """A limit below an aggregate without keys, which has one row over any input."""
    return number_of_rows(_ordered(draw, _table(draw, schema), count))


def _of_two(draw: DrawFn, more: bool) -> Relation:
    """Adjacent limits that differ by one or two rows."""
    one, two = pick(draw, ((1, 2), (2, 3), (1, 3)))
    lower, upper = (one, two) if more else (two, one)
    return AnyLimit(_ordered(draw, scans_of(PAIRS)[0], lower), upper)


def _filter_between(draw: DrawFn) -> Relation:
    """A filter between two limits: the upper limit counts only rows that pass."""
    table = scans_of(PAIRS)[0]
    a, b = (field.column() for field in table.fields)
    lower = Limit(table, (SortKey(a), SortKey(b)), pick(draw, (3, 4)))
    first, second = (field.column() for field in lower.fields)
    filtered = Filter(lower, IsNull(second, draw(st.booleans())))
    return Limit(filtered, (SortKey(second), SortKey(first)), 2)


def _of_join(draw: DrawFn) -> Relation:
    """A limit of a join of limited sides, which may have the product of both numbers of rows."""
    left, right = (
        Alias(Limit(table, tuple(SortKey(field.column()) for field in scope(table.fields)), 2), name)
        for table, name in zip(scans_of(PAIRS), ("x", "y"), strict=True)
    )
    join = Join(left, right, "left", Compare("<=>", left.fields[0].column(), right.fields[0].column()))
    named = apart(join, join.fields)
    return _ordered(draw, named, pick(draw, (2, 3)))


def _of_union(draw: DrawFn) -> Relation:
    left, right = (_ordered(draw, table, 2) for table in scans_of(PAIRS))
    return _ordered(draw, SetOp("union", left, right, all=True), pick(draw, (2, 3)))


def _offset(draw: DrawFn, schema: Database) -> Relation:
    """An OFFSET above the lower limit."""
    count = pick(draw, (2, 3))
    return number_of_rows(AnyLimit(_ordered(draw, _table(draw, schema), count), count, 1))


def _alone(draw: DrawFn, schema: Database) -> Relation:
    return _ordered(draw, scan(pick(draw, schema.tables)), pick(draw, (1, 2, 3)), pick(draw, (0, 1)))


def _of_random_values(draw: DrawFn) -> Relation:
    """A limit of rows in an order, each with a test of a random value (SPARK-47104)."""
    table = scans_of(PAIRS)[0]
    in_order = Sort(table, tuple(SortKey(field.column(), draw(st.booleans())) for field in scope(table.fields)))
    return AnyLimit(RandomColumn(in_order, "x", "length"), pick(draw, (1, 2, 9)))


def _no_row(draw: DrawFn, schema: Database) -> Relation:
    return number_of_rows(_none(draw, schema)) if draw(st.booleans()) else _none(draw, schema)


NEAR_MISSES = (
    NearMiss("of_more_in_another_order", lambda: file_cases(over_fixed(PAIRS, _of_more)), fires=False, weight=3),
    NearMiss("one_row_too_many", lambda: file_cases(over_tables(_one_row_too_many)), fires=False, weight=2),
    NearMiss("right_over_more", lambda: file_cases(over_fixed(PAIRS, _of_two, more=False)), fires=True),
    NearMiss("right_over_fewer", lambda: file_cases(over_fixed(PAIRS, _of_two, more=True)), fires=True, weight=2),
    NearMiss("below_one_row", lambda: file_cases(over_tables(_one_row, 2)), fires=False),
    NearMiss("filter_between", lambda: file_cases(over_fixed(PAIRS, _filter_between)), fires=False),
    NearMiss("of_a_join", lambda: file_cases(over_fixed(PAIRS, _of_join)), fires=False),
    NearMiss("of_a_union", lambda: file_cases(over_fixed(PAIRS, _of_union)), fires=False),
    NearMiss("offset", lambda: file_cases(over_tables(_offset)), fires=True),
    NearMiss("no_row", lambda: file_cases(over_tables(_no_row)), fires=True, weight=2),
    NearMiss("of_random_values", lambda: file_cases(over_fixed(PAIRS, _of_random_values)), fires=False, weight=2),
    NearMiss("alone", lambda: file_cases(over_tables(_alone)), fires=False),
)
