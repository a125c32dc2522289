"""RewritePredicateSubquery by hand: EXISTS and IN, their opposites, NULL on either side, and OR."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, Column, Compare, Database, Exists, Filter, InSubquery, Or, Outer, Project, Table, walk
from tests.rules.expected import RIGHT_A, S0, T0, Expected, holds
from tests.rules.stock import Answer, answer, tables_of

RULE = "RewritePredicateSubquery"
LEAST = Filter(T0, Exists(Filter(S0, Compare("=", RIGHT_A, Outer("a", INT, "t0")))))
EXPECTED = Expected(
    holds(Exists, InSubquery),
    frozenset({"sql"}),
    LEAST,
    {
        "NOT IN": lambda query: any(isinstance(node, InSubquery) and node.negated for node in walk(query)),
        "NOT EXISTS": lambda query: any(isinstance(node, Exists) and node.negated for node in walk(query)),
        "a correlated IN": lambda query: any(isinstance(node, InSubquery) and node.outer for node in walk(query)),
        "OR": lambda query: isinstance(query, Filter) and isinstance(query.condition, Or),
        "a flag": lambda query: isinstance(query, Project) and holds(Exists)(query.items[0]),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("people", COLUMNS, ((1, 10), (2, 20), (3, None), (None, 40))),
        Table("orders", COLUMNS, ((1, 10), (1, 11), (2, None), (2, 21), (None, 40))),
        Table("nothing", COLUMNS, ()),
    )
)
MET = "FROM orders AS o WHERE o.a = p.a"
JOINS = {
    "EXISTS": (f"EXISTS (SELECT 1 {MET})", "LeftSemi", {1, 2}),
    "NOT EXISTS": (f"NOT EXISTS (SELECT 1 {MET})", "LeftAnti", {3, None}),
    "EXISTS, NULL meeting NULL": ("EXISTS (SELECT 1 FROM orders AS o WHERE o.a <=> p.a)", "LeftSemi", {1, 2, None}),
    "IN": ("b IN (SELECT b FROM orders)", "LeftSemi", {1, None}),
    "IN of what is met": (f"b IN (SELECT o.b {MET})", "LeftSemi", {1}),
    "NOT IN with a NULL": ("b NOT IN (SELECT b FROM orders)", "LeftAnti", set()),
    "NOT IN without NULL": ("b NOT IN (SELECT b FROM orders WHERE b IS NOT NULL)", "LeftAnti", {2}),
    "NOT IN of what is met": (f"b NOT IN (SELECT o.b {MET})", "LeftAnti", {3, None}),
    "NOT IN of nothing": ("b NOT IN (SELECT b FROM nothing)", "LeftAnti", {1, 2, 3, None}),
    "two columns": ("(a, b) IN (SELECT a, b FROM orders)", "LeftSemi", {1}),
    "not two columns": ("(a, b) NOT IN (SELECT a, b FROM orders)", "LeftAnti", set()),
    "EXISTS or": (f"b = 40 OR EXISTS (SELECT 1 {MET})", "ExistenceJoin", {1, 2, None}),
    "NOT EXISTS or": (f"a = 1 OR NOT EXISTS (SELECT 1 {MET})", "ExistenceJoin", {1, 3, None}),
    "IN or": ("a = 3 OR b IN (SELECT b FROM orders)", "ExistenceJoin", {1, 3, None}),
    "NOT IN or": ("a = 3 OR b NOT IN (SELECT b FROM orders)", "ExistenceJoin", {3}),
}
KEPT = {
    "EXISTS, uncorrelated": "SELECT a FROM people WHERE EXISTS (SELECT 1 FROM orders)",
    "IN over a list": "SELECT a FROM people WHERE b IN (10, 20, NULL)",
    "a semi join": "SELECT p.a FROM people AS p LEFT SEMI JOIN orders AS o ON o.a = p.a",
    "a value": f"SELECT a FROM people AS p WHERE (SELECT count(*) {MET}) > 0",
}


_tables = tables_of(TABLES)


def joined(got: Answer) -> list[str]:
    """The joins of a plan, from the top down."""
    return [node.text for node in read_plan(got.plain).nodes() if node.kind == "Join"]


class TestRewritePredicateSubquery:
    @pytest.mark.parametrize(("condition", "kind", "left"), JOINS.values(), ids=JOINS)
    def test_a_condition_is_a_join(self, spark, condition, kind, left):
        """Each row that fulfils it is there once, although two orders meet the first one."""
        got = answer(spark, f"SELECT a FROM people AS p WHERE {condition}")
        assert RULE in got.rules
        assert [text.split(" ")[1].split("(")[0].rstrip(",") for text in joined(got)] == [kind]
        assert got.rows == dict.fromkeys(((a,) for a in left), 1)

    def test_not_in_takes_null_for_a_match_and_what_it_is_correlated_by_does_not(self, spark):
        got = answer(spark, f"SELECT a FROM people AS p WHERE b NOT IN (SELECT o.b {MET})")
        assert joined(got) == ["Join LeftAnti, (((b = b) OR isnull((b = b))) AND (a = a))"]

    def test_exists_in_a_select_list_is_a_flag(self, spark):
        got = answer(spark, f"SELECT a, EXISTS (SELECT 1 {MET}) AS met FROM people AS p")
        assert joined(got) == ["Join ExistenceJoin(exists), (a = a)"]
        assert got.rows == {(1, True): 1, (2, True): 1, (3, False): 1, (None, False): 1}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
