"""TransposeWindow by hand: which of two windows goes below, and what keeps them in their order."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, Agg, Col, Column, Database, Over, Table, Window
from tests.rules.expected import ANY_FORM, T0, Expected
from tests.rules.stock import answer, tables_of, without
from tests.rules.test_collapse_window import over, pairs

RULE = "TransposeWindow"
EXPECTED = Expected(
    lambda query: pairs(query) != [],
    ANY_FORM,
    Window(Window(T0, (Over("n", Agg("count")),), (Col("a", INT),)), (Over("m", Agg("count")),)),
    {
        "a partition of each": lambda query: any(window.partition for window in pairs(query)),
        "an order above": lambda query: any(window.order for window in pairs(query)),
        "an order below": lambda query: any(window.child.order for window in pairs(query)),
    },
)
ROWS = ((1, 1), (1, 2), (1, 2), (2, 1), (None, 3), (None, None))
TABLES = Database((Table("t", (Column("a", INT), Column("b", INT)), ROWS),))
TURNED = {
    "no keys above": over("PARTITION BY a", ""),
    "one of two": over("PARTITION BY a, b", "PARTITION BY a"),
    "orders of their own": over("PARTITION BY a ORDER BY b", "ORDER BY b DESC"),
    "some of the columns between": over("PARTITION BY a, b", "PARTITION BY a", between="n, a, b"),
}
KEPT = {
    "the same partition": over("PARTITION BY a", "PARTITION BY a"),
    "more keys above": over("PARTITION BY a", "PARTITION BY a, b"),
    "another partition": over("PARTITION BY a", "PARTITION BY b"),
    "one's value in the other": over("PARTITION BY a, b", "PARTITION BY a", function="sum(n)"),
    "one's value as a key": over("PARTITION BY a, b", "PARTITION BY n"),
    "a filter between": over("PARTITION BY a ORDER BY b", "", where="n > 1"),
}

_tables = tables_of(TABLES)


def partitions(plan: str) -> list[str]:
    """The windows of a plan from the top down, each by the name of its column."""
    return [node.text.partition(" AS ")[2][0] for node in read_plan(plan).nodes() if node.kind == "Window"]


class TestTransposeWindow:
    def test_the_coarser_window_goes_below_and_columns_stay_in_place(self, spark):
        query = over("PARTITION BY a, b", "PARTITION BY a")
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert partitions(got.plain) == ["n", "m"]
        assert partitions(kept.plain) == ["m", "n"]
        assert got.rows == kept.rows
        assert got.rows[(1, 2, 2, 2)] == 2
        assert got.rows[(1, 1, 1, 2)] == 1

    @pytest.mark.parametrize("query", TURNED.values(), ids=TURNED)
    def test_windows_change_places(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert partitions(got.plain) == ["n", "m"]
        assert got.rows == kept.rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_windows_keep_their_places(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows
