"""RewriteExceptAll by hand: the articles' example and plan, and every pair of replication counts."""

from __future__ import annotations

import pytest

from strategies.ir import SetOp
from tests.rules.copies import EVERY_PAIR, expected, only_null
from tests.rules.expected import ANY_FORM, T0, Expected, set_ops
from tests.rules.seed_tables import ORDERS, TRIPLES
from tests.rules.stock import answer

RULE = "RewriteExceptAll"
EXPECTED = Expected(set_ops("except", keeps_all=True), ANY_FORM, SetOp("except", T0, T0, all=True))


@pytest.fixture(scope="module", autouse=True)
def _tables(harness):
    with (
        harness.spark.loaded(EVERY_PAIR, "parquet"),
        harness.spark.loaded(ORDERS, "parquet"),
        harness.spark.loaded(TRIPLES, "parquet"),
    ):
        yield


class TestRewriteExceptAll:
    @pytest.mark.parametrize(
        "query",
        [
            "TABLE orders1 EXCEPT ALL TABLE orders2",
            lambda session: session.table("orders1").exceptAll(session.table("orders2")),
        ],
        ids=["sql", "dataframe"],
    )
    def test_the_article_on_except_all(self, spark, query):
        """Twice the order that the right side lacks: rows are counted over a union, and replicated."""
        got = answer(spark, query)
        assert got.rows == {(5, "user1"): 2}
        assert RULE in got.rules
        nodes = [line.lstrip(" :+-") for line in got.optimized.splitlines()]
        steps = ["Project", "Generate replicaterows(sum", "Filter", "Aggregate", "Union"]
        assert [node[: len(step)] for node, step in zip(nodes, steps, strict=False)] == steps
        assert "> 0" in got.optimized

    def test_every_pair_of_counts(self, spark):
        """0 to 5 copies on the left by 0 to 5 on the right, rows with NULL among them."""
        got = answer(spark, "TABLE t0 EXCEPT ALL TABLE t1")
        assert RULE in got.rules
        assert got.rows == expected(lambda left, right: max(0, left - right))

    @pytest.mark.parametrize(("left", "right"), [(1, 1), (1, 2), (2, 1), (5, 3), (3, 5), (0, 1), (1, 0)])
    def test_rows_of_null_alone(self, harness, spark, left, right):
        with harness.spark.loaded(only_null(left, right), "parquet"):
            got = answer(spark, "TABLE n0 EXCEPT ALL TABLE n1")
        assert sum(got.rows.values()) == max(0, left - right)

    def test_the_page_on_except(self, spark):
        got = answer(spark, lambda session: session.table("except_left").exceptAll(session.table("except_right")))
        assert got.rows == {(0, "zero", "000"): 1}
        assert RULE in got.rules

    def test_a_chain_takes_away_one_side_after_the_other(self, spark):
        got = answer(spark, "TABLE t0 EXCEPT ALL TABLE t1 EXCEPT ALL TABLE t1")
        assert RULE in got.rules
        assert got.rows == expected(lambda left, right: max(0, left - 2 * right))

    def test_keeps_away_from_except(self, spark):
        assert RULE not in answer(spark, "TABLE t0 EXCEPT TABLE t1").rules
