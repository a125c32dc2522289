"""OptimizeIn by hand: what becomes of lists, and what NULL among the items is for."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Col, Column, Database, Filter, InList, Join, Lit, Project, Table, walk
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "OptimizeIn"


def list_longer_than(count: int):
    """Whether a query holds a list of more items."""
    return lambda query: any(isinstance(node, InList) and len(node.items) > count for node in walk(query))


EXPECTED = Expected(
    holds(InList),
    ANY_FORM,
    Filter(T0, InList(Col("a", INT), (Lit(INT, 0),))),
    {"a filter": holds(Filter), "a column": holds(Project), "ON": holds(Join), "a set": list_longer_than(10)},
)
ROWS = Database(
    (Table("t", (Column("a", INT), Column("b", INT)), tuple((a, b) for a in (0, 1, None) for b in (0, 11))),)
)
TEN = ", ".join(map(str, range(1, 11)))
OPTIMIZED = {
    "one item": ("a IN (1)", "(a = 1)"),
    "none of one item": ("a NOT IN (1)", "NOT (a = 1)"),
    "repeats": ("a IN (1, 0, 1, 0)", "a IN (1,0)"),
    "one item thrice": ("a IN (1, 1, 1)", "(a = 1)"),
    "repeats of NULL": ("a NOT IN (1, NULL, 1, NULL)", "NOT a IN (1,null)"),
    "a set": (f"b IN ({TEN}, 11)", "b INSET 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9"),
    "a set with NULL": (f"b IN ({TEN}, NULL)", "b INSET 1, 10, 2, 3, 4, 5, 6, 7, 8, 9, null"),
}
KEPT = {
    "different items": "a IN (1, 0)",
    "NULL among them": "a IN (1, NULL)",
    "ten items": f"b IN ({TEN})",
    "a column": "a IN (1, b, 1)",
}


_tables = tables_of(ROWS)


class TestOptimizeIn:
    def test_a_long_list_is_looked_up_as_a_set(self, spark):
        query = f"SELECT * FROM t WHERE b IN ({TEN}, 11, 11)"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "Filter b INSET " in got.plain
        assert "Filter b IN (1," in kept.plain
        assert got.rows == kept.rows == {(0, 11): 1, (1, 11): 1, (None, 11): 1}

    @pytest.mark.parametrize(("condition", "optimized"), OPTIMIZED.values(), ids=OPTIMIZED)
    def test_a_list_becomes_shorter_and_has_the_same_values(self, spark, condition, optimized):
        query = f"SELECT a, b, {condition} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert f"{optimized} AS p" in got.plain
        assert f"{optimized} AS p" not in kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("condition", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, condition):
        query = f"SELECT a, b, {condition} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_null_in_a_set_makes_a_miss_null(self, spark):
        got = answer(spark, f"SELECT DISTINCT b, b IN ({TEN}, 11, NULL), b NOT IN ({TEN}, 11, NULL) FROM t")
        assert got.rows == {(0, None, None): 1, (11, True, False): 1}
