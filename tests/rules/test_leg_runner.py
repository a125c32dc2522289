"""One leg through the jar: confs in and out, rows as Arrow, errors told apart, evidence, and a limit of time."""

from __future__ import annotations

import json
import re
import time
from base64 import b64decode
from statistics import median

import pyarrow as pa
import pytest
from pyspark.errors import AnalysisException

EAGER = "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"
LAZY = {"spark.sql.optimizer.excludedRules": EAGER}
ANSWERS_LATE = "SELECT count(*) FROM range(300000) a JOIN range(300000) b ON a.id % 7 < b.id % 5 AND a.id <> b.id"


@pytest.fixture
def runner(spark):
    return spark._jvm.org.apache.spark.sql.assay.LegRunner


@pytest.fixture
def leg(spark, runner):
    """Runs SQL text as one leg: its facts and its table (None where it raised)."""

    def run(sql, conf=LAZY, timeout=60_000, *, execute=True):
        report = runner.sql(spark._jsparkSession, json.dumps(conf), sql, timeout, execute)
        data = report.arrow()
        return json.loads(report.facts()), None if data is None else pa.ipc.open_stream(data).read_all()

    return run


def test_a_conf_is_in_force_during_the_leg_and_then_as_it_was(spark, runner):
    spark.conf.set("spark.sql.shuffle.partitions", "7")
    runner.configure(spark._jsparkSession, json.dumps({"spark.sql.shuffle.partitions": "3", "spark.own": "here"}))
    during = spark.conf.get("spark.sql.shuffle.partitions"), spark.conf.get("spark.own")
    runner.restore(spark._jsparkSession)
    after = spark.conf.get("spark.sql.shuffle.partitions"), spark.conf.get("spark.own", "gone")
    spark.conf.unset("spark.sql.shuffle.partitions")
    assert (during, after) == (("3", "here"), ("7", "gone"))


def test_a_conf_that_was_so_already_is_so_afterwards(spark, runner):
    spark.conf.set("spark.own", "here")
    runner.configure(spark._jsparkSession, json.dumps({"spark.own": "here"}))
    runner.restore(spark._jsparkSession)
    after = spark.conf.get("spark.own", "gone")
    spark.conf.unset("spark.own")
    assert after == "here"


def test_a_second_configure_undoes_the_first(spark, runner):
    runner.configure(spark._jsparkSession, json.dumps({"spark.own": "first"}))
    runner.configure(spark._jsparkSession, json.dumps({}))
    assert spark.conf.get("spark.own", "gone") == "gone"
    runner.restore(spark._jsparkSession)


def test_a_conf_may_come_as_a_map(spark, runner):
    runner.configure(spark._jsparkSession, {"spark.own": "here"})
    assert spark.conf.get("spark.own") == "here"
    runner.restore(spark._jsparkSession)


def test_a_static_conf_is_refused_and_nothing_changes(spark, runner):
    conf = {"spark.own": "here", "spark.sql.extensions": "no.Extension"}
    with pytest.raises(AnalysisException, match="CANNOT_MODIFY"):
        runner.configure(spark._jsparkSession, json.dumps(conf))
    assert spark.conf.get("spark.own", "gone") == "gone"


def test_rows_arrive_with_their_names_and_types(leg):
    _, table = leg("SELECT 1 AS a, 'x' AS a, CAST(1.5 AS DECIMAL(9,2)) AS d, TIMESTAMP'2024-02-29 01:02:03' AS t")
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("a", "int32"),
        ("a", "string"),
        ("d", "decimal128(9, 2)"),
        ("t", "timestamp[us, tz=UTC]"),
    ]
    assert table.num_rows == 1


def test_no_rows_still_have_a_schema(leg):
    _, table = leg("SELECT id, CAST(NULL AS ARRAY<STRING>) AS a FROM range(3) WHERE id > 5")
    assert (table.num_rows, table.column_names) == (0, ["id", "a"])


USER_ERRORS = {
    "parse": ("SELEC 1", "PARSE_SYNTAX_ERROR"),
    "analysis": ("SELECT nothing", "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION"),
    "arity": ("SELECT 1 EXCEPT SELECT 1, 2", "NUM_COLUMNS_MISMATCH"),
    "while planning": ("SELECT 1 / 0", "DIVIDE_BY_ZERO"),
    "in a task": ("SELECT 1 / (id - 1) FROM range(2)", "DIVIDE_BY_ZERO"),
    "array index": ("SELECT array(1)[id] FROM range(3)", "INVALID_ARRAY_INDEX"),
    "cast": ("SELECT CAST(concat('x', id) AS INT) FROM range(2)", "CAST_INVALID_INPUT"),
    "overflow": ("SELECT id + 9223372036854775807 FROM range(2)", "ARITHMETIC_OVERFLOW"),
    "scalar subquery": (
        "SELECT id FROM range(2) WHERE id = (SELECT id FROM range(5))",
        "SCALAR_SUBQUERY_TOO_MANY_ROWS",
    ),
    "raised": ("SELECT raise_error('no') FROM range(1)", "USER_RAISED_EXCEPTION"),
}


@pytest.mark.parametrize(("sql", "condition"), USER_ERRORS.values(), ids=USER_ERRORS.keys())
def test_an_error_of_the_query_has_its_condition_and_is_not_internal(leg, sql, condition):
    facts, table = leg(sql)
    assert table is None
    assert facts["error"]["condition"] == condition
    assert facts["error"]["sqlState"]
    assert not facts["error"]["internal"]


def test_an_error_of_spark_is_internal(leg):
    """Without ConstantFolding the planner meets a LIMIT that is no literal."""
    folding = "org.apache.spark.sql.catalyst.optimizer.ConstantFolding"
    facts, _ = leg("SELECT id FROM range(5) LIMIT 1 + 1", {"spark.sql.optimizer.excludedRules": folding})
    assert facts["error"]["condition"].startswith("INTERNAL_ERROR")
    assert facts["error"]["internal"]


def test_what_python_caught_is_described_alike(spark, runner):
    with pytest.raises(AnalysisException) as raised:
        spark.sql("SELECT nothing")
    info = runner.describe(raised.value._origin)
    assert info.condition() == "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION"
    assert (info.internal(), info.invalidPlan(), info.timedOut()) == (False, False, False)


def test_a_leg_that_takes_too_long_is_cancelled_and_the_session_goes_on(leg):
    started = time.monotonic()
    facts, table = leg(ANSWERS_LATE, timeout=1_000)
    assert time.monotonic() - started < 30
    assert table is None
    assert facts["error"]["timedOut"]
    assert not facts["error"]["internal"]
    assert leg("SELECT 1 AS one")[1].to_pylist() == [{"one": 1}]


def test_planning_does_not_run_the_query(leg):
    facts, table = leg("SELECT raise_error('no') FROM range(1)", execute=False)
    assert (facts["error"], table) == (None, None)
    assert facts["fingerprint"]


def test_of_the_rules_that_ran_those_that_changed_the_plan_are_told(leg):
    facts, _ = leg("SELECT * FROM (SELECT id, id + 1 AS n FROM range(9)) WHERE id > 3")
    calls, changed_plan = facts["rules"]["org.apache.spark.sql.catalyst.optimizer.PushDownPredicates"]
    assert calls > changed_plan >= 1
    assert "org.apache.spark.sql.catalyst.optimizer.EliminateOuterJoin" not in facts["rules"]


def told(answer):
    """The facts that one call says of a leg, and its table (None where there is none)."""
    facts, _, rows = b64decode(answer).partition(b"\n")
    return json.loads(facts), pa.ipc.open_stream(rows).read_all() if rows else None


def test_one_call_tells_as_much_as_a_report(spark, runner):
    frames = [runner.freshFrame(spark._jsparkSession, "SELECT id, 'a\nb' AS s FROM range(3)") for _ in range(2)]
    facts, table = told(runner.toldRun(frames[0], 60_000, False, "", 1))
    report = runner.run(frames[1], 60_000)
    both = [{**each, "milliseconds": sorted(each["milliseconds"])} for each in (facts, json.loads(report.facts()))]
    assert both[0] == both[1]
    assert table == pa.ipc.open_stream(report.arrow()).read_all()


def test_only_a_known_plan_is_not_run(spark, runner):
    session, raising = spark._jsparkSession, "SELECT raise_error('ran') AS a FROM range(1)"
    facts, rows = told(runner.toldPlan(runner.freshFrame(session, raising)))
    known, unknown = (
        told(runner.toldRun(runner.freshFrame(session, raising), 60_000, False, fingerprint, 1))
        for fingerprint in (facts["fingerprint"], "0" * 16)
    )
    assert (rows, known[1], known[0]["error"], known[0]["fingerprint"]) == (None, None, None, facts["fingerprint"])
    assert unknown[0]["error"]["condition"] == "USER_RAISED_EXCEPTION"


def test_what_pyspark_mentions_in_each_call_is_looked_up_once(spark):
    assert spark._jvm.functions.lit is spark._jvm.functions.lit
    assert spark._jvm.PythonUtils.toSeq is spark._jvm.PythonUtils.toSeq


def test_facts_fit_into_one_packet_of_the_socket(spark, runner):
    """More than 8 KB would cost 40 ms to read, more than to plan the query."""
    conf = json.dumps({"spark.sql.planChangeValidation": "true"})
    sql = "SELECT a.k, count(*) FROM (SELECT id % 3 k FROM range(9)) a LEFT JOIN range(9) b ON a.k = b.id GROUP BY a.k"
    report = runner.sql(spark._jsparkSession, conf, f"{sql} EXCEPT {sql} ORDER BY 1 LIMIT 3", 60_000, True)
    assert len(report.facts().encode()) < 8192


def test_the_counts_of_switched_rules_are_there_when_the_analysis_raised(spark, runner):
    runner.configure(spark._jsparkSession, json.dumps({}))
    with pytest.raises(AnalysisException):
        spark.sql("SELECT nothing")
    assert json.loads(runner.injected(spark._jsparkSession)) == {}
    runner.restore(spark._jsparkSession)


@pytest.mark.parametrize("aqe", ["true", "false"], ids=["aqe", "no aqe"])
def test_fingerprints_are_those_of_the_plan_and_not_of_its_ids(spark, leg, tmp_path, aqe):
    conf = {"spark.sql.adaptive.enabled": aqe}
    tables = {}
    for name, folder, file in (("one", "here", "t"), ("two", "there", "t"), ("three", "here", "u")):
        path = str(tmp_path / folder / file)
        spark.range(9).selectExpr("id", "id % 2 AS k").write.parquet(path)
        tables[name] = f"parquet.`{path}`"
    sql = "SELECT k, count(*) FROM {0} WHERE id IN (SELECT max(id) FROM {0} GROUP BY k) AND id > {1} GROUP BY k"
    asked = [("one", 3), ("one", 3), ("two", 3), ("one", 4), ("three", 3)]
    first, again, elsewhere, other, another = (
        leg(sql.format(tables[name], least), conf)[0]["fingerprint"] for name, least in asked
    )
    assert first == again == elsewhere
    assert len({first, other, another}) == 3


@pytest.mark.parametrize("query", ["SELECT * FROM {}", "SELECT (SELECT max(col1) FROM {})"], ids=["top", "subquery"])
def test_fingerprints_tell_apart_the_rows_that_a_plan_holds(leg, query):
    """The plan's text is the same; a wrong row that the optimizer itself computes shows nowhere else."""
    first, again, other = (leg(query.format(f"VALUES (1), ({number})"))[0] for number in (2, 2, 3))
    assert first["fingerprint"] == again["fingerprint"] != other["fingerprint"]


UNSEEN = {
    "a sum above groups": ("SELECT count(*) + 1 FROM range(3)", "SELECT count(*) + 2 FROM range(3)"),
    "the order of keys": (
        "SELECT k, j FROM VALUES (1, 2) AS v(k, j) GROUP BY k, j",
        "SELECT j, k FROM VALUES (1, 2) AS v(k, j) GROUP BY k, j",
    ),
    "a sum above groups by sorting": (
        "SELECT max(x) || 'a' FROM VALUES ('x') AS v(x)",
        "SELECT max(x) || 'b' FROM VALUES ('x') AS v(x)",
    ),
    "an addition that raises": ("SELECT id + id AS c FROM range(3)", "SELECT try_add(id, id) AS c FROM range(3)"),
    "the type of a constant": ("SELECT id, 1S AS c FROM range(3)", "SELECT id, 1 AS c FROM range(3)"),
    "the type of a struct": (
        "SELECT CAST(struct(id) AS STRUCT<a: INT>).a AS c FROM range(3)",
        "SELECT CAST(struct(id) AS STRUCT<a: INT NOT NULL>).a AS c FROM range(3)",
    ),
}
"""Pairs of queries whose executed plans have one text."""


def _renumbered(text):
    numbers = {}
    return re.sub(r"#\d+L?|\[\d+\]", lambda found: f"#{numbers.setdefault(found[0].rstrip('L'), len(numbers))}", text)


@pytest.mark.parametrize("texts", UNSEEN.values(), ids=UNSEEN)
def test_fingerprints_tell_apart_what_the_text_of_an_operator_leaves_out(spark, runner, texts):
    """The off leg of a rule that makes one of the other would not run."""
    reports = [[runner.plan(runner.frame(spark._jsparkSession, text)) for _ in range(2)] for text in texts]
    one, other = ([json.loads(report.facts())["fingerprint"] for report in pair] for pair in reports)
    assert (one[0] == one[1], other[0] == other[1], one[0] != other[0]) == (True, True, True)
    shown = {_renumbered(report.executedPlan()) for pair in reports for report in pair}
    assert len(shown) == 1, shown


def test_a_second_leg_over_one_analysis_is_planned_anew(spark, runner):
    frame = spark.sql("SELECT id FROM range(9) WHERE id > 3 AND true")._jdf
    assert "AND true" not in runner.plan(frame).optimizedPlan()
    names = ["BooleanSimplification", "SimplifyBinaryComparison", "ConstantFolding", "PruneFilters", "CombineFilters"]
    excluded = ",".join(f"org.apache.spark.sql.catalyst.optimizer.{name}" for name in names)
    runner.configure(spark._jsparkSession, json.dumps({"spark.sql.optimizer.excludedRules": excluded}))
    again = runner.plan(runner.fresh(frame))
    runner.restore(spark._jsparkSession)
    assert "AND true" in again.optimizedPlan()


@pytest.mark.parametrize(
    "line",
    [
        "Replace Operators|org.apache.spark.sql.catalyst.optimizer.ReplaceExceptWithAntiJoin|false",
        "LocalRelation|org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation|true",
        "AQE:Propagate Empty Relations|org.apache.spark.sql.execution.adaptive.AQEPropagateEmptyRelation|true",
    ],
    ids=["fixed", "excludable", "adaptive"],
)
def test_the_rules_of_both_optimizers_are_listed_with_their_batches(spark, runner, line):
    assert line in runner.rules(spark._jsparkSession).splitlines()


def test_plans_that_differ_in_what_may_be_null_are_two(spark, runner):
    """Their texts are the same, what is computed need not be: both legs must not share one run."""
    session = spark._jsparkSession
    texts = ["SELECT a FROM VALUES (1) AS v(a)", "SELECT a FROM VALUES (1), (NULL) AS v(a) LIMIT 1"]
    frames = [runner.frame(session, text) for text in texts]
    names = ("strict", "loose")
    for name, frame in zip(names, frames, strict=True):
        frame.cache()
        frame.createOrReplaceTempView(name)
    reports = [runner.plan(runner.frame(session, f"SELECT a + 1 AS b FROM {name}")) for name in names]
    for name, frame in zip(names, frames, strict=True):
        spark.catalog.dropTempView(name)
        frame.unpersist()
    digests = [json.loads(report.facts())["fingerprint"] for report in reports]
    assert digests[0] != digests[1]


def test_long_answers_take_no_longer_than_their_length(spark):
    """Sent in two parts, the second one would wait for a delayed acknowledgement: hundreds of times as long."""

    def seconds(length):
        text, taken = "x" * length, []
        for _ in range(9):
            start = time.perf_counter()
            assert spark._jvm.java.util.Objects.toString(text) == text
            taken.append(time.perf_counter() - start)
        return median(taken)

    assert seconds(20_000) < 20 * seconds(2_000)
