"""PushPredicateThroughJoin: a condition of one side, above a join or in its ON, or one of both sides above it.

Which moves are sound is a table of the kind of join, the place of the condition and the side that it is about; the
near misses are the rest of it. Above an outer join a condition that no row of NULL meets would make the join an inner
one first (EliminateOuterJoin), so those that must stay are true for NULL.
"""

from __future__ import annotations

from functools import reduce
from typing import Literal

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields
from strategies.draw.joins import join_conditions
from strategies.draw.queries import scope
from strategies.draw.tables import schemas
from strategies.draw.values import draw_literal
from strategies.ir import (
    COMPARE_OPS,
    INT,
    JOIN_KINDS,
    Alias,
    And,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    Join,
    JoinKind,
    Not,
    Relation,
    Table,
    common_type,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import about, or_null
from strategies.shapes.forms import Question, file_cases, over_fixed
from strategies.shapes.sides import scan

RULE = "PushPredicateThroughJoin"
Place = Literal["where", "on"]
Side = Literal["left", "right", "both"]
Move = tuple[JoinKind, Place, Side]

MOVES: tuple[Move, ...] = (
    ("inner", "where", "left"),
    ("inner", "where", "right"),
    ("inner", "where", "both"),
    ("inner", "on", "left"),
    ("inner", "on", "right"),
    ("cross", "where", "left"),
    ("cross", "where", "right"),
    ("cross", "where", "both"),
    ("left", "where", "left"),
    ("left", "on", "right"),
    ("right", "where", "right"),
    ("right", "on", "left"),
    ("semi", "where", "left"),
    ("semi", "on", "left"),
    ("semi", "on", "right"),
    ("anti", "where", "left"),
    ("anti", "on", "right"),
)
"""Conditions that go to their side, or from above an inner or cross join into its ON."""

_NOT_SHOWN = {("semi", "where"), ("anti", "where")}
STAYS: tuple[Move, ...] = tuple(
    (kind, place, side)
    for kind in JOIN_KINDS
    for place in ("where", "on")
    for side in ("left", "right", "both")
    if (kind, place, side) not in MOVES
    and (kind, place) != ("cross", "on")
    and not ((kind, place) in _NOT_SHOWN and side != "left")
)
"""The other conditions there can be: those that must stay, and those in an ON that are of both sides anyway."""


def over_join(draw: DrawFn, schema: Database) -> Relation:
    """A join with a condition that the rule moves."""
    left: Relation = scan(schema.tables[0])
    right: Relation = Alias(scan(pick(draw, schema.tables)), "s0")
    if one_in(draw, 8):
        right = Alias(Filter(right, about(draw, scope(right.fields), depth=0)), "s1")
    kind, place, side = pick(draw, MOVES)
    condition = _condition(draw, left, right, side)
    on = None if kind == "cross" else draw(join_conditions(left, right))
    return _joined(left, right, kind, place, on, condition)


def _joined(
    left: Relation, right: Relation, kind: JoinKind, place: Place, on: Expr | None, condition: Expr
) -> Relation:
    if place == "where":
        return Filter(Join(left, right, kind, on), condition)
    return Join(left, right, kind, And(on, condition) if on is not None else condition)


def _condition(draw: DrawFn, left: Relation, right: Relation, side: Side) -> Expr:
    ours, theirs = _fields(left, right)
    if side != "both":
        return about(draw, ours if side == "left" else theirs)
    pairs = [(one, two) for one in ours for two in theirs if common_type(one.type, two.type) is not None]
    one, two = pick(draw, pairs)
    return Compare(pick(draw, COMPARE_OPS), one.column(), two.column())


def _fields(left: Relation, right: Relation) -> tuple[Fields, Fields]:
    """The columns of each side, as an expression over both refers to them."""
    fields = scope(from_fields(left) + from_fields(right))
    return fields[: len(left.fields)], fields[len(left.fields) :]


@st.composite
def _questions(draw: DrawFn) -> Question:
    schema = draw(schemas(max_tables=2))
    return schema, in_context(draw, schema, over_join(draw, schema))


def fires() -> SearchStrategy[Case]:
    """Every move; shrinks to an equality above an inner join of a table with itself by the same."""
    return file_cases(_questions())


_COLUMNS = (Column("k", INT), Column("v", INT))
_TWO = Database((Table("t0", _COLUMNS), Table("t1", _COLUMNS)))
_LEFT, _RIGHT = (scan(table) for table in _TWO.tables)
_OURS, _THEIRS = _fields(_LEFT, _RIGHT)
_KEYS = Compare("=", _OURS[0].column(), _THEIRS[0].column())


def _kept(draw: DrawFn, moves: tuple[Move, ...]) -> Relation:
    """A condition that stays where it is, beside one of both sides in an ON."""
    kind, place, side = pick(draw, moves)
    fields = {"left": _OURS, "right": _THEIRS, "both": (_OURS[1], _THEIRS[1])}[side]
    if side == "both":
        condition: Expr = Compare(pick(draw, COMPARE_OPS), _OURS[1].column(), _THEIRS[1].column())
    else:
        condition = about(draw, fields, depth=0)
    if place == "where":
        condition = or_null(condition, fields)
    return _joined(_LEFT, _RIGHT, kind, place, _KEYS, condition)


def _unknown_on(draw: DrawFn) -> Relation:
    """An ON that is NULL for some rows, as its whole or in one of its conditions: it does not hold there."""
    kind = pick(draw, _WITH_ON_RIGHT)
    unknown = Compare(pick(draw, COMPARE_OPS[:-1]), _THEIRS[1].column(), draw_literal(draw, INT))
    negated = Not(unknown) if one_in(draw, 2) else unknown
    return _joined(_LEFT, _RIGHT, kind, "on", _KEYS, negated)


_WITH_ON_RIGHT: tuple[JoinKind, ...] = tuple(kind for kind, place, side in MOVES if (place, side) == ("on", "right"))


def _all_at_once(draw: DrawFn) -> Relation:
    """Conditions of the left, of the right and of both sides above one join, whatever its kind."""
    kind = pick(draw, _MOVING_LEFT)
    conditions = [about(draw, _OURS, depth=0)]
    if kind != "left":
        both = Compare(pick(draw, COMPARE_OPS), _OURS[1].column(), _THEIRS[1].column())
        conditions += [about(draw, _THEIRS, depth=0), both]
    else:
        conditions.append(or_null(about(draw, _THEIRS, depth=0), _THEIRS))
    on = None if kind == "cross" else _KEYS
    return Filter(Join(_LEFT, _RIGHT, kind, on), reduce(And, conditions))


_MOVING_LEFT: tuple[JoinKind, ...] = ("inner", "left", "cross")


def _two_joins(draw: DrawFn) -> Relation:
    """A condition on the innermost table of two joins: it goes through both."""
    outer = Alias(scan(_TWO.tables[0]), "s0")
    keys = Compare("=", _OURS[0].column(), Col("k", INT, "s0"))
    kinds: tuple[JoinKind, ...] = ("inner", "left")
    below = Join(_LEFT, _RIGHT, pick(draw, kinds), _KEYS)
    return Filter(Join(below, outer, pick(draw, kinds), keys), about(draw, _OURS, depth=0))


def _no_condition(draw: DrawFn) -> Relation:
    """Keys alone: nothing is of one side."""
    kind = pick(draw, tuple(kind for kind in JOIN_KINDS if kind != "cross"))
    return Join(_LEFT, _RIGHT, kind, _KEYS)


_ON_BOTH = tuple(move for move in STAYS if move[1:] == ("on", "both"))


def _stays(move: Move) -> NearMiss:
    # Only rows that the other side doesn't meet tell what went below an outer join from what stayed above.
    weight = 5 if move[1] == "where" and move[2] != "both" else 1
    return NearMiss("_".join(move), lambda: file_cases(over_fixed(_TWO, _kept, (move,))), fires=False, weight=weight)


NEAR_MISSES = (
    *(_stays(move) for move in STAYS if move not in _ON_BOTH),
    NearMiss("on_both", lambda: file_cases(over_fixed(_TWO, _kept, _ON_BOTH)), fires=False),
    NearMiss("no_condition", lambda: file_cases(over_fixed(_TWO, _no_condition)), fires=False),
    NearMiss("unknown_on", lambda: file_cases(over_fixed(_TWO, _unknown_on)), fires=True, weight=5),
    NearMiss("all_at_once", lambda: file_cases(over_fixed(_TWO, _all_at_once)), fires=True),
    NearMiss("two_joins", lambda: file_cases(over_fixed(_TWO, _two_joins)), fires=True),
)
