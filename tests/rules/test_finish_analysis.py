"""FinishAnalysis by hand: each part shows in what the whole did where it had to, and nowhere else."""

from __future__ import annotations

import json

import pytest

from oracles.rules.entries.finish import FINISH, FINISH_ANALYSIS
from oracles.rules.plans import read_plan
from strategies.ir import INT, Column, Database, Table
from tests.rules.stock import answer

EVIDENCE = {rule.name: rule.evidence for rule in FINISH if rule.evidence is not None}
ROWS = Database((Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (2, None), (None, 0), (0, 3))),))
JOINED = "t JOIN t AS s ON t.a = s.a"
PARTS = {
    "EliminateResolvedHint": (f"SELECT /*+ BROADCAST(s) */ t.a FROM {JOINED}", f"SELECT t.a FROM {JOINED}"),
    "EliminateSubqueryAliases": ("SELECT s.a FROM t AS s", "SELECT 1 AS p"),
    "EliminateView": ("SELECT a FROM finished", "SELECT 1 AS p"),
    "ReplaceExpressions": ("SELECT nullif(a, 0) AS p FROM t", "SELECT coalesce(a, 0) AS p FROM t"),
    "RewriteNonCorrelatedExists": (
        "SELECT a FROM t WHERE EXISTS (SELECT b FROM t AS s)",
        "SELECT a FROM t WHERE EXISTS (SELECT b FROM t AS s WHERE s.a = t.a)",
    ),
    "PullOutGroupingExpressions": ("SELECT a + 1, count(*) FROM t GROUP BY a + 1", "SELECT a FROM t GROUP BY a"),
    "ComputeCurrentTime": ("SELECT current_timestamp() AS p FROM t", "SELECT TIMESTAMP'2024-01-01' AS p FROM t"),
    "ReplaceCurrentLike": ("SELECT current_catalog() AS p FROM t", "SELECT 'spark_catalog' AS p FROM t"),
}


@pytest.fixture(scope="module", autouse=True)
def _tables(harness, spark):
    with harness.spark.loaded(ROWS, "parquet"):
        spark.sql("CREATE OR REPLACE TEMPORARY VIEW finished AS SELECT a FROM t")
        yield
        spark.catalog.dropTempView("finished")


def shown(spark, query: str) -> set[str]:
    """The parts that show in what FinishAnalysis did to a query."""
    changes = json.loads(
        spark._jvm.org.apache.spark.sql.assay.LegRunner.changes(spark.sql(query)._jdf, FINISH_ANALYSIS)
    )
    plans = [(read_plan(before), read_plan(after)) for before, after in changes]
    return {name for name, evidence in EVIDENCE.items() if any(evidence(*around) for around in plans)}


class TestFinishAnalysis:
    def test_is_the_first_rule_that_a_query_needs(self, spark):
        assert "Optimizer$FinishAnalysis" in answer(spark, "SELECT a FROM t AS s").rules

    @pytest.mark.parametrize("part", EVIDENCE)
    def test_a_part_shows_where_it_works_and_nowhere_else(self, spark, part):
        at_work, idle = PARTS[part]
        assert part in shown(spark, at_work)
        assert part not in shown(spark, idle)

    def test_it_is_one_time_all_over_a_query(self, spark):
        query = (
            "SELECT now() = (SELECT max(current_timestamp()) FROM t) AND current_date() = CAST(now() AS DATE) FROM t"
        )
        assert answer(spark, query).rows == {(True,): 4}

    def test_a_computed_key_is_computed_once_and_is_what_is_selected(self, spark):
        got = answer(spark, "SELECT coalesce(a, 0) + 1 AS p, count(*) FROM t GROUP BY coalesce(a, 0) + 1")
        assert "_groupingexpression" in got.plain
        assert got.rows == {(1, 2): 1, (2, 1): 1, (3, 1): 1}
