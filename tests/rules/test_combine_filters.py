"""CombineFilters by hand: filters that meet, those that may not, and what becomes of a condition that both have."""

from __future__ import annotations

import pytest

from oracles.checks.choices import fixed
from oracles.checks.result import LegSettings
from strategies.ir import INT, Case, Column, Database, Distinct, Filter, Limit, SetOp, Table
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected
from tests.rules.filters_over import filter_over
from tests.rules.stock import WITHOUT_PUSHDOWN, answer, operators, tables_of

RULE = "CombineFilters"
EXPECTED = Expected(
    filter_over(Filter),
    ANY_FORM,
    Filter(Filter(Distinct(T0), A_IS_ZERO), A_IS_ZERO),
    {
        "three filters": filter_over(Filter, where=filter_over(Filter)),
        "over a limit": filter_over(Filter, where=filter_over(Limit)),
        "over a union": filter_over(Filter, where=filter_over(SetOp)),
        "over a table": filter_over(Filter, where=filter_over(type(T0))),
    },
)
ROWS = Database((Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (1, 2), (2, None), (None, 3), (3, 3))),))


_tables = tables_of(ROWS)


class TestCombineFilters:
    def test_two_filters_become_one(self, spark):
        """Over a limit, which neither may pass."""
        query = "SELECT * FROM (SELECT * FROM (SELECT * FROM t ORDER BY a, b LIMIT 4) WHERE b >= 1) WHERE a > 0"
        got, without = answer(spark, query), answer(spark, query, WITHOUT_PUSHDOWN)
        assert got.rows == without.rows == {(1, 1): 1, (1, 2): 1}
        assert operators(got)[:2] == ["Filter", "GlobalLimit"]
        assert operators(without)[:3] == ["Filter", "Filter", "GlobalLimit"]

    def test_a_having_and_a_where_meet(self, spark):
        query = "SELECT * FROM (SELECT a, count(*) AS n FROM t GROUP BY a HAVING count(*) > 0) WHERE n < 2"
        got, without = answer(spark, query), answer(spark, query, WITHOUT_PUSHDOWN)
        assert got.rows == without.rows == {(2, 1): 1, (None, 1): 1, (3, 1): 1}
        assert operators(got).count("Filter") == 1
        assert operators(without).count("Filter") == 2

    @pytest.mark.parametrize(
        ("lower", "upper", "once"),
        [("a > 1", "a > 1", "> 1"), ("a > 1", "1 < a", "> 1"), ("a > 1 AND b > 2", "b > 2", "> 2")],
        ids=["the same", "the other way round", "one of two"],
    )
    def test_what_the_lower_filter_says_is_not_said_again(self, spark, lower, upper, once):
        query = f"SELECT * FROM (SELECT * FROM (SELECT * FROM t LIMIT 10) WHERE {lower}) WHERE {upper}"
        got = answer(spark, query)
        assert got.optimized.count(once) + got.optimized.count(once[::-1].replace(">", "<")) == 1

    def test_what_may_raise_is_not_asked_of_rows_that_the_lower_filter_drops(self, spark):
        """``raise_error`` is known to raise; had the filters met, a later rule might have changed their order."""
        query = "SELECT * FROM (SELECT * FROM (SELECT * FROM t LIMIT 10) WHERE a > 5) WHERE raise_error('a') IS NULL"
        got = answer(spark, query)
        assert got.rows == {}
        assert operators(got)[:2] == ["Filter", "Filter"]

    def test_a_lower_filter_that_is_not_deterministic_stays_by_itself(self, spark):
        query = "SELECT * FROM (SELECT * FROM (SELECT * FROM t LIMIT 10) WHERE rand(0) + 1 > 0) WHERE a > 1"
        got = answer(spark, query)
        assert got.rows == {(2, None): 1, (3, 3): 1}
        assert operators(got)[:2] == ["Filter", "Filter"]

    def test_its_own_work_is_told_from_that_of_the_other_parts(self, harness):
        """A DISTINCT is passed by one filter: PushPredicateThroughNonJoin acts, and no filter meets another."""
        rules = [harness.catalogue.rule(name) for name in (RULE, "PushPredicateThroughNonJoin")]
        queries = (Filter(Distinct(T0), A_IS_ZERO), EXPECTED.least)
        fired = [harness.check(Case(query, EMPTY_DATABASE), fixed(rules), LegSettings()).fired for query in queries]
        assert fired == [("PushPredicateThroughNonJoin",), (RULE, "PushPredicateThroughNonJoin")]


EMPTY_DATABASE = Database((Table("t0", T0.columns),))
