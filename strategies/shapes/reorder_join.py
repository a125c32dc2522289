"""ReorderJoin: inner joins of three tables, the first of which has no condition though the second could lend it one."""

from __future__ import annotations

from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields, predicates
from strategies.ir import (
    BOOLEAN,
    And,
    Case,
    Database,
    Expr,
    Filter,
    Join,
    JoinKind,
    Lit,
    Or,
    Relation,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import joined_in_context
from strategies.shapes.forms import file_cases, over_tables
from strategies.shapes.three_tables import MAX_ROWS, fields_of_each, meeting, three_tables

RULE = "ReorderJoin"
_ALWAYS = Lit(BOOLEAN, True)


_cases_of = partial(file_cases, max_rows=MAX_ROWS)


def _over_three(draw: DrawFn, sides: tuple[Fields, ...]) -> Expr:
    first, second, third = sides
    return Or(meeting(draw, first, second), meeting(draw, second, third))


def _unconditional(left: Relation, right: Relation, *, cross: bool) -> Join:
    return Join(left, right, "cross") if cross else Join(left, right, "inner", _ALWAYS)


# Where it fires.


def _query(draw: DrawFn, schema: Database) -> Relation:
    first, second, third = three_tables(draw, schema)
    sides = fields_of_each(first, second, third)
    condition = meeting(draw, sides[0], sides[2])
    more = pick(draw, ("", "", "last two", "all three", "one"))
    if more == "last two":
        condition = And(condition, meeting(draw, sides[1], sides[2]))
    if more == "all three":
        condition = And(condition, _over_three(draw, sides))
    if more == "one":
        condition = And(condition, draw(predicates(pick(draw, sides), depth=0)))
    pair = _unconditional(first, second, cross=not one_in(draw, 3))
    relation: Relation = Join(pair, third, "inner", condition)
    if one_in(draw, 3):
        relation = Filter(Join(pair, third, "cross"), condition)
    return joined_in_context(draw, schema, relation, len(first.fields))


def fires() -> SearchStrategy[Case]:
    """Two tables without a condition, and a third that has one with the first; shrinks to
    ``t0 CROSS JOIN t0 AS s0 JOIN t0 AS s1 ON t0.a = s1.a``.
    """
    return _cases_of(over_tables(_query))


# Where it must not, or does no harm.


def _three_table_condition(draw: DrawFn, schema: Database) -> Relation:
    """A condition that has to wait for all three tables, beside one that doesn't."""
    first, second, third = three_tables(draw, schema)
    sides = fields_of_each(first, second, third)
    condition = And(meeting(draw, sides[0], sides[2], ops=("=",)), _over_three(draw, sides))
    return Join(Join(first, second, "cross"), third, "inner", condition)


def _no_condition(draw: DrawFn, schema: Database) -> Relation:
    first, second, third = three_tables(draw, schema)
    return Join(Join(first, second, "cross"), third, "cross")


def _two_tables(draw: DrawFn, schema: Database) -> Relation:
    first, second, _ = three_tables(draw, schema)
    return Filter(Join(first, second, "cross"), meeting(draw, *fields_of_each(first, second)))


def _two_more(draw: DrawFn, schema: Database, kind: JoinKind, lends: bool) -> Relation:
    """An outer join of two tables is one input, whatever its condition; the third has one with either."""
    first, second, third = three_tables(draw, schema)
    sides = fields_of_each(first, second, third)
    pair = Join(first, second, kind, meeting(draw, sides[0], sides[1], ops=("=",)))
    return Join(pair, third, "inner", meeting(draw, sides[1 if lends else 0], sides[2], ops=("=",)))


def _outer_last(draw: DrawFn, schema: Database) -> Relation:
    first, second, third = three_tables(draw, schema)
    sides = fields_of_each(first, second, third)
    return Join(Join(first, second, "cross"), third, "left", meeting(draw, sides[0], sides[2]))


NEAR_MISSES = (
    NearMiss(
        "condition_over_three_tables", lambda: _cases_of(over_tables(_three_table_condition)), fires=True, weight=2
    ),
    NearMiss("no_condition", lambda: _cases_of(over_tables(_no_condition)), fires=False),
    NearMiss("two_tables", lambda: _cases_of(over_tables(_two_tables)), fires=False),
    NearMiss("outer_join_between", lambda: _cases_of(over_tables(_two_more, "full", lends=False)), fires=False),
    NearMiss(
        "padded_side_joined_on", lambda: _cases_of(over_tables(_two_more, "left", lends=True)), fires=False, weight=2
    ),
    NearMiss("outer_join_last", lambda: _cases_of(over_tables(_outer_last)), fires=False),
)
