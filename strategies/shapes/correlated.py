"""Common parts of shapes about subqueries: an outer and an inner table, and correlations between them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, pick
from strategies.draw.exprs import predicates
from strategies.draw.scopes import scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    INT,
    And,
    Col,
    Compare,
    CompareOp,
    Expr,
    Filter,
    InList,
    Join,
    Outer,
    Relation,
    common_type,
    from_fields,
)
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import Question

OUTSIDE, INSIDE = scans_of(PAIRS)
A, B = Col("a", INT, "t0"), Col("b", INT, "t0")
INNER_A, INNER_B = Col("a", INT, "t1"), Col("b", INT, "t1")


def outer(column: Col) -> Outer:
    """``column`` as an outer column of a subquery."""
    return Outer(column.name, column.kind, column.qualifier)


SAME_A = Compare("=", INNER_A, outer(A))
SAME_B = Compare("=", INNER_B, outer(B))


@st.composite
def join_by_hand(draw: DrawFn, ops: tuple[CompareOp, ...] = ("=",)) -> Question:
    """The join that a subquery is rewritten to, with its columns compared by one of ``ops``."""
    op = pick(draw, ops) if len(ops) > 1 else ops[0]
    return PAIRS, Join(OUTSIDE, INSIDE, pick(draw, ("semi", "anti")), Compare(op, A, INNER_A))


def in_list(draw: DrawFn) -> Relation:
    """A filter by a list of constants, which is no subquery."""
    items = tuple(draw_literal(draw, INT) for _ in range(pick(draw, (2, 1, 3))))
    return Filter(OUTSIDE, InList(B, items, draw(below(2)) == 0))


def correlated(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    """The rows of ``inside`` that match a row of ``outside``; shrinks to an equality of one column.

    A column is compared with an outer one, mostly for equality and mostly with the one of its name; in one of eight
    draws, another column is compared as well, or the inner row has to meet another condition.
    """
    met = _meeting(draw, outside, inside)
    form = draw(below(8))
    if form == 6:
        return Filter(inside, And(met, _meeting(draw, outside, inside)))
    if form == 7:
        return Filter(inside, And(met, draw(predicates(scope(from_fields(inside)), depth=1))))
    return Filter(inside, met)


def _meeting(draw: DrawFn, outside: Relation, inside: Relation) -> Expr:
    within, without = from_fields(inside), from_fields(outside)
    pairs = [(one, two) for one in within for two in without if common_type(one.type, two.type) is not None]
    likely = [(one, two) for one, two in pairs if (one.name, one.type) == (two.name, two.type)]
    one, two = pick(draw, likely * 3 + pairs)
    return Compare(pick(draw, _MEETING), one.column(), outer(two.column()))


_MEETING: tuple[CompareOp, ...] = ("=", "=", "=", "=", "=", "<=>", "<", "<>")
