"""Texts through the legs of a real session: what is agreed, found, doubted and kept."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from random import Random

import pytest

from assay.fuzz.failure_store import FailureStore
from assay.queries import fuzzer as queries_fuzzer
from assay.queries.column_types import column_type
from assay.queries.fuzzer import Count, QueryFuzzer
from assay.queries.given import with_rows
from assay.queries.literals import compared_literals
from assay.queries.nondeterminism import nondeterminism
from assay.queries.prepared import Refused, prepared
from assay.queries.refusal import refusal
from assay.queries.schema import read_schema
from assay.queries.texts import query_text, read_queries
from assay.session.ending import BadInput
from assay.session.own_rule import own_rule
from oracles.answers.outcome import Raised
from oracles.checks.choices import fixed
from oracles.checks.verdict import Verdict
from oracles.failures.failure import Subject, read_failure
from strategies.draw.own_tables import OwnTables, hostile
from strategies.ir import BIGINT, DOUBLE, INT, STRING, Case, Column, Database, Decimal, Settings, Table

T = Table("t", (Column("a", INT), Column("b", STRING), Column("d", DOUBLE), Column("p", Decimal(15, 2))))
U = Table("u", (Column("a", BIGINT), Column("b", STRING)))
SCHEMA = Database((T, U))
WRONG = "ReplaceExceptWithNotFilterAsWritten"
"""An example rule that loses the rows on which the condition is NULL."""
EXCEPT = "SELECT * FROM u EXCEPT SELECT * FROM u WHERE a > 0"
EXCEPT_ALL = "SELECT a, b FROM t WHERE a IS NOT NULL EXCEPT ALL SELECT a, b FROM u"


def ready(harness, text, *, without=()):
    return prepared(harness.spark, [query_text("q", text)], SCHEMA, without_duckdb=frozenset(without))[0]


def asked(harness, folder, query, *, count=6, wrong="", database=None, own=None):
    """The counts of a hunt, with what it told."""
    subject = Subject(settings=own_rule(wrong).settings({})) if wrong else Subject()
    rules = [harness.catalogue.rule(wrong)] if wrong else []
    found = []
    fuzzer = QueryFuzzer(
        harness=harness,
        subject=subject,
        store=FailureStore(folder=folder),
        seed=1,
        rules=rules,
        fast=True,
        told=lambda failure, file: found.append((failure, file)),
    )
    own = own or OwnTables(SCHEMA).only(query.reads)
    drawn = (hostile(own, Random(f"rows/{number}")) for number in range(count))
    cases = [Case(query.verbatim, each) for each in ([database] if database else drawn)]
    counts = Count()
    fuzzer.ask(query, cases, counts)
    return counts, found


AGREED = {
    "joins": "SELECT t.b, count(*) AS n FROM t LEFT JOIN u ON t.a = u.a WHERE u.b <> 'x' OR t.a > 1 GROUP BY t.b",
    "types": "SELECT sum(a), sum(p), count(d), max(p) + 1, DATE '2024-01-31' + interval '1' month FROM t GROUP BY a",
    "subqueries": "SELECT b FROM u WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.a = u.a) AND b IN (SELECT b FROM t)",
    "limits": "SELECT a, b FROM t WHERE a > 0 ORDER BY a, b, d, p LIMIT 2",
}


@pytest.mark.parametrize("text", AGREED.values(), ids=AGREED)
def test_all_three_agree_in_values_and_types(harness, tmp_path, text):
    counts, found = asked(harness, tmp_path, ready(harness, text))
    assert (counts.classes["all"], found) == (counts.checks, []), (counts, found)
    assert (counts.fired.total() > 0, counts.with_rows > 0, list(tmp_path.iterdir())) == (True, True, [])


def test_each_rule_that_fired_is_turned_off_alone_and_with_all_others(harness, tmp_path):
    counts, _ = asked(harness, tmp_path, ready(harness, EXCEPT_ALL), count=4)
    assert (counts.fired["RewriteExceptAll"], counts.checks > 2 * 4) == (8, True)


@pytest.mark.parametrize(("copies", "spared"), [(2, False), (300, True)], ids=["few", "many"])
def test_many_rows_are_not_paired_each_with_each(harness, tmp_path, copies, spared):
    """Two tables by commas, without the rule that makes a join condition of what stands in WHERE."""
    query = ready(harness, "SELECT count(*) FROM t, u WHERE t.a = u.a AND u.b = t.b")
    tables = (replace(T, rows=((1, "x", None, None),) * copies), replace(U, rows=((1, "x"),) * copies))
    counts, _ = asked(harness, tmp_path, query, database=Database(tables))
    assert (counts.classes["unjudged"] > 0, counts.classes["all"] > 1) == (spared, True), counts
    assert any("PushDownPredicates" in why and "too many to run" in why for why in counts.reasons) == spared


SEEDS = Path(__file__).resolve().parents[2] / "examples" / "seeds"
QUERIES = read_queries(SEEDS / "queries")


@pytest.mark.parametrize("query", QUERIES, ids=attrgetter("name"))
def test_the_queries_of_the_seed_documents_agree(harness, tmp_path, query):
    schema = read_schema(SEEDS / "schema.sql").database
    ready = prepared(harness.spark, [query], schema, without_duckdb=frozenset())[0]
    own = OwnTables(schema, values=compared_literals([query], schema)).only(ready.reads)
    counts, found = asked(harness, tmp_path, ready, count=3, own=own)
    assert (counts.classes["all"], found, counts.fired.total() > 0) == (counts.checks, [], True), counts


def test_without_duckdb_spark_agrees_alone(harness, tmp_path):
    counts, _ = asked(harness, tmp_path, ready(harness, EXCEPT_ALL, without=["q"]), count=2)
    assert dict(counts.classes) == {"spark": counts.checks}
    assert set(counts.reasons) == {"by Spark alone: UnsupportedNode: DuckDB was not to be asked"}


@pytest.mark.slow  # minimizes a finding
def test_a_wrong_rule_is_found_with_few_rows_and_the_file_fails_again(harness, tmp_path):
    counts, found = asked(harness, tmp_path, ready(harness, EXCEPT), wrong=WRONG)
    ((failure, file),) = found
    assert (failure.rules, failure.verdict.kind, failure.confirmed) == ((WRONG,), "rule", True)
    assert (counts.classes["finding"] >= 1, failure.case.database.row_count) == (True, 1)
    assert [path for path in tmp_path.iterdir() if path.suffix == ".json"] == [file] == counts.files
    kept = read_failure(file)
    off = [harness.catalogue.rule(name) for name in kept.off]
    assert harness.check(kept.case, fixed(off), kept.subject.settings).verdict.name == "finding"


def test_a_finding_is_on_disk_before_it_is_looked_into(harness, tmp_path, monkeypatch):
    class Interrupted(Exception):
        pass

    def interrupted(*_):
        raise Interrupted

    monkeypatch.setattr(queries_fuzzer, "guilty_rules", interrupted)
    with pytest.raises(Interrupted):
        asked(harness, tmp_path, ready(harness, EXCEPT), wrong=WRONG)
    (file,) = tmp_path.glob("*.json")
    assert read_failure(file).verdict.kind == "rule"


def _agreeing(self, checked):
    agree = Verdict(name="agree", reason="")
    return replace(checked, verdict=agree)


def _late(self, checked):
    unclear = Verdict(name="inconclusive", reason="")
    return replace(checked, verdict=unclear, legs={**checked.legs, "on": Raised("TIMEOUT", None, "", "timeout")})


@pytest.mark.parametrize("again", [_agreeing, _late], ids=["agrees", "takes too long"])
def test_a_finding_that_does_not_show_again_is_kept_as_unconfirmed(harness, tmp_path, monkeypatch, again):
    """Of a query whose rows determine its answer: a rule may make it vary from run to run."""
    monkeypatch.setattr(queries_fuzzer.QueryFuzzer, "_on_plain_path", again)
    counts, found = asked(harness, tmp_path, ready(harness, EXCEPT), wrong=WRONG)
    ((failure, file),) = found
    assert (failure.confirmed, failure.verdict.kind, counts.files) == (False, "rule", [file])
    assert (counts.classes["finding"] >= 1, file.exists()) == (True, True)


@pytest.mark.parametrize("again", [_agreeing, _late], ids=["agrees", "takes too long"])
def test_one_whose_rows_do_not_determine_the_answer_may_not_show_again(harness, tmp_path, monkeypatch, again):
    monkeypatch.setattr(queries_fuzzer.QueryFuzzer, "_on_plain_path", again)
    unstable = ready(harness, f"SELECT first(b), count(*) FROM ({EXCEPT})")
    counts, found = asked(harness, tmp_path, unstable, wrong=WRONG)
    assert (counts.classes["finding"], found, list(tmp_path.glob("*.json"))) == (0, [], [])


def test_where_rows_do_not_determine_the_answer_nothing_is_found(harness, tmp_path):
    unstable = ready(harness, f"SELECT first(b), count(*) FROM ({EXCEPT})")
    counts, found = asked(harness, tmp_path, unstable, wrong=WRONG)
    assert (counts.classes["finding"], counts.classes["unjudged"] > 0, found) == (0, True, [])
    assert list(tmp_path.glob("*.json")) == []


LARGE, ONE = (1e16).hex(), (1.0).hex()
BY_ORDER = tuple((None, None, d, None) for d in (LARGE, ONE, (-1e16).hex()))
TIED = ((1, "x", None, None), (1, "y", None, None), (2, "z", None, None))
DOUBTED = {
    "by the order of rows": ("SELECT sum(d) > 0 FROM t", BY_ORDER, "stored in another order"),
    "equal at the limit": ("SELECT a, b FROM t ORDER BY a LIMIT 1", TIED, "equal in the ORDER BY"),
    "in no order": ("SELECT b FROM t LIMIT 2", TIED, "in an order that its columns don't show"),
}
CERTAIN = {
    "exact sums": ("SELECT sum(p), sum(a) FROM t", TIED),
    "apart at the limit": ("SELECT a, b FROM t ORDER BY a LIMIT 2", TIED),
    "all within the limit": ("SELECT b FROM t LIMIT 3", TIED),
}


def doubted(harness, text, rows):
    query = ready(harness, text)
    case = Case(query.verbatim, Database((replace(T, rows=rows),)))
    checked = harness.check(case, fixed(()))
    checked = replace(checked, verdict=Verdict(name="finding", kind="rule", blame="unknown", reason="as if"))
    return nondeterminism(harness, query, checked, Random(1))


@pytest.mark.parametrize(("text", "rows", "why"), DOUBTED.values(), ids=DOUBTED)
def test_a_difference_that_may_be_the_querys_own_is_doubted(harness, text, rows, why):
    assert why in doubted(harness, text, rows)


@pytest.mark.parametrize(("text", "rows"), CERTAIN.values(), ids=CERTAIN)
def test_a_difference_in_what_rows_determine_is_not_doubted(harness, text, rows):
    assert doubted(harness, text, rows) == ""


REFUSED = {
    "no table": ("SELECT * FROM nowhere", "Spark can't take it: [TABLE_OR_VIEW_NOT_FOUND]", False),
    "no column": ("SELECT missing FROM t", "Spark can't take it: [UNRESOLVED_COLUMN", False),
    "a command": ("DROP VIEW t", "DROP is a command: only queries are checked", True),
    "no sql": ("SELEKT 1", "Spark can't take it: [PARSE_SYNTAX_ERROR]", False),
    "two": ("SELECT 1; SELECT 2", "Spark can't take it: [PARSE_SYNTAX_ERROR]", False),
}


@pytest.mark.parametrize(("text", "why", "command"), REFUSED.values(), ids=REFUSED)
def test_a_text_that_spark_cannot_take_is_one_line_and_others_go_on(harness, text, why, command, capfd):
    queries = [query_text("q", text), query_text("next", "SELECT a FROM t")]
    refused, after = prepared(harness.spark, queries, SCHEMA, without_duckdb=frozenset())
    assert isinstance(refused, Refused)
    assert (refused.why.startswith(why), "\n" in refused.why, refused.command) == (True, False, command), refused
    assert (after.columns, after.reads, capfd.readouterr().err) == (("a",), {"t"}, "")


READS = {
    "SELECT a FROM t": {"t"},
    "SELECT t.a FROM t JOIN u ON t.a = u.a": {"t", "u"},
    "WITH x AS (SELECT b FROM u) SELECT 1 AS t FROM x WHERE b IN (SELECT b FROM u)": {"u"},
    "SELECT 't' AS u": set(),
}


@pytest.mark.parametrize(("text", "reads"), READS.items(), ids=READS)
def test_a_query_has_the_tables_that_it_reads_and_no_others(harness, text, reads):
    assert ready(harness, text).reads == reads


OWN_TYPES = {
    "a map": ("SELECT map(b, a) AS m FROM u WHERE b IS NOT NULL", "all"),
    "days and time": ("SELECT make_dt_interval(0, 0, 0, a) AS i FROM t WHERE a > 0", "spark"),
    "months": ("SELECT make_ym_interval(0, a) AS i FROM t WHERE a > 0", "spark"),
    "months, days and time": ("SELECT make_interval(0, 1, 0, 2) AS i, a FROM t WHERE a > 0", "spark"),
    "a variant": ('SELECT parse_json(\'{"b": 1, "a": 2}\') AS v, a FROM t WHERE a > 0', "spark"),
    "who asks": ("SELECT current_user() AS u, a FROM t WHERE a > 0", "spark"),
}


@pytest.mark.parametrize(("text", "name"), OWN_TYPES.values(), ids=OWN_TYPES)
def test_a_type_that_duckdb_lacks_is_judged_by_spark(harness, tmp_path, text, name):
    counts, found = asked(harness, tmp_path, ready(harness, text), count=4)
    assert (counts.classes[name], counts.with_rows > 0, found) == (counts.checks, True, []), counts


@pytest.mark.parametrize("months", [1, -13])
def test_months_are_compared_by_their_number(harness, months):
    database = Database((replace(T, rows=((months, "x", None, None),)),))
    query = ready(harness, "SELECT make_ym_interval(0, a) AS i FROM t")
    with harness.spark.stage(database, Settings()) as stage, stage.leg(query.verbatim, {}) as leg:
        outcome = leg.run().outcome
    assert (outcome.schema, outcome.rows) == (("interval[month]",), ((("interval[month]", months),),))


ONE = ((1, "x", (2.0).hex(), None),)
DIALECTS = {
    "correlation-of-equal-values": ("SELECT corr(d, d) AS c FROM t WHERE a > 0", ONE),
    "grouping-by-a-sum-in-two-orders": ("SELECT a + 1, 1 + a, count(*) FROM t GROUP BY a + 1, 1 + a WITH CUBE", ONE),
    "SPARK-58442-both": (
        "SELECT x.a, y.a FROM t x FULL JOIN t y ON x.a = y.a AND x.a NOT IN (SELECT p FROM t WHERE a > 0)",
        ONE,
    ),
}


@pytest.mark.parametrize(("known", "text", "rows"), [(known, *each) for known, each in DIALECTS.items()], ids=DIALECTS)
def test_a_known_divergence_is_told_by_its_id_and_leaves_no_file(harness, tmp_path, known, text, rows):
    counts, found = asked(harness, tmp_path, ready(harness, text), database=Database((replace(T, rows=rows),)))
    assert (counts.classes["known"], found, [*tmp_path.glob("*.json")]) == (counts.checks, [], []), counts
    assert [reason.split(":")[1].strip() for reason in counts.reasons] == [known]


def test_another_difference_in_a_query_of_a_known_divergence_is_found(harness, tmp_path):
    """The text has corr, whose answers are equal; Spark's CAST truncates where DuckDB's rounds."""
    rows = ((1, "x", (2.5).hex(), None), (2, "x", (3.75).hex(), None))
    query = ready(harness, "SELECT corr(d, a) > 0 AS c, CAST(max(d) AS INT) AS m FROM t WHERE a > 0")
    counts, found = asked(harness, tmp_path, query, database=Database((replace(T, rows=rows),)))
    assert (counts.classes["known"], len(found)) == (0, 1), counts


def declared(tmp_path, text):
    path = tmp_path / "my.sql"
    path.write_text(text)
    return read_schema(path)


def test_a_type_that_spark_has_not_got_is_refused_in_one_line(harness):
    why = refusal(harness.spark, column_type("STRING COLLATE NO_SUCH_ONE"))
    assert (why[:1], "\n" in why, "== SQL" in why, len(why) <= 120) == ("[", False, False, True), why


@pytest.mark.parametrize(
    "said", ["INT", "INTERVAL MONTH", "INTERVAL DAY TO SECOND", "MAP<STRING, INT>", "NO_SUCH_TYPE"]
)
def test_a_type_that_spark_makes_or_that_is_stored_is_not_refused(harness, said):
    assert refusal(harness.spark, column_type(said)) == ""


ROWS = """
CREATE TABLE o (i INT, m MAP<STRING, INT>, f FLOAT, s STRUCT<p: INT>, b BINARY, t TIMESTAMP, w DECIMAL(20, 1));
INSERT INTO o VALUES
  (1 + 1, map('b', 2, 'a', NULL), 0.1, named_struct('p', 1), X'00', TIMESTAMP '2020-01-01 00:00:00Z', 1);
INSERT INTO o (w, i) VALUES (NULL, NULL), (12345678901234567890 / 10, 3);
CREATE VIEW v(k, name) AS VALUES (1, 'a'), (2, NULL);
CREATE VIEW spans AS VALUES (INTERVAL '1' DAY);
"""


def test_rows_of_statements_are_those_that_spark_makes_of_them(harness, tmp_path):
    schema = with_rows(declared(tmp_path, ROWS), harness.spark)
    assert schema.given == {
        "o": (
            (2, (("a", None), ("b", 2)), "0x1.99999a0000000p-4", (1,), "00", "2020-01-01 00:00:00.000000", "1.0"),
            (None, None, None, None, None, None, None),
            (3, None, None, None, None, None, "1234567890123456789.0"),
        ),
        "v": ((1, "a"), (2, None)),
    }
    assert [column.type for column in schema.database.table("v").columns] == [INT, STRING]
    assert [view.name for view in schema.views] == ["spans"]


@pytest.mark.parametrize("rows", ["('x')", "(1, 2)", "(rows)"])
def test_rows_that_are_none_are_one_line(harness, tmp_path, rows):
    with pytest.raises(BadInput, match="rows of o: ") as raised:
        with_rows(declared(tmp_path, f"CREATE TABLE o (i INT); INSERT INTO o VALUES {rows}"), harness.spark)
    assert "\n" not in str(raised.value)
