"""Casts that can't fail, and casts that return NULL instead of an error."""

from __future__ import annotations

from dataclasses import dataclass

from strategies.ir.expressions import Col, Expr
from strategies.ir.types import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    WHOLE,
    Collated,
    Decimal,
    SqlType,
    type_text,
)


@dataclass(frozen=True, slots=True)
class Cast(Expr):
    """A cast that can't fail for any value; see :func:`can_cast`."""

    operand: Expr
    to: SqlType

    def __post_init__(self) -> None:
        if not can_cast(self.operand.type, self.to):
            raise self._refuse(f"{type_text(self.operand.type)} to {type_text(self.to)} may fail or differ")
        if isinstance(self.operand.type, Collated) and not isinstance(self.operand, Col):
            raise self._refuse("of texts under a collation, columns alone are cast")
        self._has_type(self.to)


@dataclass(frozen=True, slots=True)
class TryCast(Expr):
    """A cast that is NULL for values out of range or, in text, of another spelling; see :func:`can_try_cast`."""

    operand: Expr
    to: SqlType

    def __post_init__(self) -> None:
        if not can_try_cast(self.operand.type, self.to):
            raise self._refuse(f"{type_text(self.operand.type)} to {type_text(self.to)} differs")
        self._has_type(self.to)


_NUMBERS = (*WHOLE, DOUBLE)
_SAFE_CASTS: frozenset[tuple[SqlType, SqlType]] = frozenset(
    {
        *((TINYINT, wider) for wider in (SMALLINT, INT, BIGINT, FLOAT, DOUBLE, STRING)),
        (SMALLINT, INT),
        (SMALLINT, BIGINT),
        (INT, BIGINT),
        (SMALLINT, DOUBLE),
        (INT, DOUBLE),
        (BIGINT, DOUBLE),
        (SMALLINT, FLOAT),
        (FLOAT, DOUBLE),
        (BOOLEAN, STRING),
        (SMALLINT, STRING),
        (INT, STRING),
        (BIGINT, STRING),
        (DATE, STRING),
        (TIMESTAMP_NTZ, STRING),
        (TIMESTAMP, STRING),
        (DATE, TIMESTAMP_NTZ),
        (DATE, TIMESTAMP),
        (TIMESTAMP_NTZ, DATE),
        (TIMESTAMP, DATE),
        (TIMESTAMP_NTZ, TIMESTAMP),
        (TIMESTAMP, TIMESTAMP_NTZ),
        (STRING, BINARY),
        *((BOOLEAN, number) for number in _NUMBERS),
        *((number, BOOLEAN) for number in _NUMBERS),
    }
)
_WHOLE_DIGITS: dict[SqlType, int] = {BOOLEAN: 1, TINYINT: 3, SMALLINT: 5, INT: 10, BIGINT: 19}
_EXACT_DIGITS = 15
"""Decimals of up to this many digits cast to the nearest double on both engines."""


def can_cast(source: SqlType, target: SqlType) -> bool:
    """Whether every value of ``source`` casts to ``target``, with one result on both engines."""
    if source == target or (source, target) in _SAFE_CASTS:
        return True
    if isinstance(source, Collated):
        return target == STRING
    if not isinstance(target, Decimal):
        if not isinstance(source, Decimal):
            return False
        # With more digits after the point Spark writes 1E-7, except in ANSI mode.
        return (target == STRING and source.scale <= 6) or (target == DOUBLE and source.precision <= _EXACT_DIGITS)
    room = target.precision - target.scale
    if isinstance(source, Decimal):
        return room >= source.precision - source.scale and target.scale >= source.scale
    return room >= _WHOLE_DIGITS.get(source, 39)


_TRIED_CASTS: frozenset[tuple[SqlType, SqlType]] = frozenset(
    {
        (BIGINT, INT),
        (BIGINT, SMALLINT),
        (INT, SMALLINT),
        *((integer, TINYINT) for integer in INTEGERS),
        *((DOUBLE, integer) for integer in INTEGERS),
        *((STRING, target) for target in (*INTEGERS, DOUBLE, BOOLEAN, DATE)),
    }
)


def can_try_cast(source: SqlType, target: SqlType) -> bool:
    """Whether the same values of ``source`` don't fit ``target``, and become NULL, on both engines."""
    if (source, target) in _TRIED_CASTS:
        return True
    if isinstance(source, Decimal) and source.precision <= 18:
        return target in INTEGERS or (isinstance(target, Decimal) and target.precision <= 18)
    return isinstance(target, Decimal) and target.precision <= 18 and source in (*INTEGERS, STRING)
