"""PushDownJoinThroughUnion by hand: a join of a UNION ALL is done for each branch, with all that the join says."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Alias, Column, Compare, Database, Join, SetOp, Table
from strategies.shapes.push_down_join_through_union import CONF
from tests.rules.expected import ANY_FORM, T0, Expected, joins
from tests.rules.stock import answer, tables_of, without

RULE = "PushDownJoinThroughUnion"
UNION = Alias(SetOp("union", T0, T0, all=True), "s0")
OTHER = Alias(T0, "s1")
LEAST = Join(UNION, OTHER, "left", Compare("=", UNION.fields[0].column(), OTHER.fields[0].column()))
EXPECTED = Expected(joins("inner", "left"), ANY_FORM, LEAST, {"an inner join": joins("inner")}, others={"conf": CONF})

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("t", PAIR, ((1, 2), (1, 2), (None, 3))),
        Table("u", PAIR, ((2, 1), (4, None))),
        Table("r", PAIR, ((1, 10), (1, 10), (4, 40), (None, 0), (5, 50))),
    )
)
BOTH = "(SELECT * FROM t UNION ALL SELECT * FROM u) AS x"
PUSHED = {
    "inner": (f"SELECT /*+ BROADCAST(r) */ x.b, r.b FROM {BOTH} JOIN r ON x.a = r.a", {(2, 10): 4, (None, 40): 1}),
    "left": (
        f"SELECT x.b, r.b FROM {BOTH} LEFT JOIN r ON x.a = r.a",
        {(2, 10): 4, (3, None): 1, (1, None): 1, (None, 40): 1},
    ),
    "null meets null": (
        f"SELECT x.b, r.b FROM {BOTH} LEFT JOIN r ON x.a <=> r.a AND r.b < 10",
        {(2, None): 2, (3, 0): 1, (1, None): 1, (None, None): 1},
    ),
    "by position": (
        "SELECT /*+ BROADCAST(r) */ x.a, r.b FROM (SELECT a, b FROM t UNION ALL SELECT b, a FROM u) AS x"
        " JOIN r ON x.a = r.a",
        {(1, 10): 6},
    ),
    "three branches": (
        "SELECT x.a FROM (TABLE t UNION ALL TABLE u UNION ALL TABLE u) AS x LEFT JOIN r ON x.a = r.a AND r.b > 10",
        {(1,): 2, (None,): 1, (2,): 2, (4,): 2},
    ),
}
KEPT = {
    "right": f"SELECT x.b, r.b FROM {BOTH} RIGHT JOIN r ON x.a = r.a",
    "full": f"SELECT x.b, r.b FROM {BOTH} FULL JOIN r ON x.a = r.a",
    "anti": f"SELECT x.b FROM {BOTH} ANTI JOIN r ON x.a = r.a",
    "no equality": f"SELECT x.b FROM {BOTH} JOIN r ON x.a < r.a",
    "distinct": "SELECT x.b FROM (SELECT * FROM t UNION SELECT * FROM u) AS x JOIN r ON x.a = r.a",
    "a subquery on the right": f"SELECT x.b FROM {BOTH} JOIN (SELECT * FROM r WHERE a IN (SELECT a FROM u)) AS y"
    " ON x.a = y.a",
}


_tables = tables_of(TABLES)


@pytest.mark.parametrize(("query", "rows"), PUSHED.values(), ids=PUSHED)
def test_each_branch_is_joined_and_answers_as_without_it(spark, query, rows):
    got, kept = answer(spark, query, dict(CONF)), answer(spark, query, {**dict(CONF), **without(RULE)})
    assert RULE in got.rules
    assert RULE not in kept.rules
    assert got.plain.index("Union") < got.plain.index("Join")
    assert kept.plain.index("Join") < kept.plain.index("Union")
    assert got.rows == kept.rows == rows


@pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
def test_keeps_away(spark, query):
    assert RULE not in answer(spark, query, dict(CONF)).rules
