"""SimplifyConditionals by hand: branches that go, and where NULL and the order of branches are in the way."""

from __future__ import annotations

import pytest

from strategies.ir import (
    BOOLEAN,
    INT,
    Call,
    CaseWhen,
    Column,
    Database,
    Filter,
    Join,
    Lit,
    Project,
    Table,
    When,
)
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, assert_keeps_away, assert_rewrites, tables_of, without

RULE = "SimplifyConditionals"
EXPECTED = Expected(
    holds(CaseWhen, Call),
    ANY_FORM,
    Filter(T0, CaseWhen((When(A_IS_ZERO, Lit(BOOLEAN, True)),), Lit(BOOLEAN, False))),
    {"a filter": holds(Filter), "a column": holds(Project), "ON": holds(Join), "if()": holds(Call)},
)
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("b", INT), Column("c", BOOLEAN), Column("d", BOOLEAN)),
            tuple((a, 2, c, d) for a in (1, None) for c in (True, False, None) for d in (True, False, None)),
        ),
    )
)
SIMPLIFIED = {
    "true or false": ("CASE WHEN c THEN true ELSE false END", "(c <=> true)"),
    "false or true": ("if(c, false, true)", "NOT (c <=> true)"),
    "true or false of what is never NULL": ("if(a IS NULL, true, false)", "isnull(a)"),
    "a branch of NULL": ("CASE WHEN CAST(NULL AS BOOLEAN) THEN b WHEN c THEN a END", "CASE WHEN c THEN a END"),
    "a branch of false": ("CASE WHEN c THEN a WHEN false THEN b ELSE 0 END", "CASE WHEN c THEN a ELSE 0 END"),
    "no branch left": ("CASE WHEN false THEN a ELSE b END", "b"),
    "no branch and no ELSE": ("CASE WHEN false THEN a END", "null"),
    "true first": ("CASE WHEN true THEN a WHEN c THEN b END", "a"),
    "true second": (
        "CASE WHEN c THEN a WHEN true THEN b WHEN d THEN 3 ELSE 4 END",
        "CASE WHEN c THEN a WHEN true THEN b END",
    ),
    "one result": ("CASE WHEN c THEN a WHEN d THEN a ELSE a END", "a"),
    "NULL as ELSE": ("CASE WHEN c THEN a ELSE NULL END", "CASE WHEN c THEN a END"),
    "NULL or false": ("if(a IS NULL, NULL, false)", "(isnull(a) AND null)"),
    "NULL or true": ("if(a IS NULL, NULL, true)", "(isnotnull(a) OR null)"),
    "false or NULL": ("if(a IS NULL, false, NULL)", "(isnotnull(a) AND null)"),
    "true or NULL": ("if(a IS NULL, true, NULL)", "(isnull(a) OR null)"),
}
KEPT = {
    "one result without ELSE": "CASE WHEN c THEN a WHEN d THEN a END",
    "one result but for the second": "CASE WHEN c THEN a WHEN d THEN b ELSE a END",
    "one condition twice": "CASE WHEN c THEN a WHEN c THEN b ELSE 0 END",
    "NULL or false of what is NULL at times": "if(c, NULL, false)",
    "true or NULL without ELSE": "CASE WHEN c THEN true END",
}


_tables = tables_of(ROWS)


class TestSimplifyConditionals:
    def test_a_filter_compares_its_condition_null_safely(self, spark):
        query = "SELECT DISTINCT a, c FROM t WHERE CASE WHEN c THEN false ELSE true END"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "Filter NOT (c <=> true)" in got.plain
        assert "Filter CASE WHEN c THEN false ELSE true END" in kept.plain
        assert got.rows == kept.rows == {(1, False): 1, (1, None): 1, (None, False): 1, (None, None): 1}

    @pytest.mark.parametrize(("expression", "simpler"), SIMPLIFIED.values(), ids=SIMPLIFIED)
    def test_branches_go_and_the_values_stay(self, spark, expression, simpler):
        assert_rewrites(spark, RULE, f"SELECT {expression} AS p, a, b, c, d FROM t", f"[{simpler} AS p")

    @pytest.mark.parametrize("expression", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, expression):
        assert_keeps_away(spark, RULE, f"SELECT {expression} AS p, a, c, d FROM t")

    def test_what_was_asked_first_is_answered_first(self, spark):
        got = answer(spark, "SELECT DISTINCT c, CASE WHEN c THEN 1 WHEN true THEN 2 WHEN c IS NULL THEN 3 END FROM t")
        assert got.rows == {(True, 1): 1, (False, 2): 1, (None, 2): 1}
