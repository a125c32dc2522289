"""RewriteNonCorrelatedExists by hand: EXISTS becomes a subquery of one value, whatever is in its rows."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Column, Database, Exists, Filter, Or, Project, Table, walk
from tests.rules.expected import S0, T0, Expected, holds
from tests.rules.stock import answer, tables_of

EXPECTED = Expected(
    holds(Exists),
    frozenset({"sql"}),
    Filter(T0, Exists(S0)),
    {
        "NOT EXISTS": lambda query: any(isinstance(node, Exists) and node.negated for node in walk(query)),
        "OR": lambda query: isinstance(query, Filter) and isinstance(query.condition, Or),
        "a column": lambda query: isinstance(query, Project) and isinstance(query.items[0].value, Exists),
    },
)
ROWS = Database((Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (2, None), (None, 0), (0, 3))),))
ASKED = {
    "rows": ("SELECT a FROM t AS s", True),
    "a row of NULL": ("SELECT NULL FROM t AS s WHERE a = 1", True),
    "an aggregate of no row": ("SELECT max(a) FROM t AS s WHERE a > 2", True),
    "no row": ("SELECT 1 FROM t AS s WHERE a > 2", False),
    "no group": ("SELECT max(a) FROM t AS s WHERE a > 2 GROUP BY b", False),
    "nothing asked for": ("SELECT 1 FROM t AS s LIMIT 0", False),
}


_tables = tables_of(ROWS)


class TestRewriteNonCorrelatedExists:
    def test_the_subquery_gives_one_value(self, spark):
        got = answer(spark, "SELECT a FROM t WHERE EXISTS (SELECT b FROM t AS s WHERE s.a > 0)")
        assert "Filter isnotnull(scalar-subquery" in got.plain
        assert "GlobalLimit 1" in got.plain
        assert got.rows == {(1,): 1, (2,): 1, (None,): 1, (0,): 1}

    @pytest.mark.parametrize(("query", "exists"), ASKED.values(), ids=ASKED)
    def test_rows_count_and_not_their_values(self, spark, query, exists):
        got = answer(spark, f"SELECT DISTINCT EXISTS ({query}), NOT EXISTS ({query}) FROM t")
        assert got.rows == {(exists, not exists): 1}

    def test_keeps_away_from_a_correlated_one(self, spark):
        got = answer(spark, "SELECT a FROM t WHERE EXISTS (SELECT b FROM t AS s WHERE s.b = t.a)")
        assert "scalar-subquery" not in got.plain
        assert got.rows == {(1,): 1, (0,): 1}
