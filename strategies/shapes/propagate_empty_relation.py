"""Shape of PropagateEmptyRelation: operators over an input that has no rows by its plan."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.joins import join_conditions
from strategies.draw.queries import scope
from strategies.ir import (
    BOOLEAN,
    Agg,
    Aggregate,
    Alias,
    Case,
    Compare,
    Database,
    Distinct,
    Filter,
    Item,
    Join,
    JoinKind,
    Limit,
    Lit,
    Relation,
    SetKind,
    SetOp,
    SortKey,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, joined_in_context, number_of_rows
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.groups import without_rows
from strategies.shapes.sides import first_columns, join_sides, sides, two_tables
from strategies.shapes.sides import scan as whole

RULE = "PropagateEmptyRelation"
_NEVER = (Lit(BOOLEAN, False), Lit(BOOLEAN, False), Lit(BOOLEAN, None))


def _no_first_row(relation: Relation) -> Relation:
    return Limit(relation, tuple(SortKey(field.column()) for field in scope(relation.fields)), 0)


def _emptied(draw: DrawFn, relation: Relation) -> Relation:
    """``relation`` without its rows: ``WHERE false``, ``WHERE NULL`` or ``LIMIT 0``."""
    condition = pick(draw, (*_NEVER, None))
    return _no_first_row(relation) if condition is None else Filter(relation, condition)


def _beside(draw: DrawFn, one: Relation, two: Relation) -> tuple[Relation, Relation]:
    """Both sides, one of them emptied, the second one in two of three draws."""
    return (one, _emptied(draw, two)) if pick(draw, (True, True, False)) else (_emptied(draw, one), two)


def _union(draw: DrawFn, schema: Database) -> Relation:
    one, two = _beside(draw, *sides(draw, schema))
    return SetOp("union", one, two, all=pick(draw, (True, True, False)))


def _difference(draw: DrawFn, schema: Database) -> Relation:
    """EXCEPT or INTERSECT without a filter on the right side, which could be one of the left side's plan."""
    one, two = sides(draw, schema)
    kind: SetKind = pick(draw, ("except", "except", "intersect"))
    return SetOp(kind, one, _no_first_row(two), all=draw(st.booleans()))


_KINDS: tuple[JoinKind, ...] = ("left", "left", "right", "full", "full", "anti", "anti", "semi", "inner")


def _joined(draw: DrawFn, schema: Database) -> Relation:
    one, two = (whole(table) for table in two_tables(draw, schema))
    sides = _beside(draw, one, two)
    left, right = (Alias(side, name) for side, name in zip(sides, ("l", "r"), strict=True))
    join = Join(left, right, pick(draw, _KINDS), draw(join_conditions(left, right)))
    return joined_in_context(draw, schema, join, len(left.fields))


def _never_joined(draw: DrawFn, schema: Database) -> Relation:
    """A join whose condition is false, so that it has only the kept sides' rows."""
    left, right = join_sides(draw, schema)
    return joined_in_context(draw, schema, Join(left, right, pick(draw, _PADDED), _NEVER[0]), len(left.fields))


_PADDED: tuple[JoinKind, ...] = ("left", "right", "anti", "semi", "inner")


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    table = _emptied(draw, whole(pick(draw, schema.tables)))
    key = pick(draw, scope(table.fields)).column()
    return Aggregate(table, (Item("k", key),), (Item("n", Agg("count")),))


def _distinct(draw: DrawFn, schema: Database) -> Relation:
    return Distinct(_emptied(draw, whole(pick(draw, schema.tables))))


def _query(draw: DrawFn, schema: Database) -> Relation:
    form = pick(draw, _FORMS)
    relation = form(draw, schema)
    return relation if form in (_joined, _never_joined) else in_context(draw, schema, relation)


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    _never_joined,
    *[_union] * 4,
    *[_joined] * 4,
    *[_difference] * 2,
    _grouped,
    _distinct,
)


def fires() -> SearchStrategy[Case]:
    """Unions, joins, differences and groups of empty inputs; shrinks to ``t0 LEFT JOIN t0 s0 ON false``."""
    return file_cases(over_tables(_query))


# Near misses.


def _one_group(draw: DrawFn, schema: Database) -> Relation:
    """An aggregate without keys, which has one row over no rows."""
    table = _emptied(draw, whole(pick(draw, schema.tables)))
    return number_of_rows(table)


def _padded(draw: DrawFn, kind: JoinKind) -> Relation:
    """An outer or anti join with one empty side, which has the rows of the other side."""
    one, two = scans_of(PAIRS)
    first, second = (_emptied(draw, one), two) if kind == "right" else (one, _emptied(draw, two))
    left, right = Alias(first, "l"), Alias(second, "r")
    on = Compare(pick(draw, ("=", "<=>")), left.fields[0].column(), right.fields[0].column())
    return Join(left, right, kind, on)


def _one_branch(draw: DrawFn) -> Relation:
    return SetOp("union", *_beside(draw, *scans_of(PAIRS)), all=True)


def _unknown(draw: DrawFn, schema: Database) -> Relation:
    """A filter that no row passes, which the plan can't know."""
    table = pick(draw, schema.tables)
    one, two = pick(draw, ((whole(table), without_rows(table)), (without_rows(table), whole(table))))
    return SetOp("union", one, two, all=True)


def _unknown_joined(draw: DrawFn, schema: Database) -> Relation:
    table = pick(draw, schema.tables)
    left, right = Alias(whole(table), "l"), Alias(without_rows(table), "r")
    on = Compare(pick(draw, ("=", "<=>")), left.fields[0].column(), right.fields[0].column())
    return Join(left, right, pick(draw, ("left", "anti", "semi")), on)


def _with_rows(draw: DrawFn, schema: Database) -> Relation:
    width = min(len(table.columns) for table in schema.tables)
    left, right = (first_columns(table, width) for table in two_tables(draw, schema))
    return SetOp("union", left, right, all=True)


NEAR_MISSES = (
    NearMiss("one_group", lambda: file_cases(over_tables(_one_group)), fires=False, weight=2),
    NearMiss("left", lambda: file_cases(over_fixed(PAIRS, _padded, "left")), fires=True),
    NearMiss("right", lambda: file_cases(over_fixed(PAIRS, _padded, "right")), fires=True),
    NearMiss("full", lambda: file_cases(over_fixed(PAIRS, _padded, "full")), fires=True),
    NearMiss("anti", lambda: file_cases(over_fixed(PAIRS, _padded, "anti")), fires=True, weight=2),
    NearMiss("one_branch", lambda: file_cases(over_fixed(PAIRS, _one_branch)), fires=True, weight=2),
    NearMiss("branch_not_known_to_be_empty", lambda: file_cases(over_tables(_unknown)), fires=False),
    NearMiss("side_not_known_to_be_empty", lambda: file_cases(over_tables(_unknown_joined)), fires=False),
    NearMiss("with_rows", lambda: file_cases(over_tables(_with_rows)), fires=False),
)
