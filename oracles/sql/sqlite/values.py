"""Encode values of the query algebra as SQLite's values, for each type.

SQLite has integers, doubles (but no NaN), texts and blobs; it compares values of one kind directly, and a number is
less than a text. The encoding makes SQLite's comparisons equal to those of the algebra:

================================  ========================================================================
BOOLEAN, TINYINT to BIGINT        integer
DOUBLE, FLOAT                     double; NaN is the text ``nan``, equal to itself and above every number
DECIMAL(p, s)                     integer, in units of the last digit
STRING                            text
BINARY                            blob
DATE                              integer, days since the epoch
TIMESTAMP, TIMESTAMP_NTZ          integer, microseconds since the epoch
ARRAY, STRUCT                     blob that sorts as the value does, NULL inside being the least
================================  ========================================================================
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import TypeAlias

from strategies.ir import (
    BINARY,
    DATE,
    FLOATING,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Decimal,
    SqlType,
    Struct,
    Value,
    type_text,
)

Raw: TypeAlias = "int | float | str | bytes | None"
"""A value for or from Python's sqlite3."""

NAN = "nan"
MICROS_OF_A_DAY = 86_400_000_000

EPOCH = datetime(1970, 1, 1)
EPOCH_DAY = date(1970, 1, 1).toordinal()
_NULL, _PRESENT = b"\1", b"\2"
ARRAY_END = b"\0"
"""The end of a blob that encodes an array."""


class NotAValue(ValueError):
    """SQLite returned a value that encodes no value of the column's type."""


def raw_value(kind: SqlType, value: Value) -> Raw:
    """The encoding of ``value``, a plain value of ``kind``."""
    if value is None or isinstance(value, int):
        return value if value is None else int(value)
    if isinstance(value, tuple):
        parts = zip(part_types(kind, len(value)), value, strict=True)
        return packed(kind, [raw_value(part, each) for part, each in parts])
    if kind in FLOATING:
        return NAN if value == NAN else float.fromhex(value)
    if isinstance(kind, Decimal):
        return int(value.replace(".", ""))
    if kind == BINARY:
        return bytes.fromhex(value)
    if kind == DATE:
        return date.fromisoformat(value).toordinal() - EPOCH_DAY
    if kind in (TIMESTAMP, TIMESTAMP_NTZ):
        return (datetime.fromisoformat(value) - EPOCH) // timedelta(microseconds=1)
    return value


def decimal_text(units: int, scale: int) -> str:
    """The decimal text of ``units`` of the last of ``scale`` digits after the point."""
    digits = f"{abs(units):0{scale + 1}d}"
    whole, fraction = digits[: len(digits) - scale], digits[len(digits) - scale :]
    return ("-" if units < 0 else "") + (f"{whole}.{fraction}" if scale else whole)


def packed(kind: SqlType, parts: Sequence[Raw]) -> bytes:
    """Encode an array's elements, or a struct's fields, as one blob."""
    types = part_types(kind, len(parts))
    inside = (
        _NULL if part is None else _PRESENT + sortable(each, part) for each, part in zip(types, parts, strict=True)
    )
    return b"".join(inside) + (ARRAY_END if isinstance(kind, Array) else b"")


def unpacked(kind: SqlType, blob: bytes) -> list[Raw]:
    """Decode a blob of :func:`packed`."""
    parts, rest = _read_parts(kind, blob)
    if rest:
        raise NotAValue(f"{blob!r:.100} is no {type_text(kind)}")
    return parts


def part_types(kind: SqlType, size: int) -> list[SqlType]:
    """The types of an array's ``size`` elements, or of a struct's fields."""
    if isinstance(kind, Struct):
        return [field for _, field in kind.fields]
    assert isinstance(kind, Array)
    return [kind.element] * size


def sortable(kind: SqlType, raw: Raw) -> bytes:
    """Encode a value as bytes that sort like the values of ``kind``, and from which its end can be read."""
    if isinstance(raw, bool) or raw is None:
        raise NotAValue(f"{raw!r} is no {type_text(kind)}")
    if isinstance(raw, int):
        return (raw + (1 << 63)).to_bytes(8, "big")
    if kind in FLOATING:
        return _sortable_double(raw)
    if isinstance(kind, (Array, Struct)):
        assert isinstance(raw, bytes)
        return raw
    text = raw.encode() if isinstance(raw, str) else raw
    assert isinstance(text, bytes)
    return text.replace(b"\0", b"\0\xff") + b"\0\0"


def _sortable_double(raw: Raw) -> bytes:
    if raw == NAN:
        return b"\xff" * 8
    assert isinstance(raw, float)
    bits = int.from_bytes(struct.pack(">d", raw + 0.0), "big")
    return (bits ^ (1 << 63 if raw >= 0 else (1 << 64) - 1)).to_bytes(8, "big")


def _read_parts(kind: SqlType, blob: bytes) -> tuple[list[Raw], bytes]:
    parts: list[Raw] = []
    fields = iter(field for _, field in kind.fields) if isinstance(kind, Struct) else None
    while True:
        part = next(fields, None) if fields else kind.element if isinstance(kind, Array) else None
        if part is None:
            return parts, blob
        mark, blob = blob[:1], blob[1:]
        if mark == ARRAY_END and fields is None:
            return parts, blob
        if mark not in (_NULL, _PRESENT):
            raise NotAValue(f"a {type_text(kind)} has no part that begins with {mark!r}")
        each, blob = _read(part, blob) if mark == _PRESENT else (None, blob)
        parts.append(each)


def _read(kind: SqlType, blob: bytes) -> tuple[Raw, bytes]:
    if isinstance(kind, (Array, Struct)):
        _, rest = _read_parts(kind, blob)
        return blob[: len(blob) - len(rest)], rest
    if kind in FLOATING:
        return _read_double(blob[:8]), blob[8:]
    if kind not in (STRING, BINARY):
        return int.from_bytes(blob[:8], "big") - (1 << 63), blob[8:]
    end = 0
    while blob[end : end + 2] != b"\0\0" or end >= len(blob):
        end += 2 if blob[end : end + 2] == b"\0\xff" else 1
        if end >= len(blob):
            raise NotAValue(f"a {type_text(kind)} without an end")
    text = blob[:end].replace(b"\0\xff", b"\0")
    return text.decode() if kind == STRING else text, blob[end + 2 :]


def _read_double(bytes_: bytes) -> Raw:
    if bytes_ == b"\xff" * 8:
        return NAN
    bits = int.from_bytes(bytes_, "big")
    bits ^= 1 << 63 if bits >> 63 else (1 << 64) - 1
    number: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    return number
