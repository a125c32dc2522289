"""RemoveNoopUnion by hand: which branches are the same, and which only look it."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, Column, Database, Distinct, Relation, SetOp, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds, set_ops
from tests.rules.stock import Answer, answer, tables_of, without

RULE = "RemoveNoopUnion"


def distinct_union(query: Relation) -> bool:
    """Whether a query holds a UNION, or DISTINCT of a UNION ALL."""
    below_distinct = holds(Distinct)(query) and set_ops("union", keeps_all=True)(query)
    return below_distinct or set_ops("union", keeps_all=False)(query)


EXPECTED = Expected(distinct_union, ANY_FORM, SetOp("union", T0, T0))

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("t", PAIR, ((1, 2), (1, 2), (2, 1), (None, 3))),
        Table("u", PAIR, ((1, 2), (4, None))),
    )
)
T_ONCE = {(1, 2): 1, (2, 1): 1, (None, 3): 1}
REMOVED = {
    "twice": ("TABLE t UNION TABLE t", [], T_ONCE),
    "three times": ("TABLE t UNION TABLE t UNION TABLE t", [], T_ONCE),
    "by other names": ("SELECT a AS x, b AS y FROM t UNION TABLE t", [], T_ONCE),
    "distinct of all": ("SELECT DISTINCT * FROM (TABLE t UNION ALL TABLE t)", [], T_ONCE),
    "filtered alike": ("SELECT * FROM t WHERE a > 1 UNION SELECT * FROM t WHERE a > 1", [], {(2, 1): 1}),
    "operands swapped": ("SELECT * FROM t WHERE a > 1 UNION SELECT * FROM t WHERE 1 < a", [], {(2, 1): 1}),
    "computed alike": ("SELECT a + 1 AS c FROM t UNION SELECT a + 1 FROM t", [], {(2,): 1, (3,): 1, (None,): 1}),
    "beside another": ("TABLE t UNION TABLE u UNION TABLE t", [2], {**T_ONCE, (4, None): 1}),
}
KEPT = {
    "all": ("TABLE t UNION ALL TABLE t", {(1, 2): 4, (2, 1): 2, (None, 3): 2}),
    "columns in another order": ("SELECT b, a FROM t UNION TABLE t", {**T_ONCE, (3, None): 1}),
    "another column": ("SELECT a FROM t UNION SELECT b FROM t", {(1,): 1, (2,): 1, (3,): 1, (None,): 1}),
    "computed": ("SELECT a + 1 AS c FROM t UNION SELECT a FROM t", {(1,): 1, (2,): 1, (3,): 1, (None,): 1}),
    "filtered otherwise": ("SELECT * FROM t WHERE a > 1 UNION SELECT * FROM t WHERE a < 2", {(1, 2): 1, (2, 1): 1}),
    "one filtered": ("SELECT * FROM t WHERE a > 1 UNION TABLE t", T_ONCE),
    "another table": ("TABLE t UNION TABLE u", {**T_ONCE, (4, None): 1}),
}


_tables = tables_of(TABLES)


def unions(got: Answer) -> list[int]:
    """How many branches each union of the plan has."""
    return [len(node.children) for node in read_plan(got.plain).nodes() if node.kind == "Union"]


class TestRemoveNoopUnion:
    @pytest.mark.parametrize(("query", "left", "rows"), REMOVED.values(), ids=REMOVED)
    def test_removes_and_answers_as_without_it(self, spark, query, left, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert unions(got) == left
        assert sum(unions(kept)) > sum(left)
        assert got.rows == kept.rows == rows

    def test_rows_are_still_there_once(self, spark):
        """The branch that is left has rows twice: the DISTINCT stays."""
        got = answer(spark, "TABLE t UNION TABLE t")
        assert got.plain.splitlines() == ["Aggregate [a, b], [a, b]", "+- Relation [a,b] parquet"]

    @pytest.mark.parametrize(("query", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert got.rows == rows

    def test_a_dataframes_union_is_none_either(self, spark):
        got = answer(spark, lambda session: session.table("t").unionAll(session.table("t")).distinct())
        assert RULE in got.rules
        assert unions(got) == []
        assert got.rows == T_ONCE
