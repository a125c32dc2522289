"""Functions of numbers, functions of conditions, and functions that choose among values of any type."""

from __future__ import annotations

from strategies.ir.signatures import ANY, Signature, is_plain
from strategies.ir.types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    Decimal,
    SqlType,
)

_FLOATING = {*INTEGERS, DOUBLE}
_NARROW = {SMALLINT, INT}
_BITS = {INT, BIGINT}
_MAX_DIVISOR = 10_000


def _is_decimal(kind: SqlType) -> bool:
    return isinstance(kind, Decimal) and kind.precision <= 18


def _is_number(kind: SqlType) -> bool:
    return kind in _FLOATING or _is_decimal(kind)


def _has_fraction(kind: SqlType) -> bool:
    return isinstance(kind, Decimal) and kind.scale > 0 and kind.precision <= 30


def _rounded(kind: Decimal, digits: int = 0) -> SqlType:
    scale = min(kind.scale, digits)
    return Decimal(kind.precision - kind.scale + 1 + scale, scale)


_WRITTEN = Signature((ANY,), ANY, over=(*INTEGERS, BOOLEAN).__contains__)
_TEST = Signature((BOOLEAN,), BOOLEAN)
_BITWISE = Signature((ANY, ANY), ANY, over=INTEGERS.__contains__)
_QUOTIENT = Signature((ANY, ANY), DOUBLE, over=_FLOATING.__contains__)

NUMBER_FUNCTIONS: dict[str, Signature] = {
    "abs": Signature((ANY,), ANY, over=_is_number),
    "negative": Signature((ANY,), ANY, over=_is_number),
    "sign": Signature((ANY,), DOUBLE, over=_FLOATING.__contains__),
    "divide": _QUOTIENT,
    "try_divide": _QUOTIENT,
    "try_divide_is_null": Signature((INT, ANY), BOOLEAN, over=_is_decimal),
    "int_divide": Signature((ANY, ANY), BIGINT, over=_NARROW.__contains__),
    "modulo": Signature((ANY, ANY), ANY, over=_NARROW.__contains__),
    "double_modulo": Signature((DOUBLE, DOUBLE), DOUBLE),
    "decimal_modulo": Signature((ANY, ANY), ANY, over=_is_decimal),
    "positive_modulo": Signature((ANY, ANY), ANY, (1,), lambda by: 0 < by <= _MAX_DIVISOR, INTEGERS.__contains__),
    "bit_and": _BITWISE,
    "bit_or": _BITWISE,
    "bit_xor": _BITWISE,
    "bit_not": Signature((ANY,), ANY, over=INTEGERS.__contains__),
    "bit_count": Signature((ANY,), INT, over=(*INTEGERS, BOOLEAN).__contains__),
    "conv": Signature((ANY, INT), STRING, (1,), lambda base: abs(base) in (2, 16), INTEGERS.__contains__),
    "shift_left": Signature((ANY, INT), ANY, (1,), lambda places: 0 <= places <= 10, _BITS.__contains__),
    "shift_right": Signature((ANY, INT), ANY, (1,), lambda places: 0 <= places <= 31, _BITS.__contains__),
    "floor": Signature((DOUBLE,), BIGINT),
    "ceil": Signature((DOUBLE,), BIGINT),
    "round": Signature((DOUBLE,), DOUBLE),
    "round_half_even": Signature((DOUBLE,), DOUBLE),
    "decimal_floor": Signature((ANY,), _rounded, over=_has_fraction),
    "decimal_ceil": Signature((ANY,), _rounded, over=_has_fraction),
    "decimal_round": Signature((ANY, INT), _rounded, (1,), lambda digits: 0 <= digits <= 2, _has_fraction),
    "square_root": Signature((DOUBLE,), DOUBLE),
    "integer_power": Signature((INT, INT), DOUBLE, (1,), lambda exponent: 0 <= exponent <= 3),
    "is_nan": Signature((DOUBLE,), BOOLEAN),
    "nanvl": Signature((DOUBLE, DOUBLE), DOUBLE),
    "double_text": Signature((DOUBLE,), STRING),
    "zero_text": Signature((DOUBLE,), STRING),
    "is_true": _TEST,
    "is_not_true": _TEST,
    "is_false": _TEST,
    "is_not_false": _TEST,
    "is_unknown": _TEST,
    "if": Signature((BOOLEAN, ANY, ANY), ANY),
    "nvl": Signature((ANY, ANY), ANY),
    "nvl2": Signature((ANY, ANY, ANY), ANY),
    "greatest": Signature((ANY, ANY), ANY, over=is_plain),
    "least": Signature((ANY, ANY), ANY, over=is_plain),
    "field_of_json": _WRITTEN,
    "field_of_json_array": _WRITTEN,
    "is_struct_of_json": Signature((INT,), BOOLEAN),
    "field_of_csv": _WRITTEN,
}
"""``conv`` writes an integer to base 2 or 16, in 64 bits, or with a sign if the base is negative; of the least
BIGINT, all bits are set. Division by zero is NULL, and so are ``floor`` and ``ceil`` of values out of BIGINT's range,
``square_root`` of negative values, ``integer_power`` of values above a thousand, and ``double_text`` of values other
than a few eighths. ``zero_text`` is the text of a zero with its sign, and NULL for any other number.
"""
