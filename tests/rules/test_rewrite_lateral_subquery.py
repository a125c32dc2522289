"""RewriteLateralSubquery by hand: which rows of a lateral subquery each row outside has."""

from __future__ import annotations

import pytest

from strategies.ir import BOOLEAN, INT, Aggregate, Alias, Column, Compare, Database, Filter, Lateral, Limit, Lit, Table
from strategies.shapes.correlated import outer
from tests.rules.expected import LEFT_A, RIGHT_A, S0, T0, Expected, holds, joins
from tests.rules.stock import answer, operators, tables_of

RULE = "RewriteLateralSubquery"
MET = Alias(Filter(S0, Compare("=", RIGHT_A, outer(LEFT_A))), "s1")
EXPECTED = Expected(
    holds(Lateral),
    frozenset({"sql"}),
    Lateral(T0, MET, "inner", Lit(BOOLEAN, True)),
    {"left": joins("left"), "cross": joins("cross"), "an aggregate": holds(Aggregate), "a limit": holds(Limit)},
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("people", PAIR, ((1, 10), (1, 10), (2, 20), (None, 30))),
        Table("orders", PAIR, ((1, 5), (1, 7), (3, None), (None, 9))),
    )
)
MEETING = "SELECT o.b FROM orders AS o WHERE o.a = p.a"
LATERAL = {
    "the rows that match": (f"JOIN LATERAL ({MEETING}) AS q", "q.b", {(1, 5): 2, (1, 7): 2}),
    "or none": (
        f"LEFT JOIN LATERAL ({MEETING}) AS q",
        "q.b",
        {(1, 5): 2, (1, 7): 2, (2, None): 1, (None, None): 1},
    ),
    "ON": (
        f"LEFT JOIN LATERAL ({MEETING}) AS q ON q.b > 5",
        "q.b",
        {(1, 7): 2, (2, None): 1, (None, None): 1},
    ),
    "NULL meets NULL": (
        "JOIN LATERAL (SELECT o.b FROM orders AS o WHERE o.a <=> p.a) AS q",
        "q.b",
        {(1, 5): 2, (1, 7): 2, (None, 9): 1},
    ),
    "a count of none": (
        "JOIN LATERAL (SELECT count(*) AS n FROM orders AS o WHERE o.a = p.a) AS q",
        "q.n",
        {(1, 2): 2, (2, 0): 1, (None, 0): 1},
    ),
    "a count where NULL meets NULL": (
        "JOIN LATERAL (SELECT count(*) AS n FROM orders AS o WHERE o.a <=> p.a) AS q",
        "q.n",
        {(1, 2): 2, (2, 0): 1, (None, 1): 1},
    ),
    "the first of each": (
        f"LEFT JOIN LATERAL ({MEETING} ORDER BY o.b LIMIT 1) AS q",
        "q.b",
        {(1, 5): 2, (2, None): 1, (None, None): 1},
    ),
    "computed of both": (
        "JOIN LATERAL (SELECT o.b + p.a AS x FROM orders AS o WHERE o.a = 1) AS q",
        "q.x",
        {(1, 6): 2, (1, 8): 2, (2, 7): 1, (2, 9): 1, (None, None): 2},
    ),
    "the same for all": (
        "JOIN LATERAL (SELECT max(b) AS x FROM orders) AS q",
        "q.x",
        {(1, 9): 2, (2, 9): 1, (None, 9): 1},
    ),
}
OTHERS = {
    "a join": "SELECT p.a, o.b FROM people AS p JOIN orders AS o ON o.a = p.a",
    "a value": "SELECT a, (SELECT max(o.b) FROM orders AS o WHERE o.a = p.a) AS b FROM people AS p",
    "a row of constants": "SELECT p.a, q.x FROM people AS p, LATERAL (SELECT p.b + 1 AS x) AS q",
}


_tables = tables_of(TABLES)


class TestRewriteLateralSubquery:
    def test_becomes_a_join_by_what_was_pulled_up(self, spark):
        got = answer(spark, f"SELECT p.a, q.b FROM people AS p LEFT JOIN LATERAL ({MEETING}) AS q ON q.b > 5")
        assert RULE in got.rules
        assert "Join LeftOuter, (a = a)" in got.plain
        assert "LateralJoin" not in operators(got)
        assert "(b > 5)" in got.plain

    @pytest.mark.parametrize(("join", "value", "rows"), LATERAL.values(), ids=LATERAL)
    def test_each_row_outside_has_its_own(self, spark, join, value, rows):
        got = answer(spark, f"SELECT p.a, {value} FROM people AS p {join}")
        assert RULE in got.rules
        assert got.rows == rows

    @pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
