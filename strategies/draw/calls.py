"""Draw calls of functions: arguments, constants, and guards for functions that are not total."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.constants import CONSTANTS
from strategies.draw.draws import one_in, pick
from strategies.draw.grammar import Grammar
from strategies.draw.operands import (
    Application,
    Fields,
    array_calls,
    calls,
    calls_by_name,
    decimal_ways,
    own_types,
    tried_sources,
)
from strategies.ir import (
    DATE,
    FUNCTIONS,
    INTEGERS,
    MOVES,
    OVERFLOWS,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Arith,
    Between,
    Call,
    CaseWhen,
    Expr,
    Lit,
    SqlType,
    TryCast,
    When,
)

_MIDDLE_OF_CALENDAR: dict[SqlType, tuple[Lit, Lit]] = {
    DATE: (Lit(DATE, "0101-01-01"), Lit(DATE, "9900-12-31")),
    **{
        kind: (Lit(kind, "0101-01-01 00:00:00.000000"), Lit(kind, "9900-12-31 00:00:00.000000"))
        for kind in (TIMESTAMP, TIMESTAMP_NTZ)
    },
}
_SMALL = 1000
_NESTED = ("concat", "binary_concat")
"""Functions of which Spark makes one of two, one in the other."""


def is_small(operand: Expr) -> Expr:
    """The guard for an integer from -1000 to 1000: sums and products of a few of these fit into every type."""
    return Between(operand, Lit(operand.type, -_SMALL), Lit(operand.type, _SMALL))


def _guard(name: str, operand: Expr) -> Expr | None:
    """The condition under which the function is safe, or None if it always is."""
    if name in MOVES:
        return Between(operand, *_MIDDLE_OF_CALENDAR[operand.type])
    if name not in OVERFLOWS or operand.type not in INTEGERS:
        return None
    return (
        Between(operand, Lit(operand.type, 0), Lit(operand.type, _SMALL)) if name == "shift_left" else is_small(operand)
    )


def called(draw: DrawFn, of: Grammar, fields: Fields, application: Application, depth: int) -> Expr:
    """A call with drawn arguments, the first one about ``depth`` - 1 levels deep, and with its guard."""
    name, types, fixed = application
    signature = FUNCTIONS[name]
    arguments: list[Expr] = []
    for position, kind in enumerate(types):
        if position in signature.constants:
            place = signature.constants.index(position)
            value = pick(draw, CONSTANTS[name][place]) if fixed is None else fixed[place]
            arguments.append(Lit(kind, value))
        else:
            arguments.append(draw(of.expressions(fields, kind, 0 if arguments else depth - 1)))
    if name in _NESTED and depth > 0 and one_in(draw, 3):
        arguments[0] = Call(name, (arguments[0], draw(of.expressions(fields, types[0], 0))))
    call = Call(name, tuple(arguments))
    guard = _guard(name, arguments[0])
    return call if guard is None else CaseWhen((When(guard, call),))


def call(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A function of columns and expressions over them."""
    return called(draw, of, fields, pick(draw, calls(own_types(fields), kind)), depth)


def any_call(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A function of columns, of expressions over them or of a computed array, whatever its result's type: each function
    as often as any other.
    """
    return called(draw, of, fields, pick(draw, pick(draw, calls_by_name(own_types(fields)))), depth)


def array_call(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A function of a computed array."""
    return called(draw, of, fields, pick(draw, array_calls(own_types(fields), kind)), depth)


def try_cast(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A cast from a type whose values may not fit."""
    return TryCast(draw(of.expressions(fields, pick(draw, tried_sources(fields, kind)), depth - 1)), kind)


def decimals(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """Arithmetic of decimals, with a result type that holds every value."""
    op, left, right = pick(draw, decimal_ways(own_types(fields), kind))
    return Arith(op, draw(of.expressions(fields, left, depth - 1)), draw(of.expressions(fields, right, 0)))
