"""The types of parquet files' columns: how a column of an Arrow type is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from assay.queries.column_types import made
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Array,
    Decimal,
    Map,
    SqlType,
    Struct,
)

_ARROW: tuple[tuple[Callable[[Any], bool], SqlType, bool], ...] = (
    (pa.types.is_boolean, BOOLEAN, False),
    (pa.types.is_int8, TINYINT, False),
    (pa.types.is_uint8, SMALLINT, True),
    (pa.types.is_int16, SMALLINT, False),
    (pa.types.is_uint16, INT, True),
    (pa.types.is_int32, INT, False),
    (pa.types.is_uint32, BIGINT, True),
    (pa.types.is_int64, BIGINT, False),
    (pa.types.is_uint64, Decimal(20, 0), True),
    (pa.types.is_float32, FLOAT, False),
    (pa.types.is_float64, DOUBLE, False),
    (pa.types.is_string, STRING, False),
    (pa.types.is_large_string, STRING, False),
    (pa.types.is_string_view, STRING, False),
    (pa.types.is_binary, BINARY, False),
    (pa.types.is_large_binary, BINARY, False),
    (pa.types.is_fixed_size_binary, BINARY, True),
    (pa.types.is_date, DATE, False),
)


def arrow_kind(kind: Any) -> tuple[SqlType | None, bool]:
    """The type that a column of this Arrow type is drawn with, None if none fits, and whether it is a replacement."""
    for fits, ours, instead in _ARROW:
        if fits(kind):
            return ours, instead
    if pa.types.is_timestamp(kind):
        return (TIMESTAMP if kind.tz else TIMESTAMP_NTZ), False
    if pa.types.is_decimal(kind):
        return made(lambda: Decimal(kind.precision, kind.scale)), False
    if pa.types.is_dictionary(kind):
        return arrow_kind(kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        element, instead = arrow_kind(kind.value_type)
        return (Array(element) if element else None), instead
    if pa.types.is_map(kind):
        (key, replaced), (value, instead) = arrow_kind(kind.key_type), arrow_kind(kind.item_type)
        return (Map(key, value) if key and value else None), replaced or instead
    if pa.types.is_struct(kind):
        parts = [(kind.field(at).name, *arrow_kind(kind.field(at).type)) for at in range(kind.num_fields)]
        fields = tuple((name, each) for name, each, _ in parts if each)
        whole = made(lambda: Struct(fields)) if len(fields) == kind.num_fields else None
        return whole, any(instead for *_, instead in parts)
    return None, False
