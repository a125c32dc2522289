"""The jar's data source of the second kind accepts the parts of a query that a case says, and does their work."""

from __future__ import annotations

import pytest

from oracles.answers.outcome import rows_from_arrow
from oracles.answers.rows import same
from oracles.checks.choices import all_that_changed
from oracles.engines.arrow import arrow_table
from oracles.engines.spark.sources import effective_source
from strategies.draw.capabilities import ACCEPTED, LAYOUTS
from strategies.ir import (
    CAPABILITIES,
    DOUBLE,
    INT,
    STRING,
    Case,
    Column,
    Database,
    Decimal,
    InvalidQuery,
    Scan,
    Settings,
    Table,
    Verbatim,
)
from tests.rules.test_sources import HOSTILE

_COLUMNS = (Column("a", INT), Column("b", INT), Column("c", STRING), Column("x", DOUBLE), Column("d", Decimal(4, 2)))
_DOUBLES = (None, "nan", "-0x0.0p+0", "0x0.0p+0", "inf", "0x1.8000000000000p+0")
ROWS = tuple(
    (n % 4 if n % 5 else None, n % 3, ("x", "", None, "xyz")[n % 4], _DOUBLES[n % 6], f"{n}.50") for n in range(12)
)
DATABASE = Database((Table("t0", _COLUMNS, ROWS), Table("t1", _COLUMNS, ROWS[:7])))


def case_of(text: str, *capabilities: str, **settings: object) -> Case:
    """A case over tables with these capabilities, in three splits where nothing else says so."""
    given = {"table_partitions": 3, "partitions": 2, **settings}
    return Case(Verbatim(text, text), DATABASE, Settings("v2", capabilities=capabilities, **given))


def executed(harness, case: Case) -> str:
    """The text of the physical plan of ``case``."""
    session = harness.spark.session._jsparkSession
    with harness.spark.stage(case.database, case.settings, fast=True), harness.spark.leg(case.query, case.settings, {}):
        frame = harness.spark.runner.frame(session, case.query.spark)
        return str(frame.queryExecution().executedPlan().toString())


FILTERED = "SELECT a FROM t0 WHERE b = 1 AND c LIKE 'x%'"
COUNTED = "SELECT b, count(*) AS n, max(a) AS m, CAST(sum(a) AS BIGINT) AS s FROM t0 GROUP BY b"
FIRST = "SELECT a, b, c, d FROM t0 ORDER BY d DESC LIMIT 4"
SKIPPED = "SELECT a, b, c, d FROM t0 ORDER BY d LIMIT 4 OFFSET 2"
JOINED = "SELECT t0.b, t1.c FROM t0 JOIN t1 ON t0.a = t1.a"
PUSHED = {
    "filters": ((("filters",), FILTERED), "Filters: [b IS NOT NULL", "Filter ("),
    "columns": ((("columns",), FILTERED), "Columns: [a, b, c]", "Columns: [a, b, c, x, d]"),
    "aggregates": ((("aggregates",), COUNTED), "BY (b)]", "HashAggregate"),
    "averages": (
        (("aggregates",), "SELECT avg(a) AS v FROM t0"),
        "Aggregates: [SUM(a), COUNT(a) BY ()]",
        "HashAggregate",
    ),
    "a limit": ((("limits",), "SELECT count(*) AS n FROM (SELECT a FROM t0 LIMIT 5) s"), "[5 BY ()]", "GlobalLimit"),
    "the first by an order": ((("top n",), FIRST), "[4 BY (d DESC NULLS LAST)]", "TakeOrdered"),
    "an offset": ((("top n", "offsets"), SKIPPED), "Offset: [2]", "TakeOrdered"),
    "the keys of tables": ((("identity",), JOINED), "SortMergeJoin", "Exchange"),
    "buckets": ((("buckets",), JOINED), "SortMergeJoin", "Exchange"),
    "two keys": ((("two keys",), "SELECT a, b, count(*) AS n FROM t0 GROUP BY a, b"), "HashAggregate", "Exchange"),
    "an order": ((("identity", "ordering"), JOINED), "SortMergeJoin", "Sort ["),
}
"""For what the source takes over: capabilities and a query, what its plan then has, and what it has no more."""

WEAK = {
    "filters": ((("weak filters",), FILTERED), "WeakFilters: [b IS NOT NULL", "Filter ("),
    "aggregates": ((("weak aggregates",), COUNTED), "of each split]", "HashAggregate"),
    "averages": ((("weak aggregates",), "SELECT avg(a) AS v FROM t0"), "of each split]", "HashAggregate"),
    "a limit": (
        (("weak limits",), "SELECT count(*) AS n FROM (SELECT a FROM t0 LIMIT 5) s"),
        "[5 BY () of each split]",
        "GlobalLimit",
    ),
    "the first by an order": ((("weak top n",), FIRST), "[4 BY (d DESC NULLS LAST) of each split]", "TakeOrdered"),
    "floating keys": ((("aggregates",), "SELECT x, count(*) AS n FROM t0 GROUP BY x"), "BatchScan", "HashAggregate"),
}
"""For what the source does in part, or refuses: capabilities and a query, and what the plan has of both."""


@pytest.mark.parametrize(("given", "present", "gone"), PUSHED.values(), ids=PUSHED)
def test_an_accepted_part_is_in_the_scan_alone(harness, given, present, gone):
    capabilities, text = given
    plan, refused = executed(harness, case_of(text, *capabilities)), executed(harness, case_of(text))
    assert present in plan
    assert gone not in plan
    assert gone in refused


@pytest.mark.parametrize(("given", "present", "stays"), WEAK.values(), ids=WEAK)
def test_a_part_that_is_accepted_weakly_is_in_the_scan_and_above_it(harness, given, present, stays):
    capabilities, text = given
    plan = executed(harness, case_of(text, *capabilities))
    assert present in plan
    assert stays in plan


QUERIES = sorted({text for (_, text), *_ in (*PUSHED.values(), *WEAK.values())})


@pytest.mark.parametrize("text", QUERIES)
@pytest.mark.parametrize("accepted", [ACCEPTED[len(ACCEPTED) // 2 - 1], ACCEPTED[-1]], ids=["whole", "all"])
def test_what_is_accepted_changes_no_answer(harness, text, accepted):
    checked = harness.check(case_of(text, *accepted), all_that_changed, fast=True)
    assert (checked.verdict.kind, checked.has_rows) == (None, True), checked.verdict


CONDITIONS = (
    "a = 1",
    "a <> 1",
    "NOT a > 1",
    "a <=> NULL",
    "a <=> 2",
    "a IS NULL OR b = 1",
    "NOT (a = 1 AND b = 1)",
    "a IN (1, 2)",
    "a NOT IN (1, 2)",
    "a IN (1, NULL)",
    "NOT (a IN (1, NULL)) OR b = 1",
    "a < b",
    "c = ''",
    "c LIKE '%z'",
    "c LIKE '%y%'",
    "NOT c LIKE 'x%'",
    "x = CAST('NaN' AS DOUBLE)",
    "x > 1.0D",
    "x = 0.0D",
    "x < CAST('Infinity' AS DOUBLE)",
    "d >= 3.50",
    "b = 1 OR a + b > 3",
)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_source_evaluates_a_condition_as_spark_does(harness, condition):
    """NULL is unknown, NaN is the greatest value and equals itself, -0.0 is 0.0."""
    text = f"SELECT a, b, c, x, d FROM t0 WHERE {condition}"
    answers = []
    for capabilities in ((), ("filters",), ("weak filters",)):
        case = case_of(text, *capabilities)
        with harness.spark.stage(DATABASE, case.settings, fast=True) as stage, stage.leg(case.query, {}) as leg:
            answers.append(leg.run().outcome)
    assert answers[0].rows
    assert same(answers[0], answers[1])
    assert same(answers[0], answers[2])


@pytest.mark.parametrize("layout", LAYOUTS, ids=" and ".join)
@pytest.mark.parametrize("kind", HOSTILE, ids=repr)
def test_the_source_gives_back_what_was_put_in(harness, kind, layout):
    table = Table("t0", (Column("a", kind), Column("b", INT)), tuple((value, 1) for value in HOSTILE[kind] * 2))
    settings = Settings("v2", capabilities=layout, table_partitions=2)
    with (
        harness.spark.stage(Database((table,)), settings, fast=True) as stage,
        stage.leg(Scan("t0", table.columns), {}) as leg,
    ):
        report = leg.run()
    assert report.in_driver
    assert same(report.outcome, rows_from_arrow(arrow_table(table)))


def splits(harness, *capabilities: str) -> list[int]:
    """The number of rows in each split of t0."""
    case = case_of("SELECT a FROM t0", *capabilities)
    session = harness.spark.session._jsparkSession
    with harness.spark.stage(DATABASE, case.settings):
        plan = harness.spark.runner.frame(session, case.query.spark).queryExecution().executedPlan()
        parts = plan.execute().glom().collect()
    return sorted(len(part) for part in parts)


SPLITS = {
    "in turn": ((), [4, 4, 4]),
    "by key": (("identity",), [2, 2, 2, 3, 3]),
    "two splits of a key": (("identity", "splits"), [1, 1, 1, 1, 1, 1, 1, 1, 2, 2]),
    "by bucket": (("buckets",), [3, 4, 5]),
}


@pytest.mark.parametrize(("capabilities", "sizes"), SPLITS.values(), ids=SPLITS)
def test_rows_are_dealt_out_as_the_layout_says(harness, capabilities, sizes):
    assert splits(harness, *capabilities) == sizes


def test_a_split_of_no_rows_that_pass_is_not_read(harness):
    case = case_of("SELECT a FROM t0 WHERE a = 1", "identity", "weak filters")
    session = harness.spark.session._jsparkSession
    with harness.spark.stage(DATABASE, case.settings):
        plan = harness.spark.runner.frame(session, case.query.spark).queryExecution().executedPlan()
        assert plan.execute().getNumPartitions() == 1


def test_splits_are_left_out_at_run_time(harness):
    conf = tuple(
        (f"spark.sql.optimizer.dynamicPartitionPruning.{key}", "false") for key in ("reuseBroadcastOnly", "useStats")
    )
    ratio = (("spark.sql.optimizer.dynamicPartitionPruning.fallbackFilterRatio", "10"),)
    case = case_of(f"{JOINED} WHERE t1.b = 1", "identity", "runtime filters", conf=(*conf, *ratio))
    checked = harness.check(case, all_that_changed, fast=True)
    assert "PartitionPruning" in checked.fired
    assert (checked.verdict.kind, checked.has_rows) == (None, True)


def test_jobs_read_the_same_rows_as_the_driver(harness):
    case = case_of(JOINED, "identity", "splits", "columns")
    fast, plain = (harness.check(case, all_that_changed, fast=each) for each in (True, False))
    assert same(fast.legs["on"], plain.legs["on"])
    assert (fast.fast, plain.fast) == (True, False)


def test_the_jar_and_the_settings_have_the_same_words(harness):
    jar = harness.spark.session._jvm.org.apache.spark.sql.assay.connector.Capability
    assert sorted(str(jar.all().mkString("\n")).splitlines()) == sorted(CAPABILITIES)


def test_a_word_that_is_no_capability_is_refused():
    with pytest.raises(InvalidQuery, match="telepathy"):
        Settings("v2", capabilities=("telepathy",))


def test_without_the_jar_the_tables_are_in_files():
    assert effective_source(DATABASE.tables[0], "v2") == "parquet"
