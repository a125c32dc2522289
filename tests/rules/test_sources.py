"""Spark sees the rows that the case says, from each source of its tables."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from oracles.answers.outcome import rows_from_arrow
from oracles.answers.rows import same
from oracles.checks.choices import all_that_changed, fixed
from oracles.engines.arrow import arrow_table
from oracles.engines.spark.leg_conf import leg_conf
from oracles.engines.spark.sources import effective_source
from oracles.engines.spark.variants import variant_columns
from oracles.patterns.unsupported import runs
from oracles.rules.switch import switch_off
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTERVAL,
    MONTHS,
    SMALLINT,
    SOURCES,
    STRING,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Array,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Filter,
    Join,
    Lit,
    Map,
    Scan,
    Settings,
    SqlType,
    Struct,
    Table,
    Value,
)

HOSTILE: dict[SqlType, tuple[Value, ...]] = {
    BOOLEAN: (None, False, True),
    SMALLINT: (None, -32768, 0, 32767),
    INT: (None, -(2**31), 0, 2**31 - 1),
    BIGINT: (None, -(2**63), 0, 2**63 - 1),
    DOUBLE: (None, "nan", "inf", "-inf", "-0x0.0p+0", "0x0.0p+0", "0x1.8000000000000p+0"),
    Decimal(18, 2): (None, "-9999999999999999.99", "0.00", "9999999999999999.99"),
    STRING: (None, "", " ", "a", " a ", "'", '"', "\\", "\\N", ",", "a\nb", "a\r\nb", "é", "𝄞", "NULL", "#"),
    BINARY: (None, "", "00ff", "61"),
    DATE: (None, "0001-01-01", "1582-10-15", "1969-12-31", "1970-01-01", "9999-12-31"),
    TIMESTAMP: (
        None,
        "1900-01-01 00:00:00.000000",
        "1969-12-31 23:59:59.999999",
        "1970-01-01 00:00:00.000000",
        "9999-12-31 23:59:59.999999",
    ),
    TIMESTAMP_NTZ: (
        None,
        "0001-01-01 00:00:00.000000",
        "1969-12-31 23:59:59.999999",
        "1970-01-01 00:00:00.000000",
        "9999-12-31 23:59:59.999999",
    ),
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_source_has_the_partitions_of_the_case(harness, source, count):
    """Each reads its own rows, and all of them together read each row once."""
    rows = tuple((number, f"row {number}") for number in range(5))
    columns = (Column("a", INT), Column("b", STRING))
    database = Database((Table("t0", columns, rows), Table("t1", columns, rows[:3])))
    settings = Settings(source, table_partitions=count)
    parts = []
    with harness.spark.stage(database, settings) as stage:
        for table in database.tables:
            with stage.leg(Scan(table.name, columns), {}) as leg:
                assert same(leg.run().outcome, rows_from_arrow(arrow_table(table)))
                plan = harness.spark.runner.frame(harness.spark.session._jsparkSession, f"SELECT * FROM {table.name}")
                parts.append(plan.queryExecution().executedPlan().execute().getNumPartitions())
    # Spark makes no partition without rows; an empty file is one. A folder for each value has a file for each row here.
    without_empty = [count, min(count, 3)]
    fewer = {"orc": without_empty, "csv": without_empty, "local": without_empty, "variant": without_empty}
    folders = {"partitioned": [5, 3] if count > 1 else [1, 1]}
    assert parts == {**fewer, **folders}.get(source, [count, count])


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", HOSTILE, ids=repr)
def test_a_source_gives_back_what_was_put_in(harness, source, kind):
    """NULL is not '', -0.0 may be 0.0, and every instant is itself to the microsecond."""
    table = Table("t0", (Column("a", kind),), tuple((value,) for value in HOSTILE[kind]))
    query = Scan("t0", table.columns)
    settings = Settings(source=source)
    with (
        harness.spark.stage(Database((table,)), settings) as stage,
        stage.leg(query, switch_off([])) as leg,
    ):
        got = leg.run().outcome
    assert same(got, rows_from_arrow(arrow_table(table))), effective_source(table, source)


_NOON = 43_200_000_000_000
SPANS: dict[SqlType, tuple[Value, ...]] = {
    INTERVAL: (None, 0, -1, 2**62),
    MONTHS: (None, 0, -13, 2**31 - 1),
    TIME: (None, 0, _NOON, 86_399_999_999_000),
    Array(TIME): (None, (), (1_000, None)),
    Struct((("f", TIME), ("g", MONTHS))): (None, (None, 1), (_NOON, None)),
    Map(INT, TIME): (None, ((1, _NOON), (2, None))),
}
"""Values that enter both engines as numbers."""


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", SPANS, ids=repr)
def test_a_source_gives_back_intervals_and_times_of_day(harness, source, kind):
    table = Table("t0", (Column("a", kind),), tuple((value,) for value in SPANS[kind]))
    case = Case(Scan("t0", table.columns), Database((table,)), Settings(source=source))
    if not runs(harness.spark.version, case):
        pytest.skip(f"Spark {harness.spark.version} has no TIME")
    with harness.spark.stage(case.database, case.settings) as stage, stage.leg(case.query, switch_off([])) as leg:
        got = leg.run().outcome
    assert same(got, harness.duckdb.run(case.query, case.database)), effective_source(table, source)


INSIDE_A_VARIANT: dict[SqlType, tuple[Value, ...]] = {
    TINYINT: (None, -128, 0, 127),
    FLOAT: (None, "nan", "inf", "-0x0.0p+0", "0x0.0p+0", "0x1.0000000000000p-149"),
    Decimal(38, 18): (None, "-99999999999999999999.999999999999999999", "0.000000000000000000"),
    Array(INT): (None, (), (None, 1, -(2**31))),
    Array(DOUBLE): (None, ("nan", "-0x0.0p+0", None)),
    Struct((("f", INT), ("e", STRING))): (None, (None, None), (1, None), (None, "null")),
    Struct((("f", Struct((("g", DATE),))), ("h", Array(BINARY)))): (None, (None, None), ((None,), (None, "00ff"))),
    Array(Struct((("f", TIMESTAMP_NTZ),))): (None, (None, (None,), ("0001-01-01 00:00:00.000000",))),
}
OUTSIDE = (Column("b", Map(INT, STRING)), (((1, "x"), (2, None)),))
"""A column of a type that no VARIANT has, and its value."""


@pytest.mark.parametrize("kind", [*HOSTILE, *INSIDE_A_VARIANT], ids=repr)
@pytest.mark.parametrize("vectorized", [True, False], ids=["by columns", "by rows"])
def test_a_variant_gives_back_what_was_put_in(harness, kind, vectorized):
    """Beside a column outside of it, with and without the rule that reads the paths alone."""
    column, value = OUTSIDE
    rows = tuple((cell, *value) for cell in {**HOSTILE, **INSIDE_A_VARIANT}[kind])
    table = Table("t0", (Column("a", kind), column), rows)
    assert variant_columns(table) == table.columns[:1]
    settings = Settings("variant", table_partitions=2, vectorized=vectorized)
    rule = "org.apache.spark.sql.execution.datasources.PushVariantIntoScan"
    with harness.spark.stage(Database((table,)), settings) as stage:
        for excluded in ({}, {"spark.sql.optimizer.excludedRules": rule}):
            with stage.leg(Scan("t0", table.columns), excluded) as leg:
                assert same(leg.run().outcome, rows_from_arrow(arrow_table(table)))


def test_what_no_variant_has_is_one_parquet_table():
    assert effective_source(Table("t0", OUTSIDE[:1]), "variant") == "parquet"


@pytest.mark.parametrize("kind", [SMALLINT, INT, BIGINT, DATE], ids=repr)
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("statistics", [False, True], ids=["a view", "a table of the catalog"])
def test_a_column_of_folders_gives_back_what_was_put_in(harness, kind, count, statistics):
    """Its values, NULL among them, are names of folders, and its place among the columns stays."""
    columns = (Column("a", STRING), Column("b", kind), Column("c", kind))
    rows = tuple((text, value, value) for value in HOSTILE[kind] for text in ("", None, "x", "x"))
    table = Table("t0", columns, rows)
    assert effective_source(table, "partitioned") == "partitioned"
    settings = Settings("partitioned", table_partitions=count, statistics=statistics)
    with harness.spark.stage(Database((table,)), settings) as stage, stage.leg(Scan("t0", columns), {}) as leg:
        assert same(leg.run().outcome, rows_from_arrow(arrow_table(table)))


@pytest.mark.parametrize(
    ("column", "statistics", "fires"),
    [("a", True, True), ("b", True, False), ("a", False, False)],
    ids=["the folders' column", "another column", "a view"],
)
def test_partitions_that_the_catalog_knows_are_pruned(harness, column, statistics, fires):
    columns = (Column("a", INT), Column("b", INT))
    table = Table("t0", columns, ((1, 1), (2, 2), (None, 1), (2, 1)))
    query = Filter(Scan("t0", columns), Compare("=", Col(column, INT), Lit(INT, 1)))
    case = Case(query, Database((table,)), Settings("partitioned", statistics=statistics))
    rule = "PruneFileSourcePartitions"
    checked = harness.check(case, fixed([harness.catalogue.rule(rule)]))
    assert (rule in checked.fired, checked.verdict.kind, checked.has_rows) == (fires, None, True)


@pytest.mark.parametrize(
    "columns",
    [(Column("a", INT),), (Column("a", STRING), Column("b", DOUBLE))],
    ids=["no other column", "no suitable type"],
)
def test_what_cannot_be_partitioned_is_one_parquet_table(columns):
    assert effective_source(Table("t0", columns), "partitioned") == "parquet"


def test_an_empty_table_of_folders_has_no_rows(harness):
    columns = (Column("a", INT), Column("b", STRING))
    checked = harness.check(
        Case(Scan("t0", columns), Database((Table("t0", columns),)), Settings("partitioned")), all_that_changed
    )
    assert (checked.verdict.kind, checked.has_rows) == (None, False)


@pytest.mark.in_driver
@pytest.mark.parametrize("kind", HOSTILE, ids=repr)
def test_memory_gives_back_what_was_put_in(harness, kind):
    table = Table("t0", (Column("a", kind),), tuple((value,) for value in HOSTILE[kind]))
    with (
        harness.spark.stage(Database((table,)), Settings(), fast=True) as stage,
        stage.leg(Scan("t0", table.columns), {}) as leg,
    ):
        report = leg.run()
    assert report.in_driver
    assert same(report.outcome, rows_from_arrow(arrow_table(table)))


@pytest.mark.parametrize("kind", HOSTILE, ids=repr)
@pytest.mark.parametrize("source", ["parquet", "orc"])
def test_an_analyzed_table_gives_back_what_was_put_in(harness, source, kind):
    table = Table("t0", (Column("a", kind),), tuple((value,) for value in HOSTILE[kind]))
    settings = Settings(source=source, statistics=True)
    with (
        harness.spark.loaded(Database((table,)), source, statistics=True),
        harness.spark.leg(Scan("t0", table.columns), settings, switch_off([])) as leg,
    ):
        got = leg.run().outcome
    assert same(got, rows_from_arrow(arrow_table(table)))


def test_an_analyzed_table_has_statistics_and_is_gone_afterwards(harness, spark):
    table = Table("t0", (Column("a", INT),), ((1,), (None,), (1,)))
    with harness.spark.loaded(Database((table,)), "parquet", statistics=True):
        described = {row[0]: row[1] for row in spark.sql("DESCRIBE TABLE EXTENDED t0 a").collect()}
        assert (described["num_nulls"], described["distinct_count"]) == ("1", "1")
    assert not spark.catalog.tableExists("t0")


@pytest.mark.parametrize("plain", [(), (Column("b", INT),)], ids=["alone", "beside a plain one"])
def test_an_analyzed_table_may_have_columns_without_statistics(harness, plain):
    """Spark has none of arrays and structs, and refuses to be asked for them."""
    table = Table("t0", (Column("a", Array(INT)), *plain), (((1, None), *(7 for _ in plain)),))
    with (
        harness.spark.loaded(Database((table,)), "parquet", statistics=True),
        harness.spark.leg(Scan("t0", table.columns), Settings(statistics=True), switch_off([])) as leg,
    ):
        got = leg.run().outcome
    assert same(got, rows_from_arrow(arrow_table(table)))


JOINS = {
    "broadcast": "BroadcastHashJoin",
    "merge": "SortMergeJoin",
    "hash": "ShuffledHashJoin .* BuildRight",
    "left hash": "ShuffledHashJoin .* BuildLeft",
}
ONE_INT = (Column("a", INT),)
EQUAL = Compare("=", Col("a", INT, "t0"), Col("a", INT, "t1"))


@pytest.mark.parametrize("kind", ["inner", "left"])
@pytest.mark.parametrize(("join", "planned"), JOINS.items(), ids=JOINS)
def test_the_wanted_kind_of_join_is_what_runs(harness, kind, join, planned):
    rows = ((1,), (2,), (None,))
    with harness.spark.loaded(Database((Table("t0", ONE_INT, rows), Table("t1", ONE_INT, rows))), "parquet"):
        for name, conf in leg_conf(Settings(join=join)).items():
            harness.spark.session.conf.set(name, conf)
        frame = harness.spark.frame(Join(Scan("t0", ONE_INT), Scan("t1", ONE_INT), kind, EQUAL), Settings())
        assert re.search(planned, frame.queryExecution().executedPlan().toString())
        for name in leg_conf(Settings(join=join)):
            harness.spark.session.conf.unset(name)


@pytest.mark.parametrize("source", SOURCES)
def test_readers_by_rows_and_by_columns_agree(harness, source):
    table = Table("t0", (Column("a", INT), Column("b", STRING)), ((1, "x"), (None, None), (2, "")))
    checked = harness.check(
        Case(Scan("t0", table.columns), Database((table,)), Settings(source=source, vectorized=False)), all_that_changed
    )
    assert (checked.verdict.kind, checked.has_rows) == (None, True)


NAN_FILTERS = ("a = double('nan')", "a >= double('nan')", "a > double('inf')")


@pytest.mark.parametrize("predicate", NAN_FILTERS)
@pytest.mark.parametrize("pushed", ["true", "false"], ids=["pushed", "not pushed"])
def test_statistics_without_nan_cost_spark_its_nan_rows(spark, tmp_path, predicate, pushed):
    """Spark 4.3.0 trusts a Parquet file's bounds, which leave NaN out, where the predicate asks for NaN.

    That is why no file of a case's tables has such bounds. When this fails, Spark has been mended.
    """
    path = tmp_path / "nan.parquet"
    parquet.write_table(pa.table({"a": [float("nan"), 0.5, float("inf"), None]}), path)
    spark.conf.set("spark.sql.parquet.filterPushdown", pushed)
    found = spark.read.parquet(str(path)).where(predicate).count()
    spark.conf.unset("spark.sql.parquet.filterPushdown")
    assert found == (0 if pushed == "true" else 1)


def test_a_table_with_nan_keeps_its_nan_rows_under_a_pushed_filter(harness):
    """The mending of the above, on the parquet that cases are read from."""
    table = Table("t0", (Column("a", DOUBLE),), (("nan",), ("0x1.0000000000000p-1",), ("inf",)))
    query = Filter(Scan("t0", table.columns), Compare("=", Col("a", DOUBLE), Lit(DOUBLE, "nan")))
    checked = harness.check(Case(query, Database((table,))), all_that_changed)
    assert (checked.verdict.kind, checked.has_rows) == (None, True)
