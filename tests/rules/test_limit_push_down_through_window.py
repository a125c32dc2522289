"""LimitPushDownThroughWindow by hand: the windows that a limit passes, and where it stays."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, AnyLimit, Col, Column, Database, Over, Project, Ranking, SortKey, Table, Window, walk
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, operators, tables_of, without

RULE = "LimitPushDownThroughWindow"


def ranked_by(function: str):
    """Whether a query holds a window of this function."""
    return lambda query: any(
        isinstance(node, Window) and node.columns[0].function == Ranking(function) for node in walk(query)
    )


EXPECTED = Expected(
    holds(AnyLimit),
    ANY_FORM,
    AnyLimit(Window(T0, (Over("n", Ranking("rank")),), (), (SortKey(Col("a", INT)),)), 1),
    {
        "numbers of rows": ranked_by("row_number"),
        "ranks without gaps": ranked_by("dense_rank"),
        "some of the columns": lambda query: isinstance(query, AnyLimit) and isinstance(query.child, Project),
        "rows that are skipped": lambda query: isinstance(query, AnyLimit) and query.offset > 0,
    },
)
ROWS = ((1, 3), (2, 1), (3, 2), (4, 1), (None, None), (5, 0))
TABLES = Database((Table("t", (Column("a", INT), Column("b", INT)), ROWS),))
PASSED = {
    "rank": "SELECT *, rank() OVER (ORDER BY b) AS n FROM t LIMIT 3",
    "dense rank": "SELECT *, dense_rank() OVER (ORDER BY b) AS n FROM t LIMIT 3",
    "the number of the row": "SELECT *, row_number() OVER (ORDER BY b, a) AS n FROM t LIMIT 3",
    "two of them": "SELECT *, rank() OVER (ORDER BY b) AS n, dense_rank() OVER (ORDER BY b) AS m FROM t LIMIT 3",
    "the last rows": "SELECT *, rank() OVER (ORDER BY b DESC NULLS LAST) AS n FROM t LIMIT 3",
    "some of the columns": "SELECT n FROM (SELECT *, rank() OVER (ORDER BY b) AS n FROM t) LIMIT 3",
    "rows that are skipped": "SELECT *, rank() OVER (ORDER BY b) AS n FROM t LIMIT 2 OFFSET 1",
}
KEPT = {
    "a partition": "SELECT *, rank() OVER (PARTITION BY a ORDER BY b) AS n FROM t LIMIT 3",
    "a share": "SELECT *, cume_dist() OVER (ORDER BY b) AS n FROM t LIMIT 3",
    "a rank beside a share": "SELECT *, rank() OVER (ORDER BY b), percent_rank() OVER (ORDER BY b) AS n FROM t LIMIT 3",
    "peers": "SELECT *, count(*) OVER (ORDER BY b) AS n FROM t LIMIT 3",
    "all rows": "SELECT *, count(*) OVER () AS n FROM t LIMIT 3",
    "a filter between": "SELECT * FROM (SELECT *, rank() OVER (ORDER BY b) AS n FROM t) WHERE n > 2 LIMIT 3",
    "an order between": "SELECT * FROM (SELECT *, rank() OVER (ORDER BY b) AS n FROM t) ORDER BY a LIMIT 3",
    "few rows": "SELECT *, rank() OVER (ORDER BY b) AS n FROM (SELECT * FROM t ORDER BY a LIMIT 2) LIMIT 3",
}

_tables = tables_of(TABLES)


class TestLimitPushDownThroughWindow:
    def test_ranks_the_first_rows(self, spark):
        query = "SELECT *, rank() OVER (ORDER BY b DESC) AS n FROM t LIMIT 2"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert operators(got)[:4] == ["Window", "GlobalLimit", "LocalLimit", "Sort"]
        assert operators(kept)[:3] == ["GlobalLimit", "LocalLimit", "Window"]
        assert got.rows == kept.rows == {(1, 3, 1): 1, (3, 2, 2): 1}

    @pytest.mark.parametrize("query", PASSED.values(), ids=PASSED)
    def test_goes_below(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        window = next(node for node in read_plan(got.plain).nodes() if node.kind == "Window")
        assert window.count("LocalLimit") == 1
        every = answer(spark, query.partition(" LIMIT")[0]).rows
        assert got.rows <= every
        assert sum(got.rows.values()) == sum(kept.rows.values())

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_stays(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows
