"""Give a column of the tables another type: equal values stay equal, and NULL stays NULL."""

from __future__ import annotations

from dataclasses import replace

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.values import domain
from strategies.ir import Array, Column, Database, Decimal, SqlType, Struct, Table, Value

_MADE = (Array, Decimal, Struct)
"""The classes of types that have parts, of which any type is as good as another."""


def is_alike(kind: SqlType, kinds: tuple[SqlType, ...]) -> bool:
    """Whether ``kind`` is one of ``kinds``, or an array, a decimal or a struct as one of them is."""
    made = tuple({type(each) for each in kinds if isinstance(each, _MADE)})
    return kind in kinds or isinstance(kind, made)


def with_column_of(draw: DrawFn, database: Database, kinds: tuple[SqlType, ...]) -> Database:
    """``database`` with one of ``kinds`` as the type of one column, the same one in all tables.

    A value becomes the one of the same place in the domain of the new type.
    """
    kind, place = pick(draw, kinds), pick(draw, range(min(len(table.columns) for table in database.tables)))
    return Database(tuple(_changed(table, place, kind) for table in database.tables))


def _changed(table: Table, place: int, kind: SqlType) -> Table:
    old, new = domain(table.columns[place].type), domain(kind)

    def other(value: Value) -> Value:
        return None if value is None else new[(old.index(value) if value in old else 0) % len(new)]

    columns = tuple(Column(column.name, kind) if at == place else column for at, column in enumerate(table.columns))
    rows = tuple((*row[:place], other(row[place]), *row[place + 1 :]) for row in table.rows)
    return replace(table, columns=columns, rows=rows)
