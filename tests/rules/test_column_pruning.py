"""ColumnPruning by hand: the article's example, each operator below which columns go, and where all of them count."""

from __future__ import annotations

import pytest

from strategies.ir import INT, STRING, Agg, Aggregate, Column, Database, Generate, Item, Join, Table, Window
from tests.rules.expected import ANY_FORM, T0, Expected, holds, set_ops
from tests.rules.stock import answer, tables_of, without

RULE = "ColumnPruning"
EXPECTED = Expected(
    holds(Aggregate, Join, Window, Generate),
    ANY_FORM,
    Aggregate(T0, (), (Item("n", Agg("count")),)),
    {
        "a window": holds(Window),
        "the elements of an array": holds(Generate),
        "a union": set_ops("union", keeps_all=True),
        "rows that are compared": set_ops("except", keeps_all=True),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT), Column("c", STRING))
TABLES = Database(
    (
        Table("t", COLUMNS, ((1, 2, "x"), (1, 2, "y"), (1, 3, "x"), (None, 3, None))),
        Table("u", COLUMNS, ((1, 2, "x"), (4, 5, "z"))),
    )
)
PRUNED = {
    "aggregate": ("SELECT a, max(b) FROM t GROUP BY a", "Project [a, b]"),
    "unused aggregate": ("SELECT a FROM (SELECT a, max(b) AS m FROM t GROUP BY a)", "Project [a]"),
    "count": ("SELECT count(*) FROM t", "Project\n"),
    "join": ("SELECT t.a FROM t JOIN u ON t.b = u.b", "Project [b]"),
    "a join's filter": ("SELECT t.a FROM t JOIN u ON t.b = u.b WHERE u.c > 'a'", "Project [b]"),
    "semi join": ("SELECT t.a FROM t LEFT SEMI JOIN u ON t.b = u.b", "Project [b]"),
    "a subquery's join": ("SELECT a FROM t WHERE b IN (SELECT b FROM u)", "Project [a, b]"),
    "sort": ("SELECT a FROM (SELECT * FROM t ORDER BY b LIMIT 2)", "Project [a, b]"),
    "window": ("SELECT a FROM (SELECT *, sum(b) OVER (PARTITION BY a) AS s FROM t)", "Project [a]"),
    "window that is used": ("SELECT s FROM (SELECT *, sum(b) OVER (PARTITION BY a) AS s FROM t)", "Project [a, b]"),
    "generate": ("SELECT e FROM t LATERAL VIEW explode(array(b)) AS e", "Project [b]"),
    "union": ("SELECT sum(a) FROM (TABLE t UNION ALL TABLE u)", "Project [a]"),
    "below except": ("SELECT a FROM (SELECT a, b FROM t EXCEPT SELECT a, b FROM u)", "Project [a, b]"),
}
KEPT = {
    "all columns": "SELECT * FROM t",
    "all columns of a filter": "SELECT a, b, c FROM t WHERE b > 1",
    "a table's columns": "SELECT a FROM t",
    "a filter's column": "SELECT a FROM t WHERE b = 2",
    "distinct": "SELECT DISTINCT * FROM t",
    "union all": "TABLE t UNION ALL TABLE u",
}


_tables = tables_of(TABLES)


class TestColumnPruning:
    def test_the_articles_example(self, spark):
        """``max`` is computed and not asked for: neither the function nor its column is left."""
        query = "SELECT k FROM (SELECT a AS k, max(c) AS max_date FROM t GROUP BY a, b)"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.plain.splitlines()[:2] == ["Aggregate [a, b], [a AS k]", "+- Project [a, b]"]
        assert kept.plain.splitlines()[1] == "+- Relation [a,b,c] parquet"
        assert "max(" not in got.plain
        assert got.rows == kept.rows == {(1,): 2, (None,): 1}

    @pytest.mark.parametrize(("query", "projection"), PRUNED.values(), ids=PRUNED)
    def test_prunes_and_answers_as_without_it(self, spark, query, projection):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert projection in got.plain
        assert got.plain != kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules

    @pytest.mark.parametrize(
        ("query", "rows"),
        [
            ("SELECT a FROM (SELECT DISTINCT a, b FROM t)", {(1,): 2, (None,): 1}),
            ("SELECT a FROM (SELECT a, b FROM t EXCEPT SELECT a, b FROM u)", {(1,): 1, (None,): 1}),
            ("SELECT a FROM (SELECT a, b FROM t INTERSECT SELECT a, b FROM u)", {(1,): 1}),
            ("SELECT a FROM (SELECT a, c FROM t EXCEPT ALL SELECT a, c FROM u)", {(1,): 2, (None,): 1}),
        ],
        ids=["distinct", "except", "intersect", "except all"],
    )
    def test_columns_that_tell_rows_apart_count_though_nobody_asks_for_them(self, spark, query, rows):
        assert answer(spark, query).rows == rows

    def test_a_partition_that_is_not_asked_for_still_tells_rows_apart(self, spark):
        query = "SELECT n FROM (SELECT a, b, count(*) OVER (PARTITION BY a, b) AS n FROM t)"
        assert answer(spark, query).rows == {(2,): 2, (1,): 2}

    def test_elements_that_are_not_asked_for_still_make_rows(self, spark):
        assert answer(spark, "SELECT a FROM u LATERAL VIEW explode(array(a, b, 0)) AS e").rows == {(1,): 3, (4,): 3}

    def test_a_side_that_is_not_asked_for_still_has_rows(self, spark):
        assert answer(spark, "SELECT count(t.a) FROM t CROSS JOIN u").rows == {(6,): 1}
