"""CleanupDynamicPruningFilters by hand: a filter by the other side's keys goes where no split is left out by it."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Alias,
    Column,
    Compare,
    Database,
    Filter,
    Join,
    Limit,
    RandomColumn,
    RowNumbers,
    Settings,
    SortKey,
    Table,
    walk,
)
from strategies.shapes.partition_pruning import CONF
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds, joins
from tests.rules.stock import answer
from tests.rules.test_partition_pruning import LAYOUT

RULE = "CleanupDynamicPruningFilters"
_A = A_IS_ZERO.left
_FIRST = Alias(Limit(T0, (SortKey(_A),), 3), "s1")
_MET = Compare("=", _FIRST.fields[0].column(), Alias(T0, "s0").fields[0].column())
EXPECTED = Expected(
    joins("inner", "semi", "left", "right"),
    ANY_FORM,
    Join(_FIRST, Alias(Filter(T0, A_IS_ZERO), "s0"), "inner", _MET),
    {
        "numbers of rows": holds(RowNumbers),
        "a random value": holds(RandomColumn),
        "one key": lambda query: sum(isinstance(node, Filter) for node in walk(query)) > 1,
        "a semi join": joins("semi"),
        "the padded side": joins("left", "right"),
    },
    source="v2",
    others={"capabilities": LAYOUT, "conf": CONF},
)
PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (Table("t", PAIR, ((1, 2), (1, 3), (2, 5), (None, 4), (6, 6))), Table("u", PAIR, ((1, 7), (2, 8), (None, 7))))
)
FIRST = "(SELECT * FROM t ORDER BY b LIMIT 3)"
CLEANED = {
    "below a limit": (f"SELECT x.b FROM {FIRST} AS x JOIN u ON x.a = u.a WHERE u.b > 7", {}),
    "below a limit and a filter": (
        f"SELECT x.b FROM {FIRST} AS x JOIN u ON x.a = u.a WHERE u.b = 7 AND x.b < 3",
        {(2,): 1},
    ),
    "below a random value": (
        "SELECT b FROM (SELECT a, b, rand() AS r FROM t) AS x "
        "SEMI JOIN (SELECT * FROM u WHERE b = 8) AS v ON x.a = v.a WHERE r < 2",
        {(5,): 1},
    ),
    "one key": (
        "SELECT x.b, v.b FROM (SELECT * FROM t WHERE a = 1) AS x RIGHT JOIN (SELECT * FROM u WHERE b <= 7) AS v"
        " ON x.a = v.a",
        {(2, 7): 1, (3, 7): 1, (None, 7): 1},
    ),
}
KEPT = {
    "a table": ("SELECT t.b FROM t JOIN u ON t.a = u.a WHERE u.b = 7", {(2,): 1, (3,): 1}),
    "some keys": ("SELECT t.b FROM t JOIN u ON t.a = u.a WHERE u.b > 7 AND t.a > 1", {(5,): 1}),
    "a condition on another column": ("SELECT t.b FROM t JOIN u ON t.a = u.a WHERE u.b > 7 AND t.b = 5", {(5,): 1}),
    "groups by the key": (
        "SELECT n FROM (SELECT a, count(*) AS n FROM t GROUP BY a) AS x JOIN u ON x.a = u.a WHERE u.b = 7",
        {(2,): 1},
    ),
}


@pytest.fixture
def read(harness, spark):
    """The answer of a query over tables that can leave out splits, whatever that costs."""

    def answered(query: str):
        with harness.spark.stage(TABLES, Settings("v2", capabilities=LAYOUT)):
            return answer(spark, query, dict(CONF))

    return answered


@pytest.mark.parametrize(("query", "rows"), CLEANED.values(), ids=CLEANED)
def test_a_filter_by_keys_goes_where_it_leaves_out_no_split(read, query, rows):
    got = read(query)
    assert {"PartitionPruning", RULE} <= got.rules
    assert "dynamicpruning" not in got.plain
    assert got.rows == rows


@pytest.mark.parametrize(("query", "rows"), KEPT.values(), ids=KEPT)
def test_it_stays_where_it_leaves_out_splits(read, query, rows):
    got = read(query)
    assert "PartitionPruning" in got.rules
    assert RULE not in got.rules
    assert "dynamicpruning" in got.plain
    assert got.rows == rows
