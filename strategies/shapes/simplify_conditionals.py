"""SimplifyConditionals: CASE and ``if()`` with conditions that are known, or with results that are alike."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.ir import COMPARE_OPS, INT, Call, Case, Column, Compare, Expr, IsNull, Lit
from strategies.shapes.branches import FALSE, TRUE, TRUTHS, UNKNOWN, case, either, in_either_order
from strategies.shapes.filters import about
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import Make, anywhere, miss_over, projected

RULE = "SimplifyConditionals"


def _compared(draw: DrawFn, value: Expr) -> Expr:
    return Compare(pick(draw, COMPARE_OPS), value, known_literal(draw, value.type))


# Conditions on which it fires.


def _truth(draw: DrawFn, fields: Fields) -> Expr:
    condition = about(draw, fields)
    return either(draw, condition, *in_either_order(draw, TRUE, FALSE))


def _alike(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    more = ((about(draw, fields), column),) if draw(st.booleans()) else ()
    return _compared(draw, case((about(draw, fields), column), *more, otherwise=column))


def _never_taken(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    idle = (pick(draw, (FALSE, UNKNOWN)), known_literal(draw, column.type))
    taken = (about(draw, fields), column)
    branches = pick(draw, ((idle, taken), (taken, idle)))
    return _compared(draw, case(*branches, otherwise=pick(draw, (None, known_literal(draw, column.type)))))


def _always_taken(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    first = (about(draw, fields), known_literal(draw, column.type))
    return _compared(draw, case(first, (TRUE, column), otherwise=known_literal(draw, column.type)))


def _null_or_truth(draw: DrawFn, fields: Fields) -> Expr:
    """``if(x IS NULL, NULL, false)`` and the like."""
    condition = IsNull(pick(draw, columns(fields)), negated=draw(st.booleans()))
    return _if(draw, condition)


def _if(draw: DrawFn, condition: Expr) -> Expr:
    """``if()`` of NULL and true or false."""
    one, two = in_either_order(draw, UNKNOWN, pick(draw, (FALSE, TRUE)))
    return Call("if", (condition, one, two))


_FORMS: tuple[Make, ...] = (_truth, _truth, *[_alike] * 2, *[_never_taken] * 2, *[_always_taken] * 2, _null_or_truth)


def _simplified(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, _FORMS)(draw, fields)


def fires() -> SearchStrategy[Case]:
    """Conditionals with fewer outcomes than branches; shrinks to ``WHERE CASE WHEN a = 0 THEN true ELSE false END``."""
    return anywhere(_simplified)


# Near misses: branches whose order, ELSE or NULL counts.

_COLUMNS = (*TRUTHS, Column("a", INT), Column("b", INT))


def _parts(draw: DrawFn, fields: Fields) -> tuple[Expr, Expr, Expr, Expr]:
    """Two conditions that are NULL at times, and two values."""
    one, two, *values = columns(fields)
    return (*in_either_order(draw, one, two), *in_either_order(draw, *values))


def _far(draw: DrawFn) -> Lit:
    """A value that no cell has."""
    return Lit(INT, pick(draw, (77, 78)))


def _of_null(draw: DrawFn, fields: Fields) -> Expr:
    condition, _, value, _ = _parts(draw, fields)
    asked = pick(draw, (condition, _compared(draw, value)))
    return either(draw, asked, *in_either_order(draw, TRUE, FALSE))


def _then_true(draw: DrawFn, fields: Fields) -> Expr:
    one, two, first, second = _parts(draw, fields)
    return case((one, first), (TRUE, second), (two, _far(draw)), otherwise=_far(draw))


def _branch_of_null(draw: DrawFn, fields: Fields) -> Expr:
    one, _, first, second = _parts(draw, fields)
    idle = (pick(draw, (UNKNOWN, FALSE)), _far(draw))
    return case(*pick(draw, ((idle, (one, first)), ((one, first), idle))), otherwise=pick(draw, (second, None)))


def _no_branch_left(draw: DrawFn, fields: Fields) -> Expr:
    """No condition is true: ELSE is the value, or NULL."""
    _, _, first, second = _parts(draw, fields)
    return case((pick(draw, (FALSE, UNKNOWN)), first), otherwise=pick(draw, (None, second)))


def _alike_without_else(draw: DrawFn, fields: Fields) -> Expr:
    one, two, first, _ = _parts(draw, fields)
    return case((one, first), *pick(draw, ((), ((two, first),))))


def _alike_but_one(draw: DrawFn, fields: Fields) -> Expr:
    """The first and the last result are alike, not the one between."""
    one, two, first, second = _parts(draw, fields)
    return case((one, first), (two, second), otherwise=first)


def _asked_twice(draw: DrawFn, fields: Fields) -> Expr:
    one, _, first, second = _parts(draw, fields)
    return case((one, first), (one, second), otherwise=_far(draw))


def _nullable(draw: DrawFn, fields: Fields) -> Expr:
    return _if(draw, _parts(draw, fields)[0])


def _never_null(draw: DrawFn, fields: Fields) -> Expr:
    condition, _, value, _ = _parts(draw, fields)
    return _if(draw, IsNull(pick(draw, (condition, value)), negated=draw(st.booleans())))


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("truth_of_null", _of_null, projected, fires=True, weight=2),
    _miss("true_after_another", _then_true, projected, fires=True, weight=2),
    _miss("branch_of_null", _branch_of_null, projected, fires=True, weight=2),
    _miss("no_branch_left", _no_branch_left, projected, fires=True),
    _miss("alike_without_else", _alike_without_else, projected, fires=False, weight=2),
    _miss("alike_but_one", _alike_but_one, projected, fires=False, weight=2),
    _miss("asked_twice", _asked_twice, projected, fires=False, weight=2),
    _miss("null_if_unknown", _nullable, projected, fires=False, weight=2),
    _miss("null_if_known", _never_null, projected, fires=True, weight=2),
)
