"""Draw expressions that may raise: guarded, or alone (:mod:`strategies.draw.errors` puts them into queries)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.calls import is_small
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import expressions, predicates
from strategies.draw.operands import Fields, columns, columns_of
from strategies.draw.values import draw_literal
from strategies.ir import (
    ARITH_OPS,
    COMPARE_OPS,
    DATE,
    DOUBLE,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    And,
    Array,
    Call,
    CaseWhen,
    Coalesce,
    Compare,
    Expr,
    Lit,
    Not,
    RaiseError,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    RaisingOp,
    When,
    can_try_cast,
)

Guarded = tuple[Expr, Expr | None]
"""An expression that may raise, and a condition under which it doesn't, if there is a simple one."""
_Make = Callable[[DrawFn, Fields], Guarded]

_TARGETS = (INT, SMALLINT, DOUBLE, DATE)


# Expressions that SQL evaluates for certain rows.


def choice(draw: DrawFn, fields: Fields, *, compared: int = 4) -> Expr:
    """An expression that may raise, or, in one of ``compared`` draws, a comparison of one: as a result of CASE or IF,
    an argument of COALESCE, or by itself, which comparisons are more often.
    """
    value, condition = raising(draw, fields)
    alone = 6
    if not isinstance(value, RaiseError) and one_in(draw, compared):
        value, alone = _compared(draw, value), 3
    if isinstance(value, RaiseError) or not one_in(draw, alone):
        safe = condition if condition is not None and draw(below(3)) < 2 else draw(predicates(fields, depth=1))
        return pick(draw, _CHOICES)(draw, fields, value, safe)
    return value


def _case(draw: DrawFn, fields: Fields, value: Expr, safe: Expr) -> Expr:
    return CaseWhen((When(safe, value),), draw(expressions(fields, value.type, depth=0)) if one_in(draw, 2) else None)


def _else(draw: DrawFn, fields: Fields, value: Expr, safe: Expr) -> Expr:
    return CaseWhen((When(Not(safe), draw(expressions(fields, value.type, depth=0))),), value)


def _if(draw: DrawFn, fields: Fields, value: Expr, safe: Expr) -> Expr:
    return Call("if", (safe, value, draw(expressions(fields, value.type, depth=0))))


def _coalesce(draw: DrawFn, fields: Fields, value: Expr, safe: Expr) -> Expr:
    """The value where another one is NULL: a column, or what CASE leaves NULL where the value is unsafe or unknown."""
    if own := columns_of(fields, value.type):
        return Coalesce((pick(draw, own), value))
    return Coalesce((CaseWhen((When(Not(safe), draw_literal(draw, value.type)),)), value))


_CHOICES: Sequence[Callable[[DrawFn, Fields, Expr, Expr], Expr]] = (_case, _case, _case, _else, _if, _if, _coalesce)


def raising(draw: DrawFn, fields: Fields) -> Guarded:
    """An expression over ``fields``, which have a column, that raises for some of their values.

    Shrinks to a sum, or else to ``raise_error``.
    """
    makes = tuple(make for make, can in _MAKES for _ in range(can(fields)))
    return pick(draw, makes)(draw, fields)


def overflow(draw: DrawFn, fields: Fields, ops: Sequence[RaisingOp], *, compared: int) -> Expr:
    """A column of ``fields``, which have one of integers, and a small constant under one of ``ops``: it overflows for
    the greatest or the least numbers. One in ``compared`` is compared.
    """
    column = pick(draw, [column for column in columns(fields) if column.type in INTEGERS])
    value = RaisingArith(pick(draw, ops), column, Lit(column.type, pick(draw, (1, 2, -1))))
    return _compared(draw, value) if one_in(draw, compared) else value


def _sum(draw: DrawFn, fields: Fields) -> Guarded:
    left = pick(draw, [column for column in columns(fields) if column.type in INTEGERS])
    right = pick(draw, (Lit(left.type, 1), Lit(left.type, 2), Lit(left.type, -1), *columns_of(fields, left.type)))
    small = is_small(left) if isinstance(right, Lit) else And(is_small(left), is_small(right))
    return RaisingArith(pick(draw, ARITH_OPS), left, right), small


def _quotient(draw: DrawFn, fields: Fields) -> Guarded:
    left = pick(draw, [column for column in columns(fields) if column.type in (*INTEGERS, DOUBLE)])
    right = pick(draw, columns_of(fields, left.type))
    op: RaisingOp = "%" if left.type in (SMALLINT, INT) and one_in(draw, 3) else "/"
    return RaisingArith(op, left, right), Compare("<>", right, _zero(right))


def _zero(column: Expr) -> Lit:
    return Lit(DOUBLE, (0.0).hex()) if column.type == DOUBLE else Lit(column.type, 0)


def _cast(draw: DrawFn, fields: Fields) -> Guarded:
    ways = [(column, to) for column in columns(fields) for to in _TARGETS if can_try_cast(column.type, to)]
    column, to = pick(draw, ways)
    if column.type in INTEGERS:
        return RaisingCast(column, to), is_small(column)
    if column.type == STRING and to != DATE:
        return RaisingCast(column, to), Compare("=", column, Lit(STRING, "12"))
    return RaisingCast(column, to), None


def _element(draw: DrawFn, fields: Fields) -> Guarded:
    array = pick(draw, [column for column in columns(fields) if isinstance(column.type, Array)])
    index = pick(draw, (Lit(INT, 0), Lit(INT, 1), Lit(INT, -1), *columns_of(fields, INT)))
    there = Compare("<", index, Call("size", (array,)))
    return RaisingElement(array, index), And(Compare(">=", index, Lit(INT, 0)), there)


def _error(draw: DrawFn, fields: Fields) -> Guarded:
    return RaiseError("raised", pick(draw, columns(fields)).type), None


def _has(*types: object) -> Callable[[Fields], int]:
    return lambda fields: 2 * int(any(column.type in types for column in columns(fields)))


def _can_cast(fields: Fields) -> int:
    return 2 * int(any(can_try_cast(column.type, to) for column in columns(fields) for to in _TARGETS))


def _has_array(fields: Fields) -> int:
    return 24 * int(any(isinstance(column.type, Array) for column in columns(fields)))


_MAKES: tuple[tuple[_Make, Callable[[Fields], int]], ...] = (
    (_sum, _has(*INTEGERS)),
    (_quotient, _has(*INTEGERS, DOUBLE)),
    (_cast, _can_cast),
    (_element, _has_array),
    (_error, lambda _: 1),
)
"""Makers of expressions, each with its number of places among the choices for given columns."""


def tested(draw: DrawFn, fields: Fields) -> Expr:
    """A condition over ``fields``, which have a column, that may raise."""
    return _compared(draw, raising(draw, fields)[0])


def _compared(draw: DrawFn, value: Expr) -> Expr:
    return Compare(pick(draw, COMPARE_OPS), value, draw_literal(draw, value.type))
