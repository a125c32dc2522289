"""RemoveRepetitionFromGroupExpressions by hand: keys that are the same, and keys that are not."""

from __future__ import annotations

import pytest

from strategies.ir import INT, STRING, Agg, Aggregate, Col, Column, Database, Item, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "RemoveRepetitionFromGroupExpressions"
LEAST = Aggregate(T0, (Item("k0", Col("a", INT)), Item("k1", Col("a", INT))), (Item("n0", Agg("count")),))
EXPECTED = Expected(holds(Aggregate), ANY_FORM, LEAST)
ROWS = Database(
    (
        Table("t", (Column("a", INT), Column("b", INT)), ((1, 2), (1, 2), (2, 1), (None, 1), (None, None))),
        Table("u", (Column("a", INT), Column("c", STRING)), ((1, "x"), (1, "y"), (None, None))),
    )
)

FIRING = {
    "a column": "SELECT a, count(*) FROM t GROUP BY a, a",
    "in other letters": "SELECT a, A AS x, count(*) FROM t GROUP BY a, A",
    "with its qualifier": "SELECT a, count(*) FROM t GROUP BY a, t.a",
    "an expression": "SELECT a + b, count(*) FROM t GROUP BY a + b, a + b",
    "sums": "SELECT a + b AS x, b + a AS y, count(*) FROM t GROUP BY a + b, b + a",
    "equalities": "SELECT count(*) FROM t GROUP BY a = b, b = a",
    "comparisons": "SELECT count(*) FROM t GROUP BY a < b, b > a",
    "three times": "SELECT a, b, count(*) FROM t GROUP BY a, b, a, b, a",
}
KEPT = {
    "plus zero": "SELECT a, count(*) FROM t GROUP BY a, a + 0",
    "sum and difference": "SELECT a + b AS x, a - b AS y, count(*) FROM t GROUP BY a + b, a - b",
    "differences": "SELECT count(*) FROM t GROUP BY a - b, b - a",
    "comparisons": "SELECT count(*) FROM t GROUP BY a < b, b < a",
    "names of two tables": "SELECT t.a, u.a AS x, count(*) FROM t LEFT JOIN u ON t.a = u.a GROUP BY t.a, u.a",
    "aliases of a nested query": "SELECT x, y, count(*) FROM (SELECT a AS x, a AS y FROM t) GROUP BY x, y",
    "literals": "SELECT a, count(*) FROM t GROUP BY a, 'x', 'x'",
    "nondeterministic": "SELECT count(*) FROM t GROUP BY rand(0), rand(1)",
}


_tables = tables_of(ROWS)


class TestRemoveRepetitionFromGroupExpressions:
    def test_one_key_is_left(self, spark):
        query = "SELECT a, a AS again, count(*) AS n FROM t GROUP BY a, a"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.rows == kept.rows == {(1, 1, 2): 1, (2, 2, 1): 1, (None, None, 2): 1}
        assert got.plain.startswith("Aggregate [a], [a, a AS again, count(1) AS n")
        assert kept.plain.startswith("Aggregate [a, a], [a, a AS again, count(1) AS n")

    @pytest.mark.parametrize("query", FIRING.values(), ids=FIRING)
    def test_fires_and_answers_as_without_it(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.rows == kept.rows
        assert got.plain != kept.plain

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert got.rows == answer(spark, query, without(RULE)).rows
