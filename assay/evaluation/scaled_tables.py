"""Tables of a given size for measuring time: a case's own rows, among many rows that rarely match in a join."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from random import Random

from strategies.ir import (
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INTERVAL,
    MONTHS,
    STRING,
    TIME,
    WHOLE,
    Array,
    Database,
    Decimal,
    SqlType,
    Struct,
    Table,
    Value,
    integer_range,
)

_OWN = 0.01
"""The share of the case's own rows; small, because they match in joins, whose results grow with its square."""
_NULLS = 0.1
_DAY_ZERO, _DAYS = date(2000, 1, 1), 10_000


def grown(database: Database, rows: int, seed: int) -> Database:
    """``database`` with ``rows`` rows in each table; the same seed gives the same rows.

    Added values are spread over as many numbers as there are rows; one added cell in ten is NULL.
    """
    random = Random(seed)
    return Database(tuple(_grown(table, rows, random) for table in database.tables))


def _grown(table: Table, rows: int, random: Random) -> Table:
    def row() -> tuple[Value, ...]:
        if table.rows and random.random() < _OWN:
            return random.choice(table.rows)
        return tuple(_cell(column.type, rows, random) for column in table.columns)

    return replace(table, rows=(*table.rows, *(row() for _ in range(rows - len(table.rows)))))


def _cell(kind: SqlType, spread: int, random: Random) -> Value:
    return None if random.random() < _NULLS else _value(kind, spread, random)


def _value(kind: SqlType, spread: int, random: Random) -> Value:
    if isinstance(kind, Array):
        return tuple(_cell(kind.element, spread, random) for _ in range(random.randrange(4)))
    if isinstance(kind, Struct):
        return tuple(_cell(field, spread, random) for _, field in kind.fields)
    if isinstance(kind, Decimal):
        whole = random.randrange(min(spread, 10 ** (kind.precision - kind.scale)))
        return f"{whole}.{random.randrange(10**kind.scale):0{kind.scale}}" if kind.scale else str(whole)
    if kind in WHOLE:
        low, high = integer_range(kind)
        return random.randint(max(low, -spread // 2), min(high, spread // 2))
    return _ATOMIC.get(kind, _moment)(spread, random)


def _moment(spread: int, random: Random) -> Value:
    seconds = timedelta(seconds=random.randrange(spread) * 61, microseconds=random.randrange(10**6))
    return (datetime(2000, 1, 1) + seconds).isoformat(sep=" ", timespec="microseconds")


_FLOATS = 2**23
"""The bound of the quarters that FLOAT has."""
_ATOMIC: dict[SqlType, Callable[[int, Random], Value]] = {
    BOOLEAN: lambda spread, random: random.random() < 0.5,
    DOUBLE: lambda spread, random: (random.randrange(-spread, spread) / 4).hex(),
    FLOAT: lambda spread, random: (random.randrange(-min(spread, _FLOATS), min(spread, _FLOATS)) / 4).hex(),
    STRING: lambda spread, random: f"s{random.randrange(spread)}",
    BINARY: lambda spread, random: f"{random.randrange(spread):08x}",
    INTERVAL: lambda spread, random: random.randrange(-spread, spread) * 61_000_003,
    MONTHS: lambda spread, random: random.randrange(-spread, spread),
    TIME: lambda spread, random: random.randrange(min(spread, 86_400)) * 1_000_000_000,
    DATE: lambda spread, random: (_DAY_ZERO + timedelta(days=random.randrange(_DAYS))).isoformat(),
}
