"""Draw conditions about a column: comparisons, tests for NULL, lists and ranges, mostly with literals."""

from __future__ import annotations

from operator import attrgetter

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.field_reads import or_field
from strategies.draw.operands import Fields, columns, comparable
from strategies.draw.rewritable import in_long_list
from strategies.draw.values import draw_literal
from strategies.ir import (
    BIGINT,
    COMPARE_OPS,
    DATE,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Between,
    Cast,
    Compare,
    CompareOp,
    Expr,
    InList,
    IsNull,
    Lit,
    SqlType,
    integer_range,
)

LIKELY_OPS: tuple[CompareOp, ...] = (*COMPARE_OPS, "<>", "<=", ">=", "<=", ">=")
"""Operators of comparisons; those that hold for many rows more often."""

_ORDERED = (*INTEGERS, DATE, TIMESTAMP, TIMESTAMP_NTZ, STRING)
"""Types whose plain values sort like SQL's values."""


def _any_column(draw: DrawFn, fields: Fields) -> Expr:
    return or_field(draw, pick(draw, columns(fields)))


def comparison(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A column compared with a literal, with another column or with itself."""
    left = _any_column(draw, fields)
    op = pick(draw, LIKELY_OPS)
    if one_in(draw, 3) and (others := comparable(fields, left)):
        return Compare(op, left, pick(draw, others))
    literal = draw_literal(draw, left.type)
    return Compare(op, left, left if one_in(draw, 10) else literal)


def at_bounds(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """An integer column in a wider type, compared with the least or greatest number of its own type, or the next one
    beyond; any comparison where there is no such column.
    """
    narrow = [column for column in columns(fields) if column.type in _WIDER]
    if not narrow:
        return comparison(draw, fields, kind, depth)
    column = pick(draw, narrow)
    low, high = integer_range(column.type)
    wider = _WIDER[column.type]
    return Compare(pick(draw, LIKELY_OPS), Cast(column, wider), Lit(wider, pick(draw, (high, low, high + 1, low - 1))))


_WIDER: dict[SqlType, SqlType] = {TINYINT: SMALLINT, SMALLINT: INT, INT: BIGINT}


def null_test(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """Whether a column is NULL, or isn't."""
    return IsNull(_any_column(draw, fields), draw(st.booleans()))


def membership(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A column in a list of literals."""
    column = _any_column(draw, fields)
    items = [draw_literal(draw, column.type) for _ in range(pick(draw, (2, 1, 3, 4)))]
    drawn = InList(column, tuple(items), draw(st.booleans()))
    return in_long_list(draw, drawn) if one_in(draw, 4) else drawn


def value_range(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A column between two literals, which are mostly in order."""
    column = _any_column(draw, fields)
    low, high = draw_literal(draw, column.type), draw_literal(draw, column.type)
    if column.type in _ORDERED and low.value is not None and high.value is not None and not one_in(draw, 8):
        low, high = sorted((low, high), key=attrgetter("value"))
    return Between(column, low, high, draw(st.booleans()))
