"""LimitPushDown by hand: where the limit goes, and where it stays."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, AnyLimit, Column, Database, SetOp, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import Answer, answer, tables_of, without

RULE = "LimitPushDown"
EXPECTED = Expected(holds(AnyLimit), ANY_FORM, AnyLimit(SetOp("union", T0, T0, all=True), 1))
ROWS = ((1, 1), (1, 2), (2, 3), (3, None), (None, None))
PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ROWS), Table("u", PAIR, ROWS[1:])))

TWO, FIVE = "LocalLimit 2", "LocalLimit 5"
PUSHED = {
    "union all": ("SELECT * FROM (TABLE t UNION ALL TABLE u) LIMIT 2", "Union", [TWO, TWO]),
    "union all of three": ("SELECT * FROM (TABLE t UNION ALL TABLE u UNION ALL TABLE t) LIMIT 2", "Union", [TWO] * 3),
    "left join": ("SELECT * FROM t LEFT JOIN u ON t.a = u.a LIMIT 2", "Join", [TWO, "Filter"]),
    "right join": ("SELECT * FROM t RIGHT JOIN u ON t.a = u.a LIMIT 2", "Join", ["Filter", TWO]),
    "cross join": ("SELECT * FROM t CROSS JOIN u LIMIT 2", "Join", [TWO, TWO]),
    "inner join without a condition": ("SELECT * FROM t JOIN u LIMIT 2", "Join", [TWO, TWO]),
    "left join without a condition": ("SELECT * FROM t LEFT JOIN u LIMIT 2", "Join", [TWO, TWO]),
    "right join without a condition": ("SELECT * FROM t RIGHT JOIN u LIMIT 2", "Join", [TWO, TWO]),
    "full join without a condition": ("SELECT * FROM t FULL JOIN u LIMIT 2", "Join", [TWO, TWO]),
    "semi join without a condition": ("SELECT * FROM t LEFT SEMI JOIN u LIMIT 2", "Join", [TWO, "LocalLimit 1"]),
    "one distinct row": ("SELECT DISTINCT a FROM t LIMIT 1", "LocalLimit", ["Project"]),
    "offset": ("SELECT * FROM t LIMIT 2 OFFSET 3", "Offset", [FIVE]),
    "offset over a union": ("SELECT * FROM (TABLE t UNION ALL TABLE u) LIMIT 2 OFFSET 3", "Union", [FIVE, FIVE]),
    "count": ("SELECT count(*) FROM (SELECT * FROM t LEFT JOIN u ON t.a = u.a LIMIT 2)", "Join", [TWO, "Project"]),
}
KEPT = {
    "inner join": "SELECT * FROM t JOIN u ON t.a = u.a LIMIT 2",
    "full join": "SELECT * FROM t FULL JOIN u ON t.a = u.a LIMIT 2",
    "semi join": "SELECT * FROM t LEFT SEMI JOIN u ON t.a = u.a LIMIT 2",
    "anti join": "SELECT * FROM t LEFT ANTI JOIN u ON t.a = u.a LIMIT 2",
    "distinct": "SELECT DISTINCT a FROM t LIMIT 2",
    "aggregate": "SELECT a, count(*) FROM t GROUP BY a LIMIT 1",
    "union": "SELECT * FROM (TABLE t UNION TABLE u) LIMIT 2",
    "order": "SELECT * FROM t LEFT JOIN u ON t.a = u.a ORDER BY t.a LIMIT 2",
    "order and offset": "SELECT * FROM t ORDER BY a, b LIMIT 2",
    "table": "SELECT * FROM t LIMIT 2",
}


_tables = tables_of(TABLES)


def inputs(got: Answer, operator: str) -> list[str]:
    """The operators right below the topmost one of that kind: a limit with its number, any other by its kind."""
    top = next(node for node in read_plan(got.plain).nodes() if node.kind == operator)
    return [child.text if child.kind == "LocalLimit" else child.kind for child in top.children]


class TestLimitPushDown:
    @pytest.mark.parametrize(("query", "operator", "below"), PUSHED.values(), ids=PUSHED)
    def test_goes_below(self, spark, query, operator, below):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert inputs(got, operator) == below
        assert inputs(kept, operator) != below
        assert sum(got.rows.values()) == sum(kept.rows.values()) > 0

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_stays(self, spark, query):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert sum(got.rows.values()) == sum(answer(spark, query, without(RULE)).rows.values())
