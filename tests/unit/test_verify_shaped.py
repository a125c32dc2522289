"""The small databases of a query of a rule's shape: which values they hold, and that none of a kind is left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from assay.verify.shaped import Shaped, small_databases, smallest_first
from strategies.ir import (
    INT,
    STRING,
    Case,
    Column,
    Compare,
    Database,
    Distinct,
    Field,
    Filter,
    Item,
    Lit,
    OneRow,
    Scan,
    Table,
    Value,
)

COLUMNS = (Column("a", INT), Column("s", STRING))
T0, T1 = (Scan(name, COLUMNS) for name in ("t0", "t1"))
A = Field("a", INT, None).column()
ROWS = ((5, "x"), (6, "y"))


def over(*tables: str, rows: tuple[tuple[Value, ...], ...] = ROWS) -> Case:
    """A filter over the first of ``tables``, which all have these rows."""
    query = Filter(T0, Compare("=", A, Lit(INT, 7)))
    return Case(query, Database(tuple(Table(name, COLUMNS, rows) for name in tables)))


HELD: dict[str, Callable[[Database], object]] = {
    "no rows": lambda database: database.row_count == 0,
    "as many rows as there may be": lambda database: database.row_count == 2,
    "a row twice": lambda database: len(rows := database.tables[0].rows) == 2 and rows[0] == rows[1],
    "a constant of the query": lambda database: any(row[0] == 7 for row in database.tables[0].rows),
    "a value of the table": lambda database: any(row[0] == 5 for row in database.tables[0].rows),
    "NULL in each column": lambda database: (None, None) in database.tables[0].rows,
}


@pytest.mark.parametrize("holds", HELD.values(), ids=HELD)
def test_the_small_databases_hold(holds: Callable[[Database], object]) -> None:
    assert any(map(holds, small_databases(over("t0"), rows=2, most=1_000)))


def test_they_come_from_the_one_without_rows_to_one_with_the_most() -> None:
    counts = [each.row_count for each in small_databases(over("t0", "t1"), rows=2, most=60)]
    assert (counts[0], counts[-1], len(counts)) == (0, 4, 60)
    assert counts == sorted(counts)


def test_each_is_another_one() -> None:
    found = small_databases(over("t0", "t1"), rows=2, most=60)
    assert len(set(found)) == len(found)


def test_a_table_without_values_holds_those_of_the_query_and_null() -> None:
    found = small_databases(over("t0", rows=()), rows=1, most=60)
    assert {row for each in found for row in each.tables[0].rows} == {(7, None), (None, None)}


def test_a_query_without_tables_has_one_database() -> None:
    assert small_databases(Case(OneRow((Item("x", Lit(INT, 1)),)), Database(())), rows=2, most=60) == [Database(())]


def test_the_smallest_case_comes_first_and_each_once() -> None:
    large, small = over("t0"), Case(T0, over("t0").database)
    twice = Case(Distinct(Filter(T0, Compare("=", A, Lit(INT, 7)))), over("t0").database)
    assert smallest_first(st.sampled_from([twice, large, small]), count=30) == [small, large, twice]


def test_the_line_says_how_many_queries_it_fired_on() -> None:
    assert Shaped(queries=9, fired=2, databases=120).line() == (
        "beyond the grammar: fired on 2 of 9 queries that its shape drew, 120 times compared over one of their small "
        "databases"
    )
