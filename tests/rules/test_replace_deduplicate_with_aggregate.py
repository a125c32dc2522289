"""ReplaceDeduplicateWithAggregate by hand: keys, the columns beside them, and no keys at all."""

from __future__ import annotations

import pytest

from strategies.ir import DOUBLE, INT, Column, Database, Deduplicate, Table
from tests.rules.expected import T0, Expected, holds
from tests.rules.stock import answer, tables_of

RULE = "ReplaceDeduplicateWithAggregate"
EXPECTED = Expected(holds(Deduplicate), frozenset({"dataframe"}), Deduplicate(T0, ("a",)))
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("d", DOUBLE)),
            ((None, None), (None, None), (1, "nan"), (1, "nan"), (1, "-0x0.0p+0"), (1, "0x0.0p+0"), (2, None)),
        ),
    )
)


_tables = tables_of(ROWS)


class TestReplaceDeduplicateWithAggregate:
    def test_some_columns_are_keys_and_the_first_of_the_others_is_kept(self, spark):
        got = answer(spark, lambda session: session.table("t").selectExpr("a", "a + 1 AS b").dropDuplicates(["a"]))
        assert RULE in got.rules
        assert got.rows == {(None, None): 1, (1, 2): 1, (2, 3): 1}
        assert "first(" in got.optimized

    @pytest.mark.parametrize(
        "query",
        [
            lambda session: session.table("t").dropDuplicates(),
            lambda session: session.table("t").dropDuplicates(["d", "a"]),
            lambda session: session.table("t").distinct(),
        ],
        ids=["no argument", "all columns", "distinct"],
    )
    def test_all_columns_are_keys(self, spark, query):
        got = answer(spark, lambda session: query(session).selectExpr("a", "coalesce(string(d), 'NULL')"))
        assert RULE in got.rules
        assert got.rows == {(None, "NULL"): 1, (1, "NaN"): 1, (1, "0.0"): 1, (2, "NULL"): 1}

    @pytest.mark.parametrize(("condition", "rows"), [("true", 1), ("a > 2", 0)], ids=["some rows", "no row"])
    def test_without_keys_one_row_is_kept_if_there_is_any(self, spark, condition, rows):
        """SPARK-22951: an aggregate without keys would have one row even of no rows."""
        got = answer(spark, lambda session: session.table("t").where(condition).selectExpr("1 AS x").dropDuplicates([]))
        assert RULE in got.rules
        assert sum(got.rows.values()) == rows

    def test_keeps_away_from_a_distinct_in_sql(self, spark):
        assert RULE not in answer(spark, "SELECT DISTINCT * FROM t").rules
