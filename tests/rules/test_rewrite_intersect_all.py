"""RewriteIntersectAll by hand: the articles' example and plan, and every pair of replication counts."""

from __future__ import annotations

import pytest

from strategies.ir import SetOp
from tests.rules.copies import EVERY_PAIR, expected, only_null
from tests.rules.expected import ANY_FORM, T0, Expected, set_ops
from tests.rules.seed_tables import ORDERS
from tests.rules.stock import answer

RULE = "RewriteIntersectAll"
EXPECTED = Expected(set_ops("intersect", keeps_all=True), ANY_FORM, SetOp("intersect", T0, T0, all=True))


@pytest.fixture(scope="module", autouse=True)
def _tables(harness):
    with harness.spark.loaded(EVERY_PAIR, "parquet"), harness.spark.loaded(ORDERS, "parquet"):
        yield


class TestRewriteIntersectAll:
    @pytest.mark.parametrize(
        "query",
        [
            "TABLE orders1 INTERSECT ALL TABLE orders2",
            lambda session: session.table("orders1").intersectAll(session.table("orders2")),
        ],
        ids=["sql", "dataframe"],
    )
    def test_the_article_on_intersect_all(self, spark, query):
        """Five orders, one of them twice: rows are counted over a union, and replicated."""
        got = answer(spark, query)
        assert got.rows == {(1, "user1"): 1, (2, "user2"): 1, (3, "user3"): 2, (4, "user1"): 1}
        assert RULE in got.rules
        nodes = [line.lstrip(" :+-") for line in got.optimized.splitlines()]
        steps = ["Project", "Generate replicaterows(min_count", "Project", "Filter", "Aggregate", "Union"]
        assert [node[: len(step)] for node, step in zip(nodes, steps, strict=False)] == steps
        assert got.optimized.count(">= 1") == 2

    def test_every_pair_of_counts(self, spark):
        """0 to 5 copies on the left by 0 to 5 on the right, rows with NULL among them."""
        got = answer(spark, "TABLE t0 INTERSECT ALL TABLE t1")
        assert RULE in got.rules
        assert got.rows == expected(min)

    @pytest.mark.parametrize(("left", "right"), [(1, 1), (1, 2), (2, 1), (5, 3), (3, 5), (0, 1), (1, 0)])
    def test_rows_of_null_alone(self, harness, spark, left, right):
        with harness.spark.loaded(only_null(left, right), "parquet"):
            got = answer(spark, "TABLE n0 INTERSECT ALL TABLE n1")
        assert sum(got.rows.values()) == min(left, right)

    def test_a_chain_keeps_the_least_count(self, spark):
        got = answer(spark, "TABLE t0 INTERSECT ALL TABLE t1 INTERSECT ALL TABLE t0")
        assert RULE in got.rules
        assert got.rows == expected(min)

    def test_keeps_away_from_intersect(self, spark):
        assert RULE not in answer(spark, "TABLE t0 INTERSECT TABLE t1").rules
