"""Texts through the legs of a real session: what is agreed, found, doubted and kept."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from random import Random

import pytest

from assay.fuzz.failure_store import FailureStore
from assay.queries import fuzzer as queries_fuzzer
from assay.queries.fuzzer import Count, QueryFuzzer
from assay.queries.literals import wanted_values
from assay.queries.nondeterminism import doubt
from assay.queries.prepared import prepared
from assay.queries.schema import read_schema
from assay.queries.texts import query_text, read_queries
from assay.session.ending import BadInput
from assay.session.own_rule import own_rule
from oracles.checks.choices import fixed
from oracles.checks.verdict import Verdict
from oracles.failures.failure import Subject, read_failure
from strategies.draw.own_tables import OwnTables, hostile
from strategies.ir import BIGINT, DOUBLE, INT, STRING, Case, Column, Database, Decimal, Table

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
    assert (counts.standings["all"], found) == (counts.checks, []), (counts, found)
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
    assert (counts.standings["unjudged"] > 0, counts.standings["all"] > 1) == (spared, True), counts
    assert any("PushDownPredicates" in why and "too many to run" in why for why in counts.reasons) == spared


SEEDS = Path(__file__).resolve().parents[2] / "examples" / "seeds"
QUERIES = read_queries(SEEDS / "queries")


@pytest.mark.parametrize("query", QUERIES, ids=attrgetter("name"))
def test_the_queries_of_the_seed_documents_agree(harness, tmp_path, query):
    schema = read_schema(SEEDS / "schema.sql").database
    ready = prepared(harness.spark, [query], schema, without_duckdb=frozenset())[0]
    own = OwnTables(schema, wanted=wanted_values([query], schema)).only(ready.reads)
    counts, found = asked(harness, tmp_path, ready, count=3, own=own)
    assert (counts.standings["all"], found, counts.fired.total() > 0) == (counts.checks, [], True), counts


def test_without_duckdb_spark_agrees_alone(harness, tmp_path):
    counts, _ = asked(harness, tmp_path, ready(harness, EXCEPT_ALL, without=["q"]), count=2)
    assert dict(counts.standings) == {"spark": counts.checks}
    assert set(counts.reasons) == {"by Spark alone: UnsupportedNode: DuckDB was not to be asked"}


def test_a_wrong_rule_is_found_with_few_rows_and_the_file_fails_again(harness, tmp_path):
    counts, found = asked(harness, tmp_path, ready(harness, EXCEPT), wrong=WRONG)
    ((failure, file),) = found
    assert (failure.rules, failure.verdict.kind, failure.confirmed) == ((WRONG,), "rule", True)
    assert (counts.standings["finding"] >= 1, failure.case.database.row_count) == (True, 1)
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


def test_where_rows_do_not_determine_the_answer_nothing_is_found(harness, tmp_path):
    unstable = ready(harness, f"SELECT first(b), count(*) FROM ({EXCEPT})")
    counts, found = asked(harness, tmp_path, unstable, wrong=WRONG)
    assert (counts.standings["finding"], counts.standings["unjudged"] > 0, found) == (0, True, [])
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
    return doubt(harness, query, checked, Random(1))


@pytest.mark.parametrize(("text", "rows", "why"), DOUBTED.values(), ids=DOUBTED)
def test_a_difference_that_may_be_the_querys_own_is_doubted(harness, text, rows, why):
    assert why in doubted(harness, text, rows)


@pytest.mark.parametrize(("text", "rows"), CERTAIN.values(), ids=CERTAIN)
def test_a_difference_in_what_rows_determine_is_not_doubted(harness, text, rows):
    assert doubted(harness, text, rows) == ""


REFUSED = {
    "no table": "SELECT * FROM nowhere",
    "a command": "DROP VIEW t",
    "no sql": "SELEKT 1",
    "two": "SELECT 1; SELECT 2",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_text_that_spark_cannot_take_is_one_line_with_its_name(harness, text, capfd):
    with pytest.raises(BadInput) as raised:
        ready(harness, text)
    message = str(raised.value)
    assert (message.startswith("query q: Spark can't take it: ["), "\n" in message) == (True, False), message
    assert capfd.readouterr().err == ""
