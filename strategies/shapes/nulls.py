"""Draw conditions that a row of NULLs meets, or doesn't meet, for filters over outer joins."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields, predicates
from strategies.draw.operands import columns, comparable
from strategies.draw.values import INDEXES, value_at
from strategies.ir import (
    BOOLEAN,
    And,
    CaseWhen,
    Coalesce,
    Col,
    Compare,
    CompareOp,
    Expr,
    InList,
    IsNull,
    Lit,
    Not,
    Or,
    SqlType,
    When,
    columns_of,
)

_PLAIN_OPS: tuple[CompareOp, ...] = ("=", ">=", "<=", "<>", ">", "<")
Condition = Callable[[DrawFn, Fields], Expr]


def rejecting(draw: DrawFn, side: Fields, both: Fields) -> Expr:
    """A condition that no row with NULL in all columns of ``side`` meets; shrinks to ``column = 0``.

    It is over ``side`` alone, or in one of four draws combined with any condition on a column of ``both``.
    """
    condition = pick(draw, _LIKELY)(draw, side)
    if not one_in(draw, 4):
        return condition
    other = draw(predicates(both, depth=1))
    return And(condition, other) if columns_of(other) else condition


def _column(draw: DrawFn, side: Fields) -> Col:
    return pick(draw, columns(side))


def known_literal(draw: DrawFn, kind: SqlType) -> Lit:
    """A literal other than NULL."""
    return Lit(kind, value_at(kind, pick(draw, range(INDEXES))))


def _compared(draw: DrawFn, side: Fields) -> Expr:
    column = _column(draw, side)
    return Compare(pick(draw, _PLAIN_OPS), column, known_literal(draw, column.type))


def _present(draw: DrawFn, side: Fields) -> Expr:
    return IsNull(_column(draw, side), negated=True)


def _listed(draw: DrawFn, side: Fields) -> Expr:
    column = _column(draw, side)
    items = tuple(known_literal(draw, column.type) for _ in range(pick(draw, (2, 1, 3))))
    return InList(column, items, draw(st.booleans()))


def _safely_compared(draw: DrawFn, side: Fields) -> Expr:
    column = _column(draw, side)
    return Compare("<=>", column, known_literal(draw, column.type))


def _negated(draw: DrawFn, side: Fields) -> Expr:
    return Not(_compared(draw, side))


def _two_columns(draw: DrawFn, side: Fields) -> Expr:
    column = _column(draw, side)
    others = comparable(side, column)
    return Compare(pick(draw, _PLAIN_OPS), column, pick(draw, others)) if others else _compared(draw, side)


def _either(draw: DrawFn, side: Fields) -> Expr:
    return Or(_compared(draw, side), _listed(draw, side))


REJECTING: dict[str, Condition] = {
    "comparison": _compared,
    "is_not_null": _present,
    "in_list": _listed,
    "null_safe_equal_to_a_value": _safely_compared,
    "not": _negated,
    "two_columns": _two_columns,
    "or": _either,
}
"""Conditions over one side that no row of NULLs meets."""
_LIKELY = (*[_compared] * 3, _present, *REJECTING.values())


def _defaulted(draw: DrawFn, side: Fields) -> Expr:
    """``coalesce(x, 0) = 0``."""
    column = _column(draw, side)
    default = known_literal(draw, column.type)
    return Compare("=", Coalesce((column, default)), default)


def _absent(draw: DrawFn, side: Fields) -> Expr:
    """``x IS NULL``."""
    return IsNull(_column(draw, side))


def _alike(draw: DrawFn, side: Fields) -> Expr:
    """``x <=> y``, or ``x <=> NULL`` if there is no comparable y."""
    column = _column(draw, side)
    return Compare("<=>", column, pick(draw, comparable(side, column) or (Lit(column.type, None),)))


def _unlike(draw: DrawFn, side: Fields) -> Expr:
    """``NOT (x <=> 0)``."""
    return Not(_safely_compared(draw, side))


def _branched(draw: DrawFn, side: Fields) -> Expr:
    """``CASE WHEN x = 0 THEN false ELSE true END``."""
    return CaseWhen((When(_compared(draw, side), Lit(BOOLEAN, False)),), Lit(BOOLEAN, True))


def _unknown(draw: DrawFn, side: Fields) -> Expr:
    """``(x IN (0, 1)) IS NULL``."""
    return IsNull(_listed(draw, side))


def _or_absent(draw: DrawFn, side: Fields) -> Expr:
    """``x > 0 OR y IS NULL``."""
    return Or(_compared(draw, side), _absent(draw, side))


ADMITTING: dict[str, Condition] = {
    "default": _defaulted,
    "is_null": _absent,
    "null_safe_equal": _alike,
    "not_null_safe_equal": _unlike,
    "case": _branched,
    "in_list_is_null": _unknown,
    "or_absent": _or_absent,
}
"""Conditions over one side that a row of NULLs meets, though they look like those that reject it."""
