"""NullPropagation by hand: where NULL spreads, where it stops, and what is known not to be NULL."""

from __future__ import annotations

import pytest

from strategies.ir import (
    BOOLEAN,
    INT,
    Aggregate,
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
    walk,
)
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without


def has_null_or_test(query):
    """Whether a query holds a NULL, or asks for one."""
    return any(isinstance(node, Lit) and node.value is None for node in walk(query)) or holds(IsNull)(query)


RULE = "NullPropagation"
EXPECTED = Expected(
    has_null_or_test,
    ANY_FORM,
    Filter(T0, Compare("<=>", Col("a", INT), Lit(INT, None))),
    {"a filter": holds(Filter), "a column": holds(Project), "ON": holds(Join), "a count": holds(Aggregate)},
)
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("b", INT), Column("c", BOOLEAN)),
            tuple((a, b, c) for a in (1, 2, None) for b in (1, None) for c in (True, False, None)),
        ),
    )
)
PROPAGATED = {
    "comparison": ("a < CAST(NULL AS INT)", "null"),
    "arithmetic": ("a + CAST(NULL AS INT)", "null"),
    "null-safe": ("a <=> NULL", "isnull(a)"),
    "coalesce": ("coalesce(NULL, a, NULL, b)", "coalesce(a, b)"),
    "coalesce of one": ("coalesce(CAST(NULL AS INT), a)", "a"),
    "operand of IN": ("CAST(NULL AS INT) IN (a, 1)", "null"),
    "test of a default": ("coalesce(a, 0) IS NULL", "false"),
    "negated test of a test": ("(a IS NULL) IS NOT NULL", "true"),
}
STOPPED = {
    "AND": ("c AND NULL", "(c AND null)"),
    "OR": ("NULL OR c", "(null OR c)"),
    "an item of IN": ("a IN (1, NULL)", "a IN (1,null)"),
    "an item of NOT IN": ("a NOT IN (1, NULL)", "NOT a IN (1,null)"),
    "a branch": ("CASE WHEN c THEN NULL ELSE a END", "CASE WHEN c THEN null ELSE a END"),
}
KEPT = {
    "test": "a IS NULL",
    "test of two": "coalesce(a, b) IS NULL",
    "count": "count(a) OVER ()",
}


_tables = tables_of(ROWS)


class TestNullPropagation:
    def test_a_count_of_what_is_never_null_counts_rows(self, spark):
        query = "SELECT count(coalesce(a, 0)) AS n, count(a) AS k, count(DISTINCT coalesce(a, 0)) AS d FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "count(1) AS n, count(a) AS k, count(distinct coalesce(a, 0)) AS d" in got.plain
        assert "count(coalesce(a, 0)) AS n" in kept.plain
        assert got.rows == kept.rows == {(18, 12, 3): 1}

    @pytest.mark.parametrize(("expression", "shorter"), PROPAGATED.values(), ids=PROPAGATED)
    def test_null_spreads(self, spark, expression, shorter):
        query = f"SELECT a, b, c, {expression} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert f"{shorter} AS p" in got.plain
        assert f"{shorter} AS p" not in kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize(("expression", "same"), STOPPED.values(), ids=STOPPED)
    def test_null_stops(self, spark, expression, same):
        """The rule acts on the NULL alone: it had another type."""
        query = f"SELECT a, b, c, {expression} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert f"{same} AS p" in got.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("expression", KEPT.values(), ids=KEPT)
    def test_what_may_be_null_is_asked(self, spark, expression):
        query = f"SELECT a, b, c, {expression} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_an_item_of_null_hides_no_hit(self, spark):
        got = answer(spark, "SELECT DISTINCT a, a IN (1, NULL), a NOT IN (1, NULL) FROM t")
        assert got.rows == {(1, True, False): 1, (2, None, None): 1, (None, None, None): 1}
