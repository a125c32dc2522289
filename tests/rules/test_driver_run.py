"""The fast path's engine: tables in memory, plans run in the driver, and what has to be a job all the same."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest

from oracles.answers.outcome import rows_from_arrow
from oracles.answers.rows import same
from oracles.engines.arrow import arrow_table
from oracles.engines.spark.leg_conf import leg_conf
from strategies.ir import BIGINT, INT, STRING, Array, Column, Database, Scan, Settings, Struct, Table

pytestmark = pytest.mark.in_driver
T = Table(
    "t",
    (Column("a", INT), Column("b", STRING)),
    ((1, "x"), (1, "x"), (2, None), (None, "y"), (None, None), (3, "z")),
)
U = Table("u", (Column("a", INT), Column("c", BIGINT)), ((1, 10), (2, 20), (2, 21), (None, 0), (7, 70)))
EMPTY = Table("e", (Column("a", INT), Column("b", STRING)))
DATABASE = Database((T, U, EMPTY))

IN_THE_DRIVER = {
    "scan": "SELECT * FROM t",
    "scan of no rows": "SELECT * FROM e",
    "no table at all": "SELECT 1 AS one",
    "values": "SELECT * FROM VALUES (1, 'x'), (2, 'y') AS v(a, b) WHERE a IN (SELECT a FROM t)",
    "hash join": "SELECT /*+ SHUFFLE_HASH(u) */ * FROM t JOIN u ON t.a = u.a",
    "merge join": "SELECT /*+ MERGE(u) */ * FROM t FULL JOIN u ON t.a = u.a",
    "broadcast join": "SELECT /*+ BROADCAST(u) */ * FROM t LEFT JOIN u ON t.a = u.a",
    "nested loops": "SELECT * FROM t LEFT JOIN u ON t.a < u.a",
    "product": "SELECT * FROM t CROSS JOIN u",
    "null-aware anti join": "SELECT * FROM t WHERE a NOT IN (SELECT a FROM u WHERE a IS NOT NULL)",
    "grouping": "SELECT a, count(*), max(b) FROM t GROUP BY a",
    "no keys": "SELECT count(DISTINCT a), sum(a) FROM t",
    "no keys over no rows": "SELECT count(*), sum(a) FROM e",
    "union": "SELECT a, b FROM t UNION ALL SELECT a, b FROM e UNION ALL SELECT a, 'u' FROM u",
    "distinct of a union": "SELECT a FROM t UNION SELECT a FROM u",
    "set operators": "SELECT a FROM t EXCEPT ALL SELECT a FROM u INTERSECT SELECT a FROM u",
    "window": "SELECT *, row_number() OVER (PARTITION BY a ORDER BY b), sum(a) OVER () FROM t",
    "repartition": "SELECT /*+ REPARTITION(3, a) */ * FROM t",
    "repartition in turn": "SELECT /*+ REPARTITION(3) */ * FROM t",
    "repartition by range": "SELECT /*+ REPARTITION_BY_RANGE(3, a) */ * FROM t",
    "coalesce": "SELECT /*+ COALESCE(2) */ * FROM t UNION ALL SELECT * FROM e",
    "first of each group": "SELECT * FROM (SELECT *, rank() OVER (PARTITION BY a ORDER BY b) r FROM t) WHERE r = 1",
    "window over a window": "SELECT *, sum(a) OVER (PARTITION BY b), count(*) OVER (PARTITION BY a) FROM t",
    "grouping of a grouping": "SELECT n, count(*) FROM (SELECT a, count(*) n FROM t GROUP BY a) GROUP BY n",
    "distinct counts": "SELECT b, count(DISTINCT a), count(DISTINCT b), sum(a) FROM t GROUP BY b",
    "rollup": "SELECT a, b, count(*) FROM t GROUP BY ROLLUP (a, b)",
    "explode": "SELECT a, explode_outer(array(a, 7)) FROM t",
    "scalar subquery": "SELECT a, (SELECT max(c) FROM u) AS m FROM t WHERE a < (SELECT max(a) FROM u)",
    "subquery within a subquery": "SELECT * FROM t WHERE a IN (SELECT a FROM u WHERE c > (SELECT min(c) FROM u))",
    "one subquery twice": "SELECT (SELECT max(c) FROM u) + (SELECT max(c) FROM u) FROM t",
    "one relation twice": "WITH g AS (SELECT a, count(*) n FROM t GROUP BY a) SELECT * FROM g x JOIN g y ON x.n = y.n",
    "broadcast rows with a partner": "SELECT /*+ BROADCAST(t) */ * FROM t LEFT SEMI JOIN u ON t.a < u.a",
    "broadcast rows beside any row": "SELECT /*+ BROADCAST(t) */ * FROM t LEFT SEMI JOIN u ON u.a > 1",
    "broadcast rows without a partner": "SELECT /*+ BROADCAST(t) */ * FROM t LEFT ANTI JOIN u ON t.a < u.a",
    "correlated exists": "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",
}
WITHOUT_ORDER = {
    "limit": "SELECT * FROM t LIMIT 4",
    "limit of a union": "SELECT * FROM (SELECT a FROM t UNION ALL SELECT a FROM u) LIMIT 5",
    "counted limit": "SELECT count(*) FROM (SELECT a FROM t LIMIT 3)",
    "limit with an offset": "SELECT count(*), sum(1) FROM (SELECT a FROM t LIMIT 4 OFFSET 1)",
}
LIMITED = {
    "top": "SELECT * FROM t ORDER BY a, b LIMIT 2",
    "top of a union": "SELECT * FROM (SELECT a FROM t UNION ALL SELECT a FROM u) ORDER BY a DESC LIMIT 3",
    "sorted": "SELECT * FROM t ORDER BY b, a",
}
HIDDEN_SHUFFLES = {
    # Its unmatched rows come through a shuffle that no Exchange shows: read without one, they would be missing.
    "full join without equality": "SELECT * FROM t FULL JOIN u ON t.a < u.a",
    "all of one side unmatched": "SELECT * FROM e FULL JOIN u ON e.a < u.a",
    "nothing on the broadcast side": "SELECT * FROM u FULL JOIN e ON e.a < u.a",
    # Which of the broadcast rows found a partner is told in the same way.
    "padded broadcast side": "SELECT /*+ BROADCAST(t) */ * FROM t LEFT JOIN u ON t.a < u.a",
    "below a grouping": "SELECT t.b, count(*), sum(u.c) FROM t FULL JOIN u ON t.a < u.a GROUP BY t.b",
    "one below the other": "SELECT * FROM t FULL JOIN u ON t.a < u.a FULL JOIN e ON u.c > e.a OR e.b = t.b",
    "within a subquery": "SELECT * FROM t WHERE a IN (SELECT u.a FROM u FULL JOIN t s ON s.a > u.a)",
}

RECURSIVE = """
    WITH RECURSIVE r (a, b, k) AS (SELECT *, 0 FROM t UNION ALL SELECT a, b, k + 1 FROM r WHERE k < 2) SELECT * FROM r
"""


ONE, SEVERAL, MANY = (
    Settings(partitions=shuffled, table_partitions=count) for count, shuffled in ((1, 1), (3, 1), (4, 3))
)


@pytest.fixture(params=[ONE, SEVERAL, MANY], ids=["one partition", "several", "several, several shuffled"])
def settings(request):
    """With how many partitions: of the rows, three partitions of the empty table and one of five rows are empty."""
    return request.param


@pytest.fixture
def both(harness, spark, settings):
    """SQL text run in the driver and in jobs over the same tables: where the first ran, and both tables."""
    runner, session = harness.spark.runner, spark._jsparkSession

    def run(sql, **others):
        settings_of_leg = replace(settings, **others)
        runner.configure(session, json.dumps(leg_conf(settings_of_leg)))
        try:
            driver, jobs = (each(runner.frame(session, sql), 60_000) for each in (runner.runInDriver, runner.run))
        finally:
            runner.restore(session)
        assert not json.loads(jobs.facts())["inDriver"]
        tables = (pa.ipc.open_stream(report.arrow()).read_all() for report in (driver, jobs))
        return json.loads(driver.facts())["inDriver"], *tables

    with harness.spark.in_memory([DATABASE], partitions=settings.table_partitions):
        yield run


@pytest.mark.parametrize(
    "sql",
    [*IN_THE_DRIVER.values(), *WITHOUT_ORDER.values(), *HIDDEN_SHUFFLES.values()],
    ids=[*IN_THE_DRIVER, *WITHOUT_ORDER, *HIDDEN_SHUFFLES],
)
def test_the_driver_gives_the_rows_of_a_job(both, sql):
    in_driver, driver, jobs = both(sql)
    assert in_driver
    assert same(rows_from_arrow(driver), rows_from_arrow(jobs))


@pytest.mark.parametrize("sql", LIMITED.values(), ids=LIMITED)
def test_the_driver_gives_them_in_the_order_of_a_job(both, sql):
    in_driver, driver, jobs = both(sql)
    assert in_driver
    assert driver == jobs


def test_a_plan_that_changes_while_it_runs_is_run_in_jobs(both):
    in_driver, driver, jobs = both(IN_THE_DRIVER["scalar subquery"], aqe=True)
    assert not in_driver
    assert driver.num_rows > 0
    assert same(rows_from_arrow(driver), rows_from_arrow(jobs))


def test_a_plan_whose_steps_are_queries_is_run_in_jobs(both):
    """It keeps their rows, so a second run would have those of the first one's tables."""
    in_driver, driver, jobs = both(RECURSIVE)
    assert not in_driver
    assert driver.num_rows == 3 * len(T.rows)
    assert same(rows_from_arrow(driver), rows_from_arrow(jobs))


@pytest.mark.parametrize("sql", HIDDEN_SHUFFLES.values(), ids=HIDDEN_SHUFFLES)
def test_a_hidden_shuffle_that_cannot_be_read_in_place_is_run_in_jobs(both, spark, sql):
    """It has no rows where none were written, and nothing says so."""
    conf = spark.sparkContext._jsc.sc().conf()
    ours = conf.get("spark.shuffle.manager")
    conf.set("spark.shuffle.manager", "sort")
    try:
        in_driver, driver, jobs = both(sql)
    finally:
        conf.set("spark.shuffle.manager", ours)
    assert not in_driver
    assert same(rows_from_arrow(driver), rows_from_arrow(jobs))


@pytest.mark.parametrize(
    ("sql", "shuffled"),
    [(HIDDEN_SHUFFLES["full join without equality"], True), (IN_THE_DRIVER["product"], False)],
    ids=["hidden shuffle", "none"],
)
def test_the_lineage_tells_of_a_shuffle_that_no_exchange_shows(harness, spark, sql, shuffled):
    with harness.spark.in_memory([DATABASE]):
        plan = harness.spark.runner.frame(spark._jsparkSession, sql).queryExecution().executedPlan()
        assert "Exchange " not in plan.toString().replace("BroadcastExchange ", "")
        assert spark._jvm.org.apache.spark.sql.assay.DriverRun.hasShuffle(plan.execute()) == shuffled


@pytest.mark.parametrize("ansi", [False, True], ids=["without ansi", "ansi"])
def test_operators_see_the_legs_settings(harness, spark, ansi):
    """Inside a task Spark reads its settings from the task, not from the session."""
    runner, session = harness.spark.runner, spark._jsparkSession
    with harness.spark.in_memory([DATABASE]):
        runner.configure(session, json.dumps(leg_conf(Settings(ansi=ansi))))
        report = runner.runInDriver(runner.frame(session, "SELECT CAST(b AS INT) AS n FROM t"), 60_000)
        runner.restore(session)
    error = json.loads(report.facts())["error"]
    assert (error["condition"] if error else None) == ("CAST_INVALID_INPUT" if ansi else None)


def test_what_raises_is_told_as_a_job_tells_it(harness, spark):
    runner, session = harness.spark.runner, spark._jsparkSession
    with harness.spark.in_memory([DATABASE]):
        frames = [runner.frame(session, "SELECT raise_error(b) FROM t") for _ in range(2)]
        facts = [json.loads(each.facts()) for each in (runner.runInDriver(frames[0], 0), runner.run(frames[1], 0))]
    driver, jobs = (each["error"] for each in facts)
    assert not facts[0]["inDriver"]
    assert (
        (driver["condition"], driver["internal"])
        == (jobs["condition"], jobs["internal"])
        == ("USER_RAISED_EXCEPTION", False)
    )


def test_what_takes_too_long_in_the_driver_ends_as_timed_out(harness, spark):
    rows = tuple((n, str(n)) for n in range(20))
    many = Database((Table("m", T.columns, rows),))
    product = "SELECT count(*) FROM " + " CROSS JOIN ".join(f"m m{n}" for n in range(6))
    runner, session = harness.spark.runner, spark._jsparkSession
    with harness.spark.in_memory([many]):
        runner.configure(session, json.dumps(leg_conf(Settings())))
        report = runner.runInDriver(runner.frame(session, product), 1_000)
        runner.restore(session)
        assert json.loads(report.facts())["error"]["timedOut"]
        again = runner.runInDriver(runner.frame(session, "SELECT 1 AS one"), 60_000)
    assert pa.ipc.open_stream(again.arrow()).read_all().to_pylist() == [{"one": 1}]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_table_in_memory_has_its_partitions_and_empty_ones(harness, spark, count):
    sql = "SELECT count(*) AS rows, spark_partition_id() AS part FROM {} GROUP BY part"
    held = {}
    with harness.spark.in_memory([DATABASE], partitions=count):
        for table in DATABASE.tables:
            frame = harness.spark.runner.frame(spark._jsparkSession, f"SELECT * FROM {table.name}")
            assert frame.queryExecution().executedPlan().execute().getNumPartitions() == count
            report = harness.spark.runner.runInDriver(
                harness.spark.runner.frame(spark._jsparkSession, sql.format(table.name)), 0
            )
            rows = pa.ipc.open_stream(report.arrow()).read_all().to_pylist()
            held[table.name] = {row["part"]: row["rows"] for row in rows}
    assert held == {table.name: dealt_out(len(table.rows), count, at) for at, table in enumerate(DATABASE.tables)}


def dealt_out(rows, count, first):
    """How many rows each partition has that has any, if they are dealt out in turn from number ``first``."""
    return dict(Counter((first + row) % count for row in range(rows)))


def test_a_table_of_fewer_rows_than_partitions_begins_with_an_empty_one(harness, spark):
    few = Database((EMPTY, Table("one", T.columns, T.rows[:1])))
    with harness.spark.in_memory([few], partitions=3):
        frame = harness.spark.runner.frame(spark._jsparkSession, "SELECT spark_partition_id() AS part FROM one")
        report = harness.spark.runner.runInDriver(frame, 0)
    assert pa.ipc.open_stream(report.arrow()).read_all().to_pylist() == [{"part": 1}]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a, count(*) FROM t GROUP BY a",
        "SELECT *, count(*) OVER (PARTITION BY a) FROM t",
        "SELECT * FROM t ORDER BY a, b",
        "SELECT /*+ MERGE(u) */ * FROM t JOIN u ON t.a = u.a",
        "SELECT count(*) FROM (SELECT * FROM t LIMIT 2)",
    ],
    ids=["grouping", "window", "sort", "join", "limit"],
)
def test_the_planner_shuffles_tables_of_several_partitions_alone(harness, spark, sql):
    runner = harness.spark.runner
    plans = []
    for count in (1, 2):
        with harness.spark.in_memory([DATABASE], partitions=count):
            plans.append(runner.frame(spark._jsparkSession, sql).queryExecution().executedPlan().toString())
    assert [" Exchange " in f" {plan}".replace("+-", "") for plan in plans] == [False, True]


def test_the_planner_knows_that_a_table_in_memory_is_one_partition(harness, spark):
    with harness.spark.in_memory([DATABASE]):
        frame = harness.spark.runner.frame(spark._jsparkSession, "SELECT a, count(*) FROM t GROUP BY a")
        assert "Exchange" not in frame.queryExecution().executedPlan().toString()
        assert "LocalRelation" not in frame.queryExecution().optimizedPlan().toString()
    assert not spark.catalog.tableExists("t")


NESTED = {
    "array": (Array(INT), (None, (), (None,), (1, 2))),
    "array of arrays": (Array(Array(STRING)), (None, ((),), (("a", None), None))),
    "struct": (Struct((("p", INT), ("q", STRING))), (None, (None, None), (1, "x"))),
    "array of structs": (Array(Struct((("p", INT),))), (None, ((1,), None), ((None,),))),
}


@pytest.mark.parametrize(("kind", "values"), NESTED.values(), ids=NESTED)
def test_nested_values_come_back_from_memory(harness, spark, kind, values):
    table = Table("n", (Column("a", kind),), tuple((value,) for value in values))
    runner = harness.spark.runner
    with harness.spark.in_memory([Database((table,))]):
        report = runner.runInDriver(runner.frame(spark._jsparkSession, "SELECT * FROM n"), 0)
    got = pa.ipc.open_stream(report.arrow()).read_all()
    assert same(rows_from_arrow(got), rows_from_arrow(arrow_table(table)))


def test_plans_that_read_different_tables_are_two(harness):
    """Both scans have the same columns, and a plan shows no more of a table in memory than its name."""
    twins = Database((T, Table("other", T.columns, T.rows[:1])))
    with harness.spark.stage(twins, Settings(), fast=True) as stage:
        plans = set()
        for table in twins.tables:
            with stage.leg(Scan(table.name, table.columns), {}) as leg:
                plans.add(leg.plan().plan)
    assert len(plans) == 2


def test_no_leg_counts_the_rules_of_the_analysis(harness):
    """The off leg may share the on leg's analysis: then these would have acted on one of the two alone."""
    with harness.spark.stage(DATABASE, Settings(), fast=True) as stage, stage.leg(Scan("t", T.columns), {}) as leg:
        changed_plan = leg.run().changed_plan
    assert not [name for name in changed_plan if ".Analyzer" in name or "Resolve" in name]


def test_scopes_of_rdds_are_left_out_in_the_driver_alone(harness, spark):
    """The web UI groups a job's RDDs by them: what else runs in this session has them as ever."""
    runner, session, context = harness.spark.runner, spark._jsparkSession, spark.sparkContext
    mine = '{"id":"1","name":"mine"}'
    with harness.spark.in_memory([DATABASE]):
        runner.configure(session, json.dumps(leg_conf(Settings())))
        context.setLocalProperty("spark.rdd.scope", mine)
        try:
            report = runner.runInDriver(runner.frame(session, IN_THE_DRIVER["grouping"]), 60_000)
            outside = runner.frame(session, IN_THE_DRIVER["grouping"]).queryExecution().executedPlan().execute()
        finally:
            runner.restore(session)
            kept = context.getLocalProperty("spark.rdd.scope")
            context.setLocalProperty("spark.rdd.scope", None)
    assert json.loads(report.facts())["inDriver"]
    assert (kept, outside.scope().isDefined()) == (mine, True)
