"""Convert tables of plain values into Arrow tables, by which data enters both engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timezone
from decimal import Decimal as Number
from typing import Any

import pyarrow as pa

from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTERVAL,
    MONTHS,
    SMALLINT,
    STRING,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Array,
    Collated,
    Column,
    Decimal,
    Map,
    SqlType,
    Struct,
    Table,
    Value,
    is_made_of,
    type_text,
)

_TYPES: dict[SqlType, Any] = {
    BOOLEAN: pa.bool_(),
    TINYINT: pa.int8(),
    SMALLINT: pa.int16(),
    INT: pa.int32(),
    BIGINT: pa.int64(),
    DOUBLE: pa.float64(),
    FLOAT: pa.float32(),
    STRING: pa.string(),
    BINARY: pa.binary(),
    DATE: pa.date32(),
    TIMESTAMP: pa.timestamp("us", tz="UTC"),
    TIMESTAMP_NTZ: pa.timestamp("us"),
    INTERVAL: pa.duration("us"),
    # pyarrow has no type of months. Nothing else is in seconds, so that these stand for months in answers.
    MONTHS: pa.duration("s"),
    TIME: pa.time64("ns"),
}
_IN_TABLES: Mapping[SqlType, SqlType] = {MONTHS: INT, TIME: BIGINT}
_IN_DUCKDB: Mapping[SqlType, SqlType] = {INTERVAL: BIGINT, MONTHS: INT, TIME: BIGINT}
_WIDE: Mapping[SqlType, SqlType] = {INTERVAL: BIGINT, MONTHS: BIGINT, TIME: BIGINT}
_READERS: dict[SqlType, Callable[[str], Any]] = {
    DOUBLE: float.fromhex,
    FLOAT: float.fromhex,
    BINARY: bytes.fromhex,
    DATE: date.fromisoformat,
    TIMESTAMP: lambda text: datetime.fromisoformat(text).replace(tzinfo=timezone.utc),
    TIMESTAMP_NTZ: datetime.fromisoformat,
}


def arrow_type(kind: SqlType) -> pa.DataType:
    """The Arrow type in which both engines return a column of ``kind``."""
    if isinstance(kind, Array):
        return pa.list_(arrow_type(kind.element))
    if isinstance(kind, Struct):
        return pa.struct([(name, arrow_type(field)) for name, field in kind.fields])
    if isinstance(kind, Map):
        return pa.map_(arrow_type(kind.key), arrow_type(kind.value))
    if isinstance(kind, Collated):
        return pa.string()
    return pa.decimal128(kind.precision, kind.scale) if isinstance(kind, Decimal) else _TYPES[kind]


def in_utc(table: pa.Table) -> pa.Table:
    """``table`` with the same instants; the type of each says that it is shown in UTC, in whichever zone it was."""
    kinds = [_in_utc(kind) for kind in table.schema.types]
    if kinds == table.schema.types:
        return table
    columns = [column.cast(kind) for column, kind in zip(table.columns, kinds, strict=True)]
    return pa.table(columns, names=table.column_names)


def _in_utc(kind: pa.DataType) -> pa.DataType:
    return pa.timestamp(kind.unit, tz="UTC") if pa.types.is_timestamp(kind) and kind.tz else _inside(kind, _in_utc)


def _inside(kind: pa.DataType, changed: Callable[[pa.DataType], pa.DataType]) -> pa.DataType:
    """``kind`` with the types of its parts ``changed``."""
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(changed(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([kind.field(at).with_type(changed(kind.field(at).type)) for at in range(kind.num_fields)])
    if pa.types.is_map(kind):
        return pa.map_(changed(kind.key_type), changed(kind.item_type))
    return kind


def without_intervals(table: Table) -> Table:
    """``table`` with the numbers of its intervals and times in their place, as DuckDB has them."""
    columns = (replace(column, type=_replaced(column.type, _IN_DUCKDB)) for column in table.columns)
    return replace(table, columns=tuple(columns))


def _replaced(kind: SqlType, by: Mapping[SqlType, SqlType]) -> SqlType:
    """``kind`` with those of its plain types that are in ``by`` replaced."""
    if isinstance(kind, Array):
        return Array(_replaced(kind.element, by))
    if isinstance(kind, Struct):
        return Struct(tuple((name, _replaced(field, by)) for name, field in kind.fields))
    if isinstance(kind, Map):
        return Map(_replaced(kind.key, by), _replaced(kind.value, by))
    return by.get(kind, kind)


def with_intervals(answer: pa.Table, kinds: Sequence[SqlType]) -> pa.Table:
    """DuckDB's ``answer`` with intervals and times in place of numbers where its columns have these ``kinds``."""
    for place, kind in enumerate(kinds):
        wide = _replaced(kind, _WIDE)
        if wide != kind:  # Arrow casts no INT to an interval
            named, column = answer.field(place), answer.column(place).cast(arrow_type(wide)).cast(arrow_type(kind))
            answer = answer.set_column(place, named.with_type(column.type), column)
    return answer


def arrow_value(kind: SqlType, value: Value) -> Any:
    """The Python value from which Arrow makes a cell of ``arrow_type(kind)``."""
    if isinstance(value, tuple) and isinstance(kind, Array):
        return [arrow_value(kind.element, each) for each in value]
    if isinstance(value, tuple) and isinstance(kind, Struct):
        return {name: arrow_value(field, each) for (name, field), each in zip(kind.fields, value, strict=True)}
    if isinstance(value, tuple) and isinstance(kind, Map):
        return [(arrow_value(kind.key, key), arrow_value(kind.value, each)) for key, each in _entries(value)]
    if not isinstance(value, str):
        return value
    if isinstance(kind, Decimal):
        return Number(value)
    return _READERS[kind](value) if kind in _READERS else value


def _entries(value: tuple[Value, ...]) -> list[tuple[Value, Value]]:
    return [(entry[0], entry[1]) for entry in value if isinstance(entry, tuple)]


def arrow_table(table: Table) -> pa.Table:
    """``table`` as Arrow, with exactly the types of its columns; all of them nullable."""
    return pa.Table.from_batches([arrow_batch(table)])


def in_parquet(table: Table) -> pa.Table:
    """``table`` as Parquet has it, where a time of day is one: Spark reads these by microseconds."""
    columns = arrow_table(table)
    for place, column in enumerate(table.columns):
        if is_made_of(column.type, TIME):
            kind = arrow_type(_replaced(column.type, {MONTHS: INT}))
            columns = columns.set_column(place, column.name, columns.column(place).cast(kind).cast(_by_micros(kind)))
    return columns


def _by_micros(kind: pa.DataType) -> pa.DataType:
    return pa.time64("us") if pa.types.is_time64(kind) else _inside(kind, _by_micros)


def arrow_batch(table: Table) -> pa.RecordBatch:
    """``table`` as one Arrow batch, which may have no rows."""
    arrays = [
        pa.array((arrow_value(column.type, row[position]) for row in table.rows), _in_tables(column.type))
        for position, column in enumerate(table.columns)
    ]
    return pa.record_batch(arrays, pa.schema([_field(column) for column in table.columns]))


def _field(column: Column) -> pa.Field:
    """The field of ``column``; its metadata tell the jar of the types that the jar knows by name alone."""
    unnamed = isinstance(column.type, Collated) or _replaced(column.type, _IN_TABLES) != column.type
    metadata = {"type": type_text(column.type)} if unnamed else None
    return pa.field(column.name, _in_tables(column.type), metadata=metadata)


def _in_tables(kind: SqlType) -> pa.DataType:
    return arrow_type(_replaced(kind, _IN_TABLES))
