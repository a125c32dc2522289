"""A search among drawn cases: what it finds, Hypothesis makes smaller, before any reducer does."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.errors import FailedHealthCheck, Unsatisfiable
from py4j.protocol import Py4JJavaError

from assay.campaign.resume import resume, unfinished
from assay.fuzz.failure_store import FailureStore
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.incident_log import IncidentLog
from assay.fuzz.policy import Policy, draw_fixed
from assay.fuzz.record import Recorder, read_record, summary
from assay.fuzz.search import Search
from assay.fuzz.supervisor import supervisor_of
from oracles.checks.choices import all_that_changed
from oracles.checks.result import LegSettings
from oracles.engines.spark.jvm import SparkLost
from oracles.failures.failure import Subject, read_failure
from oracles.patterns.unsupported import lacking
from oracles.triage.dedup import Known
from oracles.triage.divergences import load
from strategies.ir import (
    INT,
    Arith,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    InvalidQuery,
    Item,
    Lit,
    Project,
    Scan,
    SetOp,
    Settings,
    Table,
)
from tests.unit.strategy_asserts import half_faulty

COLUMNS = (Column("a", INT),)
T, A = Scan("t0", COLUMNS), Col("a", INT)
NEXT = (Item("a", Arith("+", A, Lit(INT, 1))),)
REUSED = SetOp("except", Project(T, NEXT), Project(Filter(T, Compare("=", A, Lit(INT, 2))), NEXT))
"""Wrong under ReplaceExceptWithFilter (SPARK-58383) wherever the table has a 1 or a 2."""

CASES = st.lists(st.tuples(st.integers(0, 3)), min_size=3, max_size=9).map(
    lambda rows: Case(REUSED, Database((Table("t0", COLUMNS, tuple(rows)),)))
)
PLAIN = CASES.map(lambda case: replace(case, query=T))
SHOWING = CASES.map(lambda case: Case(REUSED, Database((Table("t0", COLUMNS, (*case.database.tables[0].rows, (1,))),))))
"""A row of 1 is in each of their tables, so that SPARK-58383 changes each answer."""

TWICE = Project(T, (Item("a", A), Item("a", A)))
EXCEPT = SetOp("except", TWICE, TWICE, all=True)
INTERSECT = SetOp("intersect", TWICE, TWICE, all=True)
TWO_BUGS = SetOp("intersect", EXCEPT, TWICE, all=True)


@pytest.fixture
def fuzzer(harness, recorder, tmp_path):
    rules = draw_fixed([harness.catalogue.rule("ReplaceExceptWithFilter")])
    return Fuzzer(
        harness=harness,
        subject=Subject(),
        recorder=recorder,
        store=FailureStore(folder=tmp_path / "found"),
        policy=Policy(draw_off=rules, on_record=False),
        run_seed=1,
    )


def fuzzer_with(fuzzer, recorder=None, **policy):
    """``fuzzer`` with another policy."""
    return replace(fuzzer, recorder=recorder or fuzzer.recorder, policy=replace(fuzzer.policy, **policy))


def search(fuzzer):
    part = Search(fuzzer, set(), 40)
    part.run(CASES, 8)
    assert part.finding is not None
    return part.finding


def test_what_is_found_is_drawn_smaller(fuzzer):
    finding = search(fuzzer)
    (table,) = finding.checked.case.database.tables
    assert sorted(table.rows) == [(0,), (0,), (1,)]
    assert finding.recorded.case != finding.checked.case


@pytest.mark.parametrize(("seconds", "least", "most"), [(0.0, 1, 2), (60.0, 3, 1_000)], ids=["no time", "a minute"])
def test_no_smaller_case_is_drawn_once_the_time_for_it_is_over(fuzzer, seconds, least, most):
    """Hypothesis would draw for five minutes, and each of these cases be refused. It draws the case itself again."""
    part, later = Search(fuzzer_with(fuzzer, shrink_seconds=seconds), set(), 40), []

    def counted(case):
        later.extend([case] * (part.finding is not None))
        return case

    part.run(CASES.map(counted), 8)
    assert part.finding is not None
    assert least <= len(later) <= most


@pytest.mark.parametrize(
    ("cases", "fits"), [(SHOWING, ["SPARK-58383"]), (PLAIN, [])], ids=["its pattern fits", "its pattern fits none"]
)
def test_every_check_that_a_silent_entry_fits_is_counted(fuzzer, tmp_path, cases, fits):
    entries = [entry for entry in load() if entry.id == "SPARK-58383"]
    recorder = Recorder(tmp_path / "record" / "main.jsonl")
    fuzzer_with(fuzzer, recorder, on_record=True, divergences=entries).run(cases, "silent", 5)
    recorder.close()
    told = summary(read_record(tmp_path / "record"), versions={"spark": "", "duckdb": ""}, seed=1, seconds=1.0)
    assert told["checks"] == 5
    assert told.get("silent_entries") == {"checks": 5 * len(fits), "fits": dict.fromkeys(fits, 5)}


FILTERED = PLAIN.map(lambda case: replace(case, query=Filter(T, Compare("=", A, Lit(INT, 1)))))
ADAPTIVE = PLAIN.map(lambda case: replace(case, settings=Settings(aqe=True)))
KNOWN_BUG = PLAIN.map(lambda case: replace(case, query=EXCEPT))
ABOUT_RULES = {
    "on all": (FILTERED, 6, 6, 0),
    "on none": (PLAIN, 2, 0, 40),
    "on none, as is known afterwards": (ADAPTIVE, 1, 0, 20),
    "on none, before which a known bug of another rule ends each query": (KNOWN_BUG, 1, 0, 20),
}
"""Rows of: the cases drawn, the checks asked for, the checks made, and the queries looked at beside."""


@pytest.mark.parametrize(("cases", "asked", "checks", "others"), ABOUT_RULES.values(), ids=ABOUT_RULES)
def test_a_hunt_about_rules_checks_the_queries_on_which_they_fire(fuzzer, tmp_path, cases, asked, checks, others):
    """Of twenty queries one has to be a check, or the hunt ends without."""
    rules = [fuzzer.harness.catalogue.rule("InferFiltersFromConstraints")]
    recorder = Recorder(tmp_path / "record" / "main.jsonl")
    about = fuzzer_with(fuzzer, recorder, on_record=True, draw_off=draw_fixed(rules), targets=rules)
    fuzzer_with(about, divergences=load()).run(cases, "about rules", asked)
    recorder.close()
    record = read_record(tmp_path / "record")
    assert (record.tally.checks, record.unfired) == (checks, others)
    assert [count.fired for count in record.rules.values()] == [checks] * bool(checks)


def test_a_known_bug_of_the_rule_that_a_hunt_is_about_is_a_check(fuzzer, tmp_path):
    rules = [fuzzer.harness.catalogue.rule("RewriteExceptAll")]
    recorder = Recorder(tmp_path / "record" / "main.jsonl")
    about = fuzzer_with(fuzzer, recorder, on_record=True, draw_off=draw_fixed(rules), targets=rules)
    fuzzer_with(about, divergences=load()).run(KNOWN_BUG, "about rules", 2)
    recorder.close()
    record = read_record(tmp_path / "record")
    assert record.tally.verdicts["excused"] == 2, (record.tally, record.unfired)


def test_some_queries_are_checks_and_some_are_not(fuzzer, tmp_path):
    rules = [fuzzer.harness.catalogue.rule("InferFiltersFromConstraints")]
    recorder = Recorder(tmp_path / "record" / "main.jsonl")
    about = fuzzer_with(fuzzer, recorder, on_record=True, draw_off=draw_fixed(rules), targets=rules)
    about.run(FILTERED | PLAIN, "about rules", 10)
    recorder.close()
    record = read_record(tmp_path / "record")
    assert (record.tally.checks, record.unfired > 0, record.tally.verdicts["vacuous"]) == (10, True, 0)


def test_what_is_not_to_be_drawn_smaller_stays_as_it_was_found(fuzzer):
    finding = search(fuzzer_with(fuzzer, drawn_smaller=False))
    assert finding.checked is finding.recorded


@pytest.mark.parametrize(
    ("fault", "notes"), [(RuntimeError("ours"), 1), (SparkLost("the JVM is gone"), 0)], ids=["ours", "told in a line"]
)
def test_a_fault_of_the_suite_names_the_current_case(fuzzer, fault, notes):
    def broken(data, changed_plan):
        raise fault

    with pytest.raises(type(fault)) as raised:
        search(fuzzer_with(fuzzer, draw_off=broken))
    told = getattr(raised.value, "__notes__", [])
    assert [note.startswith("the current case: Case(") for note in told] == [True] * notes


def test_a_draw_that_fails_is_an_incident_and_the_search_goes_on(fuzzer, tmp_path):
    log = IncidentLog(tmp_path, heard=lambda incident: None)
    guard = supervisor_of(fuzzer.harness, (), LegSettings(), case_file=tmp_path / "main.case.json", tell=log.tell)
    part = Search(replace(fuzzer, store=FailureStore(folder=tmp_path / "found", guard=guard)), set(), 10)
    part.run(half_faulty(PLAIN), 8)
    assert part.checks > 5
    assert {(incident["kind"], "planted" in incident["line"]) for incident in log.incidents} == {("fault", True)}
    assert log.red


def test_draws_that_are_mostly_left_out_are_a_fault_unless_the_release_is_older(fuzzer):
    """Hypothesis may see fifty draws that an older release lacks before ten that it has."""
    few = st.tuples(st.integers(0, 99), PLAIN).filter(lambda drawn: drawn[0] % 20 == 7).map(lambda drawn: drawn[1])
    part = Search(fuzzer, set(), 10)
    with nullcontext() if lacking(fuzzer.harness.spark.version) else pytest.raises(FailedHealthCheck):
        part.run(few, 8)
    assert part.checks > 0


def test_draws_that_are_all_left_out_are_a_fault_unless_the_release_is_older(fuzzer):
    none = PLAIN.filter(lambda case: not case.database.tables[0].rows)
    expected = (
        nullcontext() if lacking(fuzzer.harness.spark.version) else pytest.raises((FailedHealthCheck, Unsatisfiable))
    )
    part = Search(fuzzer, set(), 10)
    with expected:
        part.run(none, 8)
    assert part.checks == 0


def test_without_supervision_a_draw_that_fails_ends_the_search(fuzzer):
    with pytest.raises(InvalidQuery, match="planted"):
        Search(fuzzer, set(), 10).run(half_faulty(PLAIN), 8)


def test_what_the_jvm_says_is_kept_for_when_it_is_gone(harness):
    engine = harness.spark
    with pytest.raises(Py4JJavaError) as raised:
        engine.calling(lambda: engine.session._jvm.java.lang.Class.forName("no.such.Class"))
    assert any("ClassNotFoundException: no.such.Class" in note for note in raised.value.__notes__)


def test_a_finding_is_on_disk_before_it_is_judged_and_stays_where_that_fails(fuzzer, monkeypatch):
    there: list[list[Case]] = []

    def on_disk():
        return [read_failure(file).case for file in fuzzer.store.folder.rglob("*.json")]

    def faulty(harness, checked, *_):
        if checked.verdict.name != "finding":
            return checked, ()
        there.append([each for each in on_disk() if each == checked.case])
        raise ValueError("planted")

    monkeypatch.setattr("assay.fuzz.fuzzer.judged", faulty)
    with suppress(ValueError):
        search(fuzzer)
    assert there
    assert [len(each) for each in there] == [1] * len(there)
    assert on_disk() == there[-1]


def test_what_is_excused_leaves_no_file(fuzzer):
    part = Search(fuzzer_with(fuzzer, divergences=load()), set(), 10)
    part.run(CASES, 8)
    assert part.finding is None
    assert list(fuzzer.store.folder.rglob("*")) == []


@pytest.mark.parametrize(
    ("query", "shows"), [(TWO_BUGS, True), (INTERSECT, False), (EXCEPT, False)], ids=["both", "one", "the known one"]
)
def test_two_bugs_are_not_made_smaller_to_one_of_them(fuzzer, query, shows):
    known = [entry for entry in load() if entry.id == "except-all-over-a-column-twice"]
    fuzzer = fuzzer_with(fuzzer, divergences=known)
    first, smaller = (Case(each, Database((Table("t0", COLUMNS, ()),))) for each in (TWO_BUGS, query))
    checked, rules = fuzzer.judged(fuzzer.harness.check(first, all_that_changed))
    finding = fuzzer.keep(checked, rules)
    assert sorted(rules) == ["RewriteExceptAll", "RewriteIntersectAll"]
    assert (fuzzer.still_fails(finding, smaller) is not None) == shows


@pytest.mark.parametrize("by_operators", [True, False], ids=["a rule on trial", "all rules"])
def test_of_a_rule_on_trial_no_finding_is_made_smaller_to_one_that_was_told(fuzzer, by_operators):
    fuzzer.store.known = Known(by_operators=by_operators)
    finding = search(fuzzer)
    assert fuzzer.still_fails(finding, finding.checked.case) is not None
    fuzzer.store.known.add(fuzzer.failure(finding.checked, finding.rules, confirmed=True), finding.file)
    assert (fuzzer.still_fails(finding, finding.checked.case) is None) == by_operators


@pytest.mark.parametrize("known", [True, False], ids=["a known one", "a new one"])
def test_an_unjudged_finding_is_judged_by_the_next_campaign(fuzzer, known):
    fuzzer = fuzzer_with(fuzzer, divergences=load() if known else ())
    case = Case(REUSED, Database((Table("t0", COLUMNS, ((1,), (0,))),)))
    checked = fuzzer.harness.check(case, all_that_changed)
    assert checked.verdict.name == "finding"
    fuzzer.store.unjudged.hold(fuzzer.failure(checked))
    (file,) = unfinished(fuzzer.store.folder)
    resume(file, fuzzer)
    assert not file.exists()
    found = [read_failure(each).rules for each in fuzzer.store.folder.glob("*.json")]
    assert found == ([] if known else [("ReplaceExceptWithFilter",)])


def test_an_unjudged_finding_that_does_not_show_again_is_not_lost(fuzzer):
    fuzzer = fuzzer_with(fuzzer, divergences=())
    case = Case(REUSED, Database((Table("t0", COLUMNS, ((1,), (0,))),)))
    checked = fuzzer.harness.check(case, all_that_changed)
    gone = replace(checked, case=replace(case, database=Database((Table("t0", COLUMNS, ()),))))
    fuzzer.store.unjudged.hold(fuzzer.failure(gone))
    (file,) = unfinished(fuzzer.store.folder)
    resume(file, fuzzer)
    assert not file.exists()
    (kept,) = (read_failure(each) for each in fuzzer.store.folder.glob("*.json"))
    assert (kept.case, kept.confirmed) == (gone.case, False)
