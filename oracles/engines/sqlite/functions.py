"""Functions to install in SQLite so that it can run more of the query algebra: of doubles, arrays, texts and dates.

Values are encoded as in :mod:`oracles.sql.sqlite.values`. A function is deterministic, and returns NULL for a NULL
unless it is documented otherwise. If there is no value of its type it raises, and the query has no answer.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import add, and_, mul, or_, sub, xor
from typing import Any

from oracles.engines.sqlite.arrays import ARRAY_FUNCTIONS, ARRAY_FUNCTIONS_OF_NULL
from oracles.engines.sqlite.texts import TEXT_FUNCTIONS, concat_ws
from oracles.engines.sqlite.times import TIME_FUNCTIONS
from oracles.sql.sqlite.values import ARRAY_END, NAN, Raw, decimal_text, packed, unpacked
from strategies.ir import type_from_text

_OPERATORS: dict[str, Callable[[float, float], float]] = {"+": add, "-": sub, "*": mul}


def install(connection: sqlite3.Connection) -> None:
    """Add all functions to ``connection``."""
    for name, function in _OF_NULL.items():
        connection.create_function(f"assay_{name}", -1, function, deterministic=True)
    for name, function in _STRICT.items():
        connection.create_function(f"assay_{name}", -1, _strict(function), deterministic=True)
    for name, aggregate in _AGGREGATES.items():
        made = _aggregate(aggregate)
        connection.create_aggregate(f"assay_{name}", -1, made)  # type: ignore[arg-type]  # typeshed knows one argument


def _strict(function: Callable[..., Raw]) -> Callable[..., Raw]:
    def call(*arguments: Raw) -> Raw:
        return None if None in arguments else function(*arguments)

    return call


# Numbers: NaN is a text, a decimal an integer in units of its last digit.


def _number(raw: Raw) -> float:
    if raw == NAN:
        return math.nan
    assert isinstance(raw, (int, float))
    return float(raw)


def _raw(number: float) -> Raw:
    return NAN if math.isnan(number) else number


def _of_number(function: Callable[[float], float]) -> Callable[[Raw], Raw]:
    """Extend ``function`` to NaN, which stays NaN."""

    def call(raw: Raw) -> Raw:
        number = _number(raw)
        return NAN if math.isnan(number) else function(number)

    return call


def _arith(operator: str, left: Raw, right: Raw) -> Raw:
    return _raw(_OPERATORS[operator](_number(left), _number(right)))


def _divide(left: Raw, right: Raw) -> Raw:
    by = _number(right)
    return None if by == 0 else _raw(_number(left) / by)


def _double_modulo(left: Raw, right: Raw) -> Raw:
    one, by = _number(left), _number(right)
    if by == 0:
        return None
    return NAN if math.isnan(one) or math.isnan(by) or math.isinf(one) else math.fmod(one, by)


def _whole(rounded: Callable[[float], int]) -> Callable[[Raw], Raw]:
    def call(raw: Raw) -> Raw:
        number = _number(raw)
        return rounded(number) if abs(number) < 1e15 else None

    return call


def _square_root(raw: Raw) -> Raw:
    number = _number(raw)
    return NAN if math.isnan(number) else math.sqrt(number) if number >= 0 else None


def _round(number: float) -> float:
    """Round half away from zero."""
    if abs(number) >= 2**52:
        return number
    whole = math.floor(abs(number))
    return math.copysign(whole + (abs(number) - whole >= 0.5), number)


def _round_half_even(number: float) -> float:
    return number if abs(number) >= 2**52 else float(round(number))


def _integer(raw: Raw, low: int, high: int) -> Raw:
    """``raw`` as an integer, a double without its fraction or a text of digits; NULL if it is out of bounds."""
    if isinstance(raw, str) and raw != NAN:
        whole = int(raw) if re.fullmatch(r"-?[0-9]+", raw, re.ASCII) else None
    else:
        number = _number(raw)
        whole = math.trunc(number) if math.isfinite(number) else None
    return whole if whole is not None and low <= whole <= high else None


def _within(operator: str, left: int, right: int, low: int, high: int) -> Raw:
    result = int(_OPERATORS[operator](left, right))
    return result if low <= result <= high else None


def _half_up(number: Fraction) -> int:
    """Round half away from zero."""
    return int(math.copysign(1, number)) * math.floor(abs(number) + Fraction(1, 2))


def _remainder(left: int, right: int) -> Raw:
    return None if right == 0 else int(math.copysign(1, left)) * (abs(left) % abs(right))


# Structs and rows.


def _packed(kind: str, *parts: Raw) -> Raw:
    return packed(type_from_text(kind), parts)


def _part(kind: str, blob: bytes, place: int) -> Raw:
    return unpacked(type_from_text(kind), blob)[place]


def _elements(kind: str, blob: bytes | None) -> str:
    """An array's elements as JSON for json_each, each as a row of one field; none for NULL."""
    return json.dumps([] if blob is None else [_row(part) for part in unpacked(type_from_text(kind), blob)])


def _row(*parts: Raw) -> str:
    """A row as a text of hex digits, which needs no escapes in JSON."""
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
    """A field of a row of :func:`_row`; NULL if there is no row."""
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
    "concat_ws": concat_ws,
    **ARRAY_FUNCTIONS_OF_NULL,
}
_STRICT: dict[str, Callable[..., Raw]] = {
    "double": float.fromhex,
    "arith": _arith,
    "divide": _divide,
    "double_modulo": _double_modulo,
    "abs": _of_number(abs),
    "negative": _of_number(lambda number: -number),
    "sign": _of_number(lambda number: float((number > 0) - (number < 0))),
    "round": _of_number(_round),
    "round_half_even": _of_number(_round_half_even),
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "square_root": _square_root,
    "integer_power": lambda base, exponent: float(base) ** exponent if abs(base) <= 1000 else None,
    "bit_count": lambda number: (number & (1 << 64) - 1).bit_count(),
    "integer": _integer,
    "within": _within,
    "quotient": lambda units, unit: float(Fraction(units, unit)),
    "floor_quotient": lambda value, by: value // by,
    "ceil_quotient": lambda value, by: -(-value // by),
    "half_up_quotient": lambda value, by: _half_up(Fraction(value, by)) if by else None,
    "remainder": _remainder,
    "decimal_text": decimal_text,
    "part": _part,
    **TEXT_FUNCTIONS,
    **TIME_FUNCTIONS,
    **ARRAY_FUNCTIONS,
}


# Aggregates: the argument is the list of rows whose first value isn't NULL; without rows the result is NULL.

Arguments = list[tuple[Raw, ...]]


def _total(rows: Arguments) -> Raw:
    return _raw(sum((_number(value) for (value,) in rows), 0.0))


def _average(rows: Arguments) -> Raw:
    return _raw(sum((_number(value) for (value,) in rows), 0.0) / len(rows))


def _bits(operator: Callable[[int, int], int]) -> Callable[[Arguments], Raw]:
    return lambda rows: reduce(operator, (value for (value,) in rows if isinstance(value, int)))


def _percentile(rows: Arguments) -> Raw:
    """The percentile with linear interpolation between its neighbours."""
    numbers = sorted((_number(row[0]) for row in rows), key=lambda number: (math.isnan(number), number))
    place = _number(rows[0][1]) * (len(numbers) - 1)
    low = math.floor(place)
    one, other = [*pairwise(numbers), (numbers[-1], numbers[-1])][low]
    return _raw(one if place == low else one + (place - low) * (other - one))


def _discrete_percentile(rows: Arguments) -> Raw:
    """The first value that is no less than its share of all values."""
    values = sorted((value for value, _ in rows), key=_in_order)
    return values[max(math.ceil(_number(rows[0][1]) * len(values)) - 1, 0)]


def _mode(rows: Arguments) -> Raw:
    """The least of the most frequent values; 0.0 for both zeros."""
    times = Counter(value + 0.0 if isinstance(value, float) else value for (value,) in rows)
    return min(times, key=lambda value: (-times[value], _in_order(value)))


def _in_order(raw: Raw) -> tuple[bool, Any]:
    """The key by which values of one type are sorted, NaN behind all numbers."""
    return isinstance(raw, str), raw


def _list(*, distinct: bool) -> Callable[[Arguments], Raw]:
    """The sorted array of values given as structs of one field."""

    def call(rows: Arguments) -> Raw:
        parts = [part for (part,) in rows if isinstance(part, bytes)]
        return b"".join(sorted(set(parts) if distinct else parts)) + ARRAY_END

    return call


def _in_places(rows: Arguments) -> Raw:
    """The array of values given as structs of one field, ordered by their places, the second argument."""
    placed = sorted((place, part) for part, place in rows if isinstance(part, bytes) and isinstance(place, int))
    return b"".join(part for _, part in placed) + ARRAY_END


def _joined(*, distinct: bool) -> Callable[[Arguments], Raw]:
    def call(rows: Arguments) -> Raw:
        texts = [text for text, _ in rows if isinstance(text, str)]
        return str(rows[0][1]).join(sorted(set(texts) if distinct else texts))

    return call


_AGGREGATES: dict[str, Callable[[Arguments], Raw]] = {
    "sum": _total,
    "avg": _average,
    "bit_and_agg": _bits(and_),
    "bit_or_agg": _bits(or_),
    "bit_xor_agg": _bits(xor),
    "percentile": _percentile,
    "discrete_percentile": _discrete_percentile,
    "mode": _mode,
    "list": _list(distinct=False),
    "set": _list(distinct=True),
    "in_places": _in_places,
    "joined": _joined(distinct=False),
    "joined_distinct": _joined(distinct=True),
}


def _aggregate(function: Callable[[Arguments], Raw]) -> Callable[[], object]:
    """A class from which sqlite3 makes an aggregate function."""

    class Gathered:
        def __init__(self) -> None:
            self.rows: Arguments = []

        def step(self, *arguments: Raw) -> None:
            if arguments[0] is not None:
                self.rows.append(arguments)

        def finalize(self) -> Raw:
            return function(self.rows) if self.rows else None

    return Gathered
