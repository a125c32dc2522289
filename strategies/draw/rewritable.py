"""Draw forms that the optimizer's expression rules rewrite: repeated conditions, constants beside their columns, long
lists, casts of casts. Independent draws would hardly ever make them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.grammar import Grammar
from strategies.draw.operands import Fields, columns, comparable
from strategies.draw.values import COLUMN_TYPES, draw_literal
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    INTEGERS,
    STRING,
    And,
    Cast,
    Col,
    Compare,
    Expr,
    InList,
    Lit,
    Not,
    Or,
    SqlType,
    TryCast,
    Value,
    can_cast,
    can_try_cast,
    is_plain,
)

# Conditions.


def shared_and(draw: DrawFn, of: Grammar, fields: Fields, left: Expr, right: Expr) -> Expr:
    """``left AND right``, or a conjunction with ``left`` in both parts, to be absorbed, refuted or factored out."""
    form = draw(below(8))
    if form == 7:
        return And(Or(left, right), Or(left, draw(of.predicates(fields, 0))))
    if form == 6:
        return And(left, Or(Not(left), right))
    if form == 5:
        return And(left, Not(left))
    return And(left, Or(left, right) if form == 4 else right)


def shared_or(draw: DrawFn, of: Grammar, fields: Fields, left: Expr, right: Expr) -> Expr:
    """``left OR right``, or a disjunction with ``left`` in both parts."""
    form = draw(below(8))
    if form == 7:
        return Or(And(left, right), And(left, draw(of.predicates(fields, 0))))
    if form == 6:
        return Or(left, And(Not(left), right))
    if form == 5:
        return Or(left, Not(left))
    return Or(left, And(left, right) if form == 4 else right)


def pinned(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A conjunction of ``column = literal`` and a condition on that column, or its negation, or a disjunction."""
    column = pick(draw, columns(fields))
    equal = Compare("=", column, draw_literal(draw, column.type))
    others = comparable(fields, column)
    other = pick(draw, others) if others else draw_literal(draw, column.type)
    beside = Compare(pick(draw, COMPARE_OPS), other, column)
    form = draw(below(8))
    return Or(equal, beside) if form >= 6 else Not(And(equal, beside)) if form >= 4 else And(equal, beside)


_FILLERS: dict[SqlType, tuple[Value, ...]] = {
    **{kind: tuple(range(4, 16)) for kind in INTEGERS},
    STRING: tuple("cdefghijklmn"),
}
"""Values that no table has, enough to make a list a set (spark.sql.optimizer.inSetConversionThreshold is 10)."""


def in_long_list(draw: DrawFn, short: InList) -> InList:
    """``short`` with so many items that Spark makes it a set, if the type has as many values; else with only NULL."""
    kind = short.operand.type
    if kind not in _FILLERS or one_in(draw, 3):
        return replace(short, items=(Lit(kind, None),))
    return replace(short, items=(*(Lit(kind, value) for value in _FILLERS[kind]), *short.items))


# Values.


@lru_cache(maxsize=4096)
def ways_through(fields: Fields, kind: SqlType) -> tuple[tuple[Col, SqlType], ...]:
    """Columns that cast to ``kind`` through another plain type, into which some of their values may not fit."""
    return tuple(
        (column, between)
        for column in columns(fields)
        if is_plain(column.type)
        for between in (*COLUMN_TYPES, BOOLEAN)
        if between not in (column.type, kind)
        and can_cast(between, kind)
        and (can_cast(column.type, between) or can_try_cast(column.type, between))
    )


def cast_through(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A cast of a cast, perhaps back to the first type, which may lose information."""
    column, between = pick(draw, ways_through(fields, kind))
    inner = Cast(column, between) if can_cast(column.type, between) else TryCast(column, between)
    return Cast(inner, kind)
