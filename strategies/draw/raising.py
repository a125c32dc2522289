"""Draw expressions that may raise, and put them into drawn queries: guarded, alone, or where SQL fixes no order.

The rest of a query is drawn without errors (see :mod:`strategies.draw.exprs`), so a share of the queries gets one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from hypothesis.strategies import DrawFn

from strategies.draw.calls import is_small
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import expressions, predicates
from strategies.draw.operands import Fields, columns, columns_of
from strategies.draw.scopes import new_names, scope
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
    Filter,
    InvalidQuery,
    Item,
    Lit,
    Node,
    Not,
    Project,
    RaiseError,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    RaisingOp,
    Relation,
    TryArith,
    TryCast,
    When,
    can_try_cast,
    from_fields,
    may_raise,
    transform,
    walk,
    without_ansi,
)

RAISING = 16
"""One drawn query in this many has an expression that may raise."""

Guarded = tuple[Expr, Expr | None]
"""An expression that may raise, and a condition under which it doesn't, if there is a simple one."""
_Make = Callable[[DrawFn, Fields], Guarded]

_TARGETS = (INT, SMALLINT, DOUBLE, DATE)
_QUOTIENTS: dict[str, RaisingOp] = {"divide": "/", "modulo": "%"}


def with_error(draw: DrawFn, query: Relation) -> Relation:
    """``query`` with an expression that may raise; ``query`` itself if there is no place for one.

    In two of three draws the expression is in a select list on top, where SQL fixes that it is evaluated; otherwise in
    place of one that is NULL where it would raise, or in a filter on top. Shrinks to a guarded sum on top.
    """
    return _unguarded(draw, query) if one_in(draw, 3) else _selected(draw, query)


def in_mode(query: Relation, *, ansi: bool) -> tuple[Relation, bool]:
    """``query`` as it is in this ANSI mode, and the mode that it needs: ANSI for what has no NULL without it."""
    if ansi or not may_raise(query):
        return query, ansi
    try:
        return cast(Relation, without_ansi(query)), False
    except InvalidQuery:
        return query, True


def _selected(draw: DrawFn, query: Relation) -> Relation:
    fields = scope(query.fields)
    own = columns(fields)
    if query.up_to_engine or not own:
        return query
    values = [choice(draw, fields), *(pick(draw, own) for _ in range(draw(below(3))))]
    names = new_names(draw, fields, len(values))
    return Project(query, tuple(Item(name, value) for name, value in zip(names, values, strict=True)))


def _unguarded(draw: DrawFn, query: Relation) -> Relation:
    if query.up_to_engine:
        return query
    guarded = [node for node in walk(query) if _without_guard(node) is not node]
    if guarded:
        chosen = pick(draw, guarded)
        try:
            return cast(Relation, transform(query, lambda node: _without_guard(node) if node == chosen else node))
        except InvalidQuery:
            return query
    fields = scope(from_fields(query))
    if not columns(fields):
        return query
    value = raising(draw, fields)[0]
    tested = Compare(pick(draw, COMPARE_OPS), value, draw_literal(draw, value.type))
    return Filter(query, And(draw(predicates(fields, depth=1)), tested) if one_in(draw, 2) else tested)


def _without_guard(node: Node) -> Node:
    """``node`` as an expression that may raise, if it is one that is NULL where it would raise."""
    match node:
        case TryArith(op=op, left=left, right=right) if left.type in INTEGERS:
            return RaisingArith(op, left, right)
        case TryCast(operand=operand, to=to):
            return RaisingCast(operand, to)
        case Call(function=name, arguments=(left, right)) if name in _QUOTIENTS:
            return RaisingArith(_QUOTIENTS[name], left, right)
    return node


# Expressions that SQL evaluates for certain rows.


def choice(draw: DrawFn, fields: Fields) -> Expr:
    """An expression that may raise, as a result of CASE or IF, an argument of COALESCE, or by itself."""
    value, condition = raising(draw, fields)
    if isinstance(value, RaiseError) or draw(below(6)) < 5:
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
    return 5 * int(any(isinstance(column.type, Array) for column in columns(fields)))


_MAKES: tuple[tuple[_Make, Callable[[Fields], int]], ...] = (
    (_sum, _has(*INTEGERS)),
    (_quotient, _has(*INTEGERS, DOUBLE)),
    (_cast, _can_cast),
    (_element, _has_array),
    (_error, lambda _: 1),
)
"""What makes an expression, and how often it is among the choices for given columns."""
