"""The types of users' columns: how a column of a declared type is stored, and what a query reads instead of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from sqlglot import exp
from sqlglot.errors import SqlglotError

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
    InvalidQuery,
    Map,
    SqlType,
    Struct,
)

_NAMES: Mapping[str, SqlType] = {
    "BOOLEAN": BOOLEAN,
    "TINYINT": TINYINT,
    "SMALLINT": SMALLINT,
    "INT": INT,
    "BIGINT": BIGINT,
    "FLOAT": FLOAT,
    "DOUBLE": DOUBLE,
    "TEXT": STRING,
    "BINARY": BINARY,
    "VARBINARY": BINARY,
    "DATE": DATE,
    "TIMESTAMP": TIMESTAMP,
    "TIMESTAMPTZ": TIMESTAMP,
    "TIMESTAMPLTZ": TIMESTAMP,
    "TIMESTAMPNTZ": TIMESTAMP_NTZ,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnType:
    """How a column of a declared type is stored.

    :param kind: the stored type; None if no type holds its values.
    :param made: Spark's expression of the declared type, with {} for the stored column; '' if it is the stored one.
    :param length: the greatest number of characters, None for any; a ``padded`` text has exactly so many.
    :param otherwise: what differs from the declared type, '' if nothing does. Without a stored type: why.
    """

    kind: SqlType | None
    made: str = ""
    length: int | None = None
    padded: bool = False
    otherwise: str = ""


_NO_TYPE = ColumnType(kind=None)
_OBJECT = Struct((("p", INT), ("q", STRING), ("r", Array(INT))))


def column_type(said: str) -> ColumnType:
    """The column type of the text ``said`` in a CREATE TABLE statement, or of Spark's name of a type."""
    text = " ".join(said.upper().split())
    for pattern, make in _FORMS:
        if found := re.fullmatch(pattern, text):
            return make(found)
    if re.search(r"\bCOLLATE\b", text):
        return _NO_TYPE  # inside of another type: sqlglot would drop it
    try:
        return ColumnType(kind=_kind(exp.DataType.build(said, dialect="spark")))
    except SqlglotError:
        return _NO_TYPE


def _of_text(found: re.Match[str]) -> ColumnType:
    padded, length = not found[1].startswith("VAR"), int(found[2])
    otherwise = "comparisons don't ignore the blanks at its end" if padded else ""
    return ColumnType(kind=STRING, length=length, padded=padded, otherwise=otherwise)


_FORMS: tuple[tuple[str, Callable[[re.Match[str]], ColumnType]], ...] = (
    (r"(CHAR|CHARACTER|VARCHAR) ?\( ?(\d+) ?\)", _of_text),
    (
        r"STRING COLLATE ([\w.]+)",
        lambda found: ColumnType(kind=STRING, made=f"CAST({{}} AS STRING COLLATE {found[1]})"),
    ),
    (r"VARIANT", lambda _: ColumnType(kind=_OBJECT, made="parse_json(to_json({}))")),
    (
        r"TIME(?: ?\( ?\d ?\))?",
        lambda found: ColumnType(kind=TIMESTAMP_NTZ, made=f"CAST(date_format({{}}, 'HH:mm:ss.SSSSSS') AS {found[0]})"),
    ),
    (
        r"INTERVAL (YEAR|MONTH)(?: TO MONTH)?",
        lambda found: ColumnType(kind=INT, made=f"CAST(make_ym_interval(0, {{}}) AS {found[0]})"),
    ),
    (
        r"INTERVAL (DAY|HOUR|MINUTE|SECOND)(?: TO (?:HOUR|MINUTE|SECOND))?",
        lambda found: ColumnType(kind=INT, made=f"CAST(make_dt_interval(0, 0, 0, {{}}) AS {found[0]})"),
    ),
)


def _kind(declared: exp.DataType) -> SqlType | None:
    name = declared.this.name if isinstance(declared.this, exp.DataType.Type) else str(declared.this)
    parts = declared.expressions
    if name in _NAMES:
        return _NAMES[name]
    if name == "DECIMAL":
        numbers = [int(each.name) for each in parts]
        return made(lambda: Decimal(*(numbers or [10, 0])[:1], *(numbers[1:] or [0])))
    if name == "ARRAY" and parts:
        element = _kind(parts[0])
        return Array(element) if element else None
    if name == "MAP" and len(parts) == 2:
        key, value = map(_kind, parts)
        return Map(key, value) if key and value else None
    if name == "STRUCT":
        kinds = [(each.name, _kind(each.kind)) for each in parts if isinstance(each, exp.ColumnDef) and each.kind]
        fields = tuple((field, kind) for field, kind in kinds if kind)
        return made(lambda: Struct(fields)) if len(fields) == len(parts) else None
    return None


T = TypeVar("T", bound=SqlType)


def made(make: Callable[[], T]) -> T | None:
    """A type, or None if the query algebra refuses it."""
    try:
        return make()
    except InvalidQuery:
        return None
