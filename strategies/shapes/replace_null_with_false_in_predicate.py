"""ReplaceNullWithFalseInPredicate: NULL in conditions, where it counts as false, and where it doesn't."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.ir import (
    INT,
    And,
    Case,
    Coalesce,
    Column,
    Compare,
    Element,
    Expr,
    HigherOrder,
    InList,
    IsNull,
    Lit,
    MakeArray,
    Not,
    Or,
    Relation,
)
from strategies.shapes.branches import FALSE, TRUE, TRUTHS, UNKNOWN, case, either, in_either_order
from strategies.shapes.filters import about
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import Make, Place, anywhere, filtered, miss_over, projected

RULE = "ReplaceNullWithFalseInPredicate"

# Conditions on which it fires, in a filter or ON.


def _or_unknown(draw: DrawFn, fields: Fields) -> Expr:
    return Or(*in_either_order(draw, about(draw, fields), UNKNOWN))


def _beside_and(draw: DrawFn, fields: Fields) -> Expr:
    """``p OR (q AND NULL)``: AND alone leaves no row."""
    unknown = And(*in_either_order(draw, about(draw, fields), UNKNOWN))
    return Or(*in_either_order(draw, about(draw, fields), unknown))


def _result(draw: DrawFn, fields: Fields) -> Expr:
    """NULL as a result of a conditional that is a condition."""
    one, two = in_either_order(draw, about(draw, fields), UNKNOWN)
    return either(draw, about(draw, fields), one, two)


def _no_else(draw: DrawFn, fields: Fields) -> Expr:
    return case((about(draw, fields), pick(draw, (TRUE, about(draw, fields)))))


def _not_listed(draw: DrawFn, fields: Fields) -> Expr:
    """``p OR x NOT IN (0, NULL)``."""
    column = pick(draw, columns(fields))
    listed = InList(column, (known_literal(draw, column.type), Lit(column.type, None)), negated=True)
    return Or(*in_either_order(draw, about(draw, fields), listed))


def _branch(draw: DrawFn, fields: Fields) -> Expr:
    """NULL in the condition of a branch: by itself a value, not a condition of the filter."""
    column = pick(draw, columns(fields))
    return either(draw, _or_unknown(draw, fields), column, known_literal(draw, column.type))


_FORMS: tuple[Make, ...] = (*[_or_unknown] * 3, _beside_and, _result, _no_else, _not_listed)


def _predicate(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, _FORMS)(draw, fields)


def _in_a_branch(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """A column with NULL in the condition of a branch, whatever ``make`` makes."""
    return projected(draw, relation, _branch)


_PLACES: tuple[Place | None, ...] = (*[filtered] * 4, _in_a_branch, _in_a_branch, None)


def fires() -> SearchStrategy[Case]:
    """Conditions with NULL; shrinks to ``WHERE a = 0 OR NULL``."""
    return anywhere(_predicate, places=_PLACES)


# Near misses: NULL that isn't false.

_COLUMNS = (*TRUTHS, Column("a", INT), Column("b", INT))


def _truths(draw: DrawFn, fields: Fields) -> tuple[Expr, Expr]:
    one, two, *_ = columns(fields)
    return in_either_order(draw, one, two)


def _null_at_times(draw: DrawFn, fields: Fields) -> Expr:
    """``c OR NULL``, which is true or NULL, or ``c AND NULL``, which is false or NULL."""
    truth, _ = _truths(draw, fields)
    return pick(draw, (And, Or))(*in_either_order(draw, truth, UNKNOWN))


def _asked(draw: DrawFn, fields: Fields) -> Expr:
    """A condition about NULL in another one."""
    unknown, (_, truth) = _null_at_times(draw, fields), _truths(draw, fields)
    return pick(
        draw,
        (
            IsNull(unknown, negated=draw(st.booleans())),
            Compare("<=>", unknown, truth),
            Coalesce((unknown, pick(draw, (TRUE, FALSE)))),
        ),
    )


def _negated(draw: DrawFn, fields: Fields) -> Expr:
    """NOT of a conditional with NULL, which AND and OR would let NOT into."""
    one, two = _truths(draw, fields)
    return Not(either(draw, one, *in_either_order(draw, UNKNOWN, pick(draw, (two, FALSE)))))


def _as_result(draw: DrawFn, fields: Fields) -> Expr:
    one, two = _truths(draw, fields)
    return either(draw, one, *in_either_order(draw, UNKNOWN, two))


def _listed(draw: DrawFn, fields: Fields) -> Expr:
    *_, one, two = columns(fields)
    return InList(one, (pick(draw, (known_literal(draw, INT), two)), Lit(INT, None)))


def _not_in(draw: DrawFn, fields: Fields) -> Expr:
    """``c OR a NOT IN (…, NULL)``, which is true where ``c`` is."""
    truth, _ = _truths(draw, fields)
    *_, one, two = columns(fields)
    items = in_either_order(draw, pick(draw, (known_literal(draw, INT), two)), Lit(INT, None))
    return Or(truth, InList(one, items, negated=True))


def _not_in_as_a_value(draw: DrawFn, fields: Fields) -> Expr:
    *_, one, two = columns(fields)
    return InList(one, (pick(draw, (known_literal(draw, INT), two)), Lit(INT, None)), negated=True)


def _branches(draw: DrawFn, fields: Fields) -> Expr:
    """NULL both in the condition and in the result of a branch."""
    *_, value, other = columns(fields)
    return either(
        draw, _null_at_times(draw, fields), *in_either_order(draw, value, pick(draw, (other, Lit(INT, None))))
    )


def _array(draw: DrawFn, fields: Fields) -> tuple[MakeArray, Expr]:
    """An array of both numbers, and a condition on an element that is NULL where it isn't true."""
    *_, one, two = columns(fields)
    condition = Compare("=", Element(INT), known_literal(draw, INT))
    return MakeArray(INT, (one, two)), Or(*in_either_order(draw, condition, UNKNOWN))


def _elements(draw: DrawFn, fields: Fields) -> Expr:
    return HigherOrder("filter", *_array(draw, fields))


def _any_element(draw: DrawFn, fields: Fields) -> Expr:
    """Whether there is such an element: NULL unless there is."""
    return HigherOrder("exists", *_array(draw, fields))


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("as_a_value", _null_at_times, projected, fires=False, weight=2),
    _miss("asked_about", _asked, filtered, fires=False, weight=3),
    _miss("under_not", _negated, filtered, fires=False, weight=2),
    _miss("as_a_result", _as_result, projected, fires=False, weight=2),
    _miss("listed", _listed, filtered, fires=False, weight=2),
    _miss("not_listed", _not_in, filtered, fires=True),
    _miss("not_listed_as_a_value", _not_in_as_a_value, projected, fires=False),
    _miss("in_a_branch", _branches, projected, fires=True, weight=2),
    _miss("elements", _elements, projected, fires=True),
    _miss("any_element", _any_element, projected, fires=False),
)
