"""DemoteBroadcastHashJoin by hand: what was shuffled into empty partitions isn't broadcast, and answers the same."""

from __future__ import annotations

import pytest

from oracles.engines.spark.leg_conf import leg_conf
from oracles.rules.switch import AQE_EXCLUDED
from strategies.ir import INT, Column, Compare, Database, Join, Settings, Table, walk
from strategies.shapes.demote_broadcast_hash_join import NEEDS, NOT_BROADCAST
from tests.rules.expected import ANY_FORM, S0, SAME_A, T0, Expected, joins
from tests.rules.stock import answer, tables_of

RULE = "DemoteBroadcastHashJoin"
EXPECTED = Expected(
    joins("inner", "semi"),
    ANY_FORM,
    Join(T0, S0, "inner", SAME_A),
    {
        "a semi join": joins("semi"),
        "null meets null": lambda query: any(
            isinstance(node, Join) and isinstance(node.on, Compare) and node.on.op == "<=>" for node in walk(query)
        ),
    },
    others=NEEDS,
)

PAIR = (Column("a", INT), Column("b", INT))
ALL = tuple((key, key % 3) for key in range(8))
TABLES = Database(
    (
        Table("few", PAIR, ((1, 0), (1, 0), (1, 5))),
        Table("unmet", PAIR, ((9, 0), (9, 0))),
        Table("blank", PAIR, ((None, 0), (None, 5))),
        Table("every", PAIR, (*ALL, (1, 4), (None, 7))),
    )
)
ON = leg_conf(Settings(**{**NEEDS, "partitions": 2}))
"""Two partitions, both of which have rows of ``every``."""
OFF = {AQE_EXCLUDED: f"org.apache.spark.sql.execution.adaptive.{RULE}"}

DEMOTED = {
    "inner": ("SELECT x.b, y.b FROM few x JOIN every y ON x.a = y.a", {(0, 1): 2, (0, 4): 2, (5, 1): 1, (5, 4): 1}),
    "on the right": ("SELECT x.b, y.b FROM every x JOIN few y ON x.a = y.a AND x.b < y.b", {(1, 5): 1, (4, 5): 1}),
    "null meets null": ("SELECT x.b, y.b FROM blank x JOIN every y ON x.a <=> y.a", {(0, 7): 1, (5, 7): 1}),
    "semi": ("SELECT x.a, x.b FROM every x SEMI JOIN few y ON x.a = y.a", {(1, 1): 1, (1, 4): 1}),
}
BESIDE_ALL = {
    "left": ("SELECT x.a, y.b FROM unmet x LEFT JOIN every y ON x.a = y.a", {(9, None): 2}),
    "right": ("SELECT x.b, y.a FROM every x RIGHT JOIN blank y ON x.a = y.a", {(None, None): 2}),
    "anti": ("SELECT x.a, x.b FROM unmet x ANTI JOIN every y ON x.a = y.a", {(9, 0): 2}),
}
KEPT = {
    "both full": "SELECT x.b, y.b FROM every x JOIN every y ON x.a = y.a AND x.b < y.b",
    "a left input": "SELECT x.a FROM few x SEMI JOIN every y ON x.a = y.a",
    "padded": "SELECT x.a, y.b FROM every x LEFT JOIN few y ON x.a = y.a",
    "missed": "SELECT x.a FROM every x ANTI JOIN few y ON x.a = y.a",
    "full": "SELECT x.a, y.b FROM few x FULL JOIN every y ON x.a = y.a",
    "no equality": "SELECT x.a, y.a FROM few x JOIN every y ON x.a < y.a",
    "a hint": "SELECT /*+ MERGE(y) */ x.a FROM every x SEMI JOIN few y ON x.a = y.a",
}

_tables = tables_of(TABLES)


@pytest.mark.parametrize(("query", "rows"), DEMOTED.values(), ids=DEMOTED)
def test_a_join_beside_empty_partitions_is_not_broadcast_and_answers_as_without_it(spark, query, rows):
    got, kept = answer(spark, query, ON), answer(spark, query, {**ON, **OFF})
    assert RULE in got.rules
    assert RULE not in kept.rules
    assert "BroadcastHashJoin" in kept.executed
    assert got.executed != kept.executed
    assert got.rows == kept.rows == rows


@pytest.mark.parametrize(("query", "rows"), BESIDE_ALL.values(), ids=BESIDE_ALL)
def test_the_input_whose_rows_are_kept_has_the_empty_partition(spark, query, rows):
    conf = leg_conf(Settings(**NOT_BROADCAST))
    got, kept = answer(spark, query, conf), answer(spark, query, {**conf, **OFF})
    assert RULE in got.rules
    assert RULE not in kept.rules
    assert got.rows == kept.rows == rows


@pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
def test_keeps_away(spark, query):
    got, kept = answer(spark, query, ON), answer(spark, query, {**ON, **OFF})
    assert RULE not in got.rules
    assert got.rows == kept.rows


def test_one_partition_is_not_empty(spark):
    assert RULE not in answer(spark, DEMOTED["inner"][0], {**ON, "spark.sql.shuffle.partitions": "1"}).rules
