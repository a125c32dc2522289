"""Read a user's schema from CREATE TABLE statements, or from the schemas of parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as parquet
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from assay.queries.lines import one_line
from assay.session.ending import BadInput
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Column,
    Database,
    Decimal,
    InvalidQuery,
    SqlType,
    Struct,
    Table,
)

_NAMES: Mapping[str, SqlType] = {
    "BOOLEAN": BOOLEAN,
    "SMALLINT": SMALLINT,
    "INT": INT,
    "BIGINT": BIGINT,
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
_NEAREST: Mapping[str, SqlType] = {"TINYINT": SMALLINT, "FLOAT": DOUBLE, "CHAR": STRING, "VARCHAR": STRING}
"""Types that no table is drawn with, and their replacements: types that hold all their values and behave alike."""

_LACKING = "has a type that can't be drawn (there are no maps, intervals or variants)"


@dataclass(frozen=True, slots=True)
class Schema:
    """Empty tables; ``required`` are the columns (table, column) that hold no NULL.

    ``mapped`` has a line for each type that is replaced by another one.
    """

    database: Database
    required: frozenset[tuple[str, str]]
    mapped: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A column as its source declares it: ``kind`` is None if no type fits, ``instead`` set if it is a replacement."""

    name: str
    said: str
    kind: SqlType | None
    instead: bool = False
    required: bool = False


def read_schema(path: Path) -> Schema:
    """The schema at ``path``: a file of CREATE TABLE statements, a parquet file, or a folder of parquet files (a table
    is called like its file or its folder); BadInput in one line for anything else.
    """
    if path.is_file() and path.suffix != ".parquet":
        return schema_of(path, _declared(path))
    files = parquet_files(path)
    return schema_of(path, ((name, _stored(each[0])) for name, each in files.items()))


def parquet_files(path: Path) -> dict[str, list[Path]]:
    """The parquet files at ``path`` by table: files called like it, or folders of them; BadInput for none."""
    if path.is_file():
        return {path.stem: [path]}
    if not path.is_dir():
        raise BadInput(f"{path}: no such file or folder")
    found: dict[str, list[Path]] = {}
    for entry in sorted(path.iterdir()):
        parts = sorted(entry.rglob("*.parquet")) if entry.is_dir() else [entry] * (entry.suffix == ".parquet")
        if parts:
            found[entry.name.removesuffix(".parquet")] = parts
    if not found:
        raise BadInput(f"{path}: has no parquet files")
    return found


def schema_of(source: Path | str, tables: Iterable[tuple[str, list[Declared]]]) -> Schema:
    """The schema of ``tables``, which ``source`` has; BadInput in one line where one of them can't be drawn."""
    made: list[Table] = []
    required: set[tuple[str, str]] = set()
    mapped: dict[str, list[str]] = {}
    for name, columns in tables:
        for column in columns:
            if column.kind is None:
                raise BadInput(f"{source}: table {name}: column {column.name} {column.said} {_LACKING}")
            if column.instead:
                mapped.setdefault(f"{column.said} as {column.kind!r}", []).append(f"{name}.{column.name}")
        if len({column.name.casefold() for column in columns}) < len(columns):
            raise BadInput(f"{source}: table {name}: two columns have the same name")
        if name.casefold() in {table.name.casefold() for table in made}:
            raise BadInput(f"{source}: there are two tables called {name}")
        required |= {(name, column.name) for column in columns if column.required}
        made.append(Table(name, tuple(Column(column.name, column.kind) for column in columns if column.kind)))
    if not made:
        raise BadInput(f"{source}: has no CREATE TABLE statement")
    lines = (f"{how}: {where[0]}{_more(where)}" for how, where in mapped.items())
    return Schema(Database(tuple(made)), frozenset(required), tuple(lines))


def _more(where: list[str]) -> str:
    return f" and {len(where) - 1} more" if len(where) > 1 else ""


# CREATE TABLE statements.


def _declared(path: Path) -> Iterator[tuple[str, list[Declared]]]:
    try:
        statements = sqlglot.parse(path.read_text(encoding="utf-8"), dialect="spark")
    except (OSError, UnicodeDecodeError, SqlglotError) as error:
        raise BadInput(f"{path}: can't be read as Spark SQL: {one_line(error)}") from error
    for statement in statements:
        if isinstance(statement, (exp.Use, exp.Drop, exp.Set)) or statement is None:
            continue
        if not isinstance(statement, exp.Create) or statement.kind != "TABLE":
            raise BadInput(f"{path}: just CREATE TABLE can be drawn, not: {one_line(statement.sql('spark'))}")
        if not isinstance(statement.this, exp.Schema):
            raise BadInput(f"{path}: needs its columns listed: {one_line(statement.sql('spark'))}")
        table = statement.this.this
        if table.db:
            raise BadInput(f"{path}: table {table.db}.{table.name}: leave the database out, here and in the queries")
        # A partition's columns are among the others, or in PARTITIONED BY alone.
        partitions = [each for part in statement.find_all(exp.PartitionedByProperty) for each in _definitions(part)]
        columns = [_column(each) for each in (*_definitions(statement.this), *partitions)]
        yield table.name, columns


def declared_as(name: str, said: str, *, required: bool) -> Declared:
    """A column of the type that is named ``said`` in Spark."""
    try:
        kind, instead = _kind(exp.DataType.build(said, dialect="spark"))
    except SqlglotError:  # it has no words for intervals
        kind, instead = None, False
    return Declared(name=name, said=said, kind=kind, instead=instead, required=required)


def _definitions(node: exp.Expr) -> list[exp.ColumnDef]:
    schema = node.this if isinstance(node, exp.PartitionedByProperty) else node
    return [each for each in schema.expressions if isinstance(each, exp.ColumnDef)]


def _column(definition: exp.ColumnDef) -> Declared:
    declared = definition.kind
    if declared is None:
        return Declared(name=definition.name, said="without a type", kind=None)
    required = any(isinstance(each.kind, exp.NotNullColumnConstraint) for each in definition.constraints)
    kind, instead = _kind(declared)
    return Declared(name=definition.name, said=declared.sql("spark"), kind=kind, instead=instead, required=required)


def _kind(declared: exp.DataType) -> tuple[SqlType | None, bool]:
    """The type that a column is drawn with, and whether it replaces the declared type."""
    name = declared.this.name if isinstance(declared.this, exp.DataType.Type) else str(declared.this)
    if name in _NAMES:
        return _NAMES[name], False
    if name in _NEAREST:
        return _NEAREST[name], True
    if name == "DECIMAL":
        numbers = [int(each.name) for each in declared.expressions]
        return _made(lambda: Decimal(*(numbers or [10, 0])[:1], *(numbers[1:] or [0]))), False
    if name == "ARRAY" and declared.expressions:
        kind, instead = _kind(declared.expressions[0])
        return (_made(lambda: Array(kind)) if kind else None), instead
    if name == "STRUCT":
        definitions = [each for each in declared.expressions if isinstance(each, exp.ColumnDef)]
        parts = [(each.name, *_kind(each.kind)) for each in definitions if each.kind]
        fields = tuple((name, kind) for name, kind, _ in parts if kind)
        whole = len(fields) == len(declared.expressions)
        return (_made(lambda: Struct(fields)) if whole else None), any(instead for *_, instead in parts)
    return None, False


T = TypeVar("T", bound=SqlType)


def _made(make: Callable[[], T]) -> T | None:
    """A type, or None if the query algebra refuses it."""
    try:
        return make()
    except InvalidQuery:
        return None


# Parquet files.

_ARROW: tuple[tuple[Callable[[Any], bool], SqlType, bool], ...] = (
    (pa.types.is_boolean, BOOLEAN, False),
    (pa.types.is_int8, SMALLINT, True),
    (pa.types.is_uint8, SMALLINT, True),
    (pa.types.is_int16, SMALLINT, False),
    (pa.types.is_uint16, INT, True),
    (pa.types.is_int32, INT, False),
    (pa.types.is_uint32, BIGINT, True),
    (pa.types.is_int64, BIGINT, False),
    (pa.types.is_uint64, Decimal(20, 0), True),
    (pa.types.is_float32, DOUBLE, True),
    (pa.types.is_float64, DOUBLE, False),
    (pa.types.is_string, STRING, False),
    (pa.types.is_large_string, STRING, False),
    (pa.types.is_string_view, STRING, False),
    (pa.types.is_binary, BINARY, False),
    (pa.types.is_large_binary, BINARY, False),
    (pa.types.is_fixed_size_binary, BINARY, True),
    (pa.types.is_date, DATE, False),
)


def _stored(file: Path) -> list[Declared]:
    try:
        schema = parquet.read_schema(file)
    except (OSError, pa.ArrowInvalid) as error:
        raise BadInput(f"{file}: can't be read as parquet: {one_line(error)}") from error
    return [_from_arrow(each) for each in schema]


def _from_arrow(column: pa.Field) -> Declared:
    kind, instead = arrow_kind(column.type)
    return Declared(name=column.name, said=str(column.type), kind=kind, instead=instead, required=not column.nullable)


def arrow_kind(kind: Any) -> tuple[SqlType | None, bool]:
    """The type that a column of this Arrow type is drawn with, None if none fits, and whether it is a replacement."""
    for fits, ours, instead in _ARROW:
        if fits(kind):
            return ours, instead
    if pa.types.is_timestamp(kind):
        return (TIMESTAMP if kind.tz else TIMESTAMP_NTZ), False
    if pa.types.is_decimal(kind):
        return _made(lambda: Decimal(kind.precision, kind.scale)), False
    if pa.types.is_dictionary(kind):
        return arrow_kind(kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        element, instead = arrow_kind(kind.value_type)
        return (Array(element) if element else None), instead
    if pa.types.is_struct(kind):
        parts = [(kind.field(at).name, *arrow_kind(kind.field(at).type)) for at in range(kind.num_fields)]
        fields = tuple((name, each) for name, each, _ in parts if each)
        made = _made(lambda: Struct(fields)) if len(fields) == kind.num_fields else None
        return made, any(instead for *_, instead in parts)
    return None, False
