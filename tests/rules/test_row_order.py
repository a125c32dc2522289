"""An ORDER BY of all columns at the top is part of the answer; any other order is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.answers.rows import same
from oracles.checks.choices import all_that_changed
from strategies.ir import INT, Case, Col, Column, Database, Scan, Settings, Sort, SortKey, Table

COLUMNS = (Column("a", INT), Column("b", INT))
T0 = Scan("t0", COLUMNS)
DATABASE = Database((Table("t0", COLUMNS, ((1, 3), (2, None), (None, 5), (1, 1), (7, 7))),))
BY_A = (SortKey(Col("a", INT)),)
BY_ALL = (*BY_A, SortKey(Col("b", INT), True, False))


def test_an_order_of_all_columns_is_checked_row_by_row(harness):
    case = Case(Sort(T0, BY_ALL), DATABASE, Settings(partitions=3, table_partitions=2))
    legs = harness.check(case, all_that_changed).legs
    assert legs["on"].rows == legs["duckdb"].rows
    assert same(legs["on"], legs["duckdb"])
    assert not same(legs["on"], replace(legs["duckdb"], rows=legs["duckdb"].rows[::-1]))


@pytest.mark.parametrize("query", [Sort(T0, BY_A), Sort(T0, BY_ALL, within=True)], ids=["some columns", "within"])
def test_another_order_is_none_that_counts(harness, query):
    legs = harness.check(Case(query, DATABASE, Settings(partitions=3, table_partitions=2)), all_that_changed).legs
    assert same(legs["on"], replace(legs["duckdb"], rows=legs["duckdb"].rows[::-1]))
