"""Read a user's own rows from parquet files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet

from assay.queries.lines import one_line
from assay.queries.schema import Schema, parquet_files
from assay.session.ending import BadInput
from oracles.engines.arrow import arrow_type
from strategies.ir import (
    BINARY,
    DATE,
    DOUBLE,
    FLOAT,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Database,
    Decimal,
    InvalidQuery,
    Map,
    SqlType,
    Struct,
    Table,
    Value,
)

MOST_ROWS = 1_000_000
"""The limit of all tables' rows: they are held as plain values, so that a failing case can be stored and minimized."""


def stored_rows(path: Path, schema: Schema) -> Database:
    """The rows of the parquet files at ``path``, whose schema is ``schema``; BadInput for too many."""
    files = parquet_files(path)
    count = sum(parquet.read_metadata(file).num_rows for parts in files.values() for file in parts)
    if count > MOST_ROWS:
        raise BadInput(f"--data {path}: {count:,} rows; it takes up to {MOST_ROWS:,}: give a sample of them")
    return Database(tuple(_filled(table, files[table.name]) for table in schema.database.tables))


def _filled(table: Table, parts: list[Path]) -> Table:
    names = [column.name for column in table.columns]
    try:
        found = pa.concat_tables([parquet.read_table(part, columns=names) for part in parts])
        kinds = [column.type for column in table.columns]
        columns = [
            [plain_value(kind, each) for each in found.column(name).cast(arrow_type(kind)).to_pylist()]
            for name, kind in zip(names, kinds, strict=True)
        ]
        return replace(table, rows=tuple(zip(*columns, strict=True)))
    except (OSError, pa.ArrowException, InvalidQuery, OverflowError) as error:
        raise BadInput(f"{parts[0]}: can't be taken: {one_line(error)}") from error


def plain_value(kind: SqlType, value: Any) -> Value:
    """Convert Arrow's value of a cell of ``kind`` to the plain value that a table holds."""
    if value is None:
        return None
    if isinstance(kind, Array):
        return tuple(plain_value(kind.element, each) for each in value)
    if isinstance(kind, Struct):
        return tuple(plain_value(field, value[name]) for name, field in kind.fields)
    if isinstance(kind, Map):
        return tuple((plain_value(kind.key, key), plain_value(kind.value, each)) for key, each in value)
    if isinstance(kind, Decimal):
        return format(value, "f")
    plain: Value = _WRITERS.get(kind, lambda each: each)(value)
    return plain


def _instant(value: Any) -> str:
    # A zone's name may be any; the instant counts.
    moment = value.astimezone(timezone.utc).replace(tzinfo=None) if value.tzinfo else value
    return str(moment.isoformat(sep=" ", timespec="microseconds"))


_WRITERS: Mapping[SqlType, Callable[[Any], Any]] = {
    DOUBLE: float.hex,
    FLOAT: float.hex,
    BINARY: bytes.hex,
    DATE: lambda value: value.isoformat(),
    TIMESTAMP: _instant,
    TIMESTAMP_NTZ: _instant,
}
