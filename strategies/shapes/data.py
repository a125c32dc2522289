"""Cases with chosen rows: a few rows, each with a number of copies in the left and in the right table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.draw.draws import below, pick
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    STRING,
    Case,
    Column,
    Database,
    Relation,
    Row,
    Scan,
    SetKind,
    SetOp,
    Table,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.forms import any_form, over_tables
from strategies.shapes.sides import sides

MAX_COPIES = 5
INT_AND_TEXT = (Column("a", INT), Column("b", STRING))
DOUBLES = (Column("a", DOUBLE),)
PAIR = (Column("a", INT), Column("b", INT))

_ROWS: dict[tuple[Column, ...], tuple[Row, ...]] = {
    INT_AND_TEXT: ((0, ""), (0, None), (None, ""), (None, None), (1, "a"), (0, "a")),
    DOUBLES: (((0.0).hex(),), ((-0.0).hex(),), ("nan",), (None,), ("inf",)),
}
NULL_ROWS: tuple[Row, ...] = ((None, None), (None, ""), (0, None))
"""Rows with a NULL."""
ALIKE_ROWS: tuple[Row, ...] = ((0, ""), (0, "a"), (0, None))
"""Rows that are equal only in their first column."""
_NUMBERS = (0, 1, None, 2)
Counts = tuple[tuple[int, int], ...]


def left_and_right(
    columns: tuple[Column, ...],
    copies: tuple[tuple[Row, tuple[int, int]], ...],
    right: tuple[Column, ...] | None = None,
) -> Database:
    """Tables ``t0`` and ``t1``, with the copies of each row given by its two counts."""
    rows = [tuple(row for row, counts in copies for _ in range(counts[number])) for number in range(2)]
    return Database((Table("t0", columns, rows[0]), Table("t1", right or columns, rows[1])))


def scans_of(database: Database) -> list[Scan]:
    """A scan of each table."""
    return [Scan(table.name, table.columns) for table in database.tables]


PAIRS = left_and_right(PAIR, ())
"""Two tables of two columns."""


def set_op_case(kind: SetKind, database: Database, *, keeps_all: bool) -> Case:
    """``t0 kind [ALL] t1 [kind [ALL] t2]``."""
    query: Relation
    query, *others = scans_of(database)
    for other in others:
        query = SetOp(kind, query, other, keeps_all)
    return Case(query, database)


@st.composite
def _counted(
    draw: DrawFn, kind: SetKind, keeps_all: bool, columns: tuple[Column, ...], rows: tuple[Row, ...], counts: Counts
) -> Case:
    size = 1 + draw(below(3))
    copies = tuple((pick(draw, rows), pick(draw, counts)) for _ in range(size))
    return set_op_case(kind, left_and_right(columns, copies), keeps_all=keeps_all)


ALL_COUNTS: Counts = tuple(
    sorted(((left, right) for left in range(MAX_COPIES + 1) for right in range(MAX_COPIES + 1)), key=sum)
)
"""Copies on the left and on the right, few first."""
NEARLY_EMPTY: Counts = ((1, 1), (1, 0), (0, 1), (1, 2), (2, 1))
"""Counts that show off-by-one errors: one side without the row, or one copy against one or two."""


@cache
def counted(
    kind: SetKind,
    *,
    keeps_all: bool,
    columns: tuple[Column, ...] = INT_AND_TEXT,
    counts: Counts = ALL_COUNTS,
    rows: tuple[Row, ...] | None = None,
) -> SearchStrategy[Case]:
    """``t0 kind [ALL] t1`` over one to three of ``rows``, each with its counts."""
    return _counted(kind, keeps_all, columns, rows or _ROWS[columns], counts)


@st.composite
def _widened(draw: DrawFn, kind: SetKind, keeps_all: bool) -> Case:
    narrow, wide = (Column("a", INT),), (Column("a", BIGINT),)
    copies = tuple(((pick(draw, _NUMBERS),), pick(draw, ALL_COUNTS)) for _ in range(1 + draw(below(3))))
    swapped = draw(st.booleans())
    database = left_and_right(wide if swapped else narrow, copies, narrow if swapped else wide)
    return set_op_case(kind, database, keeps_all=keeps_all)


@cache
def widened(kind: SetKind, *, keeps_all: bool) -> SearchStrategy[Case]:
    """``t0 kind [ALL] t1``, INT on one side and BIGINT on the other."""
    return _widened(kind, keeps_all)


@st.composite
def _chain(draw: DrawFn, kind: SetKind, keeps_all: bool) -> Case:
    rows = [(pick(draw, _NUMBERS),) for _ in range(1 + draw(below(2)))]
    tables = tuple(
        Table(f"t{number}", (Column("a", INT),), tuple(row for row in rows for _ in range(draw(below(4)))))
        for number in range(3)
    )
    return set_op_case(kind, Database(tables), keeps_all=keeps_all)


@cache
def chain(kind: SetKind, *, keeps_all: bool) -> SearchStrategy[Case]:
    """``t0 kind [ALL] t1 kind [ALL] t2``."""
    return _chain(kind, keeps_all)


@st.composite
def _repeated(draw: DrawFn, cases: SearchStrategy[Case]) -> Case:
    case = draw(cases)
    tables = (replace(table, rows=table.rows * 2) for table in case.database.tables)
    return replace(case, database=Database(tuple(tables)))


def repeated(cases: SearchStrategy[Case]) -> SearchStrategy[Case]:
    """``cases`` with twice as many copies of each row."""
    return _repeated(cases)


def set_operators(kind: SetKind, *, keeps_all: bool) -> SearchStrategy[Case]:
    """``L kind [ALL] R`` over tables of one family, alone or below another operator; shrinks to two bare scans."""
    return cases_of(over_tables(_set_operator, kind, keeps_all), forms_of=any_form)


def _set_operator(draw: DrawFn, schema: Database, kind: SetKind, keeps_all: bool) -> Relation:
    return in_context(draw, schema, SetOp(kind, *sides(draw, schema), all=keeps_all))


def misses_with_all(kind: SetKind) -> tuple[NearMiss, ...]:
    """The near misses of a rule about ``kind ALL``."""
    return (
        NearMiss("all_counts", lambda: counted(kind, keeps_all=True), fires=True),
        NearMiss("null_rows", lambda: counted(kind, keeps_all=True, rows=NULL_ROWS), fires=True),
        NearMiss("one_or_none", lambda: counted(kind, keeps_all=True, counts=NEARLY_EMPTY), fires=True),
        NearMiss("nan_and_zeros", lambda: counted(kind, keeps_all=True, columns=DOUBLES), fires=True),
        NearMiss("widened_types", lambda: widened(kind, keeps_all=True), fires=True),
        NearMiss("chain", lambda: chain(kind, keeps_all=True), fires=True),
        NearMiss("without_all", lambda: counted(kind, keeps_all=False), fires=False),
    )


def misses_without_all(kind: SetKind) -> tuple[NearMiss, ...]:
    """Near misses of a rule about ``kind`` without ALL, on which it fires."""
    alike = partial(counted, kind, keeps_all=False, rows=ALIKE_ROWS, counts=NEARLY_EMPTY)
    return (
        NearMiss("alike_in_one_column", alike, fires=True, weight=3),
        NearMiss("null_rows_on_both_sides", lambda: counted(kind, keeps_all=False, rows=NULL_ROWS), fires=True),
        NearMiss("nan_and_zeros", lambda: counted(kind, keeps_all=False, columns=DOUBLES), fires=True),
        NearMiss("widened_types", lambda: widened(kind, keeps_all=False), fires=True),
    )
