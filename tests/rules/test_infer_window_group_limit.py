"""InferWindowGroupLimit by hand: conditions that limit the rows of each partition, and windows that need them all."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import (
    INT,
    Agg,
    And,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Lit,
    Over,
    Ranking,
    SortKey,
    Table,
    Window,
    walk,
)
from tests.rules.expected import ANY_FORM, T0, Expected
from tests.rules.stock import answer, tables_of, without

RULE = "InferWindowGroupLimit"


def over_ranks(query):
    """Whether a query holds a filter right over a window of ranks."""
    return any(isinstance(node, Filter) and isinstance(node.child, Window) for node in walk(query))


def windows(query):
    """The windows of a query."""
    return [node for node in walk(query) if isinstance(node, Window)]


EXPECTED = Expected(
    over_ranks,
    ANY_FORM,
    Filter(
        Window(T0, (Over("n", Ranking("rank")),), (), (SortKey(Col("a", INT)),)),
        Compare("<=", Col("n", INT), Lit(INT, 1)),
    ),
    {
        "ranks in a partition": lambda query: any(window.partition for window in windows(query)),
        "numbers of rows": lambda query: any(
            window.columns[0].function == Ranking("row_number") for window in windows(query)
        ),
        "another function beside": lambda query: any(len(window.columns) == 2 for window in windows(query)),
        "a running count beside": lambda query: any(
            window.columns[-1].function == Agg("count") for window in windows(query)
        ),
        "another condition": lambda query: isinstance(query, Filter) and isinstance(query.condition, And),
    },
)
ROWS = ((1, 1), (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (None, 2), (None, None))
TABLES = Database((Table("t", (Column("a", INT), Column("b", INT)), ROWS),))


def ranks(condition: str, *beside: str, partition: str = "a", rank: str = "rank") -> str:
    """The rows whose rank ``n`` in a partition meets a condition, with more functions."""
    over = f"OVER (PARTITION BY {partition} ORDER BY b{', a' if 'row_number' in (rank, *beside) else ''})"
    columns = [f"{rank}() {over} AS n", *(function.format(over) for function in beside)]
    return f"SELECT * FROM (SELECT *, {', '.join(columns)} FROM t) WHERE {condition}"


RUNNING = "count(*) OVER (PARTITION BY a ORDER BY b, a ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS m"
LIMITED = {
    "at most": (ranks("n <= 2"), "2"),
    "less": (ranks("n < 3"), "2"),
    "that one": (ranks("n = 2"), "2"),
    "turned": (ranks("2 >= n"), "2"),
    "turned, less": (ranks("3 > n"), "2"),
    "beside another condition": (ranks("n <= 2 AND b > 1"), "2"),
    "the least of two": (ranks("n <= 2 AND n < 2"), "1"),
    "without gaps": (ranks("n <= 2", rank="dense_rank"), "2"),
    "numbers of rows": (ranks("n <= 2", rank="row_number"), "2"),
    "two ranks": (ranks("n <= 2", "dense_rank() {} AS m"), "2"),
    "all rows": ("SELECT * FROM (SELECT *, rank() OVER (ORDER BY b) AS n FROM t) WHERE n <= 2", "2"),
    "beside a running count": (
        f"SELECT * FROM (SELECT *, rank() OVER (PARTITION BY a ORDER BY b, a) AS n, {RUNNING} FROM t) WHERE n <= 2",
        "2",
    ),
}
KEPT = {
    "more": ranks("n > 1"),
    "another": ranks("n <> 1"),
    "either": ranks("n <= 1 OR b = 3"),
    "beside a share": ranks("n <= 1", "cume_dist() {} AS m"),
    "beside peers": ranks("n <= 1", "count(*) {} AS m"),
    "beside the next": ranks("n <= 1", "lead(b) {} AS m"),
    "a share": ranks("n <= 1", rank="cume_dist"),
    "counted above": "SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY b) AS m "
    "FROM (SELECT *, rank() OVER (PARTITION BY a ORDER BY b) AS n FROM t)) WHERE n <= 1",
}

_tables = tables_of(TABLES)


class TestInferWindowGroupLimit:
    def test_peers_of_the_last_rank_are_kept(self, spark):
        query = ranks("n <= 1")
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert "WindowGroupLimit [a], [b ASC NULLS FIRST], rank(b), 1" in got.plain
        assert "WindowGroupLimit" not in kept.plain
        assert got.rows == kept.rows == {(1, 1, 1): 2, (2, 1, 1): 1, (None, None, 1): 1}

    @pytest.mark.parametrize(("query", "limit"), LIMITED.values(), ids=LIMITED)
    def test_limits_and_answers_as_without(self, spark, query, limit):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        [node] = [node for node in read_plan(got.plain).nodes() if node.kind == "WindowGroupLimit"]
        assert node.text.endswith(f", {limit}")
        assert got.rows == kept.rows != {}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    @pytest.mark.parametrize("condition", ["n < 1", "n = 0", "n <= -1"])
    def test_no_row_has_a_rank_below_one(self, spark, condition):
        got = answer(spark, ranks(condition))
        assert RULE in got.rules
        assert read_plan(got.plain).kind == "LocalRelation"
        assert got.rows == answer(spark, ranks(condition), without(RULE)).rows == {}

    def test_the_first_numbers_of_all_rows_are_a_limit(self, spark):
        """Without a partition the rows with the first numbers are the first rows."""
        query = "SELECT * FROM (SELECT *, row_number() OVER (ORDER BY b, a) AS n FROM t) WHERE n <= 2"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert [read_plan(plan.plain).count("LocalLimit") for plan in (got, kept)] == [1, 0]
        assert got.rows == kept.rows
