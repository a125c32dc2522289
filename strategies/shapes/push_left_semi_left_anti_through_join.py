"""PushLeftSemiLeftAntiThroughJoin: a semi or anti join of a join, by columns of one of that join's sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields
from strategies.draw.joins import join_conditions
from strategies.ir import BOOLEAN, And, Case, CompareOp, Database, Expr, Join, JoinKind, Lit, Or, Relation
from strategies.shapes import NearMiss
from strategies.shapes.context import joined_in_context
from strategies.shapes.forms import Build, P, file_cases, over_tables
from strategies.shapes.three_tables import MAX_ROWS, fields_of_each, meeting, three_tables

RULE = "PushLeftSemiLeftAntiThroughJoin"
_KINDS: tuple[JoinKind, ...] = ("semi", "anti")
_ALWAYS = Lit(BOOLEAN, True)

_cases_of = partial(file_cases, max_rows=MAX_ROWS)


def _joined(draw: DrawFn, left: Relation, right: Relation, kind: JoinKind) -> Join:
    return Join(left, right, kind, None if kind == "cross" else draw(join_conditions(left, right)))


_SIDES: tuple[tuple[JoinKind, int], ...] = (
    ("inner", 0),
    ("left", 0),
    ("inner", 1),
    ("right", 1),
    ("cross", 0),
    ("left", 0),
    ("right", 1),
)
"""Kinds of the lower join, each with the side that the upper one goes to."""


def _query(draw: DrawFn, schema: Database) -> Relation:
    first, second, third = three_tables(draw, schema)
    kind, side = pick(draw, _SIDES)
    fields = fields_of_each(first, second, third)
    condition = meeting(draw, fields[side], fields[2])
    if one_in(draw, 4):
        condition = And(condition, meeting(draw, fields[side], fields[2]))
    join = Join(_joined(draw, first, second, kind), third, pick(draw, _KINDS), condition)
    return joined_in_context(draw, schema, join, len(first.fields))


def fires() -> SearchStrategy[Case]:
    """A semi or anti join by columns of one side of a join whose rows that side keeps, or that pads none; shrinks to
    ``t0 JOIN t0 AS s0 ON t0.a = s0.a SEMI JOIN t0 AS s1 ON t0.a = s1.a``.
    """
    return _cases_of(over_tables(_query))


# Where it must not, or does no harm.


_PLAIN: tuple[CompareOp, ...] = ("=", "=", "<=")
_Parts = tuple[Relation, Relation, tuple[Fields, ...]]


def _parts(draw: DrawFn, schema: Database, *kinds: JoinKind) -> _Parts:
    """Two tables joined by one of ``kinds``, a third one, and the columns of each."""
    first, second, third = three_tables(draw, schema)
    fields = fields_of_each(first, second, third)
    lower = Join(first, second, pick(draw, kinds), meeting(draw, fields[0], fields[1], ops=_PLAIN))
    return lower, third, fields


def _by_padded(draw: DrawFn, schema: Database, kind: JoinKind, side: int) -> Relation:
    """A join by columns of a side that the lower join pads.

    A semi join that NULL never meets makes the lower join an inner one.
    """
    lower, third, fields = _parts(draw, schema, kind)
    upper: JoinKind = pick(draw, ("anti", "anti", "semi"))
    ops: tuple[CompareOp, ...] = ("<=>",) if upper == "semi" else _PLAIN
    return Join(lower, third, upper, meeting(draw, fields[side], fields[2], ops=ops))


def _of_both(draw: DrawFn, schema: Database, connect: Callable[[Expr, Expr], Expr]) -> Relation:
    """A row on the right has to match both sides at once, or either."""
    lower, third, fields = _parts(draw, schema, "inner", "left")
    one, two = (meeting(draw, fields[side], fields[2], ops=_PLAIN) for side in range(2))
    return Join(lower, third, pick(draw, _KINDS), connect(one, two))


def _unconditional(draw: DrawFn, schema: Database, kind: JoinKind, upper: JoinKind) -> Relation:
    """The join asks for a row on the right alone: without any it drops all rows, or none."""
    lower, third, _ = _parts(draw, schema, kind)
    return Join(lower, third, upper, _ALWAYS)


def _by_first(draw: DrawFn, schema: Database, lower_kind: JoinKind, upper: JoinKind) -> Relation:
    lower, third, fields = _parts(draw, schema, lower_kind)
    return Join(lower, third, upper, meeting(draw, fields[0], fields[2], ops=_PLAIN))


def _miss(name: str, build: Build[P], /, *args: P.args, **options: P.kwargs) -> NearMiss:
    """A near miss on which the rule doesn't fire."""
    return NearMiss(name, lambda: _cases_of(over_tables(build, *args, **options)), fires=False)


def _no_condition() -> SearchStrategy[Case]:
    """Without a condition an inner or left join passes the join to the left, a right join to the right."""
    kinds: tuple[tuple[JoinKind, JoinKind], ...] = (("right", "semi"), ("left", "semi"), ("inner", "anti"))
    return st.sampled_from(kinds).flatmap(lambda kind: _cases_of(over_tables(_unconditional, *kind)))


NEAR_MISSES = (
    replace(_miss("right_of_left", _by_padded, "left", 1), weight=2),
    replace(_miss("left_of_right", _by_padded, "right", 0), weight=2),
    replace(_miss("left_of_full", _by_padded, "full", 0), weight=2),
    _miss("right_of_full", _by_padded, "full", 1),
    replace(_miss("both_sides", _of_both, And), weight=3),
    _miss("either_side", _of_both, Or),
    NearMiss("no_condition", _no_condition, fires=True, weight=2),
    _miss("inner_above", _by_first, "left", "inner"),
    _miss("left_above", _by_first, "inner", "left"),
    _miss("semi_below", _by_first, "semi", "anti"),
)
