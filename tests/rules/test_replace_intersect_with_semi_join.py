"""ReplaceIntersectWithSemiJoin by hand: the article's example, and rows compared as wholes."""

from __future__ import annotations

import pytest

from strategies.ir import DOUBLE, INT, Column, Database, SetOp, Table
from tests.rules.expected import ANY_FORM, T0, Expected, set_ops
from tests.rules.seed_tables import ORDERS
from tests.rules.stock import answer

RULE = "ReplaceIntersectWithSemiJoin"
EXPECTED = Expected(set_ops("intersect", keeps_all=False), ANY_FORM, SetOp("intersect", T0, T0))
COLUMNS = (Column("a", INT), Column("d", DOUBLE))
ROWS = Database(
    (
        Table("t", COLUMNS, ((None, None), (None, None), (None, "nan"), (1, "-0x0.0p+0"), (1, None), (2, "nan"))),
        Table("u", COLUMNS, ((None, None), (1, "0x0.0p+0"), (2, "nan"), (1, "nan"))),
    )
)
COMMON = "SELECT * FROM t INTERSECT SELECT * FROM u"
PLACES = {
    "in an IN subquery": "SELECT * FROM t WHERE a IN (SELECT a FROM t INTERSECT SELECT a FROM u)",
    "under a correlated EXISTS": f"SELECT * FROM t WHERE EXISTS (SELECT 1 FROM ({COMMON}) x WHERE x.a = t.a)",
    "in a CTE that is used twice": f"WITH c AS ({COMMON}) SELECT * FROM c UNION ALL SELECT * FROM c",
    "under another INTERSECT": f"{COMMON} INTERSECT SELECT * FROM u WHERE a > 0",
    "with one table on both sides": "SELECT * FROM t INTERSECT SELECT * FROM t WHERE a > 0",
}


@pytest.fixture(scope="module", autouse=True)
def _tables(harness):
    with harness.spark.loaded(ROWS, "parquet"), harness.spark.loaded(ORDERS, "parquet"):
        yield


class TestReplaceIntersectWithSemiJoin:
    @pytest.mark.parametrize(
        "query",
        [
            "TABLE orders1 INTERSECT TABLE orders2",
            lambda session: session.table("orders1").intersect(session.table("orders2")),
        ],
        ids=["sql", "dataframe"],
    )
    def test_the_article_on_intersect(self, spark, query):
        """Four orders, each once: an aggregate over a null-safe semi join."""
        got = answer(spark, query)
        assert got.rows == {(1, "user1"): 1, (2, "user2"): 1, (3, "user3"): 1, (4, "user1"): 1}
        assert RULE in got.rules
        aggregate, join, *_ = got.optimized.splitlines()
        assert aggregate.startswith("Aggregate")
        assert "Join LeftSemi" in join
        assert join.count("<=>") == 2

    def test_rows_are_compared_as_wholes_null_and_all(self, spark):
        """NULL equals NULL, NaN equals NaN, and the zeros are one."""
        got = answer(spark, f"SELECT a, d IS NULL, isnan(d) FROM ({COMMON})")
        assert got.rows == {(None, True, False): 1, (1, False, False): 1, (2, False, True): 1}

    @pytest.mark.parametrize("query", PLACES.values(), ids=PLACES)
    def test_fires_wherever_an_intersect_may_stand(self, spark, query):
        assert RULE in answer(spark, query).rules

    def test_keeps_away_from_intersect_all(self, spark):
        assert RULE not in answer(spark, "SELECT * FROM t INTERSECT ALL SELECT * FROM u").rules
