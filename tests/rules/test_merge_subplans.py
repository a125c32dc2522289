"""MergeSubplans by hand: values of the same rows by one aggregate, and those that stay apart."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Col,
    Column,
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
from tests.rules.expected import S0, T0, Expected, holds, joins
from tests.rules.stock import Answer, answer, tables_of

RULE = "MergeSubplans"


def two_aggregates(query: Relation) -> bool:
    """Whether a query holds two aggregates without keys."""
    return sum(isinstance(node, Aggregate) and not node.keys for node in walk(query)) >= 2


def of(function: Agg) -> ScalarSubquery:
    return ScalarSubquery(Aggregate(S0, (), (Item("x", function),)))


EXPECTED = Expected(
    two_aggregates,
    frozenset({"sql"}),
    Project(T0, (Item("p0", of(Agg("count"))), Item("p1", of(Agg("count", Col("a", INT)))))),
    {
        "in a condition": lambda query: any(
            isinstance(node, Filter) and len([*subqueries_of(node.condition)]) == 2 for node in walk(query)
        ),
        "side by side": joins("cross"),
        "filtered": holds(Filter),
    },
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ((1, 2), (1, 3), (5, 1), (None, 4))), Table("u", PAIR, ((7, 8),))))
MERGED = {
    "of two columns": ("SELECT (SELECT max(a) FROM t) AS p, (SELECT max(b) FROM t) AS q", (5, 4)),
    "of three": (
        "SELECT (SELECT max(a) FROM t) AS p, (SELECT count(*) FROM t) AS q, (SELECT count(a) FROM t) AS r",
        (5, 4, 3),
    ),
    "under one condition": (
        "SELECT (SELECT max(a) FROM t WHERE b > 1) AS p, (SELECT sum(b) FROM t WHERE b > 1) AS q",
        (1, 9),
    ),
    "one under a condition": ("SELECT (SELECT max(a) FROM t WHERE b > 1) AS p, (SELECT max(b) FROM t) AS q", (1, 4)),
    "one of no rows": ("SELECT (SELECT max(a) FROM t WHERE b > 9) AS p, (SELECT count(*) FROM t) AS q", (None, 4)),
    "a count of no rows": ("SELECT (SELECT count(*) FROM t WHERE b > 9) AS p, (SELECT max(b) FROM t) AS q", (0, 4)),
    "side by side": ("SELECT * FROM (SELECT min(a) AS p FROM t) CROSS JOIN (SELECT min(b) AS q FROM t)", (1, 1)),
}
APART = {
    "the same twice": ("SELECT (SELECT max(a) FROM t) AS p, (SELECT max(a) FROM t) AS q", (5, 5)),
    "under two conditions": (
        "SELECT (SELECT max(a) FROM t WHERE b > 1) AS p, (SELECT max(a) FROM t WHERE b < 2) AS q",
        (1, 5),
    ),
    "of two tables": ("SELECT (SELECT max(a) FROM t) AS p, (SELECT max(b) FROM u) AS q", (5, 8)),
    "only one": ("SELECT (SELECT max(a) FROM t) AS p, 1 AS q", (5, 1)),
}


_tables = tables_of(TABLES)


def merged(got: Answer) -> bool:
    return "AS mergedValue" in got.plain


class TestMergeSubplans:
    def test_two_values_are_columns_of_one_row(self, spark):
        got = answer(spark, MERGED["of two columns"][0])
        assert RULE in got.rules
        assert "Aggregate [max(a) AS max(a), max(b) AS max(b)]" in got.plain
        assert "scalar-subquery [].max(a) AS p, scalar-subquery [].max(b) AS q" in got.plain

    def test_a_condition_of_one_value_is_its_functions_filter(self, spark):
        got = answer(spark, MERGED["one under a condition"][0])
        assert "max(a) FILTER (WHERE propagatedFilter_" in got.plain
        assert "max(b) AS max(b)" in got.plain

    @pytest.mark.parametrize(("query", "row"), MERGED.values(), ids=MERGED)
    def test_merges_and_answers_as_without_it(self, spark, query, row):
        off = {"spark.sql.optimizer.excludedRules": "org.apache.spark.sql.execution.planmerging.MergeSubplans"}
        got, kept = answer(spark, query), answer(spark, query, off)
        assert RULE in got.rules
        assert merged(got)
        assert not merged(kept)
        assert got.rows == kept.rows == {row: 1}

    @pytest.mark.parametrize(("query", "row"), APART.values(), ids=APART)
    def test_keeps_away(self, spark, query, row):
        got = answer(spark, query)
        assert not merged(got)
        assert got.rows == {row: 1}

    def test_values_for_each_row_are_joins(self, spark):
        value = "(SELECT {}(u.b) FROM u WHERE u.a = t.a)"
        got = answer(spark, f"SELECT {value.format('max')} AS p, {value.format('min')} AS q FROM t")
        assert not merged(got)
        assert got.rows == {(None, None): 4}
