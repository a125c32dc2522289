"""ConvertToLocalRelation by hand: what is computed while the plan is made, and what waits."""

from __future__ import annotations

import pytest

from strategies.ir import INT, AnyLimit, Col, Column, Database, Filter, Item, Project, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, operators, without

RULE = "ConvertToLocalRelation"
EXPECTED = Expected(
    holds(Filter, Project, AnyLimit),
    ANY_FORM,
    Project(T0, (Item("p0", Col("a", INT)),)),
    {"a limit": holds(AnyLimit), "a filter": holds(Filter)},
    source="local",
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ((1, 2), (1, 2), (None, 3), (4, None))),))
COMPUTED = {
    "filter": ("SELECT * FROM t WHERE a > 1", {(4, None): 1}),
    "filter for NULL": ("SELECT * FROM t WHERE NOT (a = 1)", {(4, None): 1}),
    "projection": ("SELECT b + 1, a FROM t", {(3, 1): 2, (4, None): 1, (None, 4): 1}),
    "column": ("SELECT a FROM t", {(1,): 2, (None,): 1, (4,): 1}),
    "limit": ("SELECT * FROM t LIMIT 2", {(1, 2): 2}),
    "all of them": ("SELECT b FROM (SELECT * FROM t WHERE a = 1) LIMIT 1", {(2,): 1}),
    "rows of the query": ("SELECT a + 1 FROM (VALUES (1), (NULL)) AS v(a)", {(2,): 1, (None,): 1}),
    "nothing": ("SELECT a FROM t WHERE a > 5", {}),
}
WAITS = {
    "distinct": ("SELECT DISTINCT a, b FROM t", ["Aggregate", "LocalRelation"]),
    "aggregate": ("SELECT count(*), max(a), max(b) FROM t", ["Aggregate", "LocalRelation"]),
    "limit in order": (
        "SELECT * FROM t ORDER BY a LIMIT 2",
        ["GlobalLimit", "LocalLimit", "Sort", "LocalRelation"],
    ),
    "window": ("SELECT *, count(*) OVER (PARTITION BY a) FROM t", ["Window", "LocalRelation"]),
}


@pytest.fixture(scope="module", autouse=True)
def _tables(harness):
    with harness.spark.loaded(TABLES, "local"):
        yield


class TestConvertToLocalRelation:
    @pytest.mark.parametrize(("query", "rows"), COMPUTED.values(), ids=COMPUTED)
    def test_computes_at_once_and_answers_as_without_it(self, spark, query, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert operators(got) == ["LocalRelation"]
        assert len(operators(kept)) > 1
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize(("query", "left"), WAITS.values(), ids=WAITS)
    def test_keeps_away(self, spark, query, left):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert operators(got) == left
