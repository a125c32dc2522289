"""ReplaceDistinctWithAggregate by hand: what asks for distinct rows, what does not, and rows without a column."""

from __future__ import annotations

import pytest

from strategies.ir import DOUBLE, INT, Column, Database, Distinct, Relation, Table
from tests.rules.expected import T0, Expected, holds, set_ops
from tests.rules.stock import answer, tables_of

RULE = "ReplaceDistinctWithAggregate"


def _distinct(query: Relation) -> bool:
    """Whether a query asks for distinct rows: DISTINCT, or UNION without ALL."""
    return holds(Distinct)(query) or set_ops("union", keeps_all=False)(query)


EXPECTED = Expected(_distinct, frozenset({"sql"}), Distinct(T0))
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("d", DOUBLE)),
            ((None, None), (None, None), (1, "nan"), (1, "nan"), (1, "-0x0.0p+0"), (1, "0x0.0p+0"), (1, None)),
        ),
    )
)
DISTINCT = {
    "distinct": "SELECT DISTINCT * FROM t",
    "union": "SELECT * FROM t UNION SELECT * FROM t",
    "except": "SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1",
    "intersect": "SELECT * FROM t INTERSECT SELECT * FROM t",
    "in an IN subquery": "SELECT * FROM t WHERE a IN (SELECT DISTINCT a FROM t)",
    "under a correlated EXISTS": (
        "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM (SELECT DISTINCT a FROM t) x WHERE x.a = t.a)"
    ),
    "in a CTE": "WITH c AS (SELECT DISTINCT a FROM t) SELECT * FROM c UNION ALL SELECT * FROM c",
}
NOT_DISTINCT = {
    "union all": "SELECT * FROM t UNION ALL SELECT * FROM t",
    "distinct aggregate": "SELECT count(DISTINCT a) FROM t",
    "group by": "SELECT a FROM t GROUP BY a",
    "except all": "SELECT * FROM t EXCEPT ALL SELECT * FROM t",
}


_tables = tables_of(ROWS)


class TestReplaceDistinctWithAggregate:
    def test_a_distinct_becomes_an_aggregate_by_all_columns(self, spark):
        got = answer(spark, "SELECT DISTINCT a, d FROM t")
        assert RULE in got.rules
        assert got.optimized.startswith("Aggregate [a")

    def test_null_is_a_value_nan_is_one_value_and_the_zeros_are_one(self, spark):
        got = answer(spark, "SELECT a, coalesce(string(d), 'NULL') FROM (SELECT DISTINCT * FROM t)")
        assert got.rows == {(None, "NULL"): 1, (1, "NaN"): 1, (1, "0.0"): 1, (1, "NULL"): 1}

    @pytest.mark.parametrize("query", DISTINCT.values(), ids=DISTINCT)
    def test_fires(self, spark, query):
        assert RULE in answer(spark, query).rules

    @pytest.mark.parametrize("query", NOT_DISTINCT.values(), ids=NOT_DISTINCT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules

    @pytest.mark.parametrize(("left", "right"), [(0, 0), (0, 2), (2, 0), (2, 2)])
    @pytest.mark.parametrize("method", ["subtract", "intersect"])
    def test_rows_without_a_column_always_come_out_as_one(self, spark, method, left, right):
        """A bug of Spark's: the aggregate has no key, and such an aggregate has one row, even of no rows.

        Right would be none, unless both sides of the intersection, or the left one alone of the difference, have rows.
        When this fails, the bug is mended, and the right counts are to be asked for.
        """
        sides = [spark.range(size).select() for size in (left, right)]
        assert getattr(sides[0], method)(sides[1]).count() == 1
