"""ReplaceExpressions by hand: what functions that stand for others answer for NULL, false, and what doesn't fit."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Join,
    Lit,
    NullIf,
    Project,
    Relation,
    Table,
    TryArith,
    walk,
)
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of

ZERO = Lit(INT, 0)


def replaced(query: Relation) -> bool:
    """Whether a query holds a function that stands for another."""
    named = any(isinstance(node, Agg) and node.function in ("every", "some", "count_if") for node in walk(query))
    return named or holds(NullIf, TryArith)(query)


EXPECTED = Expected(
    replaced,
    ANY_FORM,
    Filter(T0, Compare("=", NullIf(Col("a", INT), ZERO), ZERO)),
    {
        "a filter": holds(Filter),
        "a column": holds(Project),
        "ON": holds(Join),
        "an aggregate": holds(Aggregate),
        "a sum": holds(TryArith),
    },
)
ROWS = Database((Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (2, None), (None, 0), (0, 3))),))
STANDS_FOR = {
    "nullif": ("nullif(a, b)", "CASE WHEN a = b THEN NULL ELSE a END"),
    "nullif of NULL": ("nullif(a, NULL)", "a"),
    "try_add": ("try_add(a, 2147483646)", "CASE WHEN a <= 1 THEN a + 2147483646 END"),
    "nvl": ("nvl(a, b)", "coalesce(a, b)"),
    "nvl2": ("nvl2(a, b, 7)", "CASE WHEN a IS NOT NULL THEN b ELSE 7 END"),
}
AGGREGATES = {
    "count_if": ("count_if(a > 0)", "", 2),
    "count_if of no row": ("count_if(a > 0)", "WHERE a > 2", 0),
    "every": ("every(a > 0)", "", False),
    "every of no row": ("every(a > 0)", "WHERE a > 2", None),
    "some": ("some(a > 0)", "", True),
    "some of NULL": ("some(b > 0)", "WHERE a = 2", None),
}


_tables = tables_of(ROWS)


class TestReplaceExpressions:
    @pytest.mark.parametrize(("function", "meant"), STANDS_FOR.values(), ids=STANDS_FOR)
    def test_a_function_is_what_it_stands_for(self, spark, function, meant):
        got = answer(spark, f"SELECT {function} AS p FROM t")
        assert got.rows == answer(spark, f"SELECT {meant} AS p FROM t").rows

    @pytest.mark.parametrize(("function", "where", "expected"), AGGREGATES.values(), ids=AGGREGATES)
    def test_an_aggregate_is_what_it_stands_for(self, spark, function, where, expected):
        assert answer(spark, f"SELECT {function} AS p FROM t {where}").rows == {(expected,): 1}

    def test_the_plan_has_what_stands_for_it(self, spark):
        got = answer(spark, "SELECT every(a > 0) AS p, some(a > 0) AS q, count_if(a > 0) AS r FROM t")
        assert "min((a > 0)) AS p" in got.plain
        assert "max((a > 0)) AS q" in got.plain
        assert "count_if" not in got.plain
