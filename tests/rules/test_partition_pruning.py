"""PartitionPruning by hand: the keys of one side's rows, which are filtered, choose the splits of the other."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Alias, Column, Database, Filter, Join, Settings, Table
from strategies.shapes.partition_pruning import CONF
from tests.rules.expected import A_IS_ZERO, ANY_FORM, SAME_A, T0, Expected, joins
from tests.rules.stock import answer

RULE = "PartitionPruning"
LAYOUT = ("identity", "runtime filters")
EXPECTED = Expected(
    joins("inner", "semi", "left", "right"),
    ANY_FORM,
    Join(T0, Alias(Filter(T0, A_IS_ZERO), "s0"), "inner", SAME_A),
    {
        "a semi join": joins("semi"),
        "the right side pruned": joins("left"),
        "the padded left side": joins("right"),
    },
    source="v2",
    others={"capabilities": LAYOUT, "conf": CONF},
)
PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (Table("t", PAIR, ((1, 2), (1, 3), (2, 5), (None, 4), (6, 6))), Table("u", PAIR, ((1, 7), (2, 8), (None, 7))))
)
PRUNED = {
    "inner": ("SELECT t.b FROM t JOIN u ON t.a = u.a WHERE u.b = 7", {(2,): 1, (3,): 1}),
    "semi": ("SELECT b FROM t SEMI JOIN (SELECT * FROM u WHERE b > 7) AS v ON t.a = v.a", {(5,): 1}),
    "right": (
        "SELECT t.b, v.b FROM t RIGHT JOIN (SELECT * FROM u WHERE b <= 7) AS v ON t.a = v.a",
        {(2, 7): 1, (3, 7): 1, (None, 7): 1},
    ),
    "none is there": ("SELECT t.b FROM t JOIN u ON t.a = u.a WHERE u.b = 9", {}),
}
WHOLE = {
    "left": (
        "SELECT t.b, v.b FROM t LEFT JOIN (SELECT * FROM u WHERE b = 8) AS v ON t.a = v.a",
        {(2, None): 1, (3, None): 1, (5, 8): 1, (4, None): 1, (6, None): 1},
    ),
    "anti": (
        "SELECT b FROM t ANTI JOIN (SELECT * FROM u WHERE b = 8) AS v ON t.a = v.a",
        {(2,): 1, (3,): 1, (4,): 1, (6,): 1},
    ),
    "by another column": ("SELECT t.b FROM t JOIN u ON t.b = u.a WHERE u.b > 7", {(2,): 1}),
    "nothing is filtered": ("SELECT t.b FROM t JOIN u ON t.a = u.a", {(2,): 1, (3,): 1, (5,): 1}),
}


@pytest.fixture
def read(harness, spark):
    """The answer of a query over tables that can leave out splits, whatever that costs."""

    def answered(query: str, **conf: str):
        with harness.spark.stage(TABLES, Settings("v2", capabilities=LAYOUT)):
            return answer(spark, query, {**dict(CONF), **conf})

    return answered


@pytest.mark.parametrize(("query", "rows"), PRUNED.values(), ids=PRUNED)
def test_splits_without_the_other_sides_keys_are_not_read(read, query, rows):
    got = read(query)
    without = read(query, **{"spark.sql.optimizer.dynamicPartitionPruning.enabled": "false"})
    assert RULE in got.rules
    assert "dynamicpruning" in got.plain
    assert "dynamicpruning" not in without.plain
    assert got.rows == without.rows == rows


@pytest.mark.parametrize(("query", "rows"), WHOLE.values(), ids=WHOLE)
def test_a_side_whose_every_row_counts_is_read_whole(read, query, rows):
    got = read(query)
    assert RULE not in got.rules
    assert "dynamicpruning" not in got.plain
    assert got.rows == rows
