"""ConstantFolding by hand: what is computed beforehand, and what needs a row."""

from __future__ import annotations

import pytest

from strategies.ir import BOOLEAN, INT, Call, Col, Column, Compare, Database, Filter, InList, Join, Lit, Project, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "ConstantFolding"
EXPECTED = Expected(
    holds(Compare, InList),
    ANY_FORM,
    Filter(T0, Compare("=", Col("a", INT), Call("greatest", (Lit(INT, 0), Lit(INT, 0))))),
    {"a filter": holds(Filter), "a column": holds(Project), "ON": holds(Join)},
)
ROWS = Database(
    (Table("t", (Column("a", INT), Column("c", BOOLEAN)), tuple((a, c) for a in (3, None) for c in (True, None))),)
)
FOLDED = {
    "a sum": ("a + (1 + 2)", "(a + 3)"),
    "a function": ("greatest(1, 2)", "2"),
    "an overflow": ("try_add(2147483647, 1)", "null"),
    "text": ("CAST('12' AS INT)", "12"),
    "a comparison": ("c AND 1 + 1 < 2", "false"),
}
KEPT = {
    "a column": "a + 1",
    "a literal": "1",
    "constant results": "CASE WHEN c THEN 1 ELSE 2 END",
    "one constant": "greatest(a, 1)",
}


_tables = tables_of(ROWS)


class TestConstantFolding:
    def test_a_filter_compares_with_a_literal(self, spark):
        query = "SELECT a FROM t WHERE a = 1 + greatest(1, 2)"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "(a = 3)" in got.plain
        assert "greatest(1, 2)" in kept.plain
        assert got.rows == kept.rows == {(3,): 2}

    @pytest.mark.parametrize(("expression", "value"), FOLDED.values(), ids=FOLDED)
    def test_a_constant_is_computed_beforehand(self, spark, expression, value):
        query = f"SELECT a, {expression} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert f"{value} AS p" in got.plain
        assert f" {value} AS p" not in kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("expression", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, expression):
        query = f"SELECT a, {expression} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_what_raises_in_a_branch_that_no_row_takes_is_not_computed_beforehand(self, spark):
        got = answer(spark, "SELECT CASE WHEN a > 5 THEN 1 DIV 0 END AS p FROM t")
        assert got.rows == {(None,): 4}
