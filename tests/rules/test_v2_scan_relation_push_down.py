"""V2ScanRelationPushDown by hand: what a source accepts leaves the plan, what it does by halves stays."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Agg, Aggregate, AnyLimit, Column, Database, Filter, Join, Limit, Settings, Table
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, operators

RULE = "V2ScanRelationPushDown"
EXPECTED = Expected(
    holds(Filter, Aggregate, AnyLimit, Limit, Join),
    ANY_FORM,
    Filter(T0, A_IS_ZERO),
    {"an aggregate": holds(Agg), "a limit": holds(AnyLimit), "an order": holds(Limit), "a join": holds(Join)},
    source="v2",
)
TABLES = Database((Table("t", (Column("a", INT), Column("b", INT)), ((1, 2), (1, 3), (None, 3), (4, None))),))
COUNT, FIRST = "SELECT count(a) AS n FROM t WHERE b = 3", "SELECT a, b FROM t ORDER BY b DESC LIMIT 1"
JOINED = "SELECT t.a, u.a AS c FROM t JOIN t AS u ON t.b = u.b"
SPLIT = ("filters", "weak aggregates", "weak top n")
PLANS = {
    "counted": (("filters", "aggregates"), COUNT, {(1,): 1}, ["Project", "RelationV2"]),
    "counted in parts": (SPLIT, COUNT, {(1,): 1}, ["Aggregate", "Project", "RelationV2"]),
    "filtered roughly": (
        ("weak filters", "aggregates"),
        COUNT,
        {(1,): 1},
        ["Aggregate", "Project", "Filter", "RelationV2"],
    ),
}


@pytest.mark.parametrize(("capabilities", "query", "rows", "nodes"), PLANS.values(), ids=PLANS)
def test_what_the_source_does_by_halves_stays(harness, spark, capabilities, query, rows, nodes):
    settings = Settings("v2", capabilities=capabilities, table_partitions=2)
    with harness.spark.stage(TABLES, settings):
        got = answer(spark, query)
    assert RULE in got.rules
    assert got.rows == rows
    assert operators(got) == nodes


@pytest.mark.parametrize("capabilities", [("top n",), SPLIT], ids=["whole", "in parts"])
def test_the_first_row_of_all_is_one(harness, spark, capabilities):
    with harness.spark.stage(TABLES, Settings("v2", capabilities=capabilities, table_partitions=2)):
        assert sum(answer(spark, FIRST).rows.values()) == 1


def test_a_join_that_the_source_computes_leaves_the_plan(harness, spark):
    conf = {"spark.sql.optimizer.datasourceV2JoinPushdown": "true"}
    with harness.spark.stage(TABLES, Settings("v2", capabilities=("filters", "joins"), table_partitions=2)):
        got, apart = (answer(spark, JOINED, each) for each in (conf, {}))
    assert RULE in got.rules
    assert got.rows == apart.rows == {(1, 1): 2, (1, None): 1, (None, 1): 1, (None, None): 1}
    assert (operators(got), "Join" in operators(apart)) == (["Project", "RelationV2"], True)


def test_a_table_in_a_file_has_no_such_scan(harness, spark):
    with harness.spark.loaded(TABLES, "parquet"):
        assert RULE not in answer(spark, COUNT).rules


def test_nothing_turns_it_off(harness):
    """Spark's answer is compared with DuckDB's alone."""
    assert harness.catalogue.rule(RULE).switch is None
