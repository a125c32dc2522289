"""Parts of a query that change no row in every dialect: hints of joins, and tests of random numbers."""

from __future__ import annotations

import pytest

from oracles.sql import DataFrameCompiler, DuckdbCompiler, SparkCompiler
from strategies.ir import Alias, Distinct, Filter, IsNull, Join, RandomTest, Relation
from tests.unit.ir_samples import T0, T1, B

SPARK, DUCKDB, DATAFRAME = SparkCompiler("cast"), DuckdbCompiler(), DataFrameCompiler("cast")

TEXTS: dict[str, tuple[Relation, str, str, str]] = {
    "hint": (
        Join(T0, T1, "cross", None, "broadcast"),
        "SELECT * FROM `t0` CROSS JOIN (SELECT /*+ BROADCAST(`t1`) */ * FROM `t1`) AS `t1`",
        'SELECT * FROM "t0" CROSS JOIN "t1"',
        "t0.alias('t0').crossJoin(t1.alias('t1').hint('broadcast'))",
    ),
    "hint-of-an-alias": (
        Join(T0, Alias(Distinct(T1), "s"), "cross", None, "shuffle_replicate_nl"),
        "SELECT * FROM `t0` CROSS JOIN"
        " (SELECT /*+ SHUFFLE_REPLICATE_NL(`s`) */ * FROM (SELECT DISTINCT * FROM `t1`) AS `s`) AS `s`",
        'SELECT * FROM "t0" CROSS JOIN (SELECT DISTINCT * FROM "t1") AS "s"',
        "t0.alias('t0').crossJoin(t1.alias('t1').distinct().alias('s').hint('shuffle_replicate_nl'))",
    ),
    "random": (
        Filter(T0, IsNull(B), RandomTest(">=", 0)),
        "SELECT * FROM `t0` WHERE ((`b` IS NULL) AND (rand() >= 0))",
        'SELECT * FROM "t0" WHERE (("b" IS NULL) AND (random() >= 0))',
        "t0.alias('t0').where('((`b` IS NULL) AND (rand() >= 0))')",
    ),
    "random-first-and-false": (
        Filter(T0, IsNull(B), RandomTest("<", 0, first=True)),
        "SELECT * FROM `t0` WHERE ((rand() < 0) OR (`b` IS NULL))",
        'SELECT * FROM "t0" WHERE ((random() < 0) OR ("b" IS NULL))',
        "t0.alias('t0').where('((rand() < 0) OR (`b` IS NULL))')",
    ),
}


@pytest.mark.parametrize(("relation", "spark", "duckdb", "program"), TEXTS.values(), ids=TEXTS)
def test_one_query_in_all_dialects(relation: Relation, spark: str, duckdb: str, program: str) -> None:
    assert (SPARK.compile(relation), DUCKDB.compile(relation), DATAFRAME.compile(relation)) == (spark, duckdb, program)
