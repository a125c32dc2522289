"""Large tables from a seed: NULLs, repeated rows, skew, few values and the hostile ones of each type, as DuckDB's SQL.

Each row is made from a number, by which equal rows are equal in all tables of the same columns. The numbers are skewed:
small ones come up to thousands of times, the large ones once or not at all, in each table differently often. So rows
repeat in a table, and meet in several. All of it is a function of the seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import duckdb

from oracles.failures.scale import Scale
from oracles.sql import DuckdbCompiler
from strategies.draw.values import domain
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
    TIMESTAMP,
    WHOLE,
    Array,
    Column,
    Database,
    Decimal,
    SqlType,
    Struct,
    Table,
    integer_range,
)

_COMPILER = DuckdbCompiler()
_THOUSAND = 1_000
_KEY_NULLS, _KEY_HOSTILE = 20, 20
_NULLS = (0, 50, 300, 900)
_FEW = 0.5
_UNIT = 2.0**-53
_DAYS = 10_000


@dataclass(frozen=True, slots=True)
class Mix:
    """Of a thousand cells of a column, how many are NULL and how many hold one of the type's few hostile values; the
    others are spread over as many values as there are rows.
    """

    nulls: int
    hostile: int


def mixes(columns: tuple[Column, ...], seed: int) -> tuple[Mix, ...]:
    """A mix for each column: the first one is spread, of the others about half have few values alone."""
    random = Random(f"{seed}/mixes")
    others = [_mix(random) for _ in columns[1:]]
    return (Mix(_KEY_NULLS, _KEY_HOSTILE), *others)


def _mix(random: Random) -> Mix:
    nulls = random.choice(_NULLS)
    return Mix(nulls, _THOUSAND - nulls if random.random() < _FEW else (_THOUSAND - nulls) // 10)


def fill(connection: duckdb.DuckDBPyConnection, schema: Database, scale: Scale) -> None:
    """Create the tables of ``schema`` with ``scale.rows`` rows each."""
    for number, table in enumerate(schema.tables):
        connection.execute(filled(table, number, scale))


def filled(table: Table, number: int, scale: Scale) -> str:
    """The statement that creates the ``number``-th table."""
    each = zip(table.columns, mixes(table.columns, scale.seed), strict=True)
    cells = (
        f"{_cell(column.type, mix, place, scale)} AS {_COMPILER.quote(column.name)}"
        for place, (column, mix) in enumerate(each)
    )
    # Products of doubles are the same everywhere; a power may not be.
    spread = f"(hash(range, {scale.seed}, -1, {number}) >> 11) * {_UNIT!r}"
    numbers = f"SELECT {spread} AS u FROM range({scale.rows})"
    ids = f"SELECT CAST(floor({scale.rows} * u * u * u) AS BIGINT) AS id FROM ({numbers})"
    return f"CREATE TABLE {_COMPILER.quote(table.name)} AS SELECT {', '.join(cells)} FROM ({ids})"


def _cell(kind: SqlType, mix: Mix, place: int, scale: Scale) -> str:
    drawn = f"hash(id, {scale.seed}, {place})"
    hostile = ", ".join(_COMPILER.constant(kind, value) for value in domain(kind))
    few = f"[{hostile}][CAST(1 + {drawn} // {_THOUSAND} % {len(domain(kind))} AS BIGINT)]"
    # The first column's values go over all rows.
    other = "id" if place == 0 else f"CAST({drawn} // {_THOUSAND} % {scale.rows} AS BIGINT)"
    name = _COMPILER.type_name(kind)
    return (
        f"CASE WHEN {drawn} % {_THOUSAND} < {mix.nulls} THEN CAST(NULL AS {name}) "
        f"WHEN {drawn} % {_THOUSAND} < {mix.nulls + mix.hostile} THEN {few} ELSE {_spread(kind, other)} END"
    )


def _spread(kind: SqlType, number: str) -> str:
    """A value of ``kind`` for a ``number`` from 0 on: another one for another number, as far as the type goes."""
    name = _COMPILER.type_name(kind)
    if isinstance(kind, Array):
        return f"CAST([{_spread(kind.element, number)}, {_spread(kind.element, f'({number} // 3)')}] AS {name})"
    if isinstance(kind, Struct):
        fields = ", ".join(f"{_COMPILER.quote(field)}: {_spread(inner, number)}" for field, inner in kind.fields)
        return f"CAST({{{fields}}} AS {name})"
    if isinstance(kind, Decimal):
        return f"CAST({number} % {10 ** (kind.precision - kind.scale)} AS {name})"
    if kind in WHOLE:
        return f"CAST({number} % {integer_range(kind)[1]} AS {name})"
    return _ATOMIC.get(kind, _MOMENT).format(n=number)


_MOMENT = "make_timestamp({n} * 61000003)"
_ATOMIC: dict[SqlType, str] = {
    BOOLEAN: "({n} % 2 = 0)",
    DOUBLE: "CAST({n} AS DOUBLE) / 4",
    FLOAT: "CAST(CAST({n} % 4000000 AS DOUBLE) / 4 AS FLOAT)",  # in 24 bits
    STRING: "concat('s', {n})",
    BINARY: "encode(concat('b', {n}))",
    DATE: f"DATE '2000-01-01' + CAST({{n}} % {_DAYS} AS INTEGER)",
    INTERVAL: "({n} * 61000003)",
    MONTHS: "CAST({n} % 1000000 AS INTEGER)",
    TIME: "({n} % 86400000000 * 1000)",
    TIMESTAMP: f"CAST({_MOMENT} AS TIMESTAMPTZ)",
}
