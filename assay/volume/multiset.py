"""Multisets of whole rows of any size, compared exactly where they lie: DuckDB counts each row's copies in every leg.

One GROUP BY over the rows of all legs says how often each row is in each; it works out of core. Equal is what has
equal counts in every leg, and no hash decides about that: DuckDB finds groups by hashes, and tells them apart by their
values. (A first pass that adds up rows' hashes would take a third of the time, and could only say that answers differ:
those that don't would be compared all the same.)

Its groups are the equality of :mod:`oracles.answers.outcome`: NULL equals NULL and nothing else, NaN is one value and
-0.0 is 0.0, inside of lists and structs, too; anything else is compared exactly. A test holds the two against each
other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import duckdb

from oracles.answers.outcome import Row, Rows, UnsupportedType, rows_from_arrow, type_text
from oracles.answers.rows import show_row

SHOWN = 20
"""Differing rows of each pair of legs that are looked at one by one; all of them are counted."""

_MOST_COPIES = 1_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of comparing the legs' answers.

    :param schemas: the types of each leg's columns; where they differ, no row is compared.
    :param rows: how many rows each leg has.
    :param differing: how many distinct rows aren't in all legs equally often.
    :param sample: of these, some from each pair of legs that differ, with their copies in each leg.
    """

    schemas: Mapping[str, tuple[str, ...]]
    rows: Mapping[str, int]
    differing: int
    sample: tuple[tuple[Row, tuple[int, ...]], ...]

    @property
    def equal(self) -> bool:
        """Whether all legs have the same rows equally often, and columns of the same types."""
        return not self.differing and len(set(self.schemas.values())) <= 1

    def outcomes(self) -> dict[str, Rows]:
        """An outcome for each leg with the rows of the sample alone: those of two legs are the same exactly where their
        answers are. Of very many copies just the order of their numbers is kept.
        """
        few = [(row, _few(copies)) for row, copies in self.sample]
        return {
            leg: Rows(schema, tuple(row for row, copies in few for _ in range(copies[at])))
            for at, (leg, schema) in enumerate(self.schemas.items())
        }

    def lines(self) -> list[str]:
        """A line for each row of the sample: ``(1, 'a')  on x0  off x1``."""
        return [
            f"{show_row(row)}  " + "  ".join(f"{leg} x{count:,}" for leg, count in zip(self.rows, copies, strict=True))
            for row, copies in self.sample
        ]


def _few(copies: tuple[int, ...]) -> tuple[int, ...]:
    if max(copies) <= _MOST_COPIES:
        return copies
    # A row that is missing stays missing.
    order = sorted({0, *copies})
    return tuple(order.index(each) for each in copies)


def compared(connection: duckdb.DuckDBPyConnection, legs: Mapping[str, str]) -> Comparison:
    """The answers of ``legs``, each a table, or what else stands in a FROM: at least two of them, with any names of
    columns.

    Raises UnsupportedType for a column without an equality, and what DuckDB raises for files that it can't read.
    """
    schemas = {leg: _schema(connection, source) for leg, source in legs.items()}
    rows = {leg: _number(connection, f"SELECT count(*) FROM {source}") for leg, source in legs.items()}
    if len(set(schemas.values())) > 1:
        return Comparison(schemas, rows, 0, ())
    width = len(next(iter(schemas.values())))
    connection.execute(f"CREATE OR REPLACE TEMP TABLE differing AS {differing(list(legs.values()), width)}")
    try:
        count = _number(connection, "SELECT count(*) FROM differing")
        sample = _sample(connection, len(legs), width) if count else ()
    finally:
        connection.execute("DROP TABLE differing")
    return Comparison(schemas, rows, count, sample)


def differing(sources: Iterable[str], width: int) -> str:
    """A query for the distinct rows that aren't in all ``sources`` equally often: their ``width`` columns, c0 and so
    on, and how often each source has them, n0 and so on.
    """
    each = list(sources)
    columns = ", ".join(f"c{at}" for at in range(width))
    parts = (
        f"SELECT {columns}, {', '.join(f'{int(at == place)} AS n{at}' for at in range(len(each)))} "
        f"FROM (SELECT * FROM {source}) AS leg({columns})"
        for place, source in enumerate(each)
    )
    counts = ", ".join(f"CAST(sum(n{at}) AS BIGINT) AS n{at}" for at in range(len(each)))
    unequal = " OR ".join(f"sum(n0) <> sum(n{at})" for at in range(1, len(each)))
    return f"SELECT {columns}, {counts} FROM ({' UNION ALL '.join(parts)}) GROUP BY {columns} HAVING {unequal}"


def _sample(connection: duckdb.DuckDBPyConnection, legs: int, width: int) -> tuple[tuple[Row, tuple[int, ...]], ...]:
    columns = ", ".join(f"c{at}" for at in range(width))
    numbers = ", ".join(f"n{at}" for at in range(legs))
    total = " + ".join(f"n{at}" for at in range(legs))
    found: dict[Row, tuple[int, ...]] = {}
    for one, other in combinations(range(legs), 2):
        table = connection.sql(
            f"SELECT {columns}, {numbers} FROM differing WHERE n{one} <> n{other} "
            f"ORDER BY {total}, {columns} LIMIT {SHOWN}"
        ).to_arrow_table()
        rows = rows_from_arrow(table.select(range(width))).rows
        copies = zip(*(table.column(width + at).to_pylist() for at in range(legs)), strict=True)
        found.update(zip(rows, copies, strict=True))
    return tuple(found.items())


_UNEQUAL = ("map<", "interval", "duration")
"""Parts of the names of types whose equality in DuckDB isn't ours: a month is 30 days, and entries have an order."""


def _schema(connection: duckdb.DuckDBPyConnection, source: str) -> tuple[str, ...]:
    fields = connection.sql(f"SELECT * FROM {source} LIMIT 0").to_arrow_table().schema
    schema = tuple(type_text(field.type) for field in fields)
    for text in schema:
        if any(part in text for part in _UNEQUAL):
            raise UnsupportedType(f"many rows of type {text} can't be compared")
    return schema


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    [[number]] = connection.execute(query).fetchall()
    return int(number)
