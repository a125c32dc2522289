"""CollapseWindow by hand: windows that become one, and what keeps two apart."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, Agg, Column, Database, Over, Table, Window, walk
from tests.rules.expected import ANY_FORM, T0, Expected
from tests.rules.stock import answer, tables_of, without

RULE = "CollapseWindow"


def pairs(query):
    """The windows over windows in a query."""
    return [node for node in walk(query) if isinstance(node, Window) and isinstance(node.child, Window)]


EXPECTED = Expected(
    lambda query: pairs(query) != [],
    ANY_FORM,
    Window(Window(T0, (Over("n", Agg("count")),)), (Over("m", Agg("count")),)),
    {
        "a partition": lambda query: any(window.partition for window in pairs(query)),
        "an order": lambda query: any(window.order for window in pairs(query)),
        "descending": lambda query: any(key.descending for window in pairs(query) for key in window.order),
    },
)
ROWS = ((1, 1), (1, 2), (1, 2), (2, 1), (None, 3), (None, None))
TABLES = Database((Table("t", (Column("a", INT), Column("b", INT)), ROWS),))


def over(lower: str, upper: str, *, between: str = "*", where: str = "true", function: str = "max(b)") -> str:
    """A window over another one, with an operator between them."""
    inner = f"SELECT {between} FROM (SELECT *, count(*) OVER ({lower}) AS n FROM t) WHERE {where}"
    return f"SELECT *, {function} OVER ({upper}) AS m FROM ({inner})"


ONE = {
    "all rows": over("", ""),
    "a partition": over("PARTITION BY a", "PARTITION BY a"),
    "an order": over("ORDER BY b", "ORDER BY b"),
    "both": over("PARTITION BY a ORDER BY b DESC", "PARTITION BY a ORDER BY b DESC"),
    "some of the columns between": over("PARTITION BY a", "PARTITION BY a", between="n, b, a"),
}
TWO = {
    "another partition": over("PARTITION BY a", "PARTITION BY b"),
    "more of a partition": over("PARTITION BY a", "PARTITION BY a, b"),
    "another order": over("ORDER BY b", "ORDER BY a"),
    "another direction": over("ORDER BY b", "ORDER BY b DESC"),
    "another place of NULL": over("ORDER BY b", "ORDER BY b NULLS LAST"),
    "one's value in the other": over("PARTITION BY a", "PARTITION BY a", function="sum(n)"),
    "a filter between": over("PARTITION BY a ORDER BY b", "PARTITION BY a", where="n > 1"),
}

_tables = tables_of(TABLES)


class TestCollapseWindow:
    def test_one_window_computes_both(self, spark):
        query = over("PARTITION BY a", "PARTITION BY a")
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert [read_plan(plan.plain).count("Window") for plan in (got, kept)] == [1, 2]
        assert got.rows == kept.rows
        assert got.rows[(1, 2, 3, 2)] == 2

    @pytest.mark.parametrize("query", ONE.values(), ids=ONE)
    def test_windows_become_one(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert read_plan(got.plain).count("Window") == 1
        assert got.rows == kept.rows

    @pytest.mark.parametrize("query", TWO.values(), ids=TWO)
    def test_windows_stay_two(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert read_plan(got.plain).count("Window") == 2
        assert got.rows == kept.rows
