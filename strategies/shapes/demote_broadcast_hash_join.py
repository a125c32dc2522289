"""Shape of DemoteBroadcastHashJoin: joins of inputs that are shuffled, with more partitions than they have keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, one_in, pick
from strategies.draw.joins import join_conditions
from strategies.draw.planner_conf import GROUPS
from strategies.draw.scopes import scope
from strategies.draw.tables import MAX_ROWS
from strategies.draw.values import value_at
from strategies.ir import (
    COMPARE_OPS,
    INT,
    And,
    Case,
    Col,
    Compare,
    CompareOp,
    Database,
    Expr,
    Join,
    JoinHint,
    JoinKind,
    Relation,
    Settings,
    Table,
    common_type,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import joined_in_context
from strategies.shapes.data import PAIR, PAIRS, left_and_right, scans_of
from strategies.shapes.forms import Question, file_cases, over_files, over_fixed, over_tables
from strategies.shapes.sides import join_sides

RULE = "DemoteBroadcastHashJoin"
CONF = GROUPS["empty partitions"].conf
NEEDS = {**GROUPS["empty partitions"].settings, "join": "auto"}
"""Adaptive execution, which would broadcast any input, and more partitions than most inputs have keys."""
_KINDS: tuple[JoinKind, ...] = ("inner", "semi")


def _with_rows(case: Case) -> Case:
    """``case`` with a row of zeros in each table: of an input without rows no join is left."""
    return replace(case, database=Database(tuple(map(_with_zeros, case.database.tables))))


def _with_zeros(table: Table) -> Table:
    zeros = tuple(value_at(column.type, 0) for column in table.columns)
    return replace(table, rows=(zeros, *table.rows)[:MAX_ROWS])


def _cases_of(questions: SearchStrategy[Question], **others: object) -> SearchStrategy[Case]:
    return over_files(file_cases(questions, needs={**NEEDS, **others}))


def _query(draw: DrawFn, schema: Database) -> Relation:
    left, right = join_sides(draw, schema)
    kind, width = pick(draw, _KINDS), len(left.fields)
    fields = scope(from_fields(left) + from_fields(right))
    pairs = [
        (one, two) for one in fields[:width] for two in fields[width:] if common_type(one.type, two.type) is not None
    ]
    if not pairs:
        return Join(left, right, kind, draw(join_conditions(left, right)))
    one, two = pick(draw, pairs)
    condition: Expr = Compare("<=>" if one_in(draw, 3) else "=", one.column(), two.column())
    if one_in(draw, 4):
        condition = And(condition, draw(join_conditions(left, right)))
    return joined_in_context(draw, schema, Join(left, right, kind, condition), width)


def fires() -> SearchStrategy[Case]:
    """An inner or semi join by an equality, with rows in all tables or in none; shrinks to
    ``t0 JOIN t0 AS s0 ON t0.a = s0.a``.
    """
    return _cases_of(over_tables(_query)).map(lambda case: _with_rows(case) if case.database.row_count else case)


# Near misses, over two tables of two columns.

_ONE, _OTHER = scans_of(PAIRS)
_A, _B = (Col(name, INT, "t0") for name in "ab")
_C, _D = (Col(name, INT, "t1") for name in "ab")


def _joined(draw: DrawFn, *kinds: JoinKind, op: CompareOp = "=", hint: JoinHint | None = None) -> Relation:
    return Join(_ONE, _OTHER, pick(draw, kinds), Compare(op, _A, _C), hint)


def _and_more(draw: DrawFn) -> Relation:
    """The rows that meet are fewer than those of one key."""
    more = Compare(pick(draw, COMPARE_OPS), _B, _D)
    return Join(_ONE, _OTHER, pick(draw, _KINDS), And(Compare("=", _A, _C), more))


_FULL = tuple(((key, key % 3), (0, 1)) for key in range(8))
"""Rows of the right table that leave neither of two partitions empty."""


NOT_BROADCAST = {
    **NEEDS,
    "conf": tuple(entry for entry in CONF if entry[0] != "spark.sql.adaptive.autoBroadcastJoinThreshold"),
    "partitions": 2,
}
"""Without a broadcast while a query runs: where the full input is there first, that would come before the other input
shows its empty partition.
"""


@st.composite
def _kept(draw: DrawFn) -> Case:
    """Rows of one key, kept beside many rows of which some or none meet them."""
    row = (pick(draw, (9, 1, 8, None)), 0)
    database = left_and_right(PAIR, ((row, (1 + draw(below(3)), 0)), *_FULL))
    kind: JoinKind = pick(draw, ("left", "right", "anti"))
    left, right = (_OTHER, _ONE) if kind == "right" else (_ONE, _OTHER)
    return Case(Join(left, right, kind, Compare("=", _A, _C)), database, Settings(**NOT_BROADCAST))


def _miss(
    name: str, build: Callable[[DrawFn], Relation], *, fires: bool = False, weight: int = 1, **others: object
) -> NearMiss:
    def cases() -> SearchStrategy[Case]:
        return _cases_of(over_fixed(PAIRS, build), **others).map(_with_rows)

    return NearMiss(name, cases, fires=fires, weight=weight)


def _by(*kinds: JoinKind, op: CompareOp = "=", hint: JoinHint | None = None) -> Callable[[DrawFn], Relation]:
    return lambda draw: _joined(draw, *kinds, op=op, hint=hint)


NEAR_MISSES = (
    NearMiss("kept_beside_all", _kept, fires=True, weight=3),
    _miss("null_meets_null", _by(*_KINDS, op="<=>"), fires=True, weight=2),
    _miss("by_more_than_keys", _and_more, fires=True, weight=2),
    _miss("rows_once", _by("semi"), fires=True, weight=2),
    _miss("padded_or_missed", _by("left", "right", "anti")),
    _miss("all_rows_kept", _by("full")),
    _miss("no_equality", _by(*_KINDS, op="<")),
    _miss("another_hint", _by("semi", hint="merge")),
    _miss("one_partition", _by(*_KINDS), partitions=1),
    _miss("at_once", _by(*_KINDS), aqe=False),
)
