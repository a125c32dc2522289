"""PushDownLeftSemiAntiJoin by hand: each operator that such a join passes, and what it must not pass."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import (
    INT,
    Aggregate,
    Alias,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Join,
    Project,
    Table,
    Window,
)
from tests.rules.expected import ANY_FORM, T0, Expected, joins
from tests.rules.stock import answer, tables_of, without

RULE = "PushDownLeftSemiAntiJoin"
LEAST = Join(
    Alias(Distinct(T0), "l"),
    Alias(T0, "r"),
    "semi",
    Compare("=", Col("a", INT, "l"), Col("a", INT, "r")),
)


def over(kind: type):
    """Whether a query holds a semi or anti join whose left side is an operator of this kind."""
    return lambda query: (
        isinstance(query, Join) and isinstance(query.left, Alias) and isinstance(query.left.child, kind)
    )


EXPECTED = Expected(
    joins("semi", "anti"),
    ANY_FORM,
    LEAST,
    {
        "an anti join": joins("anti"),
        "a distinct": over(Distinct),
        "groups": over(Aggregate),
        "a window": over(Window),
        "renamed columns": over(Project),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("t", COLUMNS, ((1, 1), (1, 2), (2, 1), (None, 1), (3, None))),
        Table("u", COLUMNS, ((1, 1), (1, 9), (2, 2), (None, 1))),
    )
)
UNION = "(SELECT a, b FROM t UNION ALL SELECT b, a FROM t)"
COUNTED = "(SELECT a, count(*) AS n FROM t GROUP BY a)"
WINDOW = "(SELECT a, b, count(*) OVER (PARTITION BY a) AS n FROM t)"
PASSED = {
    "a union": (f"SELECT * FROM {UNION} AS l {{}} JOIN u ON l.a = u.a", "Union"),
    "a union, without a condition": (f"SELECT * FROM {UNION} AS l {{}} JOIN u", "Union"),
    "groups, by a key": (f"SELECT * FROM {COUNTED} AS l {{}} JOIN u ON l.a = u.a", "Aggregate"),
    "distinct rows": ("SELECT * FROM (SELECT DISTINCT a, b FROM t) AS l {} JOIN u ON l.a = u.a", "Aggregate"),
    "a window, by its partition": (f"SELECT * FROM {WINDOW} AS l {{}} JOIN u ON l.a = u.a", "Window"),
    "renamed columns": ("SELECT * FROM (SELECT a AS x, b AS y FROM t) AS l {} JOIN u ON l.x = u.a", "Project"),
}
KEPT = {
    "an aggregate's value": "SELECT * FROM (SELECT a, max(b) AS b FROM t GROUP BY a) AS l {} JOIN u ON l.b = u.b",
    "no keys": "SELECT * FROM (SELECT count(*) AS n FROM t) AS l {} JOIN u ON u.a > 5",
    "a computed column": "SELECT * FROM (SELECT a + b AS c FROM t) AS l {} JOIN u ON l.c = u.a",
    "a limit": "SELECT * FROM (SELECT * FROM t ORDER BY a, b LIMIT 2) AS l {} JOIN u ON l.a = u.a",
    "a table": "SELECT * FROM t {} JOIN u ON t.a = u.a",
}
ABOVE_A_WINDOW = {
    "another column": f"SELECT * FROM {WINDOW} AS l {{}} JOIN u ON l.b = u.b",
    "what the window makes": f"SELECT * FROM {WINDOW} AS l {{}} JOIN u ON l.n = u.b",
}
KINDS = ("LEFT SEMI", "LEFT ANTI")


_tables = tables_of(TABLES)


class TestPushDownLeftSemiAntiJoin:
    def test_a_union_is_joined_branch_by_branch(self, spark):
        query = f"SELECT * FROM {UNION} AS l LEFT SEMI JOIN u ON l.a = u.a"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        plan = read_plan(got.plain)
        assert (plan.kind, plan.count("Join")) == ("Union", 2)
        plan = read_plan(kept.plain)
        assert (plan.kind, plan.count("Join")) == ("Join", 1)
        assert got.rows == kept.rows == {(1, 1): 2, (1, 2): 2, (2, 1): 2, (1, None): 1}

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(("query", "operator"), PASSED.values(), ids=PASSED)
    def test_fires_and_answers_as_without_it(self, spark, query, operator, kind):
        text = query.format(kind)
        got, kept = answer(spark, text), answer(spark, text, without(RULE))
        assert RULE in got.rules
        assert read_plan(got.plain).kind in (operator, "Project")
        assert got.rows == kept.rows

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, kind):
        assert RULE not in answer(spark, query.format(kind)).rules

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("query", ABOVE_A_WINDOW.values(), ids=ABOVE_A_WINDOW)
    def test_stays_above_a_window_that_counts_rows_which_it_drops(self, spark, query, kind):
        text = query.format(kind)
        got, kept = answer(spark, text), answer(spark, text, without(RULE))
        kinds = [node.kind for node in read_plan(got.plain).nodes()]
        assert kinds.index("Join") < kinds.index("Window")
        assert got.rows == kept.rows

    def test_groups_are_dropped_as_wholes(self, spark):
        """By the count beside the key a semi join leaves a filter above; an anti join stays above as a whole."""
        query = f"SELECT * FROM {COUNTED} AS l {{}} JOIN u ON l.a = u.a AND l.n > 1"
        semi, anti = (answer(spark, query.format(kind)) for kind in KINDS)
        assert semi.rows == {(1, 2): 1}
        assert anti.rows == {(2, 1): 1, (None, 1): 1, (3, 1): 1}
        assert RULE not in anti.rules
