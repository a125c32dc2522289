"""RewriteCorrelatedScalarSubquery by hand: counts of no rows, values of none, HAVING, and what is left to others."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Project,
    Relation,
    ScalarSubquery,
    Table,
    subqueries_of,
    walk,
)
from strategies.shapes.correlated import outer
from tests.rules.expected import LEFT_A, RIGHT_A, S0, T0, Expected
from tests.rules.stock import answer, operators, tables_of

RULE = "RewriteCorrelatedScalarSubquery"
COUNT = Aggregate(Filter(S0, Compare("=", RIGHT_A, outer(LEFT_A))), (), (Item("x", Agg("count")),))
LEAST = Project(T0, (Item("p0", ScalarSubquery(COUNT)),))


def correlated(query: Relation) -> bool:
    """Whether a query holds a correlated scalar subquery."""
    return any(found.scalar and found.outer for node in walk(query) for found in subqueries_of(node))


EXPECTED = Expected(
    correlated,
    frozenset({"sql"}),
    LEAST,
    {
        "in a condition": lambda query: isinstance(query, Filter) and correlated(query),
        "beside another column": lambda query: isinstance(query, Project) and len(query.items) > 1,
        "HAVING": lambda query: any(isinstance(node, Aggregate) and node.having is not None for node in walk(query)),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("people", COLUMNS, ((1, 10), (2, None), (3, 30), (None, 40))),
        Table("orders", COLUMNS, ((1, 5), (1, 7), (2, None), (None, 9))),
    )
)
MET = "FROM orders AS o WHERE o.a = p.a"
VALUES = {
    "count(*)": ("count(*)", {1: 2, 2: 1, 3: 0, None: 0}),
    "count of a column": ("count(o.b)", {1: 2, 2: 0, 3: 0, None: 0}),
    "count of a column, each value once": ("count(DISTINCT o.b)", {1: 2, 2: 0, 3: 0, None: 0}),
    "sum": ("sum(o.b)", {1: 12, 2: None, 3: None, None: None}),
    "max": ("max(o.b)", {1: 7, 2: None, 3: None, None: None}),
    "computed of a count": ("count(*) + 1", {1: 3, 2: 2, 3: 1, None: 1}),
    "a default": ("coalesce(max(o.b), -1)", {1: 7, 2: -1, 3: -1, None: -1}),
    "a constant": ("if(count(*) > 1, 'many', 'few')", {1: "many", 2: "few", 3: "few", None: "few"}),
}
HAVING = {
    "takes no rows": ("HAVING count(*) = 0", {1: None, 2: None, 3: 0, None: 0}),
    "takes some rows": ("HAVING count(*) > 0", {1: 2, 2: 1, 3: None, None: None}),
    "takes all": ("HAVING count(*) >= 0", {1: 2, 2: 1, 3: 0, None: 0}),
    "of NULL": ("HAVING max(o.b) > 0", {1: 2, 2: None, 3: None, None: None}),
}
OTHERS = {
    "uncorrelated": "SELECT a, (SELECT count(*) FROM orders) AS n FROM people",
    "EXISTS": f"SELECT a FROM people AS p WHERE EXISTS (SELECT 1 {MET})",
    "IN": f"SELECT a FROM people AS p WHERE b IN (SELECT b {MET})",
    "LATERAL": f"SELECT p.a, n FROM people AS p, LATERAL (SELECT count(*) AS n {MET})",
}


_tables = tables_of(TABLES)


class TestRewriteCorrelatedScalarSubquery:
    def test_a_count_for_each_row(self, spark):
        """A left join with the counts, and 0 where it finds none: the flag that tells is never NULL inside."""
        got = answer(spark, f"SELECT a, (SELECT count(*) {MET}) AS n FROM people AS p")
        assert RULE in got.rules
        assert operators(got)[:2] == ["Project", "Join"]
        assert operators(got).count("Aggregate") == 1
        assert "if (isnull(alwaysTrue)) 0 else count(1)" in got.plain
        assert "Join LeftOuter, (a = a)" in got.plain
        assert got.rows == {(1, 2): 1, (2, 1): 1, (3, 0): 1, (None, 0): 1}

    @pytest.mark.parametrize(("value", "expected"), VALUES.values(), ids=VALUES)
    def test_of_no_rows_each_function_has_its_value(self, spark, value, expected):
        got = answer(spark, f"SELECT a, (SELECT {value} {MET}) AS n FROM people AS p")
        assert RULE in got.rules
        assert got.rows == dict.fromkeys(expected.items(), 1)

    @pytest.mark.parametrize(("having", "expected"), HAVING.values(), ids=HAVING)
    def test_having_is_asked_of_no_rows_too(self, spark, having, expected):
        got = answer(spark, f"SELECT a, (SELECT count(*) {MET} {having}) AS n FROM people AS p")
        assert RULE in got.rules
        assert got.rows == dict.fromkeys(expected.items(), 1)

    def test_of_no_rows_there_is_no_group(self, spark):
        """GROUP BY makes NULL of what is 0 without it."""
        got = answer(spark, f"SELECT a, (SELECT count(*) {MET} GROUP BY o.a) AS n FROM people AS p")
        assert RULE in got.rules
        assert got.rows == {(1, 2): 1, (2, 1): 1, (3, None): 1, (None, None): 1}

    def test_null_meets_null_where_it_is_asked_to(self, spark):
        got = answer(spark, "SELECT a, (SELECT max(b) FROM orders AS o WHERE o.a <=> p.a) AS n FROM people AS p")
        assert RULE in got.rules
        assert got.rows == {(1, 7): 1, (2, None): 1, (3, None): 1, (None, 9): 1}

    def test_in_a_condition_the_rows_come_back_as_they_were(self, spark):
        got = answer(spark, f"SELECT * FROM people AS p WHERE (SELECT count(*) {MET}) = 0")
        assert RULE in got.rules
        assert got.rows == {(3, 30): 1, (None, 40): 1}

    @pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
