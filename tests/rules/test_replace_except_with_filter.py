"""ReplaceExceptWithFilter by hand: the example that it is known by, and what keeps it away."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Column, Database, Filter, Project, Relation, SetOp, Table, walk
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected
from tests.rules.seed_tables import TRIPLES
from tests.rules.stock import WITHOUT_FILTER_RULE, answer, tables_of

RULE = "ReplaceExceptWithFilter"


def _filtered_self(query: Relation) -> bool:
    """Whether a query holds an EXCEPT whose right side is a filter, or a projection of one."""
    return any(
        isinstance(node.right.child if isinstance(node.right, Project) else node.right, Filter)
        for node in walk(query)
        if isinstance(node, SetOp) and node.kind == "except"
    )


EXPECTED = Expected(_filtered_self, ANY_FORM, SetOp("except", T0, Filter(T0, A_IS_ZERO)))
ROWS = Database(
    (
        Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (1, 1), (2, None), (None, 3), (None, None))),
        Table("u", (Column("a", INT), Column("b", INT)), ((1, 1),)),
    )
)

ELIGIBLE = {
    "relation and filter": "SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1",
    "filter and filter": "SELECT * FROM t WHERE b > 0 EXCEPT SELECT * FROM t WHERE a > 1",
    "filter over the same filter": (
        "SELECT * FROM t WHERE b > 0 EXCEPT SELECT * FROM (SELECT * FROM t WHERE b > 0) WHERE a > 1"
    ),
    "projection": "SELECT a, a + b AS c FROM t EXCEPT SELECT a, a + b AS c FROM t WHERE a > 1",
    "in a subquery": "SELECT * FROM u WHERE a IN (SELECT a FROM t EXCEPT SELECT a FROM t WHERE a > 1)",
    "in a CTE that is used twice": (
        "WITH c AS (SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1) SELECT * FROM c UNION ALL SELECT * FROM c"
    ),
}
NOT_ELIGIBLE = {
    "nondeterministic": "SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1 AND rand() < 2",
    "subquery": "SELECT * FROM t EXCEPT SELECT * FROM t WHERE a IN (SELECT a FROM u)",
    "subquery in the projection": (
        "SELECT a, (SELECT max(a) FROM u) AS m FROM t EXCEPT SELECT a, (SELECT max(a) FROM u) AS m FROM t WHERE a > 1"
    ),
    "condition on a column that is not shown": "SELECT a FROM t EXCEPT SELECT a FROM t WHERE b > 1",
    "another relation": "SELECT * FROM t EXCEPT SELECT * FROM u WHERE a > 1",
    "another projection": "SELECT a, b FROM t EXCEPT SELECT a, b + 0 AS b FROM t WHERE a > 1",
    "columns in another order": "SELECT a, b FROM t EXCEPT SELECT b, a FROM t WHERE a > 1",
    "columns of one name": "SELECT a, b AS a FROM t EXCEPT SELECT a, b AS a FROM t WHERE b > 1",
    "no filter on the right": "SELECT * FROM t WHERE a > 1 EXCEPT SELECT * FROM t",
    "EXCEPT ALL": "SELECT * FROM t EXCEPT ALL SELECT * FROM t WHERE a > 1",
}


_tables = tables_of(ROWS)


@pytest.fixture(scope="module")
def _triples(harness):
    with harness.spark.loaded(TRIPLES, "parquet"):
        yield


class TestReplaceExceptWithFilter:
    @pytest.mark.usefixtures("_triples")
    def test_the_page_on_except(self, spark):
        """``length(name) > 3`` except ``id > 0``: one filter under one aggregate, and no join."""

        def query(session):
            left = session.table("except_left")
            return left.where("length(name) > 3").subtract(left.where("id > 0"))

        got = answer(spark, query)
        assert got.rows == {(0, "zero", "000"): 1}
        assert RULE in got.rules
        assert "NOT coalesce((id" in got.optimized
        assert got.optimized.startswith("Aggregate")
        assert "Join" not in got.optimized

    @pytest.mark.parametrize("query", ELIGIBLE.values(), ids=ELIGIBLE)
    def test_fires_and_answers_as_without_it(self, spark, query):
        with_it, without = answer(spark, query), answer(spark, query, WITHOUT_FILTER_RULE)
        assert RULE in with_it.rules
        assert RULE not in without.rules
        assert with_it.rows == without.rows

    @pytest.mark.parametrize("query", NOT_ELIGIBLE.values(), ids=NOT_ELIGIBLE)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules

    @pytest.mark.parametrize(
        ("condition", "kept"),
        [
            ("a = 1", {(2, None): 1, (None, 3): 1, (None, None): 1}),
            ("a > 1 OR b > 1", {(1, 1): 1, (None, None): 1}),
            ("a = NULL", {(1, 1): 1, (2, None): 1, (None, 3): 1, (None, None): 1}),
            ("a IS NULL", {(1, 1): 1, (2, None): 1}),
            ("NOT (b > 2)", {(2, None): 1, (None, 3): 1, (None, None): 1}),
        ],
        ids=["comparison", "or", "NULL itself", "is null", "not"],
    )
    def test_rows_for_which_the_condition_is_null_stay_once(self, spark, condition, kept):
        """SPARK-26366: such a row is not on the right, so nothing takes it away."""
        got = answer(spark, f"SELECT * FROM t EXCEPT SELECT * FROM t WHERE {condition}")
        assert RULE in got.rules
        assert got.rows == kept
