"""SimplifyBinaryComparison by hand: what equals itself, where NULL is in the way, and conditions compared with true."""

from __future__ import annotations

import pytest

from strategies.ir import BOOLEAN, DOUBLE, INT, Col, Column, Compare, Database, Filter, Join, Project, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, operators, tables_of, without

RULE = "SimplifyBinaryComparison"
A = Col("a", INT)
EXPECTED = Expected(
    holds(Compare),
    ANY_FORM,
    Filter(T0, Compare("<=>", A, A)),
    {"a filter": holds(Filter), "a column": holds(Project), "ON": holds(Join)},
)
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("x", DOUBLE), Column("c", BOOLEAN)),
            tuple(
                (a, x, c)
                for a in (1, None)
                for x in ((0.0).hex(), (-0.0).hex(), "nan", None)
                for c in (True, False, None)
            ),
        ),
    )
)
SIMPLIFIED = {
    "null-safe": ("a <=> a", "true"),
    "equal": ("coalesce(a, 0) = coalesce(a, 0)", "true"),
    "at least": ("coalesce(x, 0D) >= coalesce(x, 0D)", "true"),
    "less": ("coalesce(x, 0D) < coalesce(x, 0D)", "false"),
    "true": ("c = true", "c"),
    "false": ("false = c", "NOT c"),
    "null-safe truth": ("(a IS NULL) <=> true", "isnull(a)"),
}
KEPT = {
    "equal, but for NULL": "a = a",
    "at most, but for NULL": "a <= a",
    "less, but for NULL": "a < a",
    "null-safe truth": "c <=> true",
    "null-safe falsehood": "c <=> false",
    "another column": "a < x",
}
FILTERS = {"=": ["Filter"], ">=": ["Filter"], "<=": ["Filter"], "<": ["LocalRelation"], ">": ["LocalRelation"]}


_tables = tables_of(ROWS)


class TestSimplifyBinaryComparison:
    def test_a_filter_asks_for_null_alone(self, spark):
        """``isnotnull(a)`` has been inferred; beside it ``a = a`` is true."""
        query = "SELECT DISTINCT a FROM t WHERE a = a"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "Filter isnotnull(a)" in got.plain
        assert "Filter (isnotnull(a) AND (a = a))" in kept.plain
        assert got.rows == kept.rows == {(1,): 1}

    @pytest.mark.parametrize(("op", "expected"), FILTERS.items(), ids=FILTERS)
    def test_nan_and_either_zero_equal_themselves_in_a_filter(self, spark, op, expected):
        query = f"SELECT * FROM t WHERE x {op} x"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert operators(got)[:1] == expected
        assert repr(sorted(got.rows.items(), key=repr)) == repr(sorted(kept.rows.items(), key=repr))

    @pytest.mark.parametrize(("expression", "shorter"), SIMPLIFIED.values(), ids=SIMPLIFIED)
    def test_a_column_is_said_shorter_and_has_the_same_values(self, spark, expression, shorter):
        query = f"SELECT a, c, {expression} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert f"{shorter} AS p" in got.plain
        assert f"{shorter} AS p" not in kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("expression", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, expression):
        query = f"SELECT a, c, {expression} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_the_same_column_of_two_rows_is_not_itself(self, spark):
        got = answer(spark, "SELECT DISTINCT l.a, r.a FROM t AS l JOIN t AS r ON l.a <=> r.a")
        assert RULE not in got.rules
        assert got.rows == {(1, 1): 1, (None, None): 1}
