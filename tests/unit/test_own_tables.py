"""Rows for tables of one's own are of their types, hostile, bounded, and let joins and filters through."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracles.answers.outcome import rows_from_arrow
from oracles.engines.arrow import arrow_table
from strategies.draw.own_tables import MAX_ROWS, OwnTables, hostile, in_other_orders
from strategies.ir import BIGINT, BOOLEAN, DOUBLE, STRING, Array, Column, Database, Decimal, Table

KINDS = (BIGINT, STRING, DOUBLE, Decimal(38, 6), BOOLEAN, Array(STRING))
WIDE = tuple(Column(f"c{at}", KINDS[at % len(KINDS)]) for at in range(30))
SCHEMA = Database(tuple(Table(f"table_{number}", WIDE) for number in range(9)))
OWN = OwnTables(SCHEMA, frozenset({("table_0", "c1")}), {("table_1", "c1"): ("BRASS", "STEEL")})


@pytest.fixture(scope="module")
def databases():
    return [hostile(OWN, Random(f"tables/{number}")) for number in range(150)]


def test_any_number_of_tables_and_columns_is_filled_within_its_bounds(databases):
    assert {len(table.rows) for each in databases for table in each.tables} == set(range(MAX_ROWS + 1))
    assert hostile(OWN, Random("x")) == hostile(OWN, Random("x"))


def test_columns_that_hold_no_null_hold_none_and_others_do(databases):
    nulls = Counter(
        (table.name, column.name)
        for each in databases
        for table in each.tables
        for row in table.rows
        for column, value in zip(table.columns, row, strict=True)
        if value is None
    )
    assert nulls[("table_0", "c1")] == 0
    assert min(nulls[(table.name, column.name)] for table in SCHEMA.tables[1:] for column in WIDE) > 50


@pytest.mark.parametrize("value", ["nan", (0.0).hex(), (-0.0).hex(), "inf", "-inf"])
def test_doubles_are_hostile(databases, value):
    assert sum(value in row for each in databases for row in each.tables[3].rows) > 3


def test_rows_repeat_and_tables_are_empty_now_and_then(databases):
    tables = [table for each in databases for table in each.tables]
    assert sum(len(set(table.rows)) < len(table.rows) for table in tables) > len(tables) / 3
    assert 0 < sum(not table.rows for table in tables) < len(tables) / 8


def test_what_queries_ask_about_is_there_and_joins_have_partners(databases):
    assert sum(any(row[1] == "BRASS" for row in each.table("table_1").rows) for each in databases) > 75
    joined = [
        {row[0] for row in each.tables[2].rows} & {row[6] for row in each.tables[5].rows} - {None} for each in databases
    ]
    assert sum(map(bool, joined)) > 75


def test_other_orders_hold_the_same_bags(databases):
    for each in databases[:5]:
        for other in in_other_orders(each, Random(1), count=3):
            assert [table.counted() for table in other.tables] == [table.counted() for table in each.tables]
    assert in_other_orders(databases[0], Random(1), count=1)[0].tables[0].rows == databases[0].tables[0].rows[::-1]


def test_every_row_can_be_given_to_an_engine(databases):
    assert all(len(rows_from_arrow(arrow_table(table)).rows) == len(table.rows) for table in databases[0].tables)
