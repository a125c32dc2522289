"""UpdateAttributeNullability by hand: what is known of a column above a join that pads it no longer."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Aggregate,
    Alias,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    IsNull,
    Item,
    Join,
    Lit,
    Project,
    Table,
)
from tests.rules.expected import ANY_FORM, LEFT_A, RIGHT_A, S0, T0, Expected, holds, joins
from tests.rules.stock import answer, tables_of

RULE = "UpdateAttributeNullability"
OFF = {"spark.sql.optimizer.excludedRules": f"org.apache.spark.sql.catalyst.analysis.{RULE}"}
ZERO = Lit(INT, 0)
KNOWN = Alias(Project(S0, (Item("u", Coalesce((RIGHT_A, ZERO))),)), "known")
JOINED = Join(T0, KNOWN, "left", Compare("=", LEFT_A, Col("u", INT, "known")))
U = Col("u", INT)
EXPECTED = Expected(
    joins("left", "right"),
    ANY_FORM,
    Project(Filter(JOINED, Compare("=", U, ZERO)), (Item("p", IsNull(U)),)),
    {"a count": holds(Aggregate), "a right join": joins("right")},
)
ROWS = Database((Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (2, None), (None, 0), (0, 3))),))
DEFAULTED = "(SELECT coalesce(a, 0) AS u FROM t) AS known"
UPDATED = {
    "a test": (f"SELECT u IS NULL AS p FROM t LEFT JOIN {DEFAULTED} ON a = u WHERE u >= 0", "false AS p"),
    "a count": (f"SELECT count(u) AS p FROM t LEFT JOIN {DEFAULTED} ON a = u WHERE u >= 0", "count(1) AS p"),
    "a right join": (f"SELECT u IS NOT NULL AS p FROM {DEFAULTED} RIGHT JOIN t ON a = u WHERE u >= 0", "true AS p"),
}
KEPT = {
    "padded": f"SELECT u IS NULL AS p FROM t LEFT JOIN {DEFAULTED} ON a = u",
    "padding alone": f"SELECT count(u) AS p FROM t LEFT JOIN {DEFAULTED} ON a = u WHERE u IS NULL",
    "inner join": f"SELECT count(u) AS p FROM t JOIN {DEFAULTED} ON a = u",
    "union": "SELECT count(u) AS p FROM (SELECT coalesce(a, 0) AS u FROM t UNION ALL SELECT b FROM t)",
    "mentioned by a filter": "SELECT a IS NULL AS p FROM t WHERE a > 0 OR a IS NULL",
}


_tables = tables_of(ROWS)


class TestUpdateAttributeNullability:
    @pytest.mark.parametrize(("query", "known"), UPDATED.values(), ids=UPDATED)
    def test_a_column_without_padding_is_known_not_to_be_null(self, spark, query, known):
        """A later rule takes a test or count of it for what it is."""
        got, kept = answer(spark, query), answer(spark, query, OFF)
        assert RULE in got.rules
        assert RULE not in kept.rules
        assert known in got.plain
        assert known not in kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, OFF)
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_padding_is_seen(self, spark):
        assert answer(spark, KEPT["padded"]).rows == {(True,): 1, (False,): 4}
