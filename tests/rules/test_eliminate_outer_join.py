"""EliminateOuterJoin by hand: the article's five cases, what else fires it, and conditions that only look the part."""

from __future__ import annotations

from datetime import date

import pytest

from oracles.checks.choices import fixed
from oracles.triage.bisect import guilty_rules
from oracles.triage.divergences import fitting, load
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    INT,
    Alias,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Join,
    Lit,
    Scan,
    Table,
)
from tests.rules.expected import ANY_FORM, RIGHT_A, S0, SAME_A, T0, Expected, joins
from tests.rules.seed_tables import PEOPLE
from tests.rules.stock import answer, tables_of, without

RULE = "EliminateOuterJoin"
OUTER = ("left", "right", "full")
LEAST = Filter(Join(T0, S0, "left", SAME_A), Compare("=", RIGHT_A, Lit(INT, 0)))
EXPECTED = Expected(joins(*OUTER), ANY_FORM, LEAST)

MICHAEL, JUSTIN = ("Michael", 9), ("Justin", 11)
BOTH = {(*MICHAEL, "Michael", 29): 1}
CASES = {
    "full, both sides": ("fullouter", "ds1.age >= 9 AND ds2.age >= 20", "FullOuter", "Inner", BOTH),
    "left, right side": ("leftouter", "ds2.age >= 20", "LeftOuter", "Inner", BOTH),
    "right, left side": ("rightouter", "ds1.age >= 9", "RightOuter", "Inner", BOTH),
    "full, left side": ("fullouter", "ds1.age >= 9", "FullOuter", "LeftOuter", {**BOTH, (*JUSTIN, None, None): 1}),
    "full, right side": (
        "fullouter",
        "ds2.age >= 20",
        "FullOuter",
        "RightOuter",
        {**BOTH, (None, None, "Andy2", 30): 1},
    ),
}
JOINED = "FROM ds1 {} JOIN ds2 ON ds1.id = ds2.no"
REMOVED = {
    "distinct": "SELECT DISTINCT ds1.id " + JOINED.format("LEFT"),
    "max and min": "SELECT max(ds1.age), min(ds1.id) " + JOINED.format("LEFT"),
    "distinct count": "SELECT count(DISTINCT ds1.age) " + JOINED.format("LEFT"),
    "keys of the right side": "SELECT ds2.no, max(ds2.age) " + JOINED.format("RIGHT") + " GROUP BY ds2.no",
    "one partner": "SELECT ds1.* FROM ds1 LEFT JOIN (SELECT DISTINCT no FROM ds2) AS k ON ds1.id = k.no",
    "one partner on the left": "SELECT ds2.* FROM (SELECT DISTINCT id FROM ds1) AS k RIGHT JOIN ds2 ON k.id = ds2.no",
}
KEPT = {
    "a default": "SELECT * " + JOINED.format("LEFT") + " WHERE coalesce(ds2.age, 0) = 0",
    "is null": "SELECT * " + JOINED.format("LEFT") + " WHERE ds2.age IS NULL",
    "null-safe": "SELECT * " + JOINED.format("LEFT") + " WHERE ds2.age <=> length(ds2.no)",
    "not null-safe": "SELECT * " + JOINED.format("LEFT") + " WHERE NOT (ds2.age <=> 1)",
    "case": "SELECT * " + JOINED.format("FULL") + " WHERE CASE WHEN ds2.age > 1 THEN false ELSE true END",
    "in, is null": "SELECT * " + JOINED.format("FULL") + " WHERE (ds2.age IN (1, 2)) IS NULL",
    "or": "SELECT * " + JOINED.format("FULL") + " WHERE ds1.age > 1 OR ds2.no IS NULL",
    "nondeterministic": "SELECT * " + JOINED.format("LEFT") + " WHERE coalesce(ds2.age, -1) > rand()",
    "the kept side": "SELECT * " + JOINED.format("LEFT") + " WHERE ds1.age > 1",
    "in ON": "SELECT * " + JOINED.format("LEFT") + " AND ds2.age > 20",
    "below a projection": "SELECT * FROM (SELECT coalesce(ds2.age, 0) AS age "
    + JOINED.format("LEFT")
    + ") WHERE age = 0",
    "count": "SELECT ds1.id, count(*) " + JOINED.format("LEFT") + " GROUP BY ds1.id",
    "sum": "SELECT sum(ds1.age) " + JOINED.format("LEFT"),
    "key of the other side": "SELECT max(ds1.age) " + JOINED.format("LEFT") + " GROUP BY ds2.no",
    "full join": "SELECT DISTINCT ds1.id " + JOINED.format("FULL"),
    "many partners": "SELECT ds1.* FROM ds1 LEFT JOIN (SELECT no FROM ds2) AS k ON ds1.id = k.no",
}


_tables = tables_of(PEOPLE)


class TestEliminateOuterJoin:
    @pytest.mark.parametrize(("kind", "condition", "before", "after", "rows"), CASES.values(), ids=CASES)
    def test_the_articles_cases(self, spark, kind, condition, before, after, rows):
        """A join, then a filter: the join's kind changes, and not the answer."""

        def query(session):
            left, right = session.table("ds1").alias("ds1"), session.table("ds2").alias("ds2")
            return left.join(right, left.id == right.no, kind).where(condition)

        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.rows == kept.rows == rows
        assert f"Join {after}," in got.optimized
        assert f"Join {before}," in kept.optimized

    @pytest.mark.parametrize("query", REMOVED.values(), ids=REMOVED)
    def test_removes_a_join_that_nothing_asks_about(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "Join" not in got.optimized
        assert "Join" in kept.optimized
        assert got.rows == kept.rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules

    def test_rows_that_only_a_default_keeps_stay(self, spark):
        got = answer(spark, KEPT["a default"])
        assert got.rows == {("Andy", 7, None, None): 1, ("Justin", 11, None, None): 1}


def test_a_zero_that_the_inner_join_lets_a_file_be_asked_for_is_a_known_divergence(harness):
    table = Table("z", (Column("a", DOUBLE),), (((0.0).hex(),),) * 2)
    scan = Scan("z", table.columns)
    joined = Join(scan, Alias(scan, "s"), "right", Lit(BOOLEAN, True))
    asked = Compare("<=>", Col("a", DOUBLE, "z"), Lit(DOUBLE, (-0.0).hex()))
    checked = harness.check(Case(Filter(joined, asked), Database((table,))), fixed([harness.catalogue.rule(RULE)]))
    (known,) = fitting(load(), checked, guilty_rules(harness, checked), harness.spark.version, date(2026, 12, 1))
    assert known.id == "zeros-behind-an-outer-join"
