"""SQLite as the third engine: Python's sqlite3, in memory, with a new database for each query."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from functools import lru_cache

from oracles.answers.outcome import Cell, Outcome, Payload, Raised, Rows
from oracles.answers.outcome import type_text as tag_text
from oracles.engines.arrow import arrow_type
from oracles.engines.sqlite.functions import install
from oracles.sql.dialect import UnsupportedNode
from oracles.sql.sqlite.compiler import SqliteCompiler, quoted
from oracles.sql.sqlite.values import NAN, NotAValue, Raw, decimal_text, part_types, raw_value, unpacked
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DATE,
    FLOATING,
    INTERVAL,
    MONTHS,
    STRING,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    WHOLE,
    Array,
    Database,
    Decimal,
    Limit,
    Merge,
    Relation,
    SqlType,
    Statement,
    Struct,
    Table,
    afterwards,
    matches,
    type_text,
)

_STEPS = 20_000
"""Instructions of SQLite's virtual machine between two checks of the time limit."""


class SqliteEngine:
    """Runs queries on SQLite. A query without SQLite SQL or a certain answer is ``Raised`` with kind 'unsupported'.

    :param time_limit: seconds of wall time after which a query is interrupted.
    """

    def __init__(self, *, time_limit: float = 20.0) -> None:
        self.time_limit = time_limit

    @property
    def version(self) -> str:
        """SQLite's own version text."""
        return sqlite3.sqlite_version

    def run(self, query: Relation, database: Database) -> Outcome:
        """The answer of ``query`` over ``database``; its order counts if ``query`` ends in a Limit.

        A statement is answered by the query of its table afterwards, because SQLite has no MERGE; one that may have to
        raise has no answer.

        SQLite's columns have no types: the answer has the types of the query algebra. SQLite's errors have the kind
        'unsupported', not 'user', because no query of the algebra should raise: they mean that there is no answer.
        """
        if isinstance(query, Statement):
            if isinstance(query, Merge) and self._meets_twice(query, database):
                return Raised("MeetsTwice", None, "two rows of the source may meet one of the table", "unsupported")
            return self.run(afterwards(query), database)
        try:
            sql = SqliteCompiler().compile(query)
        except UnsupportedNode as error:
            return Raised("UnsupportedNode", None, str(error), "unsupported")
        kinds = [field.type for field in query.fields]
        end = time.monotonic() + self.time_limit
        try:
            with closing(sqlite3.connect(":memory:")) as connection:
                install(connection)
                for table in database.tables:
                    _load(connection, table)
                connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
                found = connection.execute(sql).fetchall()
            rows = tuple(tuple(map(cell, kinds, row)) for row in found)
        except (sqlite3.Error, NotAValue, MemoryError, OverflowError) as error:  # its integers have 64 bits
            late = time.monotonic() > end
            return Raised(type(error).__name__, None, str(error), "timeout" if late else "unsupported")
        return Rows(tuple(map(tag, kinds)), rows, isinstance(query, Limit))

    def _meets_twice(self, merge: Merge, database: Database) -> bool:
        """Whether two rows of the source may meet one of the table, where that matters."""
        if not merge.needs_one_match:
            return False
        pairs, met = (self.run(matches(merge, kind), database) for kind in ("inner", "semi"))
        return not (isinstance(pairs, Rows) and isinstance(met, Rows) and len(pairs.rows) == len(met.rows))


def _load(connection: sqlite3.Connection, table: Table) -> None:
    # Columns without a type, so that SQLite compares values without conversion.
    columns = ", ".join(f"c{place}" for place in range(len(table.columns)))
    connection.execute(f"CREATE TABLE {quoted(table.name)} ({columns})")
    kinds = [column.type for column in table.columns]
    marks = ", ".join("?" * len(kinds))
    rows = [tuple(map(raw_value, kinds, row)) for row in table.rows]
    connection.executemany(f"INSERT INTO {quoted(table.name)} VALUES ({marks})", rows)


def cell(kind: SqlType, raw: Raw) -> Cell:
    """Convert ``raw``, read from a column of ``kind``, into a cell of an outcome.

    :raises NotAValue: ``raw`` encodes no value of ``kind``.
    """
    return None if raw is None else (tag(kind), _payload(kind, raw))


@lru_cache(maxsize=1024)
def tag(kind: SqlType) -> str:
    """The text of ``kind`` in the schema of an outcome."""
    return tag_text(arrow_type(kind))


def _payload(kind: SqlType, raw: Raw) -> Payload:
    if kind in FLOATING and isinstance(raw, float):
        return (raw + 0.0).hex()
    if kind == BOOLEAN and raw in (0, 1):
        return bool(raw)
    if kind in (*WHOLE, DATE, TIMESTAMP, TIMESTAMP_NTZ, INTERVAL, MONTHS, TIME) and isinstance(raw, int):
        return raw
    if isinstance(kind, Decimal) and isinstance(raw, int):
        return decimal_text(raw, kind.scale)
    if (kind == STRING and isinstance(raw, str)) or (kind in FLOATING and raw == NAN):
        return str(raw)
    if kind == BINARY and isinstance(raw, bytes):
        return raw
    if isinstance(kind, (Array, Struct)) and isinstance(raw, bytes):
        inside = unpacked(kind, raw)
        return tuple(map(cell, part_types(kind, len(inside)), inside))
    raise NotAValue(f"{raw!r:.100} is no {type_text(kind)}")
