"""RemoveLiteralFromGroupExpressions by hand: the article's example, and what no row and no key make of it."""

from __future__ import annotations

import pytest

from strategies.ir import INT, STRING, Agg, Aggregate, Col, Column, Database, Item, Lit, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "RemoveLiteralFromGroupExpressions"
LEAST = Aggregate(T0, (Item("k0", Col("a", INT)), Item("k1", Lit(INT, 0))), (Item("n0", Agg("count")),))
EXPECTED = Expected(holds(Aggregate), ANY_FORM, LEAST)
ROWS = Database((Table("t", (Column("a", INT), Column("c", STRING)), ((1, "x"), (1, "y"), (2, None), (None, None))),))

FIRING = {
    "a literal": ("SELECT a, count(*) FROM t GROUP BY a, 'a'", "Aggregate [a]"),
    "selected": ("SELECT a, 'a' AS k, count(*) FROM t GROUP BY a, 'a'", "Aggregate [a]"),
    "foldable": ("SELECT a, count(*) FROM t GROUP BY a, upper('x'), 1 + 1 = 2", "Aggregate [a]"),
    "null": ("SELECT a, count(*) FROM t GROUP BY CAST(NULL AS STRING), a", "Aggregate [a]"),
    "all literals": ("SELECT 'a' AS k, count(*) FROM t GROUP BY 'a', 'b'", "Aggregate [0]"),
    "all literals, no rows": ("SELECT 'a' AS k, count(*) FROM t WHERE a > 9 GROUP BY 'a'", "Aggregate [0]"),
    "in a subquery": ("SELECT a FROM t WHERE a IN (SELECT a FROM t GROUP BY a, 'a')", "Aggregate [a]"),
}
KEPT = {
    "columns alone": "SELECT a, count(*) FROM t GROUP BY a, c",
    "a literal within": "SELECT coalesce(a, 0), count(*) FROM t GROUP BY coalesce(a, 0)",
    "a column of a nested query": "SELECT a, x, count(*) FROM (SELECT a, 1 AS x FROM t) GROUP BY a, x",
    "rollup": "SELECT a, 'a', count(*) FROM t GROUP BY a, 'a' WITH ROLLUP",
    "grouping sets": "SELECT a, x, count(*) FROM (SELECT a, 'x' AS x FROM t) GROUP BY GROUPING SETS ((a, x), (x), ())",
    "no keys": "SELECT count(*) FROM t",
    "nondeterministic": "SELECT count(*) FROM t GROUP BY a, rand(0) < 0",
}


_tables = tables_of(ROWS)


class TestRemoveLiteralFromGroupExpressions:
    def test_the_articles_example(self, spark):
        """A literal and the query's own time leave the keys: no column is left to read, and one key."""
        query = "SELECT a, 'a' AS k, max(c) FROM t GROUP BY a, 'a', current_timestamp()"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.rows == kept.rows == {(1, "a", "y"): 1, (2, "a", None): 1, (None, "a", None): 1}
        assert got.plain.startswith("Aggregate [a], [a, a AS k, max(c)")
        assert kept.plain.startswith("Aggregate [a, a, 20")

    @pytest.mark.parametrize(("query", "operator"), FIRING.values(), ids=FIRING)
    def test_fires_and_answers_as_without_it(self, spark, query, operator):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert operator in got.plain
        assert operator not in kept.plain
        assert got.rows == kept.rows

    def test_no_rows_make_no_group(self, spark):
        assert answer(spark, FIRING["all literals, no rows"][0]).rows == {}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
