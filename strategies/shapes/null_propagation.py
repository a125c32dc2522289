"""Shape of NullPropagation: expressions around NULL, and tests for NULL of values that are never NULL."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.draw.queries import scope
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    INT,
    Agg,
    Aggregate,
    And,
    Case,
    CaseWhen,
    Coalesce,
    Column,
    Compare,
    Expr,
    InList,
    IsNull,
    Item,
    Lit,
    Not,
    Or,
    RaiseError,
    RaisingArith,
    Relation,
    SqlType,
    When,
)
from strategies.shapes.filters import about
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import ANYWHERE, Make, anywhere, filtered, miss_over, projected

RULE = "NullPropagation"
_UNKNOWN = Lit(BOOLEAN, None)


def _null(kind: SqlType) -> Lit:
    return Lit(kind, None)


def _defaulted(draw: DrawFn, fields: Fields) -> Expr:
    """``coalesce(column, value)``, which is never NULL."""
    column = pick(draw, columns(fields))
    return Coalesce((column, known_literal(draw, column.type)))


# Conditions on which it fires.


def _null_safe(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    null = _null(column.type)
    return Compare("<=>", null, column) if draw(st.booleans()) else Compare("<=>", column, null)


def _test_of_a_default(draw: DrawFn, fields: Fields) -> Expr:
    return IsNull(_defaulted(draw, fields), negated=draw(st.booleans()))


def _test_of_a_test(draw: DrawFn, fields: Fields) -> Expr:
    return IsNull(IsNull(pick(draw, columns(fields))), negated=draw(st.booleans()))


def _compared(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    return Compare(pick(draw, COMPARE_OPS), column, _null(column.type))


def _first_of_nulls(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    value = Coalesce((_null(column.type), column))
    return Compare(pick(draw, COMPARE_OPS), value, known_literal(draw, column.type))


def _listed(draw: DrawFn, fields: Fields) -> Expr:
    """An IN list with NULL as the operand or among the items."""
    column = pick(draw, columns(fields))
    null, value = _null(column.type), known_literal(draw, column.type)
    operand, items = pick(draw, ((column, (value, null)), (column, (null,)), (null, (column, value))))
    return InList(operand, items, draw(st.booleans()))


def _beside_unknown(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, (Or, And))(about(draw, fields), pick(draw, (Not(_UNKNOWN), _compared(draw, fields))))


_FORMS: tuple[Make, ...] = (
    _null_safe,
    *[_test_of_a_default] * 3,
    *[_test_of_a_test] * 2,
    _compared,
    *[_first_of_nulls] * 2,
    _listed,
    _beside_unknown,
)
"""OptimizeIn does the same to a list with a plain NULL, so lists are rare."""


def _propagated(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, _FORMS)(draw, fields)


def _counted(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """``count(x)`` of a drawn expression."""
    return Aggregate(relation, (), (Item("n", Agg("count", make(draw, scope(relation.fields)))),))


def _counted_once_each(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    return Aggregate(relation, (), (Item("n", Agg("count", make(draw, scope(relation.fields)), distinct=True)),))


def fires() -> SearchStrategy[Case]:
    """NULL in conditions, and tests of values that are never NULL; shrinks to ``WHERE a <=> NULL``."""
    return anywhere(_propagated, places=(*ANYWHERE, _counted))


# Near misses: expressions that aren't NULL although an operand is, or that may be NULL.

_COLUMNS = (Column("a", INT), Column("b", INT), Column("c", BOOLEAN))


def _kleene(draw: DrawFn, fields: Fields) -> Expr:
    """``c AND NULL``, which is false if c is, or ``c OR NULL``, which is true if c is."""
    truth = fields[-1].column()
    return pick(draw, (And(truth, _UNKNOWN), Or(truth, _UNKNOWN), And(_UNKNOWN, truth), Or(_UNKNOWN, truth)))


def _null_item(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields)[:2])
    return InList(column, (known_literal(draw, INT), _null(INT), known_literal(draw, INT)), draw(st.booleans()))


def _null_first(draw: DrawFn, fields: Fields) -> Expr:
    one, two = pick(draw, (columns(fields)[:2], columns(fields)[1::-1]))
    return Coalesce((_null(INT), one, two))


def _no_branch(draw: DrawFn, fields: Fields) -> Expr:
    """A CASE branch with a condition that is NULL, which isn't taken."""
    one, two, _ = columns(fields)
    return CaseWhen((When(Compare("=", one, _null(INT)), one),), two)


def _nullable(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, columns(fields))


def _test(draw: DrawFn, fields: Fields) -> Expr:
    return IsNull(_nullable(draw, fields), negated=draw(st.booleans()))


def _test_of_several(draw: DrawFn, fields: Fields) -> Expr:
    """A test for NULL of a coalesce whose default may be NULL."""
    one, two, _ = columns(fields)
    return IsNull(Coalesce((one, two)), negated=draw(st.booleans()))


# Expressions that raise: SQL says for which rows they are evaluated.


def _by_zero(draw: DrawFn, fields: Fields) -> Expr:
    """A quotient, or a remainder, in the rows for which a condition is true."""
    one, two, truth = columns(fields)
    rest, quotient = RaisingArith("%", one, two), RaisingArith("/", one, two)
    return pick(
        draw, (CaseWhen((When(truth, rest),), one), CaseWhen((When(truth, rest),)), CaseWhen((When(truth, quotient),)))
    )


def _raise_error(draw: DrawFn, fields: Fields) -> Expr:
    one, two, truth = columns(fields)
    error = RaiseError("raised", INT)
    return pick(draw, (CaseWhen((When(truth, error),), one), Coalesce((two, error)), CaseWhen((When(truth, error),))))


def _kept_from_zero(draw: DrawFn, fields: Fields) -> Expr:
    """A remainder that a condition keeps from raising."""
    one, two, truth = columns(fields)
    rest, zero = RaisingArith("%", one, two), Lit(INT, 0)
    known = CaseWhen((When(Compare("=", two, zero), known_literal(draw, INT)),))
    return pick(
        draw,
        (
            CaseWhen((When(Compare("<>", two, zero), rest),), pick(draw, (one, None))),
            CaseWhen((When(And(truth, Compare(">", two, zero)), rest),)),
            Coalesce((known, rest)),
        ),
    )


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("and_or", _kleene, projected, fires=True, weight=2),
    _miss("null_safe", _null_safe, filtered, projected, fires=True),
    _miss("null_item", _null_item, projected, fires=True, weight=2),
    _miss("null_first", _null_first, projected, fires=True),
    _miss("no_branch", _no_branch, projected, fires=True),
    _miss("test", _test, filtered, projected, fires=False),
    _miss("test_of_several", _test_of_several, filtered, projected, fires=False),
    _miss("count", _nullable, _counted, fires=False, weight=2),
    _miss("count_of_a_default", _defaulted, _counted, fires=True),
    _miss("count_of_distinct_defaults", _defaulted, _counted_once_each, fires=False),
    _miss("by_zero", _by_zero, projected, fires=False, weight=2),
    _miss("raise_error", _raise_error, projected, fires=False, weight=2),
    _miss("kept_from_zero", _kept_from_zero, projected, fires=False, weight=3),
)
