"""OptimizeSubqueries by hand: what becomes of a subquery's plan, and what must stay."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Column,
    Database,
    Filter,
    InSubquery,
    Item,
    Limit,
    Project,
    ScalarSubquery,
    Table,
    walk,
)
from tests.rules.expected import S0, T0, Expected, holds
from tests.rules.stock import answer, tables_of

RULE = "Optimizer$OptimizeSubqueries"
COUNT = Aggregate(S0, (), (Item("x", Agg("count")),))
LEAST = Project(T0, (Item("p0", ScalarSubquery(COUNT)),))
EXPECTED = Expected(
    holds(ScalarSubquery, InSubquery),
    frozenset({"sql"}),
    LEAST,
    {
        "IN": holds(InSubquery),
        "a condition": lambda query: isinstance(query, Filter) and holds(ScalarSubquery)(query),
        "a correlated one": lambda query: any(
            isinstance(node, (ScalarSubquery, InSubquery)) and node.outer for node in walk(query)
        ),
        "the first value": lambda query: any(
            isinstance(node, ScalarSubquery) and isinstance(node.query, Limit) for node in walk(query)
        ),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("people", COLUMNS, ((1, 10), (2, 20), (3, None))),
        Table("orders", COLUMNS, ((1, 30), (1, 20), (2, 10), (2, 10))),
    )
)
FIRING = {
    "a value": "SELECT a, (SELECT max(b) FROM (SELECT * FROM orders WHERE a > 0) AS o WHERE a < 2) AS m FROM people",
    "IN": "SELECT a FROM people WHERE b IN (SELECT b FROM (SELECT * FROM orders WHERE a > 0) AS o WHERE a < 3)",
    "a correlated one": "SELECT a FROM people AS p WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.a = p.a AND 1 = 1)",
}
KEPT = {
    "no subquery": "SELECT a FROM people WHERE b IN (10, 20)",
    "a semi join": "SELECT p.a FROM people AS p LEFT SEMI JOIN orders AS o ON o.a = p.a",
}


_tables = tables_of(TABLES)


class TestOptimizeSubqueries:
    def test_a_sort_on_top_goes_and_one_below_a_limit_stays(self, spark):
        """The order of the rows of an IN doesn't matter, but it says which rows a limit takes."""
        query = "SELECT a FROM people WHERE b IN (SELECT b FROM orders ORDER BY b{})"
        all_rows, first = (answer(spark, query.format(limit)) for limit in ("", " LIMIT 2"))
        assert RULE in all_rows.rules
        assert ("Sort" in all_rows.plain, "Sort" in first.plain) == (False, True)
        assert all_rows.rows == {(1,): 1, (2,): 1}
        assert first.rows == {(1,): 1}

    @pytest.mark.parametrize("query", FIRING.values(), ids=FIRING)
    def test_fires(self, spark, query):
        assert RULE in answer(spark, query).rules

    def test_repeats_count(self, spark):
        got = answer(spark, "SELECT (SELECT count(b) FROM orders) AS n FROM people WHERE a = 1")
        assert got.rows == {(4,): 1}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
