"""PullupCorrelatedPredicates by hand: what each kind of subquery is joined by, and what it keeps for itself."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, Column, Compare, Database, Exists, Filter, InSubquery, Lateral, Outer, Table, walk
from strategies.shapes.correlated import outer
from tests.rules.expected import LEFT_A, RIGHT_A, S0, T0, Expected, holds
from tests.rules.stock import Answer, answer, tables_of

RULE = "PullupCorrelatedPredicates"
LEAST = Filter(T0, Exists(Filter(S0, Compare("=", RIGHT_A, outer(LEFT_A)))))
EXPECTED = Expected(
    holds(Outer),
    frozenset({"sql"}),
    LEAST,
    {
        "EXISTS": holds(Exists),
        "IN": lambda query: any(isinstance(node, InSubquery) and node.outer for node in walk(query)),
        "LATERAL": holds(Lateral),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("people", COLUMNS, ((1, 10), (2, 20), (3, None), (None, 40))),
        Table("orders", COLUMNS, ((1, 10), (1, 11), (2, 30), (None, 40))),
    )
)
FIRING = {
    "an equality": ("o.a = p.a", "(a = a)", {1, 2}),
    "NULL meeting NULL": ("o.a <=> p.a", "(a <=> a)", {1, 2, None}),
    "an order": ("o.b > p.b", "(b > b)", {1, 2}),
    "two conditions": ("o.a = p.a AND o.b = p.b", "((a = a) AND (b = b))", {1}),
    "one inside": ("o.a = p.a AND o.b > 20", "(a = a)", {2}),
}
KEPT = {
    "EXISTS": "SELECT a FROM people WHERE EXISTS (SELECT 1 FROM orders)",
    "IN": "SELECT a FROM people WHERE b IN (SELECT b FROM orders)",
    "a value": "SELECT a, (SELECT count(*) FROM orders) AS n FROM people",
    "a semi join": "SELECT p.a FROM people AS p LEFT SEMI JOIN orders AS o ON o.a = p.a",
}


_tables = tables_of(TABLES)


def on(got: Answer) -> list[str]:
    """The conditions of a plan's joins."""
    return [node.text.partition(", ")[2] for node in read_plan(got.plain).nodes() if node.kind == "Join"]


class TestPullupCorrelatedPredicates:
    @pytest.mark.parametrize(("condition", "joined", "left"), FIRING.values(), ids=FIRING)
    def test_conditions_that_name_columns_outside_are_those_of_the_join(self, spark, condition, joined, left):
        got = answer(spark, f"SELECT a FROM people AS p WHERE EXISTS (SELECT 1 FROM orders AS o WHERE {condition})")
        assert RULE in got.rules
        assert on(got) == [joined]
        assert got.rows == dict.fromkeys(((a,) for a in left), 1)

    def test_an_aggregate_is_grouped_by_what_it_is_looked_up_by(self, spark):
        got = answer(spark, "SELECT a, (SELECT max(b) FROM orders AS o WHERE o.a = p.a) AS m FROM people AS p")
        assert RULE in got.rules
        assert "Aggregate [a], [max(b)" in got.plain
        assert got.rows == {(1, 11): 1, (2, 30): 1, (3, None): 1, (None, None): 1}

    def test_each_row_outside_has_first_rows_of_its_own(self, spark):
        first = "SELECT b FROM orders AS o WHERE o.a = p.a ORDER BY b LIMIT 1"
        got = answer(spark, f"SELECT p.a, s.b FROM people AS p, LATERAL ({first}) AS s")
        assert RULE in got.rules
        assert got.rows == {(1, 10): 1, (2, 30): 1}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
