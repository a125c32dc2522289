"""V2ScanPartitioningAndOrdering by hand: keys and orders that a source reports spare shuffles and sorts."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Agg, Aggregate, Col, Column, Database, Item, Join, Settings, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer

RULE = "V2ScanPartitioningAndOrdering"
EXPECTED = Expected(
    holds(Aggregate, Join),
    ANY_FORM,
    Aggregate(T0, (Item("k0", Col("a", INT)),), (Item("n0", Agg("count")),)),
    {"a join": holds(Join)},
    source="v2",
    settings={"capabilities": ("identity",), "partitions": 2},
)
PAIR = (Column("a", INT), Column("b", INT))
ROWS = ((1, 2), (1, 3), (None, 3), (4, None), (1, 2))
TABLES = Database((Table("t", PAIR, ROWS), Table("u", PAIR, ROWS[:3])))
JOINED = "SELECT t.b, u.b AS c FROM t JOIN u ON t.a = u.a"
REPORTED = {
    "keys": ("identity",),
    "two keys": ("two keys",),
    "an order": ("ordering",),
    "buckets": ("buckets", "splits"),
}


@pytest.mark.parametrize("capabilities", REPORTED.values(), ids=REPORTED)
def test_what_a_source_reports_changes_no_answer(harness, spark, capabilities):
    with harness.spark.stage(TABLES, Settings("v2", capabilities=capabilities)):
        got = answer(spark, JOINED)
    assert RULE in got.rules
    assert got.rows == {(2, 2): 2, (2, 3): 2, (3, 2): 1, (3, 3): 1}


@pytest.mark.parametrize("capabilities", [(), ("columns", "filters")], ids=["nothing", "no layout"])
def test_keeps_away(harness, spark, capabilities):
    with harness.spark.stage(TABLES, Settings("v2", capabilities=capabilities, table_partitions=2)):
        assert RULE not in answer(spark, JOINED).rules
