"""SimplifyCasts by hand: casts that change nothing go, those that lose something stay."""

from __future__ import annotations

import pytest

from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    SMALLINT,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Join,
    Lit,
    Project,
    Table,
)
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, assert_keeps_away, assert_rewrites, tables_of, without

RULE = "SimplifyCasts"
EXPECTED = Expected(
    holds(Cast),
    ANY_FORM,
    Filter(T0, Compare("=", Cast(Col("a", INT), INT), Lit(INT, 0))),
    {"a filter": holds(Filter), "a column": holds(Project), "ON": holds(Join)},
)
ROWS = Database(
    (
        Table(
            "t",
            (Column("s", SMALLINT), Column("a", INT), Column("w", BIGINT), Column("x", DOUBLE)),
            ((1, 2, 2**40, (2.75).hex()), (None, None, None, None), (-1, 0, 0, (0.0).hex())),
        ),
    )
)
SIMPLIFIED = {
    "the same type": ("CAST(a AS INT)", "a"),
    "wider and wider": ("CAST(CAST(s AS INT) AS BIGINT)", "cast(s as bigint)"),
    "to double by bigint": ("CAST(CAST(a AS BIGINT) AS DOUBLE)", "cast(a as double)"),
    "twice the same": ("CAST(CAST(a AS BIGINT) AS BIGINT)", "cast(a as bigint)"),
}
KEPT = {
    "narrower between": "CAST(try_cast(w AS INT) AS BIGINT)",
    "whole between": "CAST(try_cast(x AS INT) AS DOUBLE)",
    "truth between": "CAST(CAST(a AS BOOLEAN) AS INT)",
    "text between": "CAST(CAST(a AS STRING) AS INT)",
    "wider": "CAST(a AS BIGINT)",
}


_tables = tables_of(ROWS)


class TestSimplifyCasts:
    def test_a_filter_needs_no_cast(self, spark):
        query = "SELECT a FROM t WHERE CAST(a AS INT) > s"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "(a > cast(s as int))" in got.plain
        assert "(cast(a as int) > cast(s as int))" in kept.plain
        assert got.rows == kept.rows == {(2,): 1, (0,): 1}

    @pytest.mark.parametrize(("expression", "simpler"), SIMPLIFIED.values(), ids=SIMPLIFIED)
    def test_a_cast_goes_and_the_values_stay(self, spark, expression, simpler):
        assert_rewrites(spark, RULE, f"SELECT {expression} AS p, w FROM t", f"[{simpler} AS p")

    @pytest.mark.parametrize("expression", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, expression):
        assert_keeps_away(spark, RULE, f"SELECT {expression} AS p FROM t")

    def test_what_is_lost_between_stays_lost(self, spark):
        got = answer(spark, "SELECT CAST(try_cast(w AS INT) AS BIGINT), CAST(CAST(a AS BOOLEAN) AS INT) FROM t")
        assert got.rows == {(None, 1): 1, (None, None): 1, (0, 0): 1}
