"""PushDownJoinThroughUnion: a join of a UNION ALL with a side that can be broadcast is the UNION ALL of joins."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.joins import join_conditions
from strategies.draw.planner_conf import GROUPS
from strategies.draw.scopes import fresh_alias, scope
from strategies.ir import (
    Alias,
    And,
    Case,
    Compare,
    CompareOp,
    Database,
    Expr,
    Join,
    JoinHint,
    JoinKind,
    Relation,
    SetKind,
    SetOp,
    is_plain,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import joined_in_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.sides import fitting, scan, sides, union_all

RULE = "PushDownJoinThroughUnion"
CONF = GROUPS["joined below a union"].conf
"""The rule on, and any side of a join small enough to be broadcast."""
NEEDS = {"conf": CONF, "join": "auto"}
_WAYS: tuple[tuple[JoinKind, JoinHint | None], ...] = (("left", None), ("inner", "broadcast"), ("left", "broadcast"))
"""Joins that are planned as ones that broadcast the right side: an inner one might broadcast the left."""


def _cases_of(questions: SearchStrategy[Question]) -> SearchStrategy[Case]:
    return file_cases(questions, needs=NEEDS)


def _union(draw: DrawFn, schema: Database) -> Relation:
    """A union of two branches, or of three."""
    union = union_all(*sides(draw, schema))
    third = pick(draw, schema.tables)
    types = tuple(field.type for field in union.fields)
    if len(third.columns) == len(types) and fitting(third, types) and one_in(draw, 3):
        return union_all(union, scan(third))
    return union


def _query(draw: DrawFn, schema: Database) -> Relation:
    union = _union(draw, schema)
    left = Alias(union, fresh_alias(union))
    right = Alias(scan(pick(draw, schema.tables)), fresh_alias(left))
    width = len(left.fields)
    fields = scope((*left.fields, *right.fields))
    kind, hint = pick(draw, _WAYS)
    pairs = [(one, two) for one in fields[:width] for two in fields[width:] if one.type == two.type]
    pairs = [pair for pair in pairs if is_plain(pair[0].type)]
    if not pairs:
        return Join(left, right, kind, draw(join_conditions(left, right)), hint)
    one, two = pick(draw, pairs)
    condition: Expr = Compare("=", one.column(), two.column())
    if one_in(draw, 4):
        condition = And(condition, draw(join_conditions(left, right)))
    return joined_in_context(draw, schema, Join(left, right, kind, condition, hint), width)


def fires() -> SearchStrategy[Case]:
    """A left or inner join by an equality, with a UNION ALL of two or three on its left; shrinks to
    ``(t0 UNION ALL t0) AS s0 LEFT JOIN t0 AS s1 ON s0.a = s1.a``.
    """
    return _cases_of(over_tables(_query))


# Near misses, over two tables of two columns.

_ONE, _OTHER = scans_of(PAIRS)


def _joined(
    draw: DrawFn,
    *,
    kind: JoinKind = "left",
    op: CompareOp = "=",
    of: tuple[SetKind, bool] = ("union", True),
    on_the_left: bool = True,
) -> Relation:
    """Two columns of a set operator's rows and of a table, compared by ``op`` in a join of ``kind``."""
    name, keeps_all = of
    union, table = Alias(SetOp(name, _ONE, _OTHER, all=keeps_all), "s0"), Alias(_OTHER, "s1")
    one, two = pick(draw, union.fields).column(), pick(draw, table.fields).column()
    left, right = (union, table) if on_the_left else (table, union)
    return Join(left, right, kind, Compare(op, one, two))


def _miss(name: str, build: Callable[[DrawFn], Relation], *, fires: bool = False, weight: int = 1) -> NearMiss:
    return NearMiss(name, lambda: _cases_of(over_fixed(PAIRS, build)), fires=fires, weight=weight)


NEAR_MISSES = (
    _miss("padded_rows", _joined, fires=True, weight=2),
    _miss("null_meets_null", partial(_joined, op="<=>"), fires=True, weight=2),
    _miss("rows_without_partner", partial(_joined, kind="anti"), weight=2),
    _miss("rows_with_partner", partial(_joined, kind="semi")),
    _miss("right_rows_kept", partial(_joined, kind="right"), weight=2),
    _miss("all_rows_kept", partial(_joined, kind="full"), weight=2),
    _miss("no_equality", partial(_joined, op="<")),
    _miss("distinct_rows", partial(_joined, of=("union", False)), weight=2),
    _miss("other_set_operator", partial(_joined, of=("except", True))),
    _miss("union_on_the_right", partial(_joined, on_the_left=False), weight=2),
)
