"""SQL types, and the plain values of cells and literals.

A value is plain data (``None | bool | int | str``), so that ``eval(repr(x)) == x`` holds for NaN and -0.0
too, and a failure file needs no pickle. The text of each type's values:

======================  ==================================================================
BOOLEAN                 ``bool``
TINYINT to BIGINT       ``int`` within the type's range
DOUBLE                  ``float.hex()`` text, also ``nan``, ``inf``, ``-inf``
FLOAT                   the same, of a number that has 32 bits
DECIMAL(p, s)           digits with exactly ``s`` of them after the point, e.g. ``1.25``
STRING                  ``str``, under a collation, too
BINARY                  lower-case hexadecimal
DATE                    ``YYYY-MM-DD``
TIMESTAMP               ``YYYY-MM-DD HH:MM:SS.ffffff``, an instant, written in UTC
TIMESTAMP_NTZ           the same text, without a zone
INTERVAL                ``int``, the microseconds of an interval of days to seconds
MONTHS                  ``int``, the months of an interval of years to months
TIME                    ``int``, the nanoseconds from midnight to a time of day, in whole microseconds
ARRAY                   ``tuple`` of its elements' values
STRUCT                  ``tuple`` of its fields' values, in order
MAP                     ``tuple`` of its entries, each a ``tuple`` of a key, never NULL, and its value
======================  ==================================================================
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias, get_args

Value: TypeAlias = "bool | int | str | tuple[Value, ...] | None"


class InvalidQuery(ValueError):
    """A node, a table or a value is invalid; the message says which and why."""


@dataclass(frozen=True, slots=True)
class SqlType:
    """A type that both engines have, with the same meaning."""


@dataclass(frozen=True, slots=True, repr=False)
class Atomic(SqlType):
    """A type without parameters; ``name`` is its SQL name and its Python constant here."""

    name: str

    def __repr__(self) -> str:
        return self.name


BOOLEAN = Atomic("BOOLEAN")
TINYINT = Atomic("TINYINT")
SMALLINT = Atomic("SMALLINT")
INT = Atomic("INT")
BIGINT = Atomic("BIGINT")
DOUBLE = Atomic("DOUBLE")
FLOAT = Atomic("FLOAT")
STRING = Atomic("STRING")
BINARY = Atomic("BINARY")
DATE = Atomic("DATE")
TIMESTAMP = Atomic("TIMESTAMP")
TIMESTAMP_NTZ = Atomic("TIMESTAMP_NTZ")
INTERVAL = Atomic("INTERVAL")
MONTHS = Atomic("MONTHS")
TIME = Atomic("TIME")

INTEGERS: tuple[SqlType, ...] = (SMALLINT, INT, BIGINT)
"""The integer types that have arithmetic."""
WHOLE: tuple[SqlType, ...] = (TINYINT, *INTEGERS)
"""All integer types: TINYINT is stored, cast and compared alone."""
FLOATING: tuple[SqlType, ...] = (DOUBLE, FLOAT)
"""The types with NaN and both zeros. FLOAT is stored, cast and compared alone."""
ATOMIC: dict[str, SqlType] = {
    repr(kind): kind
    for kind in (BOOLEAN, *WHOLE, *FLOATING, STRING, BINARY, DATE, TIMESTAMP, TIMESTAMP_NTZ, INTERVAL, MONTHS, TIME)
}
"""The types without parameters by name."""
_INTEGER_BITS: dict[SqlType, int] = {TINYINT: 8, SMALLINT: 16, INT: 32, BIGINT: 64}
_INTEGER_DIGITS: dict[SqlType, int] = {TINYINT: 3, SMALLINT: 5, INT: 10, BIGINT: 20}


@dataclass(frozen=True, slots=True)
class Decimal(SqlType):
    """DECIMAL(precision, scale); results may be wider than columns (up to 38 digits)."""

    precision: int
    scale: int

    def __post_init__(self) -> None:
        if not 0 <= self.scale <= self.precision <= 38 or self.precision < 1:
            raise InvalidQuery(f"{type_text(self)}: needs 0 <= scale <= precision, 1 to 38 digits")


@dataclass(frozen=True, slots=True)
class Array(SqlType):
    """ARRAY<element>; elements may be NULL."""

    element: SqlType


@dataclass(frozen=True, slots=True)
class Struct(SqlType):
    """STRUCT<name: type, ...>; names are identifiers, and differ in more than upper and lower case."""

    fields: tuple[tuple[str, SqlType], ...]

    def __post_init__(self) -> None:
        names = [name for name, _ in self.fields]
        plain = all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) for name in names)
        if not names or not plain or len({name.casefold() for name in names}) != len(names):
            raise InvalidQuery(f"STRUCT: needs plain names and none twice, got {names}")

    def field(self, name: str) -> SqlType | None:
        """The type of the field ``name``, or None if there is no such field."""
        return dict(self.fields).get(name)


@dataclass(frozen=True, slots=True)
class Map(SqlType):
    """MAP<key, value>. Values may be NULL, keys not; no key is there twice."""

    key: SqlType
    value: SqlType


Collation = Literal["UTF8_LCASE", "UTF8_BINARY_RTRIM", "UTF8_LCASE_RTRIM"]
COLLATIONS: tuple[Collation, ...] = get_args(Collation)


@dataclass(frozen=True, slots=True)
class Collated(SqlType):
    """STRING COLLATE collation: texts whose case (LCASE) or spaces at the end (RTRIM) don't count in comparisons."""

    collation: Collation

    def __post_init__(self) -> None:
        if self.collation not in COLLATIONS:
            raise InvalidQuery(f"no collation {self.collation!r}")


def has_collation(kind: SqlType) -> bool:
    """Whether ``kind`` is a text under a collation, or made of one."""
    if isinstance(kind, Array):
        return has_collation(kind.element)
    if isinstance(kind, Struct):
        return any(has_collation(field) for _, field in kind.fields)
    if isinstance(kind, Map):
        return has_collation(kind.key) or has_collation(kind.value)
    return isinstance(kind, Collated)


def is_made_of(kind: SqlType, wanted: SqlType) -> bool:
    """Whether ``kind`` is ``wanted``, or has it inside."""
    if isinstance(kind, Array):
        return is_made_of(kind.element, wanted)
    if isinstance(kind, Map):
        return is_made_of(kind.key, wanted) or is_made_of(kind.value, wanted)
    return any(is_made_of(field, wanted) for _, field in kind.fields) if isinstance(kind, Struct) else kind == wanted


def integer_range(kind: SqlType) -> tuple[int, int]:
    """Least and greatest value of TINYINT, SMALLINT, INT or BIGINT."""
    bits = _INTEGER_BITS[kind]
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def common_type(one: SqlType, two: SqlType) -> SqlType | None:
    """The type to which both engines widen a column made of ``one`` and ``two``, or None if they differ.

    Covers equal types, integers, integer with double or decimal, FLOAT with DOUBLE, decimals, and date with the
    timestamps. BIGINT with DECIMAL is left out (Spark counts BIGINT as 20 digits, DuckDB as 19), and FLOAT with
    integers (DOUBLE in Spark's ANSI mode, else FLOAT).
    """
    if one == two:
        return one
    pair = {one, two}
    if pair <= set(WHOLE):
        return max(pair, key=lambda kind: integer_range(kind)[1])
    if pair <= {*WHOLE, DOUBLE} or pair <= set(FLOATING):
        return DOUBLE
    if pair <= {DATE, TIMESTAMP, TIMESTAMP_NTZ}:
        return TIMESTAMP if TIMESTAMP in pair else TIMESTAMP_NTZ
    if any(isinstance(kind, Decimal) for kind in pair) and not pair & {BIGINT}:
        sides = [_as_decimal(kind) for kind in (one, two)]
        if None not in sides:
            scale = max(side.scale for side in sides if side)
            whole = max(side.precision - side.scale for side in sides if side)
            return Decimal(whole + scale, scale) if whole + scale <= 38 else None
    return None


def _as_decimal(kind: SqlType) -> Decimal | None:
    if isinstance(kind, Decimal):
        return kind
    return Decimal(_INTEGER_DIGITS[kind], 0) if kind in (TINYINT, SMALLINT, INT) else None


def type_text(kind: SqlType) -> str:
    """Plain text of a type for files: ``INT``, ``DECIMAL(10,2)``, ``ARRAY<INT>``, ``STRUCT<p: INT>`` and the like."""
    if isinstance(kind, Map):
        return f"MAP<{type_text(kind.key)}, {type_text(kind.value)}>"
    if isinstance(kind, Array):
        return f"ARRAY<{type_text(kind.element)}>"
    if isinstance(kind, Struct):
        return f"STRUCT<{', '.join(f'{name}: {type_text(field)}' for name, field in kind.fields)}>"
    if isinstance(kind, Decimal):
        return f"DECIMAL({kind.precision},{kind.scale})"
    if isinstance(kind, Collated):
        return f"{type_text(STRING)} COLLATE {kind.collation}"
    return _SPELLED.get(kind) or repr(kind)


_SPELLED: dict[SqlType, str] = {INTERVAL: "INTERVAL DAY TO SECOND", MONTHS: "INTERVAL YEAR TO MONTH", TIME: "TIME(6)"}


def type_from_text(text: str) -> SqlType:
    """Inverse of :func:`type_text`; raises InvalidQuery for anything else."""
    if text in ATOMIC:
        return ATOMIC[text]
    for kind, name in _SPELLED.items():
        if text == name:
            return kind
    if match := re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", text):
        return Decimal(int(match[1]), int(match[2]))
    if match := re.fullmatch(r"ARRAY<(.+)>", text):
        return Array(type_from_text(match[1]))
    if match := re.fullmatch(r"STRUCT<(.+)>", text):
        parts = [part.partition(": ") for part in _parts(match[1])]
        return Struct(tuple((name, type_from_text(kind)) for name, _, kind in parts))
    if (match := re.fullmatch(r"MAP<(.+)>", text)) and len(pair := _parts(match[1])) == 2:
        return Map(*map(type_from_text, pair))
    for collation in COLLATIONS:
        if text == type_text(Collated(collation)):
            return Collated(collation)
    raise InvalidQuery(f"no such type: {text!r}")


def _parts(text: str) -> list[str]:
    """Split ``text`` at its commas, except those inside ``<>``."""
    parts, depth = [""], 0
    for sign in re.split(r"(, |[<>])", text):
        depth += (sign == "<") - (sign == ">")
        if sign == ", " and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def check_value(kind: SqlType, value: Value) -> None:
    """Raise InvalidQuery unless ``value`` is NULL or the canonical text of a value of ``kind``."""
    if value is not None and not _is_valid(kind, value):
        raise InvalidQuery(f"{value!r} is not the plain value of a {type_text(kind)}")


def _is_valid(kind: SqlType, value: Value) -> bool:
    if isinstance(kind, Decimal):
        return _is_decimal(kind, value)
    if isinstance(kind, Array):
        return isinstance(value, tuple) and all(each is None or _is_valid(kind.element, each) for each in value)
    if isinstance(kind, Struct):
        fits = isinstance(value, tuple) and len(value) == len(kind.fields)
        return fits and all(
            each is None or _is_valid(field, each)
            for (_, field), each in zip(kind.fields, value, strict=True)  # type: ignore[arg-type]  # a tuple, it fits
        )
    if isinstance(kind, Map):
        return _is_map(kind, value)
    if isinstance(kind, Collated):
        return _is_string(value)
    return _VALID[kind](value)


def _is_map(kind: Map, value: Value) -> bool:
    if not isinstance(value, tuple) or not all(isinstance(entry, tuple) and len(entry) == 2 for entry in value):
        return False
    entries: tuple[tuple[Value, Value], ...] = value  # type: ignore[assignment]  # tuples of two, see above
    return len({repr(key) for key, _ in entries}) == len(entries) and all(
        key is not None and _is_valid(kind.key, key) and (each is None or _is_valid(kind.value, each))
        for key, each in entries
    )


def _is_decimal(kind: Decimal, value: Value) -> bool:
    match = re.fullmatch(r"-?([0-9]+)(?:[.]([0-9]+))?", value) if isinstance(value, str) else None
    if match is None or len(match[2] or "") != kind.scale:
        return False
    return len(match[1].lstrip("0")) <= kind.precision - kind.scale


def _is_integer(kind: SqlType) -> Callable[[Value], bool]:
    low, high = integer_range(kind)
    return lambda value: type(value) is int and low <= value <= high


def _is_time_of_day(value: Value) -> bool:
    return type(value) is int and 0 <= value < 86_400_000_000_000 and value % 1_000 == 0


def _is_double(value: Value) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return float.fromhex(value).hex() == value
    except (ValueError, OverflowError):  # no number, or a greater one than any double
        return False


def _is_float(value: Value) -> bool:
    if not _is_double(value):
        return False
    try:
        narrow: float = struct.unpack("f", struct.pack("f", float.fromhex(str(value))))[0]
    except OverflowError:
        return False
    return narrow.hex() == value


def _is_string(value: Value) -> bool:
    # A lone surrogate has no UTF-8, so neither engine could store it.
    return isinstance(value, str) and re.search("[\ud800-\udfff]", value) is None


def _is_binary(value: Value) -> bool:
    return isinstance(value, str) and re.fullmatch(r"([0-9a-f]{2})*", value) is not None


def _is_date(value: Value) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_timestamp(value: Value) -> bool:
    if not isinstance(value, str) or len(value) != len("2024-01-31 10:11:12.000000"):
        return False
    try:
        return datetime.fromisoformat(value).isoformat(sep=" ", timespec="microseconds") == value
    except ValueError:
        return False


_VALID: dict[SqlType, Callable[[Value], bool]] = {
    BOOLEAN: lambda value: isinstance(value, bool),
    STRING: _is_string,
    DOUBLE: _is_double,
    FLOAT: _is_float,
    TINYINT: _is_integer(TINYINT),
    BINARY: _is_binary,
    DATE: _is_date,
    TIMESTAMP: _is_timestamp,
    TIMESTAMP_NTZ: _is_timestamp,
    **{kind: _is_integer(kind) for kind in INTEGERS},
    INTERVAL: _is_integer(BIGINT),
    MONTHS: _is_integer(INT),
    TIME: _is_time_of_day,
}
