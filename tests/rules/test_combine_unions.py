"""CombineUnions by hand: which unions become one, which stay, and what the rows of each are."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, Column, Database, Relation, SetOp, Table, walk
from tests.rules.expected import T0, Expected
from tests.rules.stock import Answer, answer, tables_of, without

RULE = "CombineUnions"
LEAST = SetOp("union", SetOp("union", T0, T0, all=True), T0, all=True)


def nested(query: Relation) -> bool:
    """Whether a union is below another one."""
    unions = [node for node in walk(query) if isinstance(node, SetOp) and node.kind == "union"]
    return any(below is not union and below in unions for union in unions for below in walk(union))


EXPECTED = Expected(nested, frozenset({"sql"}), LEAST)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("t", PAIR, ((1, 2), (1, 2), (None, 3))),
        Table("u", PAIR, ((1, 2), (4, None))),
    )
)
ALL_THREE = {(1, 2): 5, (None, 3): 2, (4, None): 1}
EACH_ONCE = {(1, 2): 1, (None, 3): 1, (4, None): 1}
COMBINED = {
    "on the left": ("(TABLE t UNION ALL TABLE u) UNION ALL TABLE t", ["Relation"] * 3, ALL_THREE),
    "on the right": ("TABLE t UNION ALL (TABLE u UNION ALL TABLE t)", ["Relation"] * 3, ALL_THREE),
    "four": (
        "(TABLE t UNION ALL TABLE u) UNION ALL (TABLE u UNION ALL TABLE t)",
        ["Relation"] * 4,
        {(1, 2): 6, (None, 3): 2, (4, None): 2},
    ),
    "distinct of all": ("(TABLE t UNION ALL TABLE u) UNION SELECT b, a FROM t WHERE a > 1", None, EACH_ONCE),
    "distinct of distinct": ("(TABLE t UNION TABLE u) UNION SELECT b, a FROM t WHERE a > 1", None, EACH_ONCE),
    "a filter between": (
        "SELECT * FROM (TABLE t UNION ALL TABLE u) WHERE a > 0 UNION ALL TABLE t",
        ["Filter", "Filter", "Relation"],
        {(1, 2): 5, (4, None): 1, (None, 3): 1},
    ),
    "a projection between": (
        "SELECT b, a + 1 AS c FROM (TABLE t UNION ALL TABLE u) UNION ALL TABLE t",
        ["Project", "Project", "Relation"],
        {(2, 2): 3, (3, None): 1, (None, 5): 1, (1, 2): 2, (None, 3): 1},
    ),
}
KEPT = {
    "distinct below all": "(TABLE t UNION TABLE u) UNION ALL TABLE t",
    "a column of distinct below all": "SELECT a FROM (TABLE t UNION TABLE u) UNION ALL SELECT a FROM t",
    "a limit between": "(SELECT * FROM (TABLE t UNION ALL TABLE u) ORDER BY a, b LIMIT 2) UNION ALL TABLE t",
    "an aggregate between": "SELECT a, max(b) FROM (TABLE t UNION ALL TABLE u) GROUP BY a UNION ALL TABLE t",
    "except": "(TABLE t EXCEPT ALL TABLE u) UNION ALL TABLE t",
    "a nondeterministic projection between": (
        "SELECT a, CAST(rand(0) AS INT) AS r FROM (TABLE t UNION ALL TABLE u) UNION ALL TABLE t"
    ),
    "one union": "TABLE t UNION ALL TABLE u",
    "one distinct union": "TABLE t UNION TABLE u",
}


_tables = tables_of(TABLES)


def unions(got: Answer) -> list[list[str]]:
    """For each union of the plan, from the top down, what stands right below it."""
    return [[child.kind for child in node.children] for node in read_plan(got.plain).nodes() if node.kind == "Union"]


class TestCombineUnions:
    @pytest.mark.parametrize(("query", "branches", "rows"), COMBINED.values(), ids=COMBINED)
    def test_combines_and_answers_as_without_it(self, spark, query, branches, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert unions(got) == [branches or ["Relation", "Relation", "Project"]]
        assert len(unions(kept)) > 1
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules

    def test_rows_of_a_distinct_union_below_union_all_are_there_once(self, spark):
        assert answer(spark, KEPT["distinct below all"]).rows == {(1, 2): 3, (None, 3): 2, (4, None): 1}

    def test_a_dataframes_unions_are_one_before_the_optimizer_sees_them(self, spark):
        def three(session):
            return session.table("t").unionAll(session.table("u")).unionAll(session.table("t"))

        got = answer(spark, three)
        assert RULE not in got.rules
        assert unions(got) == [["Relation"] * 3]
        assert got.rows == ALL_THREE
