"""Draw nondeterministic functions where the answer is the same for each of their values: nothing else is drawn."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.orders import total_order
from strategies.draw.scopes import new_names, scope
from strategies.ir import (
    BOOLEAN,
    RANDOM_FUNCTIONS,
    And,
    Col,
    Distinct,
    Filter,
    RandomColumn,
    RandomOp,
    RandomTest,
    Relation,
    RowNumbers,
    referable,
)

_TESTS: tuple[tuple[RandomOp, int], ...] = (("<", 1), (">=", 0), ("<", 0), ("<=", 1), (">=", 1), (">", 1), ("<", 2))


IN_SUBQUERIES = 4
"""The least level of an operator in a subquery."""


def at_random(draw: DrawFn, plain: Filter) -> Filter:
    """``plain``; one in eight has a random test beside its condition."""
    return replace(plain, random=random_test(draw)) if one_in(draw, 8) else plain


def random_test(draw: DrawFn) -> RandomTest:
    """A test before or after the condition of a filter; shrinks to ``rand() < 1`` after it."""
    op, bound = pick(draw, _TESTS)
    return RandomTest(op, bound, draw(st.booleans()))


def with_random_column(draw: DrawFn, child: Relation) -> Relation:
    """``child`` with the places of its rows, or with a test of a random value; shrinks to the places.

    DISTINCT is over it where columns have no names of their own.
    """
    fields = scope(child.fields)
    names = {field.name.casefold() for field in fields}
    if len(referable(fields)) < len(fields) or len(names) < len(fields):
        return Distinct(child)
    name = next(name for name in new_names(draw, (), 1 + len(fields)) if name not in names)
    if one_in(draw, 2):
        return RandomColumn(child, name, pick(draw, RANDOM_FUNCTIONS))
    return RowNumbers(child, total_order(draw, fields), name)


def over_random_column(draw: DrawFn, child: Relation) -> Filter:
    """A filter right over a nondeterministic column, which it reads if that is a test."""
    made = with_random_column(draw, child)
    condition = draw(predicates(scope(made.fields), depth=1))
    return Filter(made, And(condition, Col(made.name, BOOLEAN)) if isinstance(made, RandomColumn) else condition)
