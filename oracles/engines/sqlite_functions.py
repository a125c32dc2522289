"""Functions that SQLite is given so that it can say more of the query algebra: of doubles, arrays, texts and dates.

Values are those of :mod:`oracles.sql.sqlite_values`. A function depends on its arguments alone, and is NULL for a NULL
unless it says otherwise. Where it has no value of its type it raises, and the query then has no answer.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from functools import reduce
from operator import add, and_, mul, or_, sub, xor

from oracles.sql.sqlite_values import EPOCH, EPOCH_DAY, NAN, Raw, decimal_text, packed, unpacked
from strategies.ir import type_from_text

_OPERATORS: dict[str, Callable[[float, float], float]] = {"+": add, "-": sub, "*": mul}


def install(connection: sqlite3.Connection) -> None:
    """Add all functions to ``connection``."""
    for name, function in _OF_NULL.items():
        connection.create_function(f"assay_{name}", -1, function, deterministic=True)
    for name, function in _STRICT.items():
        connection.create_function(f"assay_{name}", -1, _strict(function), deterministic=True)
    for name, aggregate in _AGGREGATES.items():
        connection.create_aggregate(f"assay_{name}", 1, _aggregate(aggregate))  # type: ignore[arg-type]


def _strict(function: Callable[..., Raw]) -> Callable[..., Raw]:
    def call(*arguments: Raw) -> Raw:
        return None if None in arguments else function(*arguments)

    return call


# Doubles: NaN is a text.


def _number(raw: Raw) -> float:
    if raw == NAN:
        return math.nan
    assert isinstance(raw, (int, float))
    return float(raw)


def _raw(number: float) -> Raw:
    return NAN if math.isnan(number) else number


def _arith(operator: str, left: Raw, right: Raw) -> Raw:
    return _raw(_OPERATORS[operator](_number(left), _number(right)))


def _divide(left: Raw, right: Raw) -> Raw:
    by = _number(right)
    return None if by == 0 else _raw(_number(left) / by)


def _sign(raw: Raw) -> Raw:
    number = _number(raw)
    return _raw(number if math.isnan(number) else float((number > 0) - (number < 0)))


def _whole(rounded: Callable[[float], int]) -> Callable[[Raw], Raw]:
    def call(raw: Raw) -> Raw:
        number = _number(raw)
        return rounded(number) if abs(number) < 1e15 else None

    return call


def _square_root(raw: Raw) -> Raw:
    number = _number(raw)
    return NAN if math.isnan(number) else math.sqrt(number) if number >= 0 else None


def _integer(raw: Raw, low: int, high: int) -> Raw:
    """``raw``, a double without its fraction or a text of digits, where it is within the bounds."""
    if isinstance(raw, str) and raw != NAN:
        whole = int(raw) if re.fullmatch(r"-?[0-9]+", raw, re.ASCII) else None
    else:
        number = _number(raw)
        whole = math.trunc(number) if math.isfinite(number) else None
    return whole if whole is not None and low <= whole <= high else None


def _within(operator: str, left: int, right: int, low: int, high: int) -> Raw:
    result = int(_OPERATORS[operator](left, right))
    return result if low <= result <= high else None


# Texts.


def _concat_ws(separator: str, *texts: str | None) -> str:
    return separator.join(text for text in texts if text is not None)


def _same_length(change: Callable[[str], str]) -> Callable[[str], str]:
    """Upper and lower case as the engines have it: letter by letter."""

    def call(text: str) -> str:
        changed = change(text)
        if len(changed) != len(text):
            raise ValueError(f"{text!r} has other letters in the other case")
        return changed

    return call


# Dates.


def _date(days: int) -> int:
    date.fromordinal(days + EPOCH_DAY)  # raises beyond the calendar
    return days


def _instant_text(micros: int) -> str:
    moment = EPOCH + timedelta(microseconds=micros)
    text = moment.isoformat(sep=" ", timespec="microseconds")
    return text.rstrip("0").rstrip(".")


# Arrays, structs and rows.


def _packed(kind: str, *parts: Raw) -> Raw:
    return packed(type_from_text(kind), parts)


def _part(kind: str, blob: bytes, place: int) -> Raw:
    return unpacked(type_from_text(kind), blob)[place]


def _elements(kind: str, blob: bytes | None) -> str:
    """An array's elements as JSON for json_each, each as a row of one field; none of a NULL."""
    return json.dumps([] if blob is None else [_row(part) for part in unpacked(type_from_text(kind), blob)])


def _row(*parts: Raw) -> str:
    """A row as a text that JSON takes as it is."""
    return json.dumps([_tagged(part) for part in parts]).encode().hex()


def _tagged(raw: Raw) -> list[str | int] | None:
    if raw is None:
        return None
    if isinstance(raw, bytes):
        return ["b", raw.hex()]
    if isinstance(raw, float):
        return ["d", raw.hex()]
    return ["v", raw]


def _field(row: str | None, place: int) -> Raw:
    """A field of a row of :func:`_row`; NULL of a row that isn't there."""
    if row is None:
        return None
    found = json.loads(bytes.fromhex(row))[place]
    if found is None:
        return None
    tag, value = found
    plain: Raw = bytes.fromhex(value) if tag == "b" else float.fromhex(value) if tag == "d" else value
    return plain


_OF_NULL: dict[str, Callable[..., Raw]] = {
    "packed": _packed,
    "elements": _elements,
    "row": _row,
    "field": _field,
    "concat_ws": _concat_ws,
}
_STRICT: dict[str, Callable[..., Raw]] = {
    "double": float.fromhex,
    "arith": _arith,
    "divide": _divide,
    "abs": lambda raw: _raw(abs(_number(raw))),
    "negative": lambda raw: _raw(-_number(raw)),
    "sign": _sign,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "square_root": _square_root,
    "integer": _integer,
    "within": _within,
    "quotient": lambda units, unit: float(Fraction(units, unit)),
    "floor_quotient": lambda value, by: value // by,
    "decimal_text": decimal_text,
    "upper": _same_length(str.upper),
    "lower": _same_length(str.lower),
    "length": len,
    "reverse": lambda text: text[::-1],
    "starts_with": str.startswith,
    "ends_with": str.endswith,
    "contains": lambda text, part: part in text,
    "position": lambda text, part: text.find(part) + 1,
    "left": lambda text, size: text[:size],
    "right": lambda text, size: text[len(text) - size :] if size < len(text) else text,
    "date": _date,
    "date_text": lambda days: date.fromordinal(days + EPOCH_DAY).isoformat(),
    "instant_text": _instant_text,
    "part": _part,
    "hex": lambda blob: blob.hex().upper(),
}


def _total(values: list[Raw]) -> Raw:
    return _raw(sum(map(_number, values), 0.0))


def _average(values: list[Raw]) -> Raw:
    return _raw(sum(map(_number, values), 0.0) / len(values))


def _bits(operator: Callable[[int, int], int]) -> Callable[[list[Raw]], Raw]:
    return lambda values: reduce(operator, (value for value in values if isinstance(value, int)))


_AGGREGATES: dict[str, Callable[[list[Raw]], Raw]] = {
    "sum": _total,
    "avg": _average,
    "bit_and": _bits(and_),
    "bit_or": _bits(or_),
    "bit_xor": _bits(xor),
}


def _aggregate(function: Callable[[list[Raw]], Raw]) -> Callable[[], object]:
    """What sqlite3 makes an aggregate function of: NULLs don't count, and of none it is NULL."""

    class Gathered:
        def __init__(self) -> None:
            self.values: list[Raw] = []

        def step(self, value: Raw) -> None:
            if value is not None:
                self.values.append(value)

        def finalize(self) -> Raw:
            return function(self.values) if self.values else None

    return Gathered
