"""InferFiltersFromConstraints by hand: what is inferred, on which side, and what can't be."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import BIGINT, INT, Column, Database, Filter, Join, Table
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds
from tests.rules.stock import Answer, answer, tables_of, without

RULE = "InferFiltersFromConstraints"
EXPECTED = Expected(holds(Filter, Join), ANY_FORM, Filter(T0, A_IS_ZERO))

TABLES = Database(
    (
        Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (2, None), (None, 1), (None, None))),
        Table("u", (Column("k", INT), Column("w", BIGINT)), ((1, 1), (2, 2), (None, None))),
    )
)
A, K = "Filter isnotnull(a)", "Filter isnotnull(k)"
WITH_ONE, ONE = "Filter (isnotnull(a) AND (a = 1))", "Filter ((k = 1) AND isnotnull(k))"
FILTERS = {
    "comparison": ("SELECT * FROM t WHERE a > 1", ["Filter (isnotnull(a) AND (a > 1))"]),
    "two columns": ("SELECT * FROM t WHERE a < b", ["Filter ((isnotnull(a) AND isnotnull(b)) AND (a < b))"]),
    "inner join": ("SELECT * FROM t JOIN u ON a = k", [A, K]),
    "semi join": ("SELECT * FROM t LEFT SEMI JOIN u ON a = k", [A, K]),
    "left join": ("SELECT * FROM t LEFT JOIN u ON a = k", [K]),
    "right join": ("SELECT * FROM t RIGHT JOIN u ON a = k", [A]),
    "anti join": ("SELECT * FROM t LEFT ANTI JOIN u ON a = k", [K]),
    "widened": ("SELECT * FROM t JOIN u ON a = w", [A, "Filter isnotnull(w)"]),
    "passed on": ("SELECT * FROM t JOIN u ON a = k WHERE a = 1", [WITH_ONE, ONE]),
    "passed on to the padded side": ("SELECT * FROM t LEFT JOIN u ON a = k WHERE a = 1", [WITH_ONE, ONE]),
}
KEPT = {
    "null-safe join": "SELECT * FROM t JOIN u ON a <=> k",
    "null-safe filter": "SELECT * FROM t WHERE a <=> b",
    "is null": "SELECT * FROM t WHERE a IS NULL",
    "is not null": "SELECT * FROM t WHERE a IS NOT NULL",
    "a default": "SELECT * FROM t WHERE coalesce(a, 0) = 0",
    "either": "SELECT * FROM t WHERE a = 1 OR b = 1",
    "full join": "SELECT * FROM t FULL JOIN u ON a = k",
    "cross join": "SELECT * FROM t CROSS JOIN u",
}


_tables = tables_of(TABLES)


def filters(got: Answer) -> list[str]:
    """The filters of the plan, from the left to the right."""
    return [node.text for node in read_plan(got.plain).nodes() if node.kind == "Filter"]


class TestInferFiltersFromConstraints:
    def test_the_articles_examples(self, spark):
        """``isnotnull`` beside a filter's condition, and on both inputs of a join."""
        got, kept = (answer(spark, FILTERS["comparison"][0], conf) for conf in ({}, without(RULE)))
        assert (filters(got), filters(kept)) == (["Filter (isnotnull(a) AND (a > 1))"], ["Filter (a > 1)"])
        got, kept = (answer(spark, FILTERS["inner join"][0], conf) for conf in ({}, without(RULE)))
        assert (filters(got), filters(kept)) == ([A, K], [])

    @pytest.mark.parametrize(("query", "expected"), FILTERS.values(), ids=FILTERS)
    def test_infers_and_answers_as_without_it(self, spark, query, expected):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert filters(got) == expected
        assert filters(kept) != expected
        assert got.rows == kept.rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_rows_of_the_kept_side_stay_whatever_is_null_in_them(self, spark):
        got = answer(spark, FILTERS["left join"][0])
        assert got.rows == {(1, 1, 1, 1): 1, (2, None, 2, 2): 1, (None, 1, None, None): 1, (None,) * 4: 1}
