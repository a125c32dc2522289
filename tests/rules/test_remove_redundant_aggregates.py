"""RemoveRedundantAggregates by hand: which groups of groups are groups of the rows."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Aggregate, Column, Database, Distinct, Relation, Table, walk
from tests.rules.expected import T0, Expected, holds
from tests.rules.stock import answer, operators, tables_of, without

RULE = "RemoveRedundantAggregates"


def groups_of_groups(query: Relation) -> bool:
    """Whether a query holds groups, or different rows, right over such."""
    kinds = (Aggregate, Distinct)
    return any(isinstance(node, kinds) and isinstance(node.child, kinds) for node in walk(query))


EXPECTED = Expected(
    groups_of_groups,
    frozenset({"sql"}),
    Distinct(Distinct(T0)),
    {
        "GROUP BY": holds(Aggregate),
        "without keys": lambda query: any(isinstance(node, Aggregate) and not node.keys for node in walk(query)),
    },
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ((1, 2), (1, 2), (1, 3), (2, 1), (None, 3))), Table("nothing", PAIR)))
KEYS = {(1,): 1, (2,): 1, (None,): 1}
REMOVED = {
    "one of two keys": ("SELECT a FROM (SELECT a, b FROM t GROUP BY a, b) GROUP BY a", 1, KEYS),
    "DISTINCT of counted groups": ("SELECT DISTINCT a FROM (SELECT a, count(*) AS n FROM t GROUP BY a)", 1, KEYS),
    "the greatest": (
        "SELECT a, max(b) FROM (SELECT DISTINCT a, b FROM t) GROUP BY a",
        1,
        {(1, 3): 1, (2, 1): 1, (None, 3): 1},
    ),
    "the least of all": ("SELECT min(b) FROM (SELECT DISTINCT a, b FROM t)", 1, {(1,): 1}),
    "keys and their counts": (
        "SELECT DISTINCT * FROM (SELECT a, count(*) AS n FROM t GROUP BY a)",
        1,
        {(1, 3): 1, (2, 1): 1, (None, 1): 1},
    ),
    "HAVING": ("SELECT DISTINCT a FROM (SELECT a FROM t GROUP BY a HAVING count(*) > 1)", 1, {(1,): 1}),
    "different rows of the first": (
        "SELECT DISTINCT * FROM (SELECT DISTINCT a, b FROM t ORDER BY a, b LIMIT 2)",
        1,
        {(None, 3): 1, (1, 2): 1},
    ),
}
KEPT = {
    "a count": (
        "SELECT a, count(*) FROM (SELECT DISTINCT a, b FROM t) GROUP BY a",
        {(1, 2): 1, (2, 1): 1, (None, 1): 1},
    ),
    "a sum": ("SELECT a, sum(b) FROM (SELECT DISTINCT a, b FROM t) GROUP BY a", {(1, 5): 1, (2, 1): 1, (None, 3): 1}),
    "by counts": ("SELECT n FROM (SELECT a, count(*) AS n FROM t GROUP BY a) GROUP BY n", {(1,): 1, (3,): 1}),
    "the greatest count": ("SELECT max(n) FROM (SELECT a, count(*) AS n FROM t GROUP BY a)", {(3,): 1}),
    "a part of a key of the first": (
        "SELECT a FROM (SELECT DISTINCT a, b FROM t ORDER BY a, b LIMIT 3) GROUP BY a",
        {(None,): 1, (1,): 1},
    ),
    "of the one row of no rows": ("SELECT max(x) FROM (SELECT 1 AS x FROM nothing HAVING true)", {(1,): 1}),
    "by a constant": ("SELECT 'a' AS x FROM t GROUP BY 1", {("a",): 1}),
    "no rows by a constant": ("SELECT 'a' AS x FROM nothing GROUP BY 1", {}),
    "alone": ("SELECT DISTINCT a FROM t", KEYS),
}


_tables = tables_of(TABLES)


class TestRemoveRedundantAggregates:
    def test_groups_of_groups_are_groups_of_the_rows(self, spark):
        query = REMOVED["one of two keys"][0]
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert operators(got) == ["Aggregate", "Project", "Relation"]
        assert got.plain.splitlines()[0] == "Aggregate [a], [a]"
        assert operators(kept).count("Aggregate") == 2

    @pytest.mark.parametrize(("query", "aggregates", "rows"), REMOVED.values(), ids=REMOVED)
    def test_removes_and_answers_as_without_it(self, spark, query, aggregates, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert operators(got).count("Aggregate") == aggregates
        assert operators(kept).count("Aggregate") > aggregates
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize(("query", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert got.rows == rows
