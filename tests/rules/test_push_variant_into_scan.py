"""PushVariantIntoScan by hand: of a VARIANT in a file the paths that a query reads become columns, and nothing else."""

from __future__ import annotations

import pytest

from strategies.ir import INT, STRING, Aggregate, Column, Database, Filter, Join, Table, scans
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer

RULE = "PushVariantIntoScan"
EXPECTED = Expected(
    lambda query: bool(scans(query)),
    ANY_FORM,
    T0,
    {"a condition": holds(Filter), "a join": holds(Join), "a count": holds(Aggregate)},
    source="variant",
)
PAIR = (Column("a", INT), Column("b", STRING))
TABLES = Database(
    (Table("t", PAIR, ((1, "x"), (1, "x"), (None, "y"), (2, None))), Table("u", PAIR, ((1, "z"), (3, "x"))))
)
# Spark 4.3.0 can't interpret the casts of a VARIANT's fields.
GENERATED = {"spark.sql.codegen.factoryMode": "FALLBACK"}
APART = {**GENERATED, "spark.sql.variant.pushVariantIntoScan": "false"}
READ = {
    "a field": ("SELECT a FROM t", {(1,): 2, (None,): 1, (2,): 1}),
    "both, turned": ("SELECT b, a FROM t", {("x", 1): 2, ("y", None): 1, (None, 2): 1}),
    "a comparison": ("SELECT b FROM t WHERE a = 1", {("x",): 2}),
    "NULL in the VARIANT": ("SELECT b FROM t WHERE a IS NULL", {("y",): 1}),
    "two conditions": ("SELECT a FROM t WHERE a >= 1 AND b = 'x'", {(1,): 2}),
    "no field": ("SELECT count(*) FROM t", {(4,): 1}),
    "two relations": ("SELECT t.b, u.b FROM t JOIN u ON t.a = u.a", {("x", "z"): 2}),
    "itself": ("SELECT r.a FROM t AS r JOIN u AS s ON r.b = s.b", {(1,): 2}),
}


@pytest.fixture(autouse=True)
def tables(harness):
    with harness.spark.loaded(TABLES, "variant"):
        yield


@pytest.mark.parametrize(("query", "rows"), READ.values(), ids=READ)
def test_paths_are_columns_of_the_file_and_the_answer_is_the_same(spark, query, rows):
    got, kept = (answer(spark, query, conf) for conf in (GENERATED, APART))
    assert RULE in got.rules
    assert RULE not in kept.rules
    assert "variant_get" not in got.optimized
    assert got.rows == kept.rows == rows


def test_a_table_of_columns_stays_as_it_is(harness, spark):
    with harness.spark.loaded(TABLES, "parquet"):
        assert RULE not in answer(spark, "SELECT a FROM t WHERE b = 'x'").rules
