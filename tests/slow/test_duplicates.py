"""Two runs that find one bug again and again: one finding, one file, and a count."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy, draw_fixed
from assay.fuzz.record import Recorder, read_record
from oracles.failures.failure import Subject, read_failure
from oracles.triage.dedup import Known
from strategies.ir import (
    INT,
    Arith,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Filter,
    Item,
    Lit,
    Project,
    Scan,
    SetOp,
    Table,
)

COLUMNS = (Column("a", INT),)
T, A = Scan("t0", COLUMNS), Col("a", INT)
DATABASE = Database((Table("t0", COLUMNS, ((1,), (2,), (3,))),))
NEXT = (Item("a", Arith("+", A, Lit(INT, 1))),)
REUSED = SetOp("except", Project(T, NEXT), Project(Filter(T, Compare("=", A, Lit(INT, 2))), NEXT))
CASES = [Case(query, DATABASE) for query in (REUSED, Distinct(REUSED), Project(REUSED, NEXT))]
"""A bug of Spark's, with more and more around it (SPARK-58383)."""


def fuzzer(harness, folder, recorder, known):
    rules = draw_fixed([harness.catalogue.rule("ReplaceExceptWithFilter")])
    return Fuzzer(
        harness=harness,
        subject=Subject(),
        recorder=recorder,
        store=FailureStore(folder=folder / "found", known=known),
        policy=Policy(draw_off=rules, shrink_seconds=4.0),
        run_seed=1,
    )


@pytest.fixture(scope="module")
def fuzzed(harness, tmp_path_factory):
    """Three queries for one bug, checked twice: by one worker, and by another one that knows the folder."""
    folder = tmp_path_factory.mktemp("fuzzed")
    findings = []
    for name in ("one", "other"):
        recorder = Recorder(folder / f"{name}.jsonl")
        known = Known(folder / "found")
        findings.append(fuzzer(harness, folder, recorder, known).run(st.sampled_from(CASES), name, len(CASES)))
        recorder.close()
    return folder, findings


def test_the_bug_is_found_once(fuzzed):
    _, (first, second) = fuzzed
    assert (len(first), second) == (1, [])


def test_one_file_is_left_and_it_is_small(fuzzed):
    folder, ((finding,), _) = fuzzed
    assert [file.name for file in (folder / "found").iterdir()] == [finding.file.name]
    assert read_failure(finding.file).rules == ("ReplaceExceptWithFilter",)


def test_every_check_that_showed_it_is_counted(fuzzed):
    folder, ((finding,), _) = fuzzed
    record = read_record(folder)
    assert (record.tally.verdicts["finding"], record.tally.checks) == (2 * len(CASES), 2 * len(CASES))
    (entry,) = record.findings
    assert (entry["fingerprint"], entry["count"]) == (finding.fingerprint, 2 * len(CASES))
