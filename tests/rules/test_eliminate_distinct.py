"""EliminateDistinct by hand: functions that lose their DISTINCT, and those that need it."""

from __future__ import annotations

import re

import pytest

from strategies.ir import INT, Agg, Aggregate, Col, Column, Database, Item, Relation, Table, walk
from tests.rules.expected import ANY_FORM, T0, Expected
from tests.rules.stock import Answer, answer, tables_of, without

RULE = "EliminateDistinct"


def distinct_functions(query: Relation) -> list[Agg]:
    return [node for node in walk(query) if isinstance(node, Agg) and node.distinct]


EXPECTED = Expected(
    lambda query: bool(distinct_functions(query)),
    ANY_FORM,
    Aggregate(T0, (), (Item("n0", Agg("max", Col("a", INT), True)),)),
    {
        "an extreme under FILTER": lambda query: any(
            node.function in ("max", "min") and node.where is not None for node in distinct_functions(query)
        ),
        "a count": lambda query: any(node.function == "count" for node in distinct_functions(query)),
        "a condition": lambda query: any(node.function == "every" for node in distinct_functions(query)),
    },
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ((1, 2), (1, 2), (1, 3), (2, 3), (None, 4), (4, None))),))

REWRITTEN = {
    "max": ("SELECT max(DISTINCT a) FROM t", {(4,): 1}),
    "min by key": ("SELECT b, min(DISTINCT a) FROM t GROUP BY b", {(2, 1): 1, (3, 1): 1, (4, None): 1, (None, 4): 1}),
    "max under FILTER": ("SELECT max(DISTINCT a) FILTER (WHERE b = 3) FROM t", {(2,): 1}),
    "every": ("SELECT every(DISTINCT a > 1) FROM t", {(False,): 1}),
    "bit_or": ("SELECT bit_or(DISTINCT a) FROM t", {(7,): 1}),
    "collect_set": ("SELECT size(collect_set(DISTINCT a)) FROM t", {(3,): 1}),
    "count of different values": ("SELECT count(DISTINCT a) FROM (SELECT DISTINCT a FROM t)", {(3,): 1}),
    "sum of keys": ("SELECT sum(DISTINCT a) FROM (SELECT a, count(*) FROM t GROUP BY a)", {(7,): 1}),
    "count of different rows": ("SELECT count(DISTINCT a, b) FROM (SELECT DISTINCT a, b FROM t)", {(3,): 1}),
    "count of a key and more": (
        "SELECT count(DISTINCT a, b) FROM (SELECT a, max(b) AS b FROM t GROUP BY a)",
        {(2,): 1},
    ),
}
KEPT = {
    "count": ("SELECT count(DISTINCT a) FROM t", {(3,): 1}),
    "sum": ("SELECT sum(DISTINCT a) FROM t", {(7,): 1}),
    "avg": ("SELECT avg(DISTINCT b) FROM t", {(3.0,): 1}),
    "count of a column of different rows": ("SELECT count(DISTINCT a) FROM (SELECT DISTINCT a, b FROM t)", {(3,): 1}),
    "sum of what is no key": ("SELECT sum(DISTINCT b) FROM (SELECT a, max(b) AS b FROM t GROUP BY a)", {(7,): 1}),
    "collect_list": ("SELECT size(collect_list(DISTINCT a)) FROM t", {(3,): 1}),
}


_tables = tables_of(TABLES)


def distinct_in(got: Answer) -> int:
    """How many functions of the plan are of different values."""
    return len(re.findall(r"\(distinct ", got.plain))


class TestEliminateDistinct:
    @pytest.mark.parametrize(("query", "rows"), REWRITTEN.values(), ids=REWRITTEN)
    def test_eliminates_and_answers_as_without_it(self, spark, query, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert distinct_in(got) == 0
        assert got.plain != kept.plain
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize(("query", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert distinct_in(got) == 1
        assert got.rows == rows
