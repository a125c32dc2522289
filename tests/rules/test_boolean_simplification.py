"""BooleanSimplification by hand: what AND, OR and NOT are shortened to, and what stays because of NULL."""

from __future__ import annotations

import pytest

from strategies.ir import BOOLEAN, INT, And, Col, Column, Compare, Database, Filter, Join, Lit, Not, Or, Project, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "BooleanSimplification"
EXPECTED = Expected(
    holds(And, Or, Not),
    ANY_FORM,
    Filter(T0, Not(Compare(">", Col("a", INT), Lit(INT, 0)))),
    {"a filter": holds(Filter), "a column": holds(Project), "ON": holds(Join)},
)
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("b", INT), Column("c", BOOLEAN), Column("d", BOOLEAN)),
            tuple((a, b, c, d) for a in (1, None) for b in (0, 1) for c in (True, False, None) for d in (False, None)),
        ),
    )
)
SIMPLIFIED = {
    "de morgan": ("NOT (a > 0 AND b > 0)", "((a <= 0) OR (b <= 0))"),
    "not of or": ("NOT (a = 0 OR b = 0)", "(NOT (a = 0) AND NOT (b = 0))"),
    "not of an order": ("NOT (a < b)", "(a >= b)"),
    "not of is null": ("NOT (a IS NULL)", "isnotnull(a)"),
    "not not": ("NOT (NOT (a = 0))", "(a = 0)"),
    "twice": ("c AND c", "c"),
    "absorbed": ("c OR (c AND d)", "c"),
    "a common part": ("(c OR d) AND (c OR a = 0)", "(c OR (d AND (a = 0)))"),
    "against itself": ("c AND NOT c", "(isnull(c) AND null)"),
    "or its opposite": ("c OR NOT c", "(isnotnull(c) OR null)"),
    "with a constant": ("c AND true", "c"),
    "never null": ("coalesce(c, false) AND (NOT coalesce(c, false) OR d)", "(coalesce(c, false) AND d)"),
}
KEPT = {
    "absorbed, but for NULL": "c AND (NOT c OR d)",
    "absorbed by OR, but for NULL": "c OR (NOT c AND d)",
    "nothing in common": "(c OR a = 0) AND (d OR b = 0)",
    "not of an equality": "NOT (a = 0)",
    "not of a column": "NOT c",
}


_tables = tables_of(ROWS)


class TestBooleanSimplification:
    def test_a_filter_is_said_shorter(self, spark):
        query = "SELECT a, b FROM t WHERE NOT (a > 1 AND b > 0) AND c AND NOT d"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "((a <= 1) OR (b <= 0))" in got.plain
        assert "NOT ((a > 1) AND (b > 0))" in kept.plain
        assert got.rows == kept.rows == {(1, 0): 1, (1, 1): 1, (None, 0): 1}

    @pytest.mark.parametrize(("condition", "shorter"), SIMPLIFIED.values(), ids=SIMPLIFIED)
    def test_a_column_is_said_shorter_and_has_the_same_values(self, spark, condition, shorter):
        query = f"SELECT a, b, c, d, {condition} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert f"{shorter} AS p" in got.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("condition", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, condition):
        query = f"SELECT a, b, c, d, {condition} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_a_condition_against_itself_is_null_where_it_is(self, spark):
        got = answer(spark, "SELECT DISTINCT c, c AND NOT c, c OR NOT c FROM t")
        assert got.rows == {(True, False, True): 1, (False, False, True): 1, (None, None, None): 1}
