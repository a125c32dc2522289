"""Forms that the optimizer's expression rules wait for: something twice, constants beside their columns, long lists,
a cast of a cast. Draws that know nothing of each other would hardly ever make them.
"""

from __future__ import annotations

from functools import lru_cache

from hypothesis.strategies import DrawFn

from strategies.draws import pick, rarely
from strategies.grammar import Grammar
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
from strategies.operands import Fields, columns, comparable
from strategies.values import COLUMN_TYPES, draw_literal

# Conditions.


def shared_part(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A condition in which a part stands twice, as itself or negated: what can be factored out, absorbed or refuted."""
    part, one = draw(of.predicates(fields, 0)), draw(of.predicates(fields, 0))
    form = pick(draw, range(6))
    if form == 0:
        return And(part, Not(part)) if rarely(draw, 2) else Or(part, Not(part))
    if form == 1:
        return And(part, Or(Not(part), one)) if rarely(draw, 2) else Or(part, And(Not(part), one))
    if form == 2:
        return And(part, Or(part, one)) if rarely(draw, 2) else Or(part, And(part, one))
    other = draw(of.predicates(fields, 0))
    if form == 3:
        return Or(And(part, one), And(part, other))
    return And(Or(part, one), Or(part, other))


def itself(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """Something compared with itself, of which only NULL is no true or false."""
    operand: Expr = pick(draw, columns(fields))
    if rarely(draw, 4):
        operand = draw(of.expressions(fields, operand.type, depth - 1))
    return Compare(pick(draw, COMPARE_OPS), operand, operand)


def pinned(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A column that equals a literal, and a condition on that column beside it."""
    column = pick(draw, columns(fields))
    equal = Compare("=", column, draw_literal(draw, column.type))
    others = comparable(fields, column)
    other = pick(draw, others) if others else draw_literal(draw, column.type)
    beside = Compare(pick(draw, COMPARE_OPS), other, column)
    return Or(equal, beside) if rarely(draw, 4) else And(equal, beside)


_FILLERS: dict[SqlType, tuple[Value, ...]] = {
    **{kind: tuple(range(4, 16)) for kind in INTEGERS},
    STRING: tuple("cdefghijklmn"),
}
"""Values that no table holds, more than make a list a set (spark.sql.optimizer.inSetConversionThreshold is 10)."""


def listed(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A column in a long list, or in one of NULL alone."""
    own = columns(fields)
    long = [column for column in own if column.type in _FILLERS]
    if not long or rarely(draw, 3):
        column = pick(draw, own)
        return InList(column, (Lit(column.type, None),), rarely(draw, 2))
    column = pick(draw, long)
    found = [draw_literal(draw, column.type) for _ in range(pick(draw, (1, 2, 3)))]
    fillers = [Lit(column.type, value) for value in _FILLERS[column.type]]
    return InList(column, (*fillers, *found), rarely(draw, 2))


# Values.


@lru_cache(maxsize=4096)
def ways_through(fields: Fields, kind: SqlType) -> tuple[tuple[Col, SqlType], ...]:
    """Columns that cast to ``kind`` by way of another plain type, which some of their values may not fit."""
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
    """A cast of a cast, there and back perhaps, with what is lost on the way."""
    column, between = pick(draw, ways_through(fields, kind))
    inner = Cast(column, between) if can_cast(column.type, between) else TryCast(column, between)
    return Cast(inner, kind)
