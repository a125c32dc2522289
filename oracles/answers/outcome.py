"""The outcome of a leg: ``Rows`` (typed, canonical) or ``Raised``.

This module alone defines when values of different engines are equal:

* NULL is a value and equals NULL, and nothing else: not '', not 0, not NaN, not an empty list;
* NaN is one value, whatever its bits, and -0.0 is +0.0, because GROUP BY, DISTINCT and UNION may
  replace one by the other; every other double is compared by its bits;
* decimals, dates (days), timestamps (units since the epoch), strings and binary are compared exactly;
  a string that isn't valid UTF-8 is compared by its bytes, since Spark passes such bytes through;
* a map is the set of its entries, in any order, as SQL has it; an interval is compared by its parts (months, days,
  and a time), so that a month is never 30 days; a time of day by its nanoseconds, in whatever unit Arrow has it;
* SQL types have to be equal; Arrow's additions to them (column names, nullability, the name of a list's
  child, metadata, the width of offsets) are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

import pyarrow as pa

Payload: TypeAlias = "bool | int | str | bytes | tuple[Cell, ...]"
Cell: TypeAlias = "tuple[str, Payload] | None"
"""NULL, or a type's text and the value.

Every value, nested ones included, has its type, so that Python's equality (1 == True == 1.0) never compares
values of different types. Values: bool; int for integers, for dates (days) and timestamps (units of
the type); ``float.hex()`` text for floating point ('nan', 'inf', '-inf'); decimal text with all digits
of the scale; str, or bytes when it isn't UTF-8; bytes for binary; a tuple of cells for lists, structs and maps (whose
entries are structs, sorted); int for times of day (nanoseconds), months, and intervals without months (microseconds);
text for intervals of months, days and time.
"""

Row: TypeAlias = "tuple[Cell, ...]"
Kind = Literal["user", "internal", "timeout", "invalid-plan", "unsupported"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class InvalidOutcome(ValueError):
    """The outcome is invalid: rows don't fit their schema, the kind of error is unknown, or stored data is broken."""


MONTHS = "interval[month]"
"""The text of Spark's year-month interval. pyarrow has no such type, so the jar sends integers, and names the type in
the metadata of their field under ``_NAMED``. Here they are durations in seconds, which no engine has."""
_MONTHS = pa.duration("s")
_NAMED = b"assay.type"


class UnsupportedType(ValueError):
    """A result has a type for which no equality is defined here (dictionaries, lists of a fixed size, ...)."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A result: ``rows`` in the engine's order, all as wide as ``schema`` and made of its types.

    :param schema: the text of each column's type, see ``type_text``.
    :param ordered: the query fixes the order of its rows, so the order is part of the answer.
    :param keys: the columns, from 0, by which the query orders its rows without fixing their whole order: the sequence
        of these columns' cells is part of the answer.
    :raises InvalidOutcome: a row doesn't fit ``schema``.
    """

    schema: tuple[str, ...]
    rows: tuple[Row, ...]
    ordered: bool = False
    keys: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.schema):
                raise InvalidOutcome(f"a row of {len(row)} cells under a schema of {len(self.schema)}: {row!r}")
            for tag, cell in zip(self.schema, row, strict=True):
                if cell is not None and not (isinstance(cell, tuple) and len(cell) == 2 and cell[0] == tag):
                    raise InvalidOutcome(f"not a cell of type {tag}: {cell!r}")
        if not all(0 <= place < len(self.schema) for place in self.keys):
            raise InvalidOutcome(f"an order by the columns {self.keys} of {len(self.schema)}")

    @property
    def sequence(self) -> list[Row]:
        """The cells of each row that have to come in this order: all, those of ``keys``, or none."""
        return list(self.rows) if self.ordered else [tuple(row[place] for place in self.keys) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Raised:
    """A leg without a result.

    :param condition: the engine's own name of the error (Spark's condition, or a class name if it has none).
    :param sqlstate: five characters, or None if the engine gives none.
    :param kind: 'user' for errors that a query may raise correctly; 'internal' for errors of the engine itself;
        'invalid-plan' for a plan that Spark's plan validation refused; 'unsupported' if this engine can't run
        the query.
    """

    condition: str
    sqlstate: str | None
    message: str
    kind: Kind

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidOutcome(f"unknown kind of error {self.kind!r}: not one of {', '.join(KINDS)}")


Outcome: TypeAlias = Rows | Raised

# pyarrow has no stubs: its arrays and types are Any to the type checker.
_Reader: TypeAlias = Callable[[Any], "list[Cell]"]


def is_timeout(outcome: Outcome) -> bool:
    """Whether a leg ran out of time."""
    return isinstance(outcome, Raised) and outcome.kind == "timeout"


def has_rows(outcome: Outcome | None) -> bool:
    """Whether a leg has an answer of at least one row."""
    return isinstance(outcome, Rows) and len(outcome.rows) > 0


def rows_from_arrow(table: pa.Table, ordered: bool = False, keys: tuple[int, ...] = ()) -> Rows:
    """The canonical rows of an engine's answer, in its order; any 64-bit date or timestamp will do.

    :raises UnsupportedType: a column has a type outside of ``type_text``.
    """
    schema = tuple(type_text(_named(field, _MONTHS)) for field in table.schema)
    columns = [
        [cell for chunk in _with_months(field, column).chunks for cell in _reader(chunk.type)(chunk)]
        for field, column in zip(table.schema, table.columns, strict=True)
    ]
    rows = tuple(zip(*columns, strict=True)) if columns else ((),) * table.num_rows
    return Rows(schema, rows, ordered, keys)


def outcome_of(read: Callable[[], pa.Table], *, ordered: bool = False, keys: tuple[int, ...] = ()) -> Outcome:
    """The rows of the table that ``read`` returns; ``Raised`` with the kind 'unsupported' if it can't be compared.

    It can't be compared if ``type_text`` or Arrow doesn't support a column's type; the message names the type. Errors
    of the engine itself pass through.
    """
    try:
        return rows_from_arrow(read(), ordered, keys)
    except UnsupportedType as problem:
        return Raised("UNSUPPORTED_TYPE", None, str(problem), "unsupported")
    except pa.ArrowException as problem:
        return Raised(type(problem).__name__, None, f"Arrow can't carry the result: {problem}", "unsupported")


def _with_months(field: pa.Field, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """``column`` with months in place of the integers that ``field`` names so."""
    kind = _named(field, _MONTHS)
    return column if kind == field.type else column.cast(_named(field, pa.int64())).cast(kind)


def _named(field: pa.Field, months: pa.DataType) -> pa.DataType:
    """The type of ``field`` with ``months`` in place of the integers that its metadata, or a child's, name so."""
    kind = field.type
    if pa.types.is_int32(kind):
        return months if (field.metadata or {}).get(_NAMED, b"").decode() == MONTHS else kind
    if pa.types.is_list(kind):
        return pa.list_(pa.field(kind.value_field.name, _named(kind.value_field, months)))
    if pa.types.is_struct(kind):
        parts = (kind.field(place) for place in range(kind.num_fields))
        return pa.struct([pa.field(part.name, _named(part, months)) for part in parts])
    if pa.types.is_map(kind):
        key, item = _named(kind.key_field, months), _named(kind.item_field, months)
        return kind if (key, item) == (kind.key_type, kind.item_type) else pa.map_(key, item)
    return kind


def canonical(array: pa.Array) -> list[Cell]:
    """The cells of an array, equal exactly if this module defines them as equal.

    :raises UnsupportedType: ``type_text`` doesn't support the array's type.
    """
    return _reader(array.type)(array)


@lru_cache(maxsize=1024)
def type_text(kind: pa.DataType) -> str:
    """A type as text that is equal exactly for equal SQL types: 'decimal128(10, 2)', 'struct<p: int32>'.

    Field names of a struct are part of its type; a name that isn't an identifier is quoted, so that the text is
    unambiguous.

    :raises UnsupportedType: no equality is defined for this type.
    """
    if _is_string(kind):
        return "string"
    if _is_binary(kind):
        return "binary"
    if _is_list(kind):
        return f"list<{type_text(kind.value_type)}>"
    if pa.types.is_map(kind):
        return f"map<{type_text(kind.key_type)}, {type_text(kind.item_type)}>"
    if pa.types.is_time(kind):
        return "time"
    if pa.types.is_struct(kind):
        fields = (kind.field(index) for index in range(kind.num_fields))
        return f"struct<{', '.join(f'{_name(field.name)}: {type_text(field.type)}' for field in fields)}>"
    if kind == _MONTHS:
        return MONTHS
    if _is_scalar(kind):
        return str(kind)
    raise UnsupportedType(f"results of type {kind} can't be compared")


def _is_string(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_binary(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind))


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_list_view(kind))


def _is_scalar(kind: pa.DataType) -> bool:
    known = (pa.types.is_null, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    spans = (pa.types.is_date32, pa.types.is_timestamp, pa.types.is_duration, pa.types.is_interval)
    return any(is_a(kind) for is_a in (*known, *spans))


def _name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) else json.dumps(name)


@lru_cache(maxsize=1024)
def _reader(kind: pa.DataType) -> _Reader:
    tag = type_text(kind)
    if _is_string(kind):
        return _string_reader(tag)
    if _is_list(kind):
        return _list_reader(tag, _reader(kind.value_type))
    if pa.types.is_struct(kind):
        return _struct_reader(tag, [_reader(kind.field(index).type) for index in range(kind.num_fields)])
    if pa.types.is_floating(kind):
        # Adding +0.0 turns -0.0 into +0.0 and nothing else; hex() writes every NaN as 'nan'.
        return lambda array: [None if v is None else (tag, (v + 0.0).hex()) for v in array.to_pylist()]
    if pa.types.is_decimal(kind):
        return lambda array: [None if v is None else (tag, format(v, "f")) for v in array.to_pylist()]
    if pa.types.is_date32(kind):
        return _viewing_reader(tag, pa.int32())
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        return _viewing_reader(tag, pa.int64())
    if pa.types.is_map(kind):
        return _map_reader(tag, _reader(kind.key_type), _reader(kind.item_type))
    if pa.types.is_time(kind):
        return _time_reader(tag)
    if pa.types.is_interval(kind):
        return _interval_reader(tag)
    return _plain_reader(tag)


def _plain_reader(tag: str) -> _Reader:
    return lambda array: [None if v is None else (tag, v) for v in array.to_pylist()]


def _time_reader(tag: str) -> _Reader:
    nanoseconds = pa.time64("ns")
    return lambda array: [None if v is None else (tag, v) for v in array.cast(nanoseconds).view(pa.int64()).to_pylist()]


def _interval_reader(tag: str) -> _Reader:
    return lambda array: [
        None if v is None else (tag, f"{v.months} months {v.days} days {v.nanoseconds} ns") for v in array.to_pylist()
    ]


def _map_reader(tag: str, read_keys: _Reader, read_items: _Reader) -> _Reader:
    def entries(item: Any) -> tuple[Cell, ...]:
        pairs = zip(read_keys(item.values.field("key")), read_items(item.values.field("value")), strict=True)
        return tuple(sorted((("entry", pair) for pair in pairs), key=repr))

    return lambda array: [(tag, entries(item)) if item.is_valid else None for item in array]


def _viewing_reader(tag: str, integer: pa.DataType) -> _Reader:
    """A reader of dates and timestamps as integers: Python's own types end with the year 9999."""
    return lambda array: [None if v is None else (tag, v) for v in array.view(integer).to_pylist()]


def _string_reader(tag: str) -> _Reader:
    def read(array: Any) -> list[Cell]:
        try:
            return [None if text is None else (tag, text) for text in array.to_pylist()]
        except UnicodeDecodeError:
            raw = array.cast(pa.large_binary()).to_pylist()
            return [None if each is None else (tag, _text_or_bytes(each)) for each in raw]

    return read


def _text_or_bytes(raw: bytes) -> str | bytes:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def _list_reader(tag: str, read_items: _Reader) -> _Reader:
    return lambda array: [(tag, tuple(read_items(item.values))) if item.is_valid else None for item in array]


def _struct_reader(tag: str, read_fields: list[_Reader]) -> _Reader:
    def read(array: Any) -> list[Cell]:
        fields = [read_field(array.field(index)) for index, read_field in enumerate(read_fields)]
        return [
            (tag, tuple(field[index] for field in fields)) if item.is_valid else None
            for index, item in enumerate(array)
        ]

    return read
