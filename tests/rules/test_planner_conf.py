"""Each group of Spark's configuration changes the plan of a query that it is for, and no answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.answers.rows import same
from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed, fixed
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.spark.leg_conf import leg_conf
from oracles.triage.third_opinion import third_opinion
from strategies.draw.planner_conf import GROUPS
from strategies.ir import (
    DATE,
    INT,
    SOURCES,
    STRING,
    TIMESTAMP,
    UTC,
    Case,
    Cast,
    Col,
    Column,
    Database,
    Item,
    Project,
    Scan,
    Settings,
    Table,
    Verbatim,
)

_COLUMNS = (Column("a", INT), Column("b", INT), Column("c", STRING), Column("t", TIMESTAMP))
_MANY = tuple((n % 4 if n % 5 else None, n % 3, "xyz"[n % 3], f"2024-02-29 {n:02}:15:00.000000") for n in range(12))
_KEYS = tuple((n, n, "k", "2024-02-29 00:00:00.000000") for n in range(4))
_NUMBERS = tuple(Column(name, INT) for name in "abcd")
STAR = (
    Table("fact", _NUMBERS, tuple((n % 6, n % 5, n % 4, n) for n in range(60))),
    Table("one", _NUMBERS, tuple((n, n, n, n) for n in range(6))),
    Table("two", _NUMBERS, tuple((n, n, n, n) for n in range(5))),
    Table("other", _NUMBERS, tuple((n % 2, n % 3, 1, n) for n in range(20))),
)
DATABASE = Database((Table("t0", _COLUMNS, _MANY), Table("t1", _COLUMNS, _MANY[:9]), Table("t2", _COLUMNS, _KEYS)))

_JOIN = "SELECT t0.b, t1.c FROM t0 JOIN t1 ON t0.a = t1.a WHERE t1.b = 1"
_STORED = "SELECT t0.b, t1.c FROM t0 JOIN t1 ON t0.a = t1.a"
_COUNTS = "SELECT a, count(*) AS n FROM t0 GROUP BY a"
_OVER = "SELECT a, b, count(*) OVER (PARTITION BY a) AS n FROM t0"
_STAR = (
    "SELECT fact.d FROM one JOIN other ON one.b = other.a JOIN fact ON fact.a = one.a"
    " JOIN two ON fact.b = two.a WHERE two.b < 2 AND one.b < 3"
)
PLANNED = {
    "expanded in two steps": "SELECT c, count(DISTINCT a) AS n, count(DISTINCT b) AS m FROM t0 GROUP BY c",
    "joined below a union": "SELECT u.a, t2.b FROM (SELECT a FROM t0 UNION ALL SELECT a FROM t1) u"
    " LEFT JOIN t2 ON u.a = t2.a",
    "projects inlined": "SELECT x + 1 AS y, x + 2 AS z FROM (SELECT a * b + 1 AS x FROM t0) s",
    "sets of two": "SELECT a FROM t0 WHERE a IN (1, 2)",
    "filters of subplans": "SELECT (SELECT max(a) FROM t0 WHERE b = 1) AS x,"
    " (SELECT count(a) FROM t0 WHERE b = 2) AS y",
    "bloom filters": _JOIN,
    "no limited sort": "SELECT a, b, c, t FROM t0 ORDER BY a, b, c, t LIMIT 3",
    "sorted groups": _COUNTS,
    "whole keys": f"SELECT a, b, max(n) AS m FROM ({_OVER}) s GROUP BY a, b",
    "few projected partitionings": "SELECT x, count(*) AS n FROM (SELECT a AS x FROM (SELECT DISTINCT a FROM t0) s) u"
    " GROUP BY x",
    "null keys spread": "SELECT t0.b, t1.c FROM t0 LEFT JOIN t1 ON t0.a = t1.a",
    "no partial aggregates": _COUNTS,
    "local sorts pushed down": "SELECT a, n, count(*) OVER (PARTITION BY a ORDER BY b) AS m"
    f" FROM ({_OVER}) s WHERE n > 1",
    "nothing reused": "SELECT x.a, y.a AS b FROM (SELECT DISTINCT a FROM t0) x FULL JOIN (SELECT DISTINCT a FROM t0) y"
    " ON x.a = y.a",
    "behind UTC": "SELECT a FROM t0 WHERE hour(t) < 5",
    "behind UTC by half hours": "SELECT a FROM t0 WHERE hour(t) < 5",
    "single tasks": _COUNTS,
    "partitions pruned at run time": _JOIN,
    "partitions for rows": "SELECT a, count(DISTINCT a) AS n FROM t0 WHERE a < 3 GROUP BY a",
    "one side shuffled to the keys of the other": _STORED,
    "splits of a key spread": _STORED,
    "fewer join keys than partition keys": _STORED,
    "fewer join keys and one side shuffled": _STORED,
    "buckets put together": _STORED,
    "keys that both sides have": "SELECT t0.b, t2.c FROM t0 JOIN t2 ON t0.a = t2.a",
    "ordered by their keys": _STORED,
    "splits of a key merged in order": _STORED,
    "star schemas": _STAR,
    "star joins without costs": _STAR,
    "skew": _JOIN,
    "partitions put together": _COUNTS,
    "broadcast at run time": _JOIN,
    "hashed at run time": _JOIN,
    "empty partitions": _JOIN,
    "adaptive without shuffles": "SELECT a FROM t0",
}
"""A query for each group that changes plans."""

IN_OTHER_WAYS = {
    "predicates pulled up": "SELECT b FROM t0 WHERE EXISTS (SELECT 1 FROM t1 WHERE t1.a = t0.a AND t1.b < 2)",
    "segment trees": "SELECT b, max(a) OVER (PARTITION BY c ORDER BY t ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS n"
    " FROM t0",
    "generated expressions": "SELECT a + 17 * b AS x FROM t0",
    "case-sensitive": "SELECT a FROM t0",
    "records filtered by Parquet": "SELECT a FROM t0 WHERE a IN (1, 2)",
    "split methods": _COUNTS,
    "planned by two threads": "SELECT a, regexp_replace(c, 'x', 'y') AS x FROM t0",
}
"""A query for each group that changes how a plan is made or runs, or how a text is read."""
QUERIES = {**PLANNED, **IN_OTHER_WAYS}


def case_of(name: str, **other: object) -> Case:
    """The case of the query for group ``name``, over tables of several partitions where the group leaves that open."""
    text = QUERIES[name]
    settings = Settings(**{"partitions": 2, "table_partitions": 2, **GROUPS[name].settings, **other})
    return Case(Verbatim(text, text), Database(STAR) if QUERIES[name] == _STAR else DATABASE, settings)


def without(case: Case) -> Case:
    """``case`` with the other settings of its group alone."""
    return replace(case, settings=replace(case.settings, conf=(), time_zone=UTC))


def plan_of(harness, case: Case) -> str:
    """The plan that ``case`` runs by in the end."""
    with harness.spark.stage(case.database, case.settings, fast=True) as stage, stage.leg(case.query, {}) as leg:
        return leg.run().plan


def test_each_group_has_a_query():
    assert QUERIES.keys() == GROUPS.keys()


@pytest.mark.parametrize("name", PLANNED)
def test_a_group_changes_the_plan_of_its_query(harness, name):
    case = case_of(name)
    assert plan_of(harness, case) != plan_of(harness, without(case))


WOKEN = {
    "expanded in two steps": "OptimizeExpand",
    "joined below a union": "PushDownJoinThroughUnion",
    "predicates pulled up": "PullupCorrelatedPredicates",
    "bloom filters": "InjectRuntimeFilter",
    "partitions pruned at run time": "PartitionPruning",
    "partitions for rows": "OptimizeMetadataOnlyQuery",
    "filters of subplans": "MergeSubplans",
    "empty partitions": "DemoteBroadcastHashJoin",
}
"""Rules of the optimizer that change a plan under their group."""


@pytest.mark.parametrize(("name", "rule"), WOKEN.items(), ids=WOKEN)
def test_a_group_wakes_its_rule(harness, name, rule):
    checked = harness.check(case_of(name), fixed([harness.catalogue.rule(rule)]), fast=True)
    assert checked.fired == (rule,)
    assert (checked.verdict.kind, checked.has_rows) == (None, True)


def test_a_rule_that_sets_tags_changes_plans_though_the_tracker_counts_no_change(harness):
    rule = harness.catalogue.rule("MarkSingleTaskExecution")
    checked = harness.check(case_of("single tasks"), fixed([rule]), fast=True)
    assert (checked.fired, checked.differed) == ((), True)
    assert (checked.verdict.name, checked.has_rows) == ("vacuous", True)


@pytest.mark.parametrize("name", QUERIES)
def test_a_group_changes_no_answer(harness, name):
    checked = harness.check(case_of(name), all_that_changed, fast=True)
    assert (checked.verdict.kind, checked.has_rows) == (None, True), checked.verdict


def entry_of(entries: Any, key: str) -> Any:
    """Spark's entry for ``key``, which may be its name in earlier releases; None if there is none."""
    return entries.getConfigEntry(key) or earlier_entry(entries.getConfigEntries().toArray(), key)


def earlier_entry(entries: Any, key: str) -> Any:
    """The one of ``entries`` that had the name ``key`` in earlier releases."""
    return next((each for each in entries if each.alternatives().contains(key)), None)


def test_a_key_of_no_release_has_no_entry(spark):
    entries = getattr(getattr(spark._jvm.org.apache.spark.sql.internal, "SQLConf$"), "MODULE$")
    assert entry_of(entries, "spark.sql.execution.ofAnotherRelease") is None


@pytest.mark.parametrize("name", GROUPS)
def test_the_keys_of_a_group_are_sparks_and_not_at_their_defaults(spark, name):
    entries = getattr(getattr(spark._jvm.org.apache.spark.sql.internal, "SQLConf$"), "MODULE$")
    without = leg_conf(Settings(**GROUPS[name].needs))
    for key, value in GROUPS[name].conf:
        entry = entry_of(entries, key)
        assert entry is not None, key
        assert without.get(key, entry.defaultValueString()) != value


def after_run(harness, case: Case, read: Callable[[Any], int]) -> int:
    """The result of ``read`` on the executed plan of ``case``, which ran in jobs."""
    spark, runner = harness.spark.session, harness.spark.runner
    with (
        harness.spark.stage(case.database, case.settings, fast=True),
        harness.spark.leg(case.query, case.settings, {}),
    ):
        frame = runner.freshFrame(spark._jsparkSession, case.query.spark)
        runner.toldRun(frame, 60_000, False, "", 1)
        return read(frame.queryExecution().executedPlan())


def segment_trees(plan: Any) -> int:
    """The number of frames that a plan with one window computed by segment trees."""
    while plan.nodeName() != "Window":
        plan = plan.children().head()
    return int(plan.metrics().apply("numSegmentTreeFrames").value())


def test_windows_use_segment_trees_under_their_group_alone(harness):
    case = case_of("segment trees")
    assert after_run(harness, without(case), segment_trees) == 0
    assert after_run(harness, case, segment_trees) > 0


def test_code_is_generated_under_its_group_alone(harness):
    compiled = harness.spark.session._jvm.org.apache.spark.metrics.source.CodegenMetrics.METRIC_COMPILATION_TIME()
    case = case_of("generated expressions")
    case = replace(case, query=Verbatim("SELECT a * b - b AS x, -a AS y, b <=> a AS z FROM t0", why_not="not compared"))
    before = compiled.getCount()
    interpreted, generated = (after_run(harness, each, lambda _: compiled.getCount()) for each in (without(case), case))
    assert before == interpreted < generated


@pytest.mark.parametrize(
    ("conf", "kind"), [((), Rows), (GROUPS["case-sensitive"].conf, Raised)], ids=["by default", "on"]
)
def test_names_differ_by_case_under_their_group_alone(harness, conf, kind):
    query = Verbatim("SELECT A FROM t0", "SELECT A FROM t0")
    settings = Settings(conf=conf)
    with harness.spark.stage(DATABASE, settings, fast=True) as stage, stage.leg(query, {}) as leg:
        assert isinstance(leg.run().outcome, kind)


_DAY = Project(Scan("t0", _COLUMNS), (Item("d", Cast(Col("t", TIMESTAMP), DATE)), Item("t", Col("t", TIMESTAMP))))
ZONES = [group.needs["time_zone"] for group in GROUPS.values() if "time_zone" in group.needs]


class InUtc(DuckdbEngine):
    """DuckDB that takes no notice of a case's time zone."""

    def _use(self, time_zone: str) -> None:
        pass


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("source", SOURCES)
def test_all_legs_are_in_the_time_zone_of_the_case(harness, zone, source):
    """The instants are those of the tables, and a date begins at the zone's midnight."""
    case = Case(_DAY, replace(DATABASE, tables=DATABASE.tables[:1]), Settings(source, time_zone=zone, statistics=True))
    checked = harness.check(case, all_that_changed, fast=True)
    assert (checked.verdict.kind, checked.has_rows) == (None, True)
    assert not same(checked.legs["on"], harness.duckdb.run(case.query, case.database))


@pytest.mark.parametrize("zone", ZONES)
def test_a_leg_in_another_time_zone_is_a_finding(harness, zone):
    case = Case(_DAY, replace(DATABASE, tables=DATABASE.tables[:1]), Settings(time_zone=zone))
    with InUtc() as duckdb:
        checked = Harness(harness.spark, duckdb).check(case, all_that_changed, fast=True)
    assert (checked.verdict.kind, checked.verdict.name) == ("engine", "finding")


@pytest.mark.parametrize("zone", ZONES)
def test_a_check_after_one_in_another_time_zone_is_in_utc(harness, zone):
    database = replace(DATABASE, tables=DATABASE.tables[:1])
    first = harness.duckdb.run(_DAY, database)
    assert not same(harness.duckdb.run(_DAY, database, time_zone=zone), first)
    assert same(harness.duckdb.run(_DAY, database), first)
    checked = harness.check(Case(_DAY, database), all_that_changed, fast=True)
    assert same(checked.legs["on"], first)


@pytest.mark.parametrize("zone", ZONES)
def test_a_third_engine_without_time_zones_has_no_word(harness, zone):
    case = Case(_DAY, replace(DATABASE, tables=DATABASE.tables[:1]), Settings(time_zone=zone))
    with InUtc() as duckdb:
        engines = Harness(harness.spark, duckdb)
        told = third_opinion(engines, engines.check(case, all_that_changed, fast=True))
    assert told.legs["sqlite"].kind == "unsupported"
    assert told.verdict.blame == "unknown"


def test_a_key_that_a_release_does_not_know_is_ignored(harness):
    case = case_of("sorted groups", conf=(("spark.sql.execution.ofAnotherRelease", "true"),))
    checked = harness.check(case, all_that_changed, fast=True)
    assert (checked.verdict.kind, checked.has_rows) == (None, True)
