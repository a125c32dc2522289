"""DecimalAggregates by hand: sums and averages of decimals of few digits, and those that have too many."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    CaseWhen,
    Col,
    Column,
    Database,
    Decimal,
    Over,
    Table,
    TryCast,
    Window,
    walk,
)
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "DecimalAggregates"


def functions(query):
    """The sums and averages of decimals in a query."""
    return [
        node
        for node in walk(query)
        if isinstance(node, Agg) and node.function in ("sum", "avg") and isinstance(node.operand.type, Decimal)
    ]


def any_function(condition):
    """Whether a query holds a sum or an average of decimals with ``condition``."""
    return lambda query: any(map(condition, functions(query)))


EXPECTED = Expected(
    any_function(lambda function: True),
    ANY_FORM,
    Window(T0, (Over("n", Agg("sum", TryCast(Col("a", INT), Decimal(7, 2)))),)),
    {
        "groups": holds(Aggregate),
        "an average": any_function(lambda function: function.function == "avg"),
        "DISTINCT": any_function(lambda function: function.distinct),
        "FILTER": any_function(lambda function: function.where is not None),
        "a constant": any_function(lambda function: isinstance(function.operand, CaseWhen)),
        "a column": any_function(lambda function: isinstance(function.operand, Col)),
    },
)
ROWS = (
    (1, "999999.99", "1.10", "9999999.99"),
    (1, "999999.99", "1.10", "9999999.99"),
    (1, "-0.01", None, "0.02"),
    (2, None, None, None),
    (None, "0.10", "2.25", "-9999999.99"),
)
COLUMNS = (Column("k", INT), *(Column(name, Decimal(p, 2)) for name, p in (("d", 8), ("e", 11), ("f", 9))))
TABLES = Database((Table("t", COLUMNS, ROWS),))
UNSCALED = {
    "a sum": ("sum(d)", "sum(UnscaledValue(d))"),
    "an average": ("avg(e)", "avg(UnscaledValue(e))"),
    "FILTER": ("sum(d) FILTER (WHERE k = 1)", "sum(UnscaledValue(d)) FILTER (WHERE "),
    "no value": ("sum(d) FILTER (WHERE k = 3)", "sum(UnscaledValue(d)) FILTER (WHERE "),
}
KEPT = {
    "a sum of nine digits": "sum(f)",
    "an average of twelve digits": "avg(CAST(d AS DECIMAL(12, 2)))",
    "an integer": "sum(k)",
    "the greatest": "max(d)",
}

_tables = tables_of(TABLES)


class TestDecimalAggregates:
    def test_a_sum_is_of_unscaled_values(self, spark):
        query = "SELECT k, sum(d), avg(d) FROM t GROUP BY k"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert "UnscaledValue" in got.plain
        assert "UnscaledValue" not in kept.plain
        shown = {tuple(None if value is None else str(value) for value in row) for row in got.rows}
        assert shown == {
            ("1", "1999999.97", "666666.656667"),
            ("2", None, None),
            (None, "0.10", "0.100000"),
        }
        assert got.rows == kept.rows

    @pytest.mark.parametrize("over", ["", " OVER (PARTITION BY k)"], ids=["groups", "windows"])
    @pytest.mark.parametrize(("function", "unscaled"), UNSCALED.values(), ids=UNSCALED)
    def test_fires_and_answers_as_without(self, spark, function, unscaled, over):
        query = f"SELECT {function}{over} AS n FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert unscaled in got.plain
        assert "UnscaledValue" not in kept.plain
        assert got.rows == kept.rows

    def test_a_distinct_sum_takes_each_value_once(self, spark):
        query = "SELECT sum(DISTINCT d) AS n FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert {str(value) for (value,) in got.rows} == {"1000000.08"}
        assert got.rows == kept.rows

    @pytest.mark.parametrize("function", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, function):
        query = f"SELECT {function} AS n FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows
