"""Draw rows for the user's own tables: any number of tables and columns, with the hostile values of each type.

Each database has its own mood. A keen one has few NULLs and few values, many of them from the queries' comparisons with
columns, so that joins and filters have rows; other databases are NULL-heavy and diverse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from strategies.draw.values import INDEXES, value_at
from strategies.ir import Column, Database, Row, SqlType, Table, Value

MAX_ROWS = 10

ColumnValues = Mapping[tuple[str, str], tuple[Value, ...]]
"""By a table's and a column's name, values that drawn rows have in the column: those that it is compared with, say."""


@dataclass(frozen=True, slots=True)
class OwnTables:
    """Tables to fill: empty tables, columns without NULL, and values that drawn rows have."""

    schema: Database
    required: frozenset[tuple[str, str]] = frozenset()
    values: ColumnValues = field(default_factory=dict)

    def only(self, names: frozenset[str]) -> OwnTables:
        """The same for only the tables in ``names``."""
        tables = tuple(table for table in self.schema.tables if table.name in names)
        return replace(self, schema=Database(tables))


_NULL_TENTHS = (0, 1, 2, 3, 3, 4, 5, 5, 10)
_REPEATED = 0.25
_EMPTY = 0.04


def hostile(own: OwnTables, random: Random, *, max_rows: int = MAX_ROWS) -> Database:
    """The tables of ``own`` with at most ``max_rows`` rows each; now and then one is empty, or a column all NULL."""
    mood = _Mood(own, random, keen=random.random() < 0.6)
    return Database(
        tuple(replace(table, rows=_rows(table, mood, random, max_rows)) for table in own.schema.tables),
    )


class _Mood:
    """Draws the cells of one database."""

    def __init__(self, own: OwnTables, random: Random, *, keen: bool) -> None:
        self._own = own
        self._random = random
        self._keen = keen
        self._favourites: dict[SqlType, list[int]] = {}
        self._tenths: dict[tuple[str, str], int] = {}
        self._asked: dict[tuple[str, str], list[Value]] = {}

    def cell(self, table: Table, column: Column) -> Value:
        """Draw one cell; the share of NULL depends on the column and the database."""
        place = (table.name, column.name)
        if place not in self._tenths:
            self._start(place, column)
        if self._random.random() * 10 < self._tenths[place]:
            return None
        asked = self._asked[place]
        if asked and self._random.random() < (0.9 if self._keen else 0.4):
            return self._random.choice(asked)
        favourites = self._favourites[column.type]
        if self._random.random() < (0.9 if self._keen else 0.5):
            return value_at(column.type, self._random.choice(favourites))
        return value_at(column.type, self._random.randrange(INDEXES))

    def _start(self, place: tuple[str, str], column: Column) -> None:
        random = self._random
        most = random.choice((0, 0, 1)) if self._keen else random.choice(_NULL_TENTHS)
        self._tenths[place] = 0 if place in self._own.required else most
        values = list(self._own.values.get(place, ()))
        self._asked[place] = random.sample(values, min(len(values), random.randint(1, 3))) if self._keen else values
        if column.type not in self._favourites:
            # The same values for all columns of a type, so that joined columns share values.
            count = random.randint(1, 2) if self._keen else random.randint(2, 4)
            self._favourites[column.type] = [random.randrange(INDEXES) for _ in range(count)]


def _rows(table: Table, mood: _Mood, random: Random, max_rows: int) -> tuple[Row, ...]:
    if random.random() < _EMPTY:
        return ()
    rows: list[Row] = []
    for _ in range(random.randint(1, max_rows)):
        again = rows and random.random() < _REPEATED
        rows.append(random.choice(rows) if again else tuple(mood.cell(table, column) for column in table.columns))
    return tuple(rows)


def in_other_orders(database: Database, random: Random, *, count: int) -> list[Database]:
    """The same bags, stored in ``count`` other orders: reversed first, then shuffled."""
    found = [_ordered(database, lambda rows: rows[::-1])]
    while len(found) < count:
        found.append(_ordered(database, lambda rows: tuple(random.sample(rows, len(rows)))))
    return found


def _ordered(database: Database, order: Callable[[tuple[Row, ...]], tuple[Row, ...]]) -> Database:
    return Database(tuple(replace(table, rows=order(table.rows)) for table in database.tables))
