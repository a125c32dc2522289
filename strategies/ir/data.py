"""Tables as data, which both engines load."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from strategies.ir.types import BIGINT, DATE, INT, SMALLINT, InvalidQuery, SqlType, Value, check_value

Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a base table; every column is nullable."""

    name: str
    type: SqlType


_PARTITIONING: tuple[SqlType, ...] = (INT, BIGINT, SMALLINT, DATE)
"""Types of a partition's value that the name of a folder gives back; of a text, '' would be NULL."""


def partition_column(columns: tuple[Column, ...]) -> int | None:
    """The place of the column by which a table can be partitioned; None if it has none, or no other column."""
    suitable = (place for place, column in enumerate(columns) if column.type in _PARTITIONING)
    return next(suitable, None) if len(columns) > 1 else None


@dataclass(frozen=True, slots=True)
class Table:
    """A base table: a bag of rows, in their stored order."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ()

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if not names or len(set(names)) != len(names):
            raise InvalidQuery(f"Table {self.name}: needs at least one column and no name twice, got {names}")
        for row in self.rows:
            if len(row) != len(names):
                raise InvalidQuery(f"Table {self.name}: row {row!r} has not {len(names)} values")
            for column, value in zip(self.columns, row, strict=True):
                check_value(column.type, value)

    def counted(self) -> dict[Row, int]:
        """Distinct rows with their replication counts, in order of first appearance."""
        return dict(Counter(self.rows))


@dataclass(frozen=True, slots=True)
class Database:
    """The tables that one query runs on; names are distinct."""

    tables: tuple[Table, ...]

    def __post_init__(self) -> None:
        names = [table.name for table in self.tables]
        if len(set(names)) != len(names):
            raise InvalidQuery(f"Database: table names must be distinct, got {names}")

    @property
    def row_count(self) -> int:
        """The number of rows in all tables together."""
        return sum(len(table.rows) for table in self.tables)

    def table(self, name: str) -> Table:
        """The table called ``name``; raises KeyError if there is none."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)
