"""Draw tables: families of schemas, and rows for them, NULL-heavy and with repeats.

A schema is a :class:`Database` whose tables are empty. One pool of rows fills all tables: each row of the pool has a
number of copies in every table, drawn together, so that more, fewer and the same number of copies in one table than in
another all happen. A pool is drawn without a schema, so rows and query shrink independently.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from random import Random

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, pick
from strategies.draw.values import COLUMN_TYPES, INDEXES, NESTED_TYPES, one_of_two, value_at
from strategies.ir import (
    BIGINT,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TINYINT,
    Column,
    Database,
    Row,
    SqlType,
    Table,
)

MAX_TABLES = 3
MAX_COLUMNS = 4
MAX_ROWS = 12
NAMES = ("a", "b", "c", "d")
"""Names of columns, in base tables and in projections alike, because equal names are a hazard to test."""

_Columns = tuple[Column, ...]
_WIDER: dict[SqlType, SqlType] = {TINYINT: SMALLINT, FLOAT: DOUBLE, SMALLINT: INT, INT: BIGINT}


def _same(base: _Columns) -> _Columns:
    return base


def _renamed(base: _Columns) -> _Columns:
    names = [column.name for column in reversed(base)] if len(base) > 1 else ["b"]
    return tuple(replace(column, name=name) for column, name in zip(base, names, strict=True))


def _widened(base: _Columns) -> _Columns:
    return tuple(replace(column, type=_WIDER.get(column.type, column.type)) for column in base)


def _extended(base: _Columns) -> _Columns:
    return (*base, Column(NAMES[len(base)], base[0].type)) if len(base) < MAX_COLUMNS else base


_RELATIVES: tuple[Callable[[_Columns], _Columns], ...] = (_same, _same, _same, _renamed, _widened, _extended)
_TABLE_COUNTS = (1, 2, 3, 3, 3)
_DRAWN_TYPES = (*COLUMN_TYPES * 4, *(INT, STRING) * 6, *(DATE,) * 4, *NESTED_TYPES)
_TYPE_LISTS = {
    width: st.lists(st.sampled_from(_DRAWN_TYPES), min_size=1, max_size=width) for width in range(1, MAX_COLUMNS + 1)
}


@st.composite
def _schemas(draw: DrawFn, max_tables: int, max_columns: int) -> Database:
    types = draw(_TYPE_LISTS[max_columns])
    base = tuple(Column(name, kind) for name, kind in zip(NAMES, types, strict=False))
    count = pick(draw, [count for count in _TABLE_COUNTS if count <= max_tables])
    relatives = [pick(draw, _RELATIVES)(base) for _ in range(count - 1)]
    return Database(tuple(Table(f"t{number}", columns) for number, columns in enumerate((base, *relatives))))


@cache
def schemas(*, max_tables: int = MAX_TABLES, max_columns: int = MAX_COLUMNS) -> SearchStrategy[Database]:
    """Databases of empty tables ``t0``, ``t1``, …, all of one family; shrinks to ``t0 (a INT)``.

    The later tables are like the first, or have its names in reverse, wider integers or one more column.
    Raises InvalidArgument unless 1 <= max_tables <= 3 and 1 <= max_columns <= 4.
    """
    if not (1 <= max_tables <= MAX_TABLES and 1 <= max_columns <= MAX_COLUMNS):
        raise InvalidArgument(f"max_tables={max_tables} and max_columns={max_columns} must be in 1..{MAX_TABLES}, 1..4")
    return _schemas(max_tables, max_columns)


@dataclass(frozen=True, slots=True)
class Pool:
    """Rows without a schema, drawn by the same choices for any schema and query.

    ``rows``: for each row its copies in each table, and for each column two numbers: one that is compared with its
    share of NULL to make the cell NULL, and the place in the domain. ``columns``: for each column the share of NULL in
    tenths, and whether it is narrow: whether its cells that are not NULL have one of two values. ``emptied``: the
    number of the table that gets no rows, if there is such a table.
    """

    rows: tuple[tuple[tuple[int, ...], tuple[tuple[int, int], ...]], ...]
    columns: tuple[tuple[int, bool], ...]
    emptied: int


_COPIES = (0, 0, 1, 1, 1, 1, 2, 2, 3, 5)
_POOL_BOUNDS = (len(_COPIES) ** MAX_TABLES, *[10 * INDEXES] * MAX_COLUMNS)
"""Bounds of a row's numbers: one number for its copies in all tables, and one per cell, as each draw costs the same."""
_POOL_ROWS = st.tuples(*map(below, _POOL_BOUNDS))
_NULL_TENTHS = (3, 2, 4, 5, 2, 3, 2, 3, 4, 2, 3, 2, 5, 2, 3, 4, 2, 10)
_NARROW = (False, False, True)
"""One column in three is narrow: rows tie and join more often, and a column of doubles has both zeros."""
_POOL_COLUMNS = st.tuples(*[st.sampled_from(list(product(_NULL_TENTHS, _NARROW)))] * MAX_COLUMNS)
_POOL_LISTS = (
    st.lists(_POOL_ROWS, max_size=8),
    st.lists(_POOL_ROWS, max_size=2),
    *[st.lists(_POOL_ROWS, min_size=4, max_size=8)] * 14,
)
_EMPTIED = 30


@st.composite
def _pools(draw: DrawFn) -> Pool:
    rows = draw(pick(draw, _POOL_LISTS))
    return Pool(tuple(map(_pool_row, rows)), draw(_POOL_COLUMNS), _EMPTIED - 1 - draw(below(_EMPTIED)))


def _pool_row(numbers: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    copies, *cells = numbers
    each = (_COPIES[copies // len(_COPIES) ** number % len(_COPIES)] for number in range(MAX_TABLES))
    return tuple(each), tuple(divmod(cell, INDEXES) for cell in cells)


def pools() -> SearchStrategy[Pool]:
    """Pools of rows for any schema; shrinks to no rows, then to one row of zeros.

    Draw a pool before the query. Its choices don't depend on the query, which so shrinks without a change of the rows;
    after the query, each change of it would move the pool's choices, and the rows would end up empty.
    """
    return _POOLS


_POOLS = _pools()


def filled(schema: Database, pool: Pool, *, max_rows: int = MAX_ROWS) -> Database:
    """``schema`` with the rows of ``pool``, up to ``max_rows`` in each table.

    Raises InvalidArgument for more than three tables or four columns, and for a negative ``max_rows``.
    """
    widest = max((len(table.columns) for table in schema.tables), default=0)
    if max_rows < 0 or len(schema.tables) > MAX_TABLES or widest > MAX_COLUMNS:
        raise InvalidArgument(f"max_rows={max_rows}, {len(schema.tables)} tables, {widest} columns: out of range")
    return Database(
        tuple(
            replace(table, rows=() if number == pool.emptied else _rows(table, number, pool)[:max_rows])
            for number, table in enumerate(schema.tables)
        )
    )


def refilled(database: Database, random: Random, *, few: bool = False, dense: bool = False) -> Database:
    """The tables of ``database`` with other rows, of a pool like those of :func:`pools` but with at least four rows: to
    check a given query over more databases.

    :param few: with one to three rows instead, and one of three times without any in one table.
    :param dense: with NULL in at most one cell of ten, so that more conditions hold and more rows meet.
    """
    count = random.randint(1, 3) if few else random.randint(4, 8)
    rows = tuple(_pool_row(tuple(random.randrange(bound) for bound in _POOL_BOUNDS)) for _ in range(count))
    tenths = (0, 1, 1) if dense else (2, 3, 4)
    columns = tuple((random.choice(tenths), random.choice(_NARROW)) for _ in range(MAX_COLUMNS))
    return filled(database, Pool(rows, columns, random.randrange(3 * MAX_TABLES) if few else -1))


def _rows(table: Table, number: int, pool: Pool) -> tuple[Row, ...]:
    rows: list[Row] = []
    for copies, cells in pool.rows:
        row = tuple(
            None if tenth >= 10 - share else (one_of_two if narrow else value_at)(column.type, index)
            for column, (tenth, index), (share, narrow) in zip(table.columns, cells, pool.columns, strict=False)
        )
        rows.extend([row] * copies[number])
    return tuple(rows)


def rows_for(schema: Database, *, max_rows: int = MAX_ROWS) -> SearchStrategy[Database]:
    """``schema`` with rows; shrinks to no rows, then to one row of zeros.

    Two to five tenths of a column's cells are NULL; now and then all of them are, or a table is empty.
    """
    return pools().map(lambda pool: filled(schema, pool, max_rows=max_rows))


@cache
def databases(
    *, max_tables: int = MAX_TABLES, max_columns: int = MAX_COLUMNS, max_rows: int = MAX_ROWS
) -> SearchStrategy[Database]:
    """Schemas with rows: see :func:`schemas` and :func:`rows_for`."""
    return schemas(max_tables=max_tables, max_columns=max_columns).flatmap(
        lambda schema: rows_for(schema, max_rows=max_rows)
    )


def tables(*, max_columns: int = MAX_COLUMNS, max_rows: int = MAX_ROWS) -> SearchStrategy[Table]:
    """One table ``t0``; shrinks to one INT column and no rows."""
    return databases(max_tables=1, max_columns=max_columns, max_rows=max_rows).map(lambda database: database.tables[0])
