"""ConstantPropagation by hand: where a column that is known is replaced, and where it isn't known after all."""

from __future__ import annotations

import pytest

from strategies.ir import INT, And, Col, Column, Compare, Database, Filter, Join, Lit, Or, Table
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "ConstantPropagation"
EXPECTED = Expected(
    holds(Filter),
    ANY_FORM,
    Filter(T0, And(A_IS_ZERO, Compare(">=", Col("a", INT), Lit(INT, 0)))),
    {"over a join": holds(Join), "a part of OR": holds(Or)},
)
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("b", INT)),
            tuple((a, b) for a in (0, 1, None) for b in (0, 1, None)),
        ),
    )
)
PROPAGATED = {
    "equality": ("a = 1 AND b = a", "(b = 1)"),
    "before the equality": ("b = a AND a = 1", "(b = 1)"),
    "order": ("a = 1 AND b <= a", "(b <= 1)"),
    "null-safe": ("a <=> 1 AND b <=> a", "(b <=> 1)"),
    "computed": ("a = 0 AND b = a + 1", "(b = 1)"),
    "within OR": ("(a = 1 AND b = a) OR b = 0", "(b = 1)"),
}
KEPT = {
    "either": "a = 1 OR b = a",
    "under NOT": "NOT (a = 1 AND b = a)",
    "an order": "a >= 1 AND b = a",
    "in a list": "a = 1 AND b IN (a, NULL)",
    "alone": "a = 1",
}


_tables = tables_of(ROWS)


class TestConstantPropagation:
    def test_the_rest_of_a_filter_needs_the_column_no_longer(self, spark):
        query = "SELECT * FROM t WHERE a = 1 AND b = a - 1"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "((a = 1) AND (b = 0))" in got.plain
        assert "(b = (a - 1))" in kept.plain
        assert got.rows == kept.rows == {(1, 0): 1}

    @pytest.mark.parametrize(("condition", "rest"), PROPAGATED.values(), ids=PROPAGATED)
    def test_the_constant_is_put_for_the_column(self, spark, condition, rest):
        query = f"SELECT * FROM t WHERE {condition}"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert rest in got.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("condition", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, condition):
        query = f"SELECT * FROM t WHERE {condition}"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    @pytest.mark.parametrize(
        "query",
        ["SELECT a, b, a = 1 AND b = a AS p FROM t", "SELECT * FROM t LEFT JOIN t AS s ON t.a = 1 AND t.b = t.a"],
        ids=["a column", "ON of a left join"],
    )
    def test_keeps_to_filters(self, spark, query):
        """Elsewhere NULL isn't false."""
        assert RULE not in answer(spark, query).rules

    def test_a_row_of_null_stays_away_from_not(self, spark):
        got = answer(spark, "SELECT * FROM t WHERE NOT (a = 1 AND b = a)")
        assert got.rows == {(0, 0): 1, (0, 1): 1, (0, None): 1, (1, 0): 1}
