"""PushPredicateThroughNonJoin by hand: each operator that a filter may pass, and what it leaves behind."""

from __future__ import annotations

import pytest

from strategies.ir import (
    DOUBLE,
    INT,
    Aggregate,
    Col,
    Column,
    Database,
    Distinct,
    Filter,
    Generate,
    Pivot,
    Project,
    Relation,
    SetOp,
    Table,
    TryArith,
    Window,
)
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds
from tests.rules.filters_over import filter_over, having
from tests.rules.stock import WITHOUT_PUSHDOWN, answer, operators, tables_of

OPERATORS = (Distinct, Aggregate, SetOp, Project, Window, Generate, Pivot)


def _holds(query: Relation) -> bool:
    return having(query) or filter_over(*OPERATORS)(query)


def _renames(projection: Relation) -> bool:
    names = {field.name for field in projection.child.fields}
    return any(isinstance(i.value, Col) and i.name in names - {i.value.name} for i in projection.items)


def _all(union: Relation) -> bool:
    return isinstance(union, SetOp) and union.kind == "union" and union.all


EXPECTED = Expected(
    _holds,
    ANY_FORM,
    Filter(Distinct(T0), A_IS_ZERO),
    {
        "a DISTINCT": filter_over(Distinct),
        "an aggregate, by WHERE": filter_over(Aggregate),
        "an aggregate, by HAVING": having,
        "a UNION ALL": filter_over(SetOp, where=_all),
        "a UNION": filter_over(SetOp, where=lambda node: node.kind == "union" and not node.all),
        "an INTERSECT or EXCEPT": filter_over(SetOp, where=lambda node: node.kind != "union"),
        "a union of two types": filter_over(
            SetOp, where=lambda node: [f.type for f in node.left.fields] != [f.type for f in node.right.fields]
        ),
        "a union of two lists of names": filter_over(
            SetOp, where=lambda node: [f.name for f in node.left.fields] != [f.name for f in node.right.fields]
        ),
        "a projection": filter_over(Project),
        "a projection that computes": filter_over(Project, where=holds(TryArith)),
        "a window": filter_over(Window),
        "explode": filter_over(Generate),
        "explode that keeps rows without elements": filter_over(Generate, where=lambda node: node.outer),
        "a pivot": filter_over(Pivot),
        "a projection that gives a column another's name": filter_over(Project, where=_renames),
    },
)
ROWS = Database(
    (
        Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (1, 2), (2, None), (None, 3), (3, 3), (2, 2))),
        Table("u", (Column("b", INT), Column("a", INT)), ((1, 5), (5, 1), (None, None))),
        Table("zeros", (Column("a", DOUBLE),), (((-0.0).hex(),), ((0.0).hex(),))),
        Table("none", (Column("a", INT),), ()),
    )
)

PASSES = {
    "a projection": (
        "SELECT * FROM (SELECT a + b AS c FROM (SELECT DISTINCT * FROM t)) WHERE c > 2",
        ["Aggregate", "Filter", "Relation"],
        ["Filter", "Aggregate", "Relation"],
    ),
    "GROUP BY": (
        "SELECT * FROM (SELECT a, max(b) AS m FROM t GROUP BY a) WHERE a > 1",
        ["Aggregate", "Filter", "Relation"],
        ["Filter", "Aggregate", "Relation"],
    ),
    "HAVING on a key": (
        "SELECT a, max(b) AS m FROM t GROUP BY a HAVING a > 1",
        ["Aggregate", "Filter", "Relation"],
        ["Filter", "Aggregate", "Relation"],
    ),
    "HAVING on a key and an aggregate": (
        "SELECT a, max(b) AS m FROM t GROUP BY a HAVING a > 1 AND max(b) > 2",
        ["Filter", "Aggregate", "Filter", "Relation"],
        ["Filter", "Aggregate", "Relation"],
    ),
    "a computed key": (
        "SELECT * FROM (SELECT a + 1 AS k, count(*) AS n FROM t GROUP BY a + 1) WHERE k > 2",
        ["Aggregate", "Project", "Filter", "Relation"],
        ["Filter", "Aggregate", "Project", "Relation"],
    ),
    "DISTINCT": (
        "SELECT * FROM (SELECT DISTINCT a, b FROM t) WHERE a > 1",
        ["Aggregate", "Filter", "Relation"],
        ["Filter", "Aggregate", "Relation"],
    ),
    "UNION ALL": (
        "SELECT * FROM (TABLE t UNION ALL TABLE u) WHERE a > 1",
        ["Union", "Filter", "Relation", "Filter", "Relation"],
        ["Filter", "Union", "Relation", "Relation"],
    ),
    "ORDER BY": (
        "SELECT * FROM (SELECT * FROM t ORDER BY a) WHERE a > 1",
        ["Sort", "Filter", "Relation"],
        ["Filter", "Sort", "Relation"],
    ),
    "REPARTITION": (
        "SELECT * FROM (SELECT /*+ REPARTITION(2) */ * FROM t) WHERE a > 1",
        ["Repartition", "Filter", "Relation"],
        ["Filter", "Repartition", "Relation"],
    ),
    "a window by its partitions": (
        "SELECT * FROM (SELECT a, count(*) OVER (PARTITION BY a) AS n FROM t) WHERE a > 1",
        ["Window", "Project", "Filter", "Relation"],
        ["Filter", "Window", "Project", "Relation"],
    ),
    "explode, on other columns": (
        "SELECT * FROM (SELECT a, explode(array(a, b)) AS e FROM t) WHERE a > 1",
        ["Generate", "Filter", "Relation"],
        ["Filter", "Generate", "Relation"],
    ),
    "ROLLUP, as far as its Expand": (
        "SELECT a, b, count(*) AS n FROM t GROUP BY ROLLUP (a, b) HAVING a > 1",
        ["Aggregate", "Filter", "Expand", "Relation"],
        ["Filter", "Aggregate", "Expand", "Relation"],
    ),
    "PIVOT, which is an Aggregate": (
        "SELECT * FROM (SELECT * FROM t PIVOT (count(b) FOR b IN (1, 2))) WHERE a > 1",
        ["Project", "Aggregate", "Aggregate", "Filter", "Relation"],
        ["Filter", "Project", "Aggregate", "Aggregate", "Relation"],
    ),
}

STAYS = {
    "a limit": "SELECT * FROM (SELECT * FROM t ORDER BY a, b LIMIT 3) WHERE a > 1",
    "an aggregate": "SELECT * FROM (SELECT a, max(b) AS m FROM t GROUP BY a) WHERE m > 2",
    "an aggregate or a key": "SELECT * FROM (SELECT a, max(b) AS m FROM t GROUP BY a) WHERE m > 2 OR a > 1",
    "no keys": "SELECT count(*) AS n FROM t HAVING count(*) > 100",
    "no keys, no rows": "SELECT count(*) AS n FROM none HAVING rand() < 0",
    "what isn't deterministic": "SELECT * FROM (SELECT a FROM t UNION ALL SELECT a FROM t) WHERE rand(0) < 2",
    "a projection that isn't deterministic": "SELECT * FROM (SELECT a, rand(0) AS r FROM t LIMIT 9) WHERE a > 1",
    "a window without its partition": (
        "SELECT * FROM (SELECT a, b, count(*) OVER (PARTITION BY a) AS n FROM t) WHERE b > 1"
    ),
    "a column that explode makes": "SELECT * FROM (SELECT a, explode(array(a, b)) AS e FROM t) WHERE e > 1",
}

REACHED = ("Sort", "RepartitionByExpression", "Repartition", "RebalancePartitions", "Generate", "Expand")
OUT_OF_REACH = {
    "EventTimeWatermark": "needs a streaming source",
    "AppendColumns": "made by typed operations of a Dataset (groupByKey), which SQL has not",
    "ScriptTransformation": "TRANSFORM runs a program of the machine",
    "BatchEvalPython": "made of Python UDFs",
    "ArrowEvalPython": "made of Python UDFs",
    "BinBy": "BIN BY is parsed, and refused as not supported yet",
    "Distinct": "an Aggregate before this rule runs",
    "Pivot": "an Aggregate when it is analyzed",
}
"""Operators that the rule passes and no query reaches it with, and why."""


_tables = tables_of(ROWS)


class TestPushPredicateThroughNonJoin:
    @pytest.mark.parametrize(("query", "on", "off"), PASSES.values(), ids=PASSES)
    def test_passes_and_answers_as_without_it(self, spark, query, on, off):
        with_it, without = answer(spark, query), answer(spark, query, WITHOUT_PUSHDOWN)
        assert with_it.rows == without.rows
        assert (operators(with_it)[: len(on)], operators(without)[: len(off)]) == (on, off)

    @pytest.mark.parametrize("query", STAYS.values(), ids=STAYS)
    def test_stays(self, spark, query):
        with_it, without = answer(spark, query), answer(spark, query, WITHOUT_PUSHDOWN)
        assert with_it.rows == without.rows
        assert operators(with_it) == operators(without)

    @pytest.mark.parametrize("name", [*REACHED, *OUT_OF_REACH])
    def test_every_operator_that_the_rule_passes_is_reached_or_has_its_reason(self, spark, name):
        """They are classes of this Spark's, under the names by which the tables tell of them."""
        assert spark._jvm.java.lang.Class.forName(f"org.apache.spark.sql.catalyst.plans.logical.{name}")

    @pytest.mark.parametrize(("zero", "right"), [("-0.0", {}), ("0.0", {(2,): 1})])
    def test_a_key_that_is_either_zero_is_told_apart_below_the_aggregate_alone(self, spark, zero, right):
        """Known: -0.0 and 0.0 are one group, called 0.0; a filter that tells them apart sees both when it is pushed."""
        query = f"SELECT count(*) AS n FROM zeros GROUP BY a HAVING CAST(a AS STRING) = '{zero}'"
        got, without = answer(spark, query), answer(spark, query, WITHOUT_PUSHDOWN)
        assert (got.rows, without.rows) == ({(1,): 1}, right)
