"""The record of a run: what workers write down, and what it adds up to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.fuzz.record import Record, Recorder, add_up, combined, read_record, summary
from assay.fuzz.report import closing_table
from oracles.checks.evidence import RuleCount
from oracles.checks.extra_databases import ExtraResults
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict, excuse
from tests.unit.failure_samples import FINDING, answer, checked_of

AGREE = Verdict(name="agree", reason="all equal")
VACUOUS = Verdict(name="vacuous", reason="all equal")
EXCUSED = excuse(FINDING, "SPARK-1")
EMPTY = {"on": answer(), "off": answer(), "duckdb": answer()}

CHECKS: tuple[CheckResult, ...] = (
    checked_of(verdict=AGREE, off=("A", "B"), fired=("A",)),
    checked_of(verdict=AGREE, off=("A",), fired=("A",), differed=False),
    checked_of(verdict=AGREE, off=("A",), fired=("A",), legs=EMPTY),
    replace(checked_of(verdict=VACUOUS, off=("A", "C"), fired=(), optimizer_failed=True), beside=ExtraResults(7)),
    checked_of(verdict=FINDING, off=("C",), fired=("C",)),
    checked_of(verdict=EXCUSED, off=(), fired=("Unasked",)),
)
ALONE = {"on": answer(1), "duckdb": answer(1)}
TWO_LEGGED = checked_of(verdict=AGREE, off=("A", "B"), fired=("A",), differed=False, legs=ALONE)
COUNTED = Record(
    verdicts=Counter(agree=3, vacuous=1, finding=1, excused=1),
    nonempty=2,
    excused=Counter({"SPARK-1": 1}),
    rules={
        "A": RuleCount(checked=4, fired=3, differed=2, agreed=1),
        "B": RuleCount(checked=1, fired=0, differed=0),
        "C": RuleCount(checked=2, fired=1, differed=1),
    },
    cases=frozenset("012345"),
    optimizer_failures=1,
    others=7,
    legs=Counter(off=6, duckdb=6),
)


def found(
    fingerprint: str, *, operators: int = 3, rows: int = 2, count: int = 1, confirmed: bool = True
) -> dict[str, Any]:
    """A finding as the summary lists it."""
    return {
        "fingerprint": fingerprint,
        "kind": "rule",
        "blame": "on",
        "rules": ["A"],
        "file": f"failures/{fingerprint}.json",
        "operators": operators,
        "rows": rows,
        "count": count,
        "confirmed": confirmed,
    }


Findings = Sequence[tuple[dict[str, Any], str | None]]


def write(
    path: Path, checks: Sequence[CheckResult] = (), findings: Findings = (), kills: Sequence[dict[str, Any]] = ()
) -> None:
    """The records that a worker writes; the checks' digests are their places in CHECKS."""
    recorder = Recorder(path)
    for checked in checks:
        recorder.check(checked, checked.verdict, str(CHECKS.index(checked)))
    for finding, replaces in findings:
        recorder.finding(finding, replaces)
    for kill in kills:
        recorder.kill(kill)
    recorder.close()


def test_a_run_that_did_nothing_has_an_empty_record(tmp_path: Path) -> None:
    assert read_record(tmp_path) == Record()
    assert add_up([]) == Record()


def test_checks_add_up_by_verdict_and_rule(tmp_path: Path) -> None:
    write(tmp_path / "main.jsonl", CHECKS)
    assert read_record(tmp_path) == COUNTED


@pytest.mark.parametrize("cut", range(len(CHECKS) + 1))
def test_two_workers_add_up_to_one(tmp_path: Path, cut: int) -> None:
    write(tmp_path / "gw0.jsonl", CHECKS[:cut])
    write(tmp_path / "gw1.jsonl", CHECKS[cut:])
    assert read_record(tmp_path) == COUNTED


def test_a_case_that_two_workers_checked_is_two_checks_of_one_case(tmp_path: Path) -> None:
    write(tmp_path / "gw0.jsonl", CHECKS[:1])
    write(tmp_path / "gw1.jsonl", CHECKS[:1])
    record = read_record(tmp_path)
    assert (record.tally.checks, record.cases) == (2, frozenset("0"))


def test_other_files_in_the_folder_are_no_records(tmp_path: Path) -> None:
    write(tmp_path / "main.jsonl", CHECKS)
    (tmp_path / "notes.txt").write_text("{}", encoding="utf-8")
    assert read_record(tmp_path) == COUNTED


def test_a_record_goes_on_where_it_stopped(tmp_path: Path) -> None:
    write(tmp_path / "deep" / "main.jsonl", CHECKS[:2])
    write(tmp_path / "deep" / "main.jsonl", CHECKS[2:])
    assert read_record(tmp_path / "deep") == COUNTED


def test_a_check_can_be_read_as_soon_as_it_is_written(tmp_path: Path) -> None:
    """A worker that is killed closes nothing."""
    recorder = Recorder(tmp_path / "main.jsonl")
    recorder.check(CHECKS[0], AGREE, "0")
    assert read_record(tmp_path).tally.checks == 1
    recorder.close()


LAST = len(json.dumps({"verdict": "agree", "kind": None}))


@pytest.mark.parametrize("size", [1, 10, LAST, -2, -1])
def test_a_half_written_last_line_is_passed_over(tmp_path: Path, size: int) -> None:
    write(tmp_path / "gw0.jsonl", CHECKS)
    write(tmp_path / "one.txt", CHECKS[:1])
    line = (tmp_path / "one.txt").read_text(encoding="utf-8").rstrip("\n")
    with (tmp_path / "gw0.jsonl").open("a", encoding="utf-8") as file:
        file.write(line[:size])
    assert read_record(tmp_path) == COUNTED


def test_a_record_goes_on_after_a_half_written_line(tmp_path: Path) -> None:
    write(tmp_path / "main.jsonl", CHECKS[:2])
    with (tmp_path / "main.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"verdict": "ag')
    write(tmp_path / "main.jsonl", CHECKS[2:])
    assert read_record(tmp_path) == COUNTED


def test_a_half_written_last_line_hides_no_other_workers_lines(tmp_path: Path) -> None:
    (tmp_path / "gw0.jsonl").write_text('{"verdict": "ag', encoding="utf-8")
    write(tmp_path / "gw1.jsonl", CHECKS)
    assert read_record(tmp_path) == COUNTED


X, Y, SMALL_Y = found("x", operators=5), found("y"), found("y", operators=1)
MERGED: dict[str, tuple[Findings, list[dict[str, Any]]]] = {
    "one": ([(X, None)], [X]),
    "two": ([(X, None), (Y, None)], [X, Y]),
    "one seen twice": ([(X, None), (X, None)], [X | {"count": 2}]),
    "the smaller by operators": ([(Y, None), (SMALL_Y, None)], [SMALL_Y | {"count": 2}]),
    "the smaller, whichever came first": ([(SMALL_Y, None), (Y, None)], [SMALL_Y | {"count": 2}]),
    "the smaller by rows": ([(found("y", rows=9), None), (Y, None)], [Y | {"count": 2}]),
    "confirmed before small": ([(Y, None), (found("y", operators=1, confirmed=False), None)], [Y | {"count": 2}]),
    "counts add up": ([(found("y", count=3), None), (found("y", count=4), None)], [Y | {"count": 7}]),
    "made smaller": ([(X, None), (Y, "x")], [Y]),
    "made smaller, under its own name": ([(Y, None), (SMALL_Y, "y")], [SMALL_Y]),
    "not made smaller": ([(Y, None), (Y | {"confirmed": False}, "y")], [Y | {"confirmed": False}]),
    "seen twice, then made smaller": ([(X, None), (X, None), (Y, "x")], [Y | {"count": 2}]),
    "made the same as another": ([(Y, None), (X, None), (SMALL_Y, "x")], [SMALL_Y | {"count": 2}]),
    "replaces what isn't there": ([(Y, "x")], [Y]),
}


@pytest.mark.parametrize(("findings", "merged"), MERGED.values(), ids=MERGED)
def test_findings_are_merged_by_their_fingerprint(
    tmp_path: Path, findings: Findings, merged: list[dict[str, Any]]
) -> None:
    write(tmp_path / "main.jsonl", findings=findings)
    assert list(read_record(tmp_path).findings) == merged


@pytest.mark.parametrize(("one", "two"), [("gw0", "gw1"), ("gw1", "gw0")])
def test_a_finding_that_one_worker_made_smaller_stays_as_the_other_has_it(tmp_path: Path, one: str, two: str) -> None:
    """A finding that replaces a worker's says nothing about another worker's."""
    write(tmp_path / f"{one}.jsonl", findings=[(X, None), (Y, "x")])
    write(tmp_path / f"{two}.jsonl", findings=[(X, None)])
    assert sorted(read_record(tmp_path).findings, key=lambda each: each["fingerprint"]) == [X, Y]


def test_a_finding_that_two_workers_have_is_one(tmp_path: Path) -> None:
    write(tmp_path / "gw0.jsonl", findings=[(X, None), (Y, "x")])
    write(tmp_path / "gw1.jsonl", findings=[(Y, None), (Y, None), (SMALL_Y, "y")])
    assert read_record(tmp_path).findings == (SMALL_Y | {"count": 3},)


def test_kills_are_listed_as_they_came(tmp_path: Path) -> None:
    kills = [{"name": "One", "killed": True}, {"name": "Two", "killed": False}]
    write(tmp_path / "gw0.jsonl", kills=kills[:1])
    write(tmp_path / "gw1.jsonl", kills=kills[1:])
    assert list(read_record(tmp_path).kills) == kills


def test_queries_in_which_no_named_rule_fired_are_counted_and_are_no_checks(tmp_path: Path) -> None:
    for worker in ("gw0", "gw1"):
        recorder = Recorder(tmp_path / f"{worker}.jsonl")
        recorder.not_fired("a")
        recorder.not_fired("b")
        recorder.check(CHECKS[0], AGREE, "c")
        recorder.close()
    record = read_record(tmp_path)
    assert (record.tally.checks, record.unfired, record.evidence().queries) == (2, 4, 6)


def test_records_without_a_worker_are_empty() -> None:
    assert combined([]) == Record()


def test_counts_of_a_rule_add_up() -> None:
    assert RuleCount(checked=3, fired=2, differed=1, two_legs=1, agreed=2) + RuleCount(
        checked=30, fired=20, differed=10, two_legs=4, agreed=9
    ) == RuleCount(checked=33, fired=22, differed=11, two_legs=5, agreed=11)


def test_where_duckdb_alone_judged_no_plans_differ(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "main.jsonl")
    for digest, checked in enumerate((CHECKS[0], TWO_LEGGED)):
        recorder.check(checked, checked.verdict, str(digest))
    recorder.close()
    assert read_record(tmp_path).rules == {
        "A": RuleCount(checked=2, fired=2, differed=1, two_legs=1, agreed=2),
        "B": RuleCount(checked=2, fired=0, differed=0),
    }


def test_the_summary_has_the_keys_that_scripts_rely_on(tmp_path: Path) -> None:
    write(tmp_path / "main.jsonl", CHECKS, [(Y, None)])
    versions = {"spark": "4.3.0", "duckdb": "2.0.0", "python": "3.13"}
    assert summary(read_record(tmp_path), versions=versions, seed=1, seconds=61.23) == {
        "format": 1,
        "spark": "4.3.0",
        "duckdb": "2.0.0",
        "seed": 1,
        "checks": 6,
        "seconds": 61.2,
        "verdicts": {"agree": 3, "vacuous": 1, "raised": 0, "excused": 1, "inconclusive": 0, "finding": 1}
        | {"same-error": 0, "order-open": 0},
        "excused": {"SPARK-1": 1},
        "silent_entries": {"checks": 0, "fits": {}},
        "nonempty": 2,
        "duckdb_stumbles": 1,
        "other_databases": 7,
        "queries": 6,
        "legs": {"off": 6, "duckdb": 6},
        "rules": {
            "A": {"checked": 4, "fired": 3, "differed": 2, "two_legs": 0, "agreed": 1},
            "B": {"checked": 1, "fired": 0, "differed": 0, "two_legs": 0, "agreed": 0},
            "C": {"checked": 2, "fired": 1, "differed": 1, "two_legs": 0, "agreed": 0},
        },
        "coverage": {"changed": {}, "never": {}, "unknown": [], "pairs": 0},
        "findings": [Y],
        "incidents": [],
    }


def test_the_summary_of_nothing_is_plain_data_too() -> None:
    empty = summary(Record(), versions={"spark": "4.3.0", "duckdb": "2.0.0"}, seed=0, seconds=0.0)
    assert json.loads(json.dumps(empty)) == empty
    assert (empty["checks"], empty["rules"], empty["findings"]) == (0, {}, [])


FITS = (("SPARK-1", "SPARK-2"), (), ("SPARK-1",))


@pytest.mark.parametrize("cut", range(len(FITS) + 1))
def test_the_checks_that_silent_entries_fit_add_up(tmp_path: Path, cut: int) -> None:
    """A check that two entries fit is one check of all that any fits."""
    for worker, fits in (("gw0", FITS[:cut]), ("gw1", FITS[cut:])):
        recorder = Recorder(tmp_path / f"{worker}.jsonl")
        for each in fits:
            recorder.check(CHECKS[0], AGREE, "0", each)
        recorder.close()
    record = read_record(tmp_path)
    assert (record.fits, record.fitting) == ({"SPARK-1": 2, "SPARK-2": 1}, 2)


def test_the_executors_of_a_cluster_are_counted_over_all_workers(tmp_path: Path) -> None:
    for worker, executors in (("gw0", ("0", "1")), ("gw0", ("1",)), ("gw1", ("0",)), ("gw1", ())):
        recorder = Recorder(tmp_path / f"{worker}.jsonl")
        recorder.check(replace(CHECKS[0], executors=executors), AGREE, "0")
        recorder.close()
    record = read_record(tmp_path)
    assert record.executors == {"0": 2, "1": 2}
    assert summary(record, versions={"spark": "", "duckdb": ""}, seed=1, seconds=1.0)["executors"] == {"0": 2, "1": 2}
    assert "by its id: 0: 2, 1: 2" in closing_table(record, 1.0)


def test_where_spark_is_one_process_nothing_is_said_of_executors(tmp_path: Path) -> None:
    write(tmp_path / "gw0.jsonl", CHECKS)
    record = read_record(tmp_path)
    assert "executors" not in summary(record, versions={"spark": "", "duckdb": ""}, seed=1, seconds=1.0)
    assert "executor" not in closing_table(record, 1.0)
