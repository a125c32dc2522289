"""Reduce millions of rows to few that still differ: take the rows near a difference, or else halve all rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path

import duckdb

from assay.queries.stored import plain_value
from assay.volume.dataset import Dataset, part
from assay.volume.multiset import Comparison
from oracles.answers.outcome import Cell, Row
from oracles.engines.arrow import arrow_type
from oracles.sql import DuckdbCompiler
from strategies.ir import Case, Database, InvalidQuery, SqlType, Table, Value, check_value

FEW = 1_500
"""The number of rows of all tables that a usual check can take."""

_AROUND = (1, 4)
"""The numbers of differing rows whose related rows are tried: first of one row, then of some more."""

_RELATED = 60
"""Rows of each table that are taken for one differing row: those that have most in common with it."""

_KEY_WEIGHT = 100
_COMPILER = DuckdbCompiler()


@dataclass(frozen=True, slots=True)
class Reducer:
    """Reduces the rows of a finding until ``until`` (of the monotonic clock).

    ``fails``: whether a case of few rows shows the finding in a usual check. ``differs``: whether a case shows it on a
    dataset.
    """

    fails: Callable[[Case], bool]
    differs: Callable[[Dataset, Case], bool]
    until: float

    def small(self, dataset: Dataset, case: Case, comparison: Comparison | None) -> Case | None:
        """``case``, which fails on ``dataset``, over few rows that show the same; None where none were found."""
        for database in _around(dataset, case, comparison.sample if comparison else ()):
            if self._in_time() and self.fails(near := replace(case, database=database)):
                return near
        return self._halved(dataset, case, 0)

    def _halved(self, dataset: Dataset, case: Case, depth: int) -> Case | None:
        """Halve the rows, by a hash of their first column, as long as one half shows the finding by itself."""
        if sum(map(dataset.rows, dataset.schema.tables)) <= FEW:
            few = replace(case, database=_stored(dataset))
            return few if self._in_time() and self.fails(few) else None
        for half in (0, 1):
            folder = dataset.folder / f"half-{depth}-{half}"
            if not self._in_time():
                return None
            with _half(dataset, half, depth, folder) as smaller:
                if self.differs(smaller, case):
                    return self._halved(smaller, case, depth + 1)
        return None

    def _in_time(self) -> bool:
        return time.monotonic() < self.until


def _half(dataset: Dataset, half: int, depth: int, folder: Path) -> AbstractContextManager[Dataset]:
    return part(dataset, lambda table: f"hash({_COMPILER.quote(table.columns[0].name)}, {depth}) % 2 = {half}", folder)


def _around(dataset: Dataset, case: Case, sample: Sequence[tuple[Row, tuple[int, ...]]]) -> Iterator[Database]:
    """Rows of each table that have most in common with some of the differing rows."""
    rows = [row for row, _ in sample]
    names = [(field.name, field.type) for field in case.query.fields]
    for count in dict.fromkeys(min(count, len(rows)) for count in _AROUND):
        if count:
            tables = (_related(dataset, table, names, rows[:count]) for table in dataset.schema.tables)
            yield Database(tuple(tables))


def _related(dataset: Dataset, table: Table, names: Sequence[tuple[str, SqlType]], rows: Sequence[Row]) -> Table:
    likenesses = [like for row in rows if (like := _likeness(table, names, row))]
    if not likenesses:
        return table
    name = _COMPILER.quote(table.name)
    each = (
        f"SELECT rowid FROM (SELECT rowid, {likeness} AS likeness FROM {name}) WHERE likeness > 0 "
        f"ORDER BY likeness DESC, rowid LIMIT {_RELATED}"
        for likeness in likenesses
    )
    wanted = " UNION ".join(f"({one})" for one in each)
    return _read(dataset.connection, table, f"SELECT * FROM {name} WHERE rowid IN ({wanted}) ORDER BY rowid")


def _likeness(table: Table, names: Sequence[tuple[str, SqlType]], row: Row) -> str:
    """SQL for the number of values that a row of ``table`` shares with an answer's ``row``; the key counts most."""
    terms = []
    for place, column in enumerate(table.columns):
        cells = [
            cell for (name, kind), cell in zip(names, row, strict=True) if (name, kind) == (column.name, column.type)
        ]
        weight = 1 if place else _KEY_WEIGHT
        for cell in dict.fromkeys(cells):
            value = plain_of(cell)
            if cell is None or _is_valid(column.type, value):
                literal = "NULL" if cell is None else _COMPILER.constant(column.type, value)
                same = f"{_COMPILER.quote(column.name)} IS NOT DISTINCT FROM {literal}"
                terms.append(f"CASE WHEN {same} THEN {weight} ELSE 0 END")
    return " + ".join(terms)


def _is_valid(kind: SqlType, value: Value) -> bool:
    try:
        check_value(kind, value)
    except InvalidQuery:
        return False
    return True


def plain_of(cell: Cell) -> Value:
    """The plain value of an answer's cell as a table would hold it; None also for a value that no table can hold."""
    if cell is None:
        return None
    tag, payload = cell
    if isinstance(payload, tuple):
        return tuple(map(plain_of, payload))
    if isinstance(payload, bytes):
        return payload.hex()
    try:
        if tag.startswith("date32") and isinstance(payload, int):
            return (date(1970, 1, 1) + timedelta(days=payload)).isoformat()
        if tag.startswith("timestamp") and isinstance(payload, int):
            moment = datetime(1970, 1, 1) + timedelta(microseconds=payload)
            return moment.isoformat(sep=" ", timespec="microseconds")
    except OverflowError:
        return None
    return payload


def _stored(dataset: Dataset) -> Database:
    def stored(table: Table) -> Table:
        return _read(dataset.connection, table, f"SELECT * FROM {_COMPILER.quote(table.name)}")

    return Database(tuple(map(stored, dataset.schema.tables)))


def _read(connection: duckdb.DuckDBPyConnection, table: Table, query: str) -> Table:
    found = connection.sql(query).to_arrow_table()
    columns = [
        [plain_value(column.type, each) for each in found.column(place).cast(arrow_type(column.type)).to_pylist()]
        for place, column in enumerate(table.columns)
    ]
    return replace(table, rows=tuple(zip(*columns, strict=True)))
