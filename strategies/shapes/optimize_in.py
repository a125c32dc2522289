"""Shape of OptimizeIn: IN lists of constants, which lose repeats, or become an equality (one item) or a set (many)."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.ir import (
    BIGINT,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    Case,
    Col,
    Column,
    Expr,
    InList,
    Lit,
    SqlType,
    Struct,
    Value,
)
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import anywhere, filtered, miss_over, projected

RULE = "OptimizeIn"
_THRESHOLD = 10
"""Spark's default: a list of more distinct items becomes a set."""
_FAR: dict[SqlType, tuple[Value, ...]] = {
    **{kind: tuple(range(101, 101 + _THRESHOLD)) for kind in (INT, BIGINT, SMALLINT)},
    DOUBLE: tuple(float(number).hex() for number in range(101, 101 + _THRESHOLD)),
    STRING: tuple(f"far {number}" for number in range(_THRESHOLD)),
    DATE: tuple(f"2030-01-{day}" for day in range(11, 11 + _THRESHOLD)),
}
"""As many values as a list may have, none of them in any cell."""


def _items(draw: DrawFn, kind: SqlType, count: int) -> tuple[Lit, ...]:
    return tuple(known_literal(draw, kind) for _ in range(count))


def _in(draw: DrawFn, operand: Expr, items: tuple[Expr, ...]) -> Expr:
    return InList(operand, items, draw(st.booleans()))


def _single(draw: DrawFn, column: Col) -> Expr:
    return _in(draw, column, _items(draw, column.type, 1))


def _repeating(draw: DrawFn, column: Col) -> Expr:
    """A list with an item at the front and at the end, now and then with NULL, except under NOT, which no row meets."""
    first, *others = _items(draw, column.type, pick(draw, (1, 2, 3)))
    if one_in(draw, 3):
        return InList(column, (first, *others, Lit(column.type, None), first))
    return _in(draw, column, (first, *others, first))


def _many(draw: DrawFn, column: Col) -> Expr:
    """A list so long that it becomes a set, with the items that occur in cells at the end."""
    if column.type not in _FAR:
        return _repeating(draw, column)
    far = tuple(Lit(column.type, value) for value in _FAR[column.type])
    return _in(draw, column, (*far, *_items(draw, column.type, pick(draw, (1, 2, 3)))))


def _optimized(draw: DrawFn, fields: Fields) -> Expr:
    # A struct's items are expressions of constants, and no constants themselves.
    flat = [column for column in columns(fields) if not isinstance(column.type, Struct)]
    return pick(draw, (_single, _repeating, _many))(draw, pick(draw, flat or columns(fields)))


def fires() -> SearchStrategy[Case]:
    """Lists of one item, with repeats, or of more than ten; shrinks to ``WHERE a IN (0)``."""
    return anywhere(_optimized)


_COLUMNS = (Column("a", INT), Column("b", INT))
_DOUBLES = (Column("a", DOUBLE), Column("b", DOUBLE))


def _null_item(draw: DrawFn, fields: Fields) -> Expr:
    """A list with NULL, which makes a miss NULL."""
    column = pick(draw, columns(fields))
    return _in(draw, column, (known_literal(draw, column.type), Lit(column.type, None)))


def _null_twice(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    pair = (known_literal(draw, column.type), Lit(column.type, None))
    return _in(draw, column, (*pair, *pair))


def _null_alone(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    return _in(draw, column, (Lit(column.type, None),) * pick(draw, (1, 2)))


def _many_and_null(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    far = tuple(Lit(column.type, value) for value in _FAR[column.type])
    return _in(draw, column, (*far, known_literal(draw, column.type), Lit(column.type, None)))


def _at_the_end(draw: DrawFn, fields: Fields) -> Expr:
    return _many(draw, pick(draw, columns(fields)))


def _ten(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, columns(fields))
    far = tuple(Lit(column.type, value) for value in _FAR[column.type][1:])
    return _in(draw, column, (*far, known_literal(draw, column.type)))


def _a_column(draw: DrawFn, fields: Fields) -> Expr:
    one, two = pick(draw, (columns(fields), columns(fields)[::-1]))
    value = known_literal(draw, one.type)
    return _in(draw, one, pick(draw, ((two, value), (value, two, value))))


def _zeros(draw: DrawFn, fields: Fields) -> Expr:
    zeros = [Lit(DOUBLE, number.hex()) for number in (0.0, -0.0)]
    items = (pick(draw, zeros), Lit(DOUBLE, "nan"), pick(draw, zeros), Lit(DOUBLE, "nan"))
    return _in(draw, pick(draw, columns(fields)), items)


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("null_item", _null_item, filtered, projected, fires=False),
    _miss("null_item_twice", _null_twice, projected, fires=True, weight=2),
    _miss("null_alone", _null_alone, projected, fires=True),
    _miss("many_and_null", _many_and_null, projected, fires=True, weight=2),
    _miss("at_the_end_of_many", _at_the_end, filtered, fires=True, weight=2),
    _miss("ten", _ten, filtered, projected, fires=False),
    _miss("a_column", _a_column, filtered, projected, fires=False, weight=2),
    _miss("zeros_and_nan", _zeros, projected, fires=True, columns=_DOUBLES),
)
