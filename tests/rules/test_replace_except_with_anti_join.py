"""ReplaceExceptWithAntiJoin by hand: the articles' examples, where an EXCEPT may stand, and its errors."""

from __future__ import annotations

import duckdb
import pytest
from py4j.protocol import Py4JJavaError

from strategies.ir import DOUBLE, INT, Column, Database, SetOp, Table
from tests.rules.expected import ANY_FORM, T0, Expected, set_ops
from tests.rules.seed_tables import ORDERS, TRIPLES
from tests.rules.stock import answer

RULE = "ReplaceExceptWithAntiJoin"
EXPECTED = Expected(set_ops("except", keeps_all=False), ANY_FORM, SetOp("except", T0, T0))
COLUMNS = (Column("a", INT), Column("d", DOUBLE))
ROWS = Database(
    (
        Table("t", COLUMNS, ((None, None), (None, "nan"), (1, "-0x0.0p+0"), (1, None), (2, "nan"), (2, "nan"))),
        Table("u", COLUMNS, ((None, None), (1, "0x0.0p+0"), (3, "nan"))),
    )
)
DIFFERENCE = "SELECT * FROM t EXCEPT SELECT * FROM u"
PLACES = {
    "at the top": DIFFERENCE,
    "in an IN subquery": "SELECT * FROM t WHERE a IN (SELECT a FROM t EXCEPT SELECT a FROM u)",
    "under a correlated EXISTS": f"SELECT * FROM t WHERE EXISTS (SELECT 1 FROM ({DIFFERENCE}) x WHERE x.a = t.a)",
    "in a CTE that is used twice": f"WITH c AS ({DIFFERENCE}) SELECT * FROM c UNION ALL SELECT * FROM c",
    "in a scalar subquery": f"SELECT (SELECT count(*) FROM ({DIFFERENCE})) AS n",
    "under another EXCEPT": f"{DIFFERENCE} EXCEPT SELECT * FROM u WHERE a > 0",
}


@pytest.fixture(scope="module", autouse=True)
def _tables(harness):
    with (
        harness.spark.loaded(ROWS, "parquet"),
        harness.spark.loaded(ORDERS, "parquet"),
        harness.spark.loaded(TRIPLES, "parquet"),
    ):
        yield


class TestReplaceExceptWithAntiJoin:
    @pytest.mark.parametrize(
        "query",
        [
            "TABLE orders1 EXCEPT TABLE orders2",
            "TABLE orders1 MINUS TABLE orders2",
            lambda session: session.table("orders1").subtract(session.table("orders2")),
        ],
        ids=["except", "minus", "dataframe"],
    )
    def test_the_article_on_except(self, spark, query):
        """One row of the two: an aggregate over a null-safe anti join."""
        got = answer(spark, query)
        assert got.rows == {(5, "user1"): 1}
        assert RULE in got.rules
        aggregate, join, *_ = got.optimized.splitlines()
        assert aggregate.startswith("Aggregate")
        assert "Join LeftAnti" in join
        assert join.count("<=>") == 2

    def test_the_page_on_except(self, spark):
        got = answer(spark, lambda session: session.table("except_left").subtract(session.table("except_right")))
        assert got.rows == {(0, "zero", "000"): 1}
        assert RULE in got.rules

    def test_rows_are_compared_as_wholes_null_and_all(self, spark):
        """NULL equals NULL, NaN equals NaN, and the zeros are one."""
        got = answer(spark, f"SELECT a, d IS NULL FROM ({DIFFERENCE})")
        assert got.rows == {(None, False): 1, (1, True): 1, (2, False): 1}

    @pytest.mark.parametrize("query", PLACES.values(), ids=PLACES)
    def test_fires_wherever_an_except_may_stand(self, spark, query):
        assert RULE in answer(spark, query).rules

    def test_fires_in_a_view(self, spark):
        spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW difference AS {DIFFERENCE}")
        got = answer(spark, "SELECT count(*) FROM difference")
        spark.catalog.dropTempView("difference")
        assert RULE in got.rules
        assert got.rows == {(3,): 1}

    @pytest.mark.parametrize("operator", ["EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL"])
    def test_sides_of_different_widths_are_an_error_of_the_query(self, harness, operator):
        """On Spark with its rules and with the reference operators, and on DuckDB."""
        text = f"(SELECT * FROM except_left) {operator} (SELECT * FROM except_wide)"
        runner, jsession = harness.spark.runner, harness.spark.session._jsparkSession
        reference = '{"spark.assay.reference": "Except,ExceptAll,Intersect,IntersectAll"}'
        reports = [runner.sql(jsession, conf, text, 60_000, True) for conf in ("{}", reference)]
        assert [report.error().condition() for report in reports] == ["NUM_COLUMNS_MISMATCH"] * 2
        assert [report.error().internal() for report in reports] == [False] * 2
        with pytest.raises(duckdb.BinderException):
            duckdb.sql(f"SELECT 1 {operator} SELECT 1, 2")

    def test_an_except_that_reaches_the_planner_is_an_internal_error(self, harness):
        """No rule rewrote it and no strategy runs it: that must never pass for an answer."""
        session = harness.spark.session
        plans = [session.table(name)._jdf.queryExecution().analyzed() for name in ("t", "u")]
        except_ = session._jvm.org.apache.spark.sql.catalyst.plans.logical.Except(*plans, False)
        with pytest.raises(Py4JJavaError) as raised:
            session._jsparkSession.sessionState().planner().plan(except_).next()
        assert harness.spark.raised(raised.value).kind == "internal"
