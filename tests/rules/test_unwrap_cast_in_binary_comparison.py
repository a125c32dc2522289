"""UnwrapCastInBinaryComparison by hand: constants within, at the end of, beyond and between what the column may be."""

from __future__ import annotations

import pytest

from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    INT,
    SMALLINT,
    TIMESTAMP_NTZ,
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
    walk,
)
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, assert_keeps_away, assert_rewrites, tables_of, without


def casts_to(kind):
    """Whether a query holds a cast to ``kind``."""
    return lambda query: any(isinstance(node, Cast) and node.to == kind for node in walk(query))


RULE = "UnwrapCastInBinaryComparison"
EXPECTED = Expected(
    holds(Cast),
    ANY_FORM,
    Filter(T0, Compare("=", Cast(Col("a", INT), BIGINT), Lit(BIGINT, 0))),
    {
        "a filter": holds(Filter),
        "a column": holds(Project),
        "ON": holds(Join),
        "a day": casts_to(DATE),
        "a moment": casts_to(TIMESTAMP_NTZ),
    },
)
ROWS = Database(
    (
        Table(
            "t",
            (
                Column("s", SMALLINT),
                Column("a", INT),
                Column("w", BIGINT),
                Column("c", BOOLEAN),
                Column("d", DATE),
                Column("m", TIMESTAMP_NTZ),
            ),
            (
                (32767, 1, 2**53 + 1, True, "2024-02-29", "2024-02-29 00:00:00.000000"),
                (32766, 2, 2**53, False, "2024-03-01", "2024-02-29 23:59:59.999999"),
                (-32768, 0, 1, None, "2024-02-28", "2024-03-01 00:00:00.000000"),
                (0, -1, 0, True, "1969-12-31", "1969-12-31 23:59:59.999999"),
                (None, None, None, None, None, None),
            ),
        ),
    )
)
NEVER, ALWAYS = "(isnull({0}) AND null)", "(isnotnull({0}) OR null)"
UNWRAPPED = {
    "within": ("CAST(s AS INT) < 5", "(s < 5)"),
    "within, turned": ("5 < CAST(s AS INT)", "(5 < s)"),
    "above": ("CAST(s AS INT) > 40000", NEVER.format("s")),
    "not above": ("CAST(s AS INT) < 40000", ALWAYS.format("s")),
    "above, null-safe": ("CAST(s AS INT) <=> 40000", "false"),
    "below": ("CAST(s AS INT) >= -40000", ALWAYS.format("s")),
    "below the greatest": ("CAST(s AS INT) < 32767", "NOT (s = 32767)"),
    "at least the greatest": ("CAST(s AS INT) >= 32767", "(s = 32767)"),
    "at most the greatest": ("CAST(s AS INT) <= 32767", ALWAYS.format("s")),
    "at most the least": ("CAST(s AS INT) <= -32768", "(s = -32768)"),
    "above the least": ("CAST(s AS INT) > -32768", "NOT (s = -32768)"),
    "more than a half": ("CAST(a AS DOUBLE) > 1.5D", "(a > 1)"),
    "at least a half": ("CAST(a AS DOUBLE) >= 1.5D", "(a > 1)"),
    "less than a half": ("CAST(a AS DOUBLE) < 1.5D", "(a <= 1)"),
    "more than a half below zero": ("CAST(a AS DOUBLE) > -0.5D", "(a >= 0)"),
    "a half": ("CAST(a AS DOUBLE) = 1.5D", NEVER.format("a")),
    "not a half": ("CAST(a AS DOUBLE) <> 1.5D", ALWAYS.format("a")),
    "NaN": ("CAST(a AS DOUBLE) < CAST('NaN' AS DOUBLE)", ALWAYS.format("a")),
    "digits": ("CAST(a AS DECIMAL(12, 2)) > CAST(1.50 AS DECIMAL(12, 2))", "(a > 1)"),
    "truth": ("CAST(c AS INT) = 1", "c"),
    "a list": ("CAST(s AS INT) IN (1, 40000, 32766)", "s IN (1,32766)"),
    "a list with NULL": ("CAST(s AS INT) IN (40000, 32766, NULL)", "s IN (null,32766)"),
    "a list of others": ("CAST(s AS INT) IN (40000, 50000)", NEVER.format("s")),
    "a day": (
        "CAST(m AS DATE) = DATE '2024-02-29'",
        "((m >= 2024-02-29 00:00:00) AND (m < 2024-03-01 00:00:00))",
    ),
    "after a day": ("CAST(m AS DATE) > DATE '2024-02-29'", "(m >= 2024-03-01 00:00:00)"),
    "up to a day": ("CAST(m AS DATE) <= DATE '2024-02-29'", "(m < 2024-03-01 00:00:00)"),
    "midnight": ("CAST(d AS TIMESTAMP_NTZ) >= TIMESTAMP_NTZ '2024-02-29 00:00:00'", "(d >= 2024-02-29)"),
    "noon": ("CAST(d AS TIMESTAMP_NTZ) >= TIMESTAMP_NTZ '2024-02-29 12:00:00'", "(d > 2024-02-29)"),
    "before noon": ("CAST(d AS TIMESTAMP_NTZ) < TIMESTAMP_NTZ '2024-02-29 12:00:00'", "(d <= 2024-02-29)"),
    "at noon": ("CAST(d AS TIMESTAMP_NTZ) = TIMESTAMP_NTZ '2024-02-29 12:00:00'", NEVER.format("d")),
}
KEPT = {
    "not exact": "CAST(w AS DOUBLE) = 9007199254740992D",
    "tried": "try_cast(w AS INT) = 1",
    "text": "CAST(w AS STRING) < '2'",
    "a column": "CAST(s AS INT) = a",
    "a day, null-safe": "CAST(m AS DATE) <=> DATE '2024-02-29'",
    "a list of days": "CAST(m AS DATE) IN (DATE '2024-02-29', DATE '2024-03-01')",
}


_tables = tables_of(ROWS)


class TestUnwrapCastInBinaryComparison:
    def test_a_filter_asks_for_the_greatest(self, spark):
        query = "SELECT s FROM t WHERE CAST(s AS INT) >= 32767"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "(s = 32767)" in got.plain
        assert "(cast(s as int) >= 32767)" in kept.plain
        assert got.rows == kept.rows == {(32767,): 1}

    @pytest.mark.parametrize(("expression", "unwrapped"), UNWRAPPED.values(), ids=UNWRAPPED)
    def test_a_cast_goes_and_the_outcomes_stay(self, spark, expression, unwrapped):
        assert_rewrites(spark, RULE, f"SELECT {expression} AS p, s, a, d, m FROM t", f"[{unwrapped} AS p")

    @pytest.mark.parametrize("expression", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, expression):
        assert_keeps_away(spark, RULE, f"SELECT {expression} AS p, w, m FROM t")

    def test_two_numbers_are_one_as_double(self, spark):
        got = answer(spark, "SELECT w FROM t WHERE CAST(w AS DOUBLE) = 9007199254740992D")
        assert got.rows == {(2**53,): 1, (2**53 + 1,): 1}
