"""Common parts of shapes about functions in Python: calls of them over columns of any type."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    INT,
    STRING,
    CaseWhen,
    Cast,
    Compare,
    CompareOp,
    Expr,
    IsNull,
    Item,
    Lit,
    Project,
    Relation,
    UserCall,
    When,
    can_cast,
)
from strategies.shapes.nulls import known_literal

_OPS: tuple[CompareOp, ...] = ("=", "<=>", ">=", "<", "<>")
SEVEN = UserCall("python", "seven", ())


def python(function: str, *operands: Expr) -> UserCall:
    """A call of the function in Python."""
    return UserCall("python", function, operands)


def listed(child: Relation, *calls: Expr) -> Project:
    """A projection of ``calls`` over ``child``."""
    return Project(child, tuple(Item(f"u{place}", call) for place, call in enumerate(calls)))


def call_of(draw: DrawFn, value: Expr) -> UserCall:
    """A call over ``value``, or over what it becomes as a number or as a text; shrinks to one function of it."""
    if value.type == BIGINT:
        return python("zero_if_null", value)
    if value.type != INT and (value.type == STRING or can_cast(value.type, STRING)):
        one = text(value)
        return pick(draw, (python("mark", one), python("same", one, Lit(STRING, "")), python("mark", one)))
    one = number(value)
    return pick(draw, (python("is_even", one), python("add", one, Lit(INT, 1)), python("add", Lit(INT, None), one)))


def call_of_both(draw: DrawFn, left: Expr, right: Expr) -> UserCall:
    """A call over ``left`` and ``right``; shrinks to the sum of both."""
    texts = all(each.type == STRING or can_cast(each.type, STRING) for each in (left, right))
    options: list[Callable[[], UserCall]] = [lambda: python("add", number(left), number(right))]
    if texts:
        options.append(lambda: python("same", text(left), text(right)))
    return pick(draw, options)()


def number(value: Expr) -> Expr:
    """``value`` as an INT: itself, or a number that says whether it is NULL."""
    if value.type == INT:
        return value
    return CaseWhen((When(IsNull(value), Lit(INT, 1)),), Lit(INT, 2))


def text(value: Expr) -> Expr:
    """``value``, whose type can be cast to STRING, as a text."""
    return value if value.type == STRING else Cast(value, STRING)


def met(draw: DrawFn, call: Expr) -> Expr:
    """A condition on ``call``; shrinks to the call itself, or to a comparison with 0."""
    if call.type == BOOLEAN:
        return call
    return Compare(pick(draw, _OPS), call, known_literal(draw, call.type))
