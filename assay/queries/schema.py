"""A user's schema as tables to draw: of statements, of the schemas of parquet files, or of a catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from assay.queries.arrow_types import arrow_kind
from assay.queries.column_types import ColumnType, column_type
from assay.queries.declarations import Declarations, read_declarations
from assay.queries.lines import one_line
from assay.queries.statements import Name, View, without_databases
from assay.session.ending import BadInput
from strategies.ir import Column, Database, Row, Table

Place = tuple[str, str]
"""A column by the names of its table and of itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Empty tables, as they are stored, and what queries read over them.

    :param required: the columns that hold no NULL.
    :param lengths: of columns of a limited length, the greatest number of characters, and whether texts are padded.
    :param mapped: a line for each type that is replaced by another one, and for each column that is left out.
    :param views: the user's views, and tables with columns of types that no table is stored with, in order.
    :param names: the full names of tables that are called with their database.
    :param inserted: by table, a query of Spark for the rows of each INSERT.
    :param given: by table, the user's own rows; drawn ones come after them.
    """

    database: Database
    required: frozenset[Place] = frozenset()
    lengths: Mapping[Place, tuple[int, bool]] = field(default_factory=dict)
    mapped: tuple[str, ...] = ()
    views: tuple[View, ...] = ()
    names: frozenset[Name] = frozenset()
    inserted: Mapping[str, Sequence[str]] = field(default_factory=dict)
    given: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A column as its source declares it; ``instead``: the type is replaced by another one that holds its values."""

    name: str
    said: str
    type: ColumnType
    instead: bool = False
    required: bool = False


def _nothing(_: ColumnType) -> str:
    return ""


def read_schema(path: Path, refused: Callable[[ColumnType], str] = _nothing) -> Schema:
    """The schema at ``path``: a file of statements, a parquet file, or a folder of parquet files, which are called like
    their tables, or are in folders called so; BadInput in one line for anything else.

    :param refused: why Spark can't make columns of a type, '' if it can; such columns are left out.
    """
    if path.is_file() and path.suffix != ".parquet":
        return _of_statements(path, read_declarations(path), refused)
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
    required: set[Place] = set()
    lengths: dict[Place, tuple[int, bool]] = {}
    mapped: dict[str, list[str]] = {}
    views: list[View] = []
    seen: set[str] = set()
    for name, columns in tables:
        if len({column.name.casefold() for column in columns}) < len(columns):
            raise BadInput(f"{source}: table {name}: two columns have the same name")
        if name.casefold() in seen:
            raise BadInput(f"{source}: there are two tables called {name}")
        seen.add(name.casefold())
        kept = [column for column in columns if column.type.kind]
        for column in columns:
            if line := _otherwise(column):
                mapped.setdefault(line, []).append(f"{name}.{column.name}")
        if not kept:
            raise BadInput(f"{source}: table {name}: none of its columns has a type that can be drawn")
        stored = f"stored_{name}" if any(column.type.made for column in kept) else name
        if stored != name:
            views.append(_over_stored(name, stored, kept))
        for column in kept:
            if column.required:
                required.add((stored, column.name))
            if column.type.length is not None:
                lengths[stored, column.name] = column.type.length, column.type.padded
        made.append(Table(stored, tuple(Column(each.name, each.type.kind) for each in kept if each.type.kind)))
    lines = tuple(f"{how}: {where[0]}{_more(where)}" for how, where in mapped.items())
    return Schema(
        database=Database(tuple(made)),
        required=frozenset(required),
        lengths=lengths,
        mapped=lines,
        views=tuple(views),
    )


def _otherwise(column: Declared) -> str:
    if column.type.kind is None:
        return f"left out, {column.said} can't be drawn{f': {column.type.otherwise}' if column.type.otherwise else ''}"
    if column.instead:
        return f"{column.said} as {column.type.kind!r}"
    return f"{column.said} as {column.type.kind!r}, {column.type.otherwise}" if column.type.otherwise else ""


def _more(where: list[str]) -> str:
    return f" and {len(where) - 1} more" if len(where) > 1 else ""


def _over_stored(name: str, stored: str, columns: Sequence[Declared]) -> View:
    """A table with columns of Spark's own types, made of stored ones; DuckDB has the others alone."""
    texts = [
        f"{column.type.made.format(f'`{column.name}`')} AS `{column.name}`" if column.type.made else f"`{column.name}`"
        for column in columns
    ]
    own = [f"`{column.name}`" for column in columns if not column.type.made]
    native = f"SELECT {', '.join(own) or 'NULL AS none_of_these'} FROM `{stored}`"
    lost = tuple(column.name for column in columns if column.type.made)
    return View(name=name, text=f"SELECT {', '.join(texts)} FROM `{stored}`", native=native, lost=lost)


def declared_as(name: str, said: str, *, required: bool = False) -> Declared:
    """A column of the type that is named ``said`` in Spark."""
    return Declared(name=name, said=said, type=column_type(said), required=required)


def _taken(column: Declared, refused: Callable[[ColumnType], str]) -> Declared:
    why = refused(column.type)
    return replace(column, type=ColumnType(kind=None, otherwise=why)) if why else column


def _of_statements(path: Path, found: Declarations, refused: Callable[[ColumnType], str]) -> Schema:
    tables = {
        name: [_taken(declared_as(each.name, each.type, required=each.required), refused) for each in columns]
        for name, columns in found.tables.items()
    }
    if not tables and not found.views:
        raise BadInput(f"{path}: has no CREATE TABLE statement")
    schema = schema_of(path, tables.items())
    own = {view.name: view.text for view in schema.views}
    inserted: dict[str, list[str]] = {}
    for name, parts in found.rows.items():
        if name in own:
            raise BadInput(
                f"{path}: rows of {name} can't be taken: it has columns of a type that no table is stored with"
            )
        for listed, values in parts:
            inserted.setdefault(name, []).append(_rows_of(path, name, tables[name], listed, values))
    names = frozenset(full[at:] for full in found.names.values() for at in range(len(full) - 1))
    views = (replace(view, text=without_databases(view.text, names)) for view in found.views)
    return replace(
        schema,
        views=(*schema.views, *views),
        names=names,
        inserted=inserted,
    )


def _rows_of(path: Path, name: str, columns: Sequence[Declared], listed: tuple[str, ...], values: str) -> str:
    """A query of Spark for the rows of one INSERT, with the columns of the stored table."""
    places = {column.casefold(): at for at, column in enumerate(listed or [column.name for column in columns])}
    if unknown := sorted(places.keys() - {column.name.casefold() for column in columns}):
        raise BadInput(f"{path}: INSERT INTO {name}: it has no column {unknown[0]}")
    texts = [
        f"CAST({f'c{at}' if (at := places.get(column.name.casefold())) is not None else 'NULL'} AS {column.said})"
        for column in columns
        if column.type.kind
    ]
    return f"SELECT {', '.join(texts)} FROM VALUES {values} AS v({', '.join(f'c{at}' for at in range(len(places)))})"


def _stored(file: Path) -> list[Declared]:
    try:
        schema = parquet.read_schema(file)
    except (OSError, pa.ArrowInvalid) as error:
        raise BadInput(f"{file}: can't be read as parquet: {one_line(error)}") from error
    return [_from_arrow(each) for each in schema]


def _from_arrow(column: pa.Field) -> Declared:
    kind, instead = arrow_kind(column.type)
    made = ColumnType(kind=kind)
    return Declared(name=column.name, said=str(column.type), type=made, instead=instead, required=not column.nullable)
