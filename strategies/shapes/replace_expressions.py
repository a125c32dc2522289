"""ReplaceExpressions: functions that stand for others, such as NULLIF for a CASE, and every for a min."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns, columns_of, comparable
from strategies.draw.queries import scope
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    DOUBLE,
    INT,
    Agg,
    AggFunction,
    Aggregate,
    Case,
    CaseWhen,
    Coalesce,
    Column,
    Compare,
    Expr,
    IsNull,
    Item,
    Lit,
    NullIf,
    Relation,
    TryArith,
    When,
)
from strategies.shapes.filters import about
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import ANYWHERE, Make, anywhere, miss_over, projected

RULE = "ReplaceExpressions"
_TRUTHS: tuple[AggFunction, ...] = ("every", "some", "count_if")


def _null_if(draw: DrawFn, fields: Fields) -> Expr:
    """A column that is NULL where it equals another one or a constant, compared with a constant."""
    column = pick(draw, columns(fields))
    others = [other for other in comparable(fields, column) if other.type == column.type]
    other = pick(draw, (known_literal(draw, column.type), *others))
    return Compare(pick(draw, COMPARE_OPS), NullIf(column, other), known_literal(draw, column.type))


def _tried(draw: DrawFn, fields: Fields) -> Expr:
    """A sum that may have no room in its type."""
    numbers = columns_of(fields, INT)
    if not numbers:
        return _null_if(draw, fields)
    one, two = pick(draw, numbers), pick(draw, (*numbers, Lit(INT, 2**31 - 1), Lit(INT, 1)))
    return Compare(pick(draw, COMPARE_OPS), TryArith("+", one, two), known_literal(draw, INT))


def _replaced(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, (_null_if, _null_if, _tried))(draw, fields)


def aggregated(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """The number of rows for which the condition of ``make`` is true, or whether it is true for all or some; one group
    for all rows, or groups by a column.
    """
    fields = scope(relation.fields)
    keys = (Item("k", pick(draw, columns(fields))),) if draw(st.booleans()) else ()
    return Aggregate(relation, keys, (Item("n", Agg(pick(draw, _TRUTHS), make(draw, fields))),))


def fires() -> SearchStrategy[Case]:
    """NULLIF and sums that are tried, anywhere, and counts of what is true of them; shrinks to
    ``WHERE NULLIF(a, 0) = 0``.
    """
    return anywhere(_replaced, places=(*ANYWHERE, aggregated))


_COLUMNS = (Column("a", INT), Column("b", INT), Column("c", BOOLEAN))
_DOUBLES = (Column("a", DOUBLE), Column("b", DOUBLE))


def _of_two_columns(draw: DrawFn, fields: Fields) -> Expr:
    """Where the second is NULL nobody knows, and the first stays."""
    one, two = pick(draw, (columns(fields)[:2], columns(fields)[1::-1]))
    return NullIf(one, two)


def _of_null(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    return NullIf(column, Lit(column.type, None))


def _to_the_limit(draw: DrawFn, fields: Fields) -> Expr:
    """NULL of any number above 0, or of NULL."""
    one, two, _ = columns(fields)
    sums = (TryArith("+", one, Lit(INT, 2**31 - 1)), TryArith("+", Lit(INT, 2**31 - 1), two))
    return pick(draw, sums)


def _truth(draw: DrawFn, fields: Fields) -> Expr:
    return fields[-1].column()


def _of_all(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """Each of the functions, of all rows: true and false are told apart wherever there are both."""
    truth = make(draw, scope(relation.fields))
    return Aggregate(relation, (), tuple(Item(name, Agg(name, truth)) for name in _TRUTHS))


def _by_hand(draw: DrawFn, fields: Fields) -> Expr:
    """An expression that one of the functions is short for."""
    one, two, truth = columns(fields)
    case = CaseWhen((When(Compare("=", one, two), Lit(INT, None)),), one)
    return pick(draw, (case, Coalesce((one, two)), IsNull(truth), Compare("<=>", one, two)))


def _least(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """Min for every, and max for some."""
    value = make(draw, scope(relation.fields))
    function: AggFunction = pick(draw, ("min", "max", "count"))
    return Aggregate(relation, (), (Item("n", Agg(function, value)),))


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("null_if_of_two_columns", _of_two_columns, projected, fires=True),
    _miss("null_if_of_null", _of_null, projected, fires=True),
    _miss("null_if_of_zeros_and_nan", _of_two_columns, projected, fires=True, columns=_DOUBLES),
    _miss("to_the_limit", _to_the_limit, projected, fires=True),
    _miss("truths", _truth, aggregated, fires=True),
    _miss("truths_of_all", _truth, _of_all, fires=True, weight=3),
    _miss("by_hand", _by_hand, projected, fires=False),
    _miss("least_truth", _truth, _least, fires=False),
    _miss("plain", about, projected, fires=False),
)
