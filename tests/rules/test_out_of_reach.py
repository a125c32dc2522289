"""Each rule that no query of Assay's reaches: the proof that it can change no plan of theirs."""

from __future__ import annotations

import pytest
from pyspark.errors import AnalysisException

from oracles.rules.entries.unreached import UNREACHED
from strategies.ir import INT, Column, Database, Table
from tests.rules.stock import answer, tables_of

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ((1, 2), (1, 3), (None, 4))), Table("u", PAIR, ((1, 1),))))
QUERIES = {
    "a cross join": "SELECT t.a, u.b FROM t CROSS JOIN u",
    "a join without a condition": "SELECT t.a FROM t LEFT JOIN u ON true",
    "groups": "SELECT a, count(*) AS n FROM t GROUP BY a",
    "distinct rows": "SELECT DISTINCT a FROM t",
    "a window": "SELECT a, row_number() OVER (PARTITION BY a ORDER BY b) AS n FROM t",
    "a set operator": "SELECT a FROM t EXCEPT ALL SELECT a FROM u",
    "a limit": "SELECT a, b FROM t ORDER BY a, b LIMIT 1 OFFSET 1",
    "a subquery": "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",
}
PUSHDOWN = "org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown"
COUNTED = {
    "a sum": "SELECT a, sum(n) AS m FROM (SELECT a, b, count(*) AS n FROM t GROUP BY a, b) GROUP BY a",
    "beside a greatest key": "SELECT sum(n) AS m, max(b) AS k FROM (SELECT a, b, count(1) AS n FROM t GROUP BY a, b)",
    "twice": "SELECT sum(m) AS l FROM (SELECT a, sum(n) AS m FROM (SELECT a, b, count(*) AS n FROM t GROUP BY a, b)"
    " GROUP BY a)",
}


_tables = tables_of(TABLES)


def analyzed(frame):
    """The analyzed plan of a DataFrame."""
    return frame._jdf.queryExecution().analyzed()


def test_every_reason_that_is_not_about_rarity_is_proven_here():
    elsewhere = {"MarkSingleTaskExecution"}  # tests/rules/test_planner_conf.py
    here = {"CheckCartesianProducts", "CollapseGroupedSumOfCount", "WidenStatefulOperatorAttributeNullability"}
    assert {name for name, why in UNREACHED.items() if not why.startswith("rare: ")} == here | elsewhere


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_check_of_cartesian_products_gives_back_the_very_plan(spark, query):
    plan = analyzed(spark.sql(query))
    assert spark._jvm.org.apache.spark.sql.catalyst.optimizer.CheckCartesianProducts.apply(plan).fastEquals(plan)


def test_the_check_of_cartesian_products_raises_where_it_finds_one(spark):
    plan = analyzed(spark.sql(QUERIES["a join without a condition"]))
    spark.conf.set("spark.sql.crossJoin.enabled", "false")
    try:
        with pytest.raises(AnalysisException, match="cartesian product"):
            spark._jvm.org.apache.spark.sql.catalyst.optimizer.CheckCartesianProducts.apply(plan)
    finally:
        spark.conf.unset("spark.sql.crossJoin.enabled")


@pytest.mark.parametrize("excluded", ["", PUSHDOWN], ids=["nothing excluded", "what runs before excluded"])
@pytest.mark.parametrize("query", COUNTED.values(), ids=COUNTED)
def test_sums_of_counts_are_collapsed_before_their_rule_by_a_rule_that_spark_does_not_turn_off(spark, query, excluded):
    got = answer(spark, query, {"spark.sql.optimizer.excludedRules": excluded})
    assert got.rules & {"V2ScanRelationPushDown", "CollapseGroupedSumOfCount"} == {"V2ScanRelationPushDown"}
    plan = spark.sql(query)._jdf.queryExecution().optimizedPlan()
    assert spark._jvm.org.apache.spark.sql.catalyst.optimizer.CollapseGroupedSumOfCount.apply(plan).fastEquals(plan)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_query_over_tables_keeps_no_state_whose_columns_could_be_widened(spark, query):
    assert not analyzed(spark.sql(query)).containsStatefulOperator()


def test_a_query_over_a_stream_keeps_state(spark):
    stream = spark.readStream.format("rate").load().groupBy("value").count()
    assert analyzed(stream).containsStatefulOperator()
