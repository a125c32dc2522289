"""Shape of ExtractPythonUDFFromJoinCondition: inner joins by a function in Python of columns of both sides."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    And,
    Case,
    Col,
    Compare,
    Database,
    Expr,
    Filter,
    Join,
    JoinKind,
    Or,
    Relation,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import joined_in_context
from strategies.shapes.correlated import INNER_A, INNER_B, INSIDE, OUTSIDE, A, B
from strategies.shapes.data import PAIRS
from strategies.shapes.filters import about
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.python_calls import call_of, call_of_both, met, python
from strategies.shapes.sides import join_sides

RULE = "ExtractPythonUDFFromJoinCondition"
_KINDS: tuple[JoinKind, ...] = ("left", "right", "full", "semi", "anti")


def _query(draw: DrawFn, schema: Database) -> Relation:
    left, right = join_sides(draw, schema)
    both = scope(from_fields(left) + from_fields(right))
    known, width = columns(both), len(left.fields)
    on = met(draw, call_of_both(draw, pick(draw, known[:width]), pick(draw, known[width:])))
    if one_in(draw, 3):
        on = And(on, about(draw, both))
    return joined_in_context(draw, schema, Join(left, right, "inner", on), width)


def fires() -> SearchStrategy[Case]:
    """An inner join by a function of both sides, now and then beside another condition; shrinks to
    ``t0 JOIN t0 AS s0 ON python_add(t0.a, s0.a) = 0``.
    """
    return file_cases(over_tables(_query))


# Near misses, over two tables of two columns.

_SUM = python("add", A, INNER_A)
_EVEN = python("is_even", _SUM)
_EQUAL = Compare("=", A, INNER_A)


def _join(kind: JoinKind, on: Expr) -> Join:
    return Join(OUTSIDE, INSIDE, kind, on)


def _beside(draw: DrawFn) -> Relation:
    """A function of both sides beside another condition."""
    other = pick(draw, (_EQUAL, Compare("<", A, INNER_A), Compare("<=>", B, INNER_B)))
    return _join("inner", And(_EVEN, other) if one_in(draw, 2) else And(other, _EVEN))


def _two(draw: DrawFn) -> Relation:
    """Two functions of both sides, in AND or OR."""
    other = Compare(pick(draw, ("<", ">=")), python("add", B, INNER_B), A)
    return _join("inner", pick(draw, (And, And, Or))(_EVEN, other))


def _unknown(draw: DrawFn) -> Relation:
    """A condition that is NULL for some rows."""
    return _join("inner", Compare(pick(draw, ("=", "<>", "<")), _SUM, pick(draw, (B, INNER_B))))


def _above(draw: DrawFn) -> Relation:
    """A filter above an inner join becomes a part of its condition first."""
    return Filter(_join("inner", _EQUAL), _EVEN)


def _of_one_side(draw: DrawFn) -> Relation:
    """A function of one side in ON of any join, compared with the other side."""
    kind: JoinKind = pick(draw, ("inner", *_KINDS))
    call = pick(draw, (python("add", A, B), python("add", A, A)))
    return _join(kind, Compare(pick(draw, ("=", "<")), call, INNER_A))


def _above_an_outer_join(draw: DrawFn) -> Relation:
    """A filter above an outer join that keeps rows of it without a partner."""
    return Filter(_join(pick(draw, ("left", "full")), _EQUAL), met(draw, python("add", A, INNER_B)))


def _of_one_table(draw: DrawFn) -> Relation:
    return Filter(OUTSIDE, met(draw, call_of(draw, Col("a", INT, "t0"))))


NEAR_MISSES = (
    NearMiss("beside", lambda: file_cases(over_fixed(PAIRS, _beside)), fires=True, weight=2),
    NearMiss("two", lambda: file_cases(over_fixed(PAIRS, _two)), fires=True, weight=2),
    NearMiss("unknown", lambda: file_cases(over_fixed(PAIRS, _unknown)), fires=True, weight=2),
    NearMiss("above", lambda: file_cases(over_fixed(PAIRS, _above)), fires=True),
    NearMiss("of_one_side", lambda: file_cases(over_fixed(PAIRS, _of_one_side)), fires=False),
    NearMiss("above_an_outer_join", lambda: file_cases(over_fixed(PAIRS, _above_an_outer_join)), fires=False),
    NearMiss("of_one_table", lambda: file_cases(over_fixed(PAIRS, _of_one_table)), fires=False),
)
