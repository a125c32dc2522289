"""PushFoldableIntoBranches by hand: operators that go into branches, and those that stay outside."""

from __future__ import annotations

import pytest

from strategies.ir import (
    BOOLEAN,
    INT,
    Call,
    CaseWhen,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    IsNull,
    Join,
    Lit,
    Project,
    Table,
    TryArith,
    When,
)
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "PushFoldableIntoBranches"
ZERO = Lit(INT, 0)
EXPECTED = Expected(
    holds(CaseWhen, Call),
    ANY_FORM,
    Filter(T0, Compare("=", CaseWhen((When(A_IS_ZERO, ZERO),), Col("a", INT)), ZERO)),
    {
        "a filter": holds(Filter),
        "a column": holds(Project),
        "ON": holds(Join),
        "if()": holds(Call),
        "a test for NULL": holds(IsNull),
        "a sum": holds(TryArith),
    },
)
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("b", INT), Column("c", BOOLEAN)),
            tuple((a, 2, c) for a in (1, 5, None) for c in (True, False, None)),
        ),
    )
)
PUSHED = {
    "comparison": ("CASE WHEN c THEN 1 ELSE a END < 3", "CASE WHEN c THEN true ELSE (a < 3) END"),
    "comparison, turned": ("3 < CASE WHEN c THEN 1 ELSE a END", "CASE WHEN c THEN false ELSE (3 < a) END"),
    "two constants": ("CASE WHEN c THEN 1 ELSE 2 END = 1", "(c <=> true)"),
    "is NULL, no ELSE": ("CASE WHEN c THEN 1 END IS NULL", "NOT (c <=> true)"),
    "is not NULL, no ELSE": ("CASE WHEN c THEN 1 END IS NOT NULL", "(c <=> true)"),
    "null-safe, no ELSE": ("CASE WHEN c THEN 1 END <=> NULL", "NOT (c <=> true)"),
    "plain, no ELSE": ("CASE WHEN c THEN 1 END = 2", "CASE WHEN c THEN false END"),
    "sum": ("CASE WHEN c THEN 1 ELSE a END + 5", "CASE WHEN c THEN 6 ELSE (a + 5) END"),
    "difference": ("5 - if(c, 1, 2)", "if (c) 4 else 3"),
    "cast": ("CAST(CASE WHEN c THEN 1 ELSE a END AS BIGINT)", "CASE WHEN c THEN 1 ELSE cast(a as bigint) END"),
    "function": ("abs(if(c, -1, -2))", "if (c) 1 else 2"),
}
KEPT = {
    "two values": "CASE WHEN c THEN a ELSE b END = 1",
    "another column": "CASE WHEN c THEN 1 ELSE 2 END = b",
    "coalesce": "coalesce(CASE WHEN c THEN 1 END, 5)",
    "a list": "CASE WHEN c THEN 1 END IN (1, 3)",
}


_tables = tables_of(ROWS)


class TestPushFoldableIntoBranches:
    def test_a_filter_asks_for_the_condition(self, spark):
        query = "SELECT DISTINCT c FROM t WHERE CASE WHEN c THEN 'yes' ELSE 'no' END = 'no'"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "Filter NOT (c <=> true)" in got.plain
        assert "Filter (CASE WHEN c THEN yes ELSE no END = no)" in kept.plain
        assert got.rows == kept.rows == {(False,): 1, (None,): 1}

    @pytest.mark.parametrize(("expression", "pushed"), PUSHED.values(), ids=PUSHED)
    def test_each_result_is_worked_out_in_its_branch(self, spark, expression, pushed):
        query = f"SELECT {expression} AS p, a, c FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert f"[{pushed} AS p" in got.plain
        assert f"[{pushed} AS p" not in kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("expression", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, expression):
        query = f"SELECT {expression} AS p, a, c FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_a_quotient_raises_in_no_branch_that_is_not_taken(self, spark):
        query = "SELECT a, 10 % CASE WHEN a = 5 THEN 0 ELSE 4 END AS p FROM t WHERE a <> 5 OR a IS NULL"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "(10 % 0)" in got.plain
        assert got.rows == kept.rows == {(1, 2): 3, (None, 2): 3}
