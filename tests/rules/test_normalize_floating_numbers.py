"""NormalizeFloatingNumbers by hand: either zero meets the other, and NaN itself, in joins and windows."""

from __future__ import annotations

import pytest

from strategies.ir import DOUBLE, INT, Cast, Column, Compare, Database, Item, Join, Project, Table, Window
from tests.rules.expected import ANY_FORM, LEFT_A, RIGHT_A, S0, T0, Expected, holds, joins
from tests.rules.stock import answer, tables_of

RULE = "NormalizeFloatingNumbers"
EXPECTED = Expected(
    holds(Join, Window),
    ANY_FORM,
    Project(
        Join(T0, S0, "inner", Compare("=", Cast(LEFT_A, DOUBLE), Cast(RIGHT_A, DOUBLE))),
        (Item("j0", LEFT_A), Item("j1", RIGHT_A)),
    ),
    {"a window": holds(Window), "an outer join": joins("left", "right", "full"), "an anti join": joins("anti")},
)
COLUMNS = (Column("x", DOUBLE), Column("a", INT))
ROWS = Database(
    (
        Table("t", COLUMNS, (((0.0).hex(), 1), ("nan", 2), (None, 3), ((1.5).hex(), 4))),
        Table("s", COLUMNS, (((-0.0).hex(), 10), ("nan", 20), (None, 30), ((0.0).hex(), 40))),
    )
)
ZEROS, NAN, NULLS = {(1, 10): 1, (1, 40): 1}, {(2, 20): 1}, {(3, 30): 1}
JOINS = {
    "equal": ("t.x = s.x", {**ZEROS, **NAN}),
    "null-safe": ("t.x <=> s.x", {**ZEROS, **NAN, **NULLS}),
    "in an array": ("array(t.x) = array(s.x)", {**ZEROS, **NAN, **NULLS}),
    "in a struct": ("named_struct('p', t.x) = named_struct('p', s.x)", {**ZEROS, **NAN, **NULLS}),
    "with more": ("t.x = s.x AND t.a * 20 < s.a", {(1, 40): 1}),
}
KEPT = {
    "an order": "SELECT t.a, s.a FROM t JOIN s ON t.x < s.x",
    "whole numbers": "SELECT t.x, s.x FROM t JOIN s ON t.a = s.a",
    "a window in order": "SELECT count(*) OVER (PARTITION BY a ORDER BY x) FROM s",
    "groups": "SELECT x, count(*) FROM s GROUP BY x",
}


_tables = tables_of(ROWS)


class TestNormalizeFloatingNumbers:
    @pytest.mark.parametrize(("on", "expected"), JOINS.values(), ids=JOINS)
    def test_a_join_by_bits_has_equal_bits_for_equal_numbers(self, spark, on, expected):
        got = answer(spark, f"SELECT t.a, s.a AS b FROM t JOIN s ON {on}")
        assert RULE in got.rules
        assert "knownfloatingpointnormalized(" in got.plain
        assert got.rows == expected

    def test_a_window_has_both_zeros_in_one_partition(self, spark):
        got = answer(spark, "SELECT a, count(*) OVER (PARTITION BY x) AS n FROM s")
        assert RULE in got.rules
        assert "[knownfloatingpointnormalized(normalizenanandzero(x))]" in got.plain
        assert got.rows == {(10, 2): 1, (40, 2): 1, (20, 1): 1, (30, 1): 1}

    def test_a_row_keeps_its_zero(self, spark):
        got = answer(spark, "SELECT CAST(s.x AS STRING) AS p FROM t JOIN s ON t.x = s.x WHERE s.a < 20")
        assert RULE in got.rules
        assert got.rows == {("-0.0",): 1}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
