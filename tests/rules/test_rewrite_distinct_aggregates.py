"""RewriteDistinctAggregates by hand: sets of values side by side, FILTER, no rows, and what one aggregate can do."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Agg, Aggregate, Col, Column, Database, Item, Table, walk
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, operators, tables_of

RULE = "RewriteDistinctAggregates"
LEAST = Aggregate(T0, (), (Item("n0", Agg("count", Col("a", INT), True, A_IS_ZERO)),))


def distinct(query) -> list[Agg]:
    """The functions of a query in which each value counts once."""
    return [node for node in walk(query) if isinstance(node, Agg) and node.distinct]


EXPECTED = Expected(
    lambda query: holds(Aggregate)(query) and bool(distinct(query)),
    ANY_FORM,
    LEAST,
    {
        "two columns": lambda query: len({function.operand for function in distinct(query)}) > 1,
        "a sum": lambda query: any(function.function == "sum" for function in distinct(query)),
        "a key": lambda query: any(
            isinstance(node, Aggregate) and node.keys and node.aggregates for node in walk(query)
        ),
    },
)

COLUMNS = (Column("k", INT), Column("a", INT), Column("b", INT))
ROWS = ((1, 1, 10), (1, 1, 20), (1, 2, 20), (1, 2, 20), (2, 5, None), (2, 5, None), (None, None, 7))
TABLES = Database((Table("t", COLUMNS, ROWS), Table("nothing", COLUMNS)))
FIRING = {
    "two columns": ("count(DISTINCT a), count(DISTINCT b)", (3, 3)),
    "a column and a pair": ("count(DISTINCT a), count(DISTINCT a, b)", (3, 3)),
    "beside all rows": ("count(DISTINCT a), sum(DISTINCT b), count(b), sum(a), count(*)", (3, 37, 5, 16, 7)),
    "computed": ("count(DISTINCT a), count(DISTINCT a + b)", (3, 3)),
    "a filter": ("count(DISTINCT a) FILTER (WHERE b > 10)", (2,)),
    "a filter beside another": ("count(DISTINCT a) FILTER (WHERE b > 10), count(DISTINCT a)", (2, 3)),
    "filters that take nothing": (
        "count(DISTINCT a) FILTER (WHERE b > 99), sum(DISTINCT b) FILTER (WHERE b > 99)",
        (0, None),
    ),
    "a constant": ("count(DISTINCT 1)", (1,)),
}
KEPT = {
    "one column": "SELECT count(DISTINCT a), sum(b) FROM t",
    "one column twice": "SELECT count(DISTINCT a), sum(DISTINCT a) FROM t",
    "max and min": "SELECT max(DISTINCT a), min(DISTINCT b) FROM t",
    "no DISTINCT": "SELECT count(a), count(b) FROM t",
}


_tables = tables_of(TABLES)


class TestRewriteDistinctAggregates:
    def test_two_sets_of_values_are_groups_of_their_own(self, spark):
        """Each row is there once for each set and once for all rows; an aggregate below brings values down to one."""
        got = answer(spark, "SELECT k, count(DISTINCT a) AS x, count(DISTINCT b) AS y, sum(b) AS z FROM t GROUP BY k")
        assert RULE in got.rules
        assert operators(got)[:3] == ["Aggregate", "Aggregate", "Expand"]
        assert got.rows == {(1, 2, 2, 70): 1, (2, 1, 0, None): 1, (None, 0, 1, 7): 1}

    @pytest.mark.parametrize(("functions", "row"), FIRING.values(), ids=FIRING)
    def test_fires(self, spark, functions, row):
        got = answer(spark, f"SELECT {functions} FROM t")
        assert RULE in got.rules
        assert got.rows == {row: 1}

    def test_of_no_rows_there_is_one_group_with_counts_of_zero(self, spark):
        got = answer(spark, "SELECT count(DISTINCT a), count(DISTINCT b), count(b), count(*), sum(b) FROM nothing")
        assert RULE in got.rules
        assert got.rows == {(0, 0, 0, 0, None): 1}

    def test_of_no_rows_there_is_no_group_by_keys(self, spark):
        got = answer(spark, "SELECT k, count(DISTINCT a), count(DISTINCT b) FROM nothing GROUP BY k")
        assert RULE in got.rules
        assert got.rows == {}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
