"""InlineCTE by hand: a common table expression in each place that reads it, with columns of its own there."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Alias, Column, CteScan, Database, Join, Subquery, Table, With, walk
from strategies.shapes.inline_cte import common
from tests.rules.expected import T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "InlineCTE"


def places(query) -> int:
    """How many places of a query read a common table expression."""
    return sum(isinstance(node, CteScan) for node in walk(query))


EXPECTED = Expected(
    holds(With),
    frozenset({"sql"}),
    With("c0", T0, common("c0", T0)),
    {
        "read twice": lambda query: places(query) == 2,
        "a join": lambda query: holds(Join)(query) and holds(Alias)(query),
        "in a subquery": holds(Subquery),
        "by another": lambda query: any(isinstance(node, With) and holds(With)(node.body) for node in walk(query)),
    },
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ((1, 2), (1, 2), (2, 1), (None, 3))),))
T = {(1, 2): 2, (2, 1): 1, (None, 3): 1}
INLINED = {
    "once": ("WITH c AS (TABLE t) TABLE c", T),
    "twice": ("WITH c AS (TABLE t) TABLE c UNION ALL TABLE c", {row: 2 * copies for row, copies in T.items()}),
    "with itself": (
        "WITH c AS (TABLE t) SELECT x.a, y.b FROM c AS x JOIN c AS y ON x.a = y.b",
        {(1, 1): 2, (2, 2): 2},
    ),
    "its columns named anew": ("WITH c(b, a) AS (TABLE t) SELECT a FROM c WHERE b = 1", {(2,): 2}),
    "each under its condition": (
        "WITH c AS (TABLE t) SELECT a FROM c WHERE b > 1 UNION ALL SELECT b FROM c WHERE a > 1",
        {(1,): 3, (None,): 1},
    ),
    "its first rows": ("WITH c AS (SELECT * FROM t ORDER BY a, b LIMIT 2) SELECT a FROM c WHERE b > 2", {(None,): 1}),
    "by another": ("WITH c AS (TABLE t), d AS (SELECT a FROM c WHERE b = 2) TABLE d UNION ALL TABLE d", {(1,): 4}),
    "the nearest of its name": (
        "WITH c AS (SELECT 1 AS x), d AS (WITH c AS (SELECT 2 AS x) TABLE c) SELECT d.x, c.x AS y FROM d, c",
        {(2, 1): 1},
    ),
    "in a subquery": ("WITH c AS (TABLE t) SELECT a FROM t WHERE a IN (SELECT b FROM c)", {(1,): 2, (2,): 1}),
    "never": ("WITH c AS (SELECT 1 AS x) TABLE t", T),
}
KEPT = {
    "no common table expression": "SELECT a FROM (TABLE t) AS c WHERE b > 1",
    "rows by chance, twice": "WITH c AS (SELECT a, rand(0) AS r FROM t) SELECT x.a FROM c AS x JOIN c AS y USING (r)",
}


_tables = tables_of(TABLES)


class TestInlineCTE:
    def test_stands_in_both_places_with_columns_of_its_own(self, spark):
        """Without the rule each place reads what the other one may have computed."""
        query = INLINED["with itself"][0]
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.plain.count("Relation [a,b] parquet") == 2
        assert "Join Inner, (a = b)" in got.plain
        assert "RepartitionByExpression" not in got.plain
        assert kept.plain.count("RepartitionByExpression") == 2

    @pytest.mark.parametrize(("query", "rows"), INLINED.values(), ids=INLINED)
    def test_inlines_and_answers_as_without_it(self, spark, query, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert RULE not in kept.rules
        assert got.rows == kept.rows == rows

    def test_rows_by_chance_are_inlined_where_they_are_read_once(self, spark):
        assert RULE in answer(spark, "WITH c AS (SELECT a, rand(0) AS r FROM t) SELECT a FROM c WHERE r >= 0").rules

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert sum(got.rows.values()) in (3, 4)
