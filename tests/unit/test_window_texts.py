"""The words of windows, grouping sets, pivots and literal rows in the three renderings."""

from __future__ import annotations

import pytest

from oracles.sql import DataFrameCompiler, DuckdbCompiler, SparkCompiler, UnsupportedNode
from strategies.ir import (
    DATE,
    INT,
    STRING,
    Agg,
    Alias,
    Array,
    Cast,
    Col,
    Compare,
    Expr,
    Frame,
    GroupingId,
    GroupingSets,
    IsNull,
    Item,
    Lit,
    MakeArray,
    Over,
    Peek,
    Pivot,
    PivotValue,
    Project,
    Ranking,
    Relation,
    SortKey,
    Values,
    ValuesRow,
    Window,
)
from tests.unit.ir_samples import NULL_INT, ONE, T0, A, B

SPARK, DUCKDB, DATAFRAME = SparkCompiler("cast"), DuckdbCompiler(), DataFrameCompiler("cast")
_AB = Project(T0, (Item("a", A), Item("b", B)))
_COUNT = Item("n", Agg("count"))
_DAYS = Project(T0, (Item("d", Cast(Lit(DATE, None), DATE)),))
_MIXED = Compare("<", Col("k", INT), Col("m", INT))
_ROW = ValuesRow((NULL_INT, Lit(STRING, "x")))


def over(function: Agg | Peek | Ranking, frame: Frame | None = None) -> Window:
    """``function`` over all of ``a`` and ``b``, by ``b`` in the order of ``a``."""
    return Window(_AB, (Over("w", function, frame),), (B,), (SortKey(A),))


_FROM = "(SELECT `a`, `b` FROM `t0`) AS `q0`"
_BY = "PARTITION BY `b` ORDER BY `a` ASC NULLS FIRST"

CALLS: dict[str, tuple[Agg | Peek | Ranking, Frame | None, str, str]] = {
    "place": (Ranking("row_number"), None, "row_number() OVER ({})", "CAST(row_number() OVER ({}) AS INT)"),
    "share": (Ranking("cume_dist"), None, "cume_dist() OVER ({})", "cume_dist() OVER ({})"),
    "buckets": (Ranking("ntile", 4), None, "ntile(4) OVER ({})", "CAST(ntile(4) OVER ({}) AS INT)"),
    "lag": (
        Peek("lag", A, -1, ONE),
        None,
        "lag(`a`, CAST(-1 AS INT), CAST(1 AS INT)) OVER ({})",
        "lag(`a`, CAST(-1 AS INT), CAST(1 AS INT)) OVER ({})",
    ),
    "ignore-nulls": (
        Peek("last_value", A, ignore_nulls=True),
        Frame("rows", -2, 1),
        "last_value(`a`) IGNORE NULLS OVER ({} ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)",
        "last_value(`a` IGNORE NULLS) OVER ({} ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)",
    ),
    "sum": (
        Agg("sum", A, where=IsNull(B)),
        Frame("range", None, 0),
        "sum(`a`) FILTER (WHERE (`b` IS NULL)) OVER ({} RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
        "CAST(sum(`a`) FILTER (WHERE (`b` IS NULL)) OVER ({} RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
        " AS BIGINT)",
    ),
    "empty-frame": (
        Agg("count"),
        Frame("rows", -2, -1),
        "count(*) OVER ({} ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)",
        "count(*) OVER ({} ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)",
    ),
    "range": (
        Agg("count"),
        Frame("range", 1, None),
        "count(*) OVER ({} RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)",
        "count(*) OVER ({} RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)",
    ),
}


@pytest.mark.parametrize(("function", "frame", "spark", "duckdb"), CALLS.values(), ids=CALLS)
def test_a_window_function_is_cast_around_its_over(
    function: Agg | Peek | Ranking, frame: Frame | None, spark: str, duckdb: str
) -> None:
    node = over(function, frame)
    assert SPARK.compile(node) == f"SELECT *, {spark.format(_BY)} AS `w` FROM {_FROM}"
    assert DUCKDB.compile(node) == f"SELECT *, {duckdb.format(_BY)} AS `w` FROM {_FROM}".replace("`", '"')
    program = DATAFRAME.compile(node)
    assert program.endswith(f".select('*', F.expr({spark.format(_BY)!r}).alias('w'))")


def test_days_are_intervals() -> None:
    node = Window(_DAYS, (Over("w", Agg("count"), Frame("range", -1, 0)),), (), (SortKey(Col("d", DATE), True, False),))
    words = "ORDER BY `d` DESC NULLS LAST RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW"
    assert words in SPARK.compile(node)
    assert words.replace("`", '"') in DUCKDB.compile(node)


GROUPINGS: dict[str, tuple[Relation, str, str]] = {
    "rollup": (
        GroupingSets(T0, "rollup", (Item("a", A), Item("k", B)), (_COUNT,)),
        "SELECT `a`, `b` AS `k`, count(*) AS `n` FROM `t0` GROUP BY ROLLUP (`a`, `b`)",
        "SELECT `a`, `b` AS `k`, count(*) AS `n` FROM `t0` GROUP BY ROLLUP (`a`, `b`)",
    ),
    "sets-without-the-empty-one": (
        GroupingSets(T0, "sets", (Item("a", A), Item("b", B)), (), (), ((1, 0), (0,))),
        "SELECT `a`, `b` FROM `t0` GROUP BY GROUPING SETS ((`b`, `a`), (`a`))",
        "SELECT `a`, `b` FROM `t0` GROUP BY GROUPING SETS ((`b`, `a`), (`a`))",
    ),
    "having": (
        GroupingSets(T0, "cube", (Item("a", A),), (), having=IsNull(A)),
        "SELECT `a` FROM `t0` GROUP BY CUBE (`a`) HAVING (`a` IS NULL)",
        "SELECT `a` FROM `t0` GROUP BY CUBE (`a`) HAVING (`a` IS NULL)",
    ),
    "having-a-renamed-key": (
        GroupingSets(T0, "sets", (Item("k", A),), (), (), ((0,),), IsNull(Col("k", INT))),
        "SELECT * FROM (SELECT `a` AS `k` FROM `t0` GROUP BY GROUPING SETS ((`a`))) AS `q0` WHERE (`k` IS NULL)",
        'SELECT * FROM (SELECT "a" AS "k" FROM "t0" GROUP BY GROUPING SETS (("a"))) AS "q0" WHERE ("k" IS NULL)',
    ),
    "having-a-key-and-an-aggregate": (
        GroupingSets(T0, "rollup", (Item("k", A),), (Item("m", Agg("max", A)),), having=_MIXED),
        "SELECT * FROM (SELECT `a` AS `k`, max(`a`) AS `m` FROM `t0` GROUP BY ROLLUP (`a`)) AS `q0` WHERE (`k` < `m`)",
        "SELECT * FROM (SELECT `a` AS `k`, max(`a`) AS `m` FROM `t0` GROUP BY ROLLUP (`a`)) AS `q0` WHERE (`k` < `m`)",
    ),
    "having-a-constant": (
        GroupingSets(T0, "sets", (Item("a", ONE),), (), (), ((0,),), IsNull(A)),
        "SELECT * FROM (SELECT CAST(1 AS INT) AS `a` FROM `t0` GROUP BY GROUPING SETS ((CAST(1 AS INT)))) AS `q0`"
        " WHERE (`a` IS NULL)",
        "SELECT * FROM (SELECT CAST(1 AS INT) AS `a` FROM `t0` GROUP BY GROUPING SETS ((CAST(1 AS INT)))) AS `q0`"
        " WHERE (`a` IS NULL)",
    ),
    "ids": (
        GroupingSets(T0, "sets", (Item("a", A),), (), (GroupingId("i", (A,)),), ((0,),)),
        "SELECT `a`, CAST(grouping(`a`) AS BIGINT) AS `i` FROM `t0` GROUP BY GROUPING SETS ((`a`))",
        "SELECT `a`, CAST(grouping(`a`) AS BIGINT) AS `i` FROM `t0` GROUP BY GROUPING SETS ((`a`))",
    ),
    "pivot": (
        Pivot(T0, (Item("q1", B),), Agg("max", A), A, (PivotValue("x", ONE), PivotValue("y", NULL_INT))),
        "SELECT * FROM (SELECT `b` AS `q1`, `a` AS `q0`, `a` AS `q2` FROM `t0`) AS `q0`"
        " PIVOT (max(`q2`) FOR `q0` IN (CAST(1 AS INT) AS `x`, CAST(NULL AS INT) AS `y`))",
        "SELECT `b` AS `q1`, CASE WHEN count(*) FILTER (WHERE (`a` IS NOT DISTINCT FROM CAST(1 AS INT))) > 0"
        " THEN max(`a`) FILTER (WHERE (`a` IS NOT DISTINCT FROM CAST(1 AS INT))) END AS `x`,"
        " CASE WHEN count(*) FILTER (WHERE (`a` IS NOT DISTINCT FROM CAST(NULL AS INT))) > 0"
        " THEN max(`a`) FILTER (WHERE (`a` IS NOT DISTINCT FROM CAST(NULL AS INT))) END AS `y` FROM `t0` GROUP BY `b`",
    ),
    "pivot-count": (
        Pivot(T0, (), Agg("count", B, where=IsNull(A)), A, (PivotValue("x", ONE),)),
        "SELECT * FROM (SELECT `a` AS `q0`, `b` AS `q1`, (`a` IS NULL) AS `q2` FROM `t0`) AS `q0`"
        " PIVOT (count(`q1`) FILTER (WHERE `q2`) FOR `q0` IN (CAST(1 AS INT) AS `x`))",
        "SELECT CASE WHEN count(*) FILTER (WHERE (`a` IS NOT DISTINCT FROM CAST(1 AS INT))) > 0"
        " THEN count(`b`) FILTER (WHERE ((`a` IS NOT DISTINCT FROM CAST(1 AS INT)) AND (`a` IS NULL))) END AS `x`"
        " FROM `t0`",
    ),
    "values": (
        Alias(Values(("a", "b"), (_ROW, _ROW)), "v"),
        "SELECT * FROM VALUES (CAST(NULL AS INT), 'x'), (CAST(NULL AS INT), 'x') AS `v`(`a`, `b`)",
        "SELECT * FROM (VALUES (CAST(NULL AS INT), 'x'), (CAST(NULL AS INT), 'x')) AS `v`(`a`, `b`)",
    ),
}


@pytest.mark.parametrize(("relation", "spark", "duckdb"), GROUPINGS.values(), ids=GROUPINGS)
def test_groups_in_both_dialects(relation: Relation, spark: str, duckdb: str) -> None:
    assert (SPARK.compile(relation), DUCKDB.compile(relation)) == (spark, duckdb.replace("`", '"'))


@pytest.mark.parametrize(
    ("relation", "program"),
    [
        (
            GroupingSets(_AB, "cube", (Item("k", A),), (_COUNT,)),
            ".cube(F.expr('`a`').alias('k')).agg(F.expr('count(*)').alias('n'))",
        ),
        (
            GroupingSets(_AB, "rollup", (Item("k", A),), (), having=IsNull(Col("k", INT))),
            ".rollup(F.expr('`a`').alias('k')).agg(F.expr('count(*)').alias('__count')).drop('__count')"
            ".where('(`k` IS NULL)')",
        ),
    ],
    ids=["cube", "rollup-of-keys-alone"],
)
def test_groups_as_programs(relation: Relation, program: str) -> None:
    assert DATAFRAME.compile(relation) == DATAFRAME.compile(_AB) + program


@pytest.mark.parametrize(
    "relation",
    [GROUPINGS[name][0] for name in ("sets-without-the-empty-one", "ids", "pivot", "values")],
    ids=["grouping-sets", "grouping", "pivot", "values"],
)
def test_what_dataframes_have_no_method_for_is_refused(relation: Relation) -> None:
    assert not DATAFRAME.supports(relation)
    with pytest.raises(UnsupportedNode, match="a node has no method"):
        DATAFRAME.compile(relation)


def test_a_window_in_a_window_keeps_its_own_order() -> None:
    """Both are written by one compiler, the outer one first."""
    inner = over(Ranking("rank"))
    outer = Window(inner, (Over("v", Agg("count"), Frame("range", 0, 0)),), (), (SortKey(_column("w")),))
    assert "count(*) OVER (ORDER BY `w` ASC NULLS FIRST RANGE" in SPARK.compile(outer)
    assert f"rank() OVER ({_BY}) AS `w`" in SPARK.compile(outer)


def _column(name: str) -> Expr:
    return Col(name, INT)


def test_a_pivot_by_an_array_may_have_null_in_it_as_its_values_do() -> None:
    """Spark compares the types with what may be NULL in them."""
    made = MakeArray(INT, (ONE,))
    node = Pivot(T0, (), Agg("count"), made, (PivotValue("x", Lit(Array(INT), ())),))
    assert "SELECT CAST(array(CAST(1 AS INT)) AS ARRAY<INT>) AS `q0` FROM `t0`" in SPARK.compile(node)
