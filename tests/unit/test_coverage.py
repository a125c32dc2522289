"""Coverage: which rules changed a plan, which together, which never and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.fuzz.coverage import Coverage, Listed, covered, listed
from assay.fuzz.record import Recorder, combined, read_record, summary
from oracles.checks.verdict import Verdict
from oracles.rules.catalogue import Catalogue, Discovered
from oracles.rules.entries.known import OPTIMIZER
from oracles.rules.entries.unreached import UNREACHED
from oracles.rules.rule import Rule
from oracles.rules.switch import Excluded
from tests.unit.failure_samples import checked_of

AGREE = Verdict(name="agree", reason="all equal")
RELEASE = {name: Listed("A Batch", True, False) for name in ("A", "B", "C", "CheckCartesianProducts")}
CHECKS = [("A",), ("B", "A"), ("A", "B", "D"), ()]
COVERAGE = covered(RELEASE, CHECKS)


def test_each_rule_is_counted_once_a_check() -> None:
    assert COVERAGE.changed == {"A": 3, "B": 2, "D": 1}


def test_a_pair_is_counted_whatever_the_order_of_its_rules() -> None:
    assert COVERAGE.pairs == {("A", "B"): 2, ("A", "D"): 1, ("B", "D"): 1}


def test_what_never_changed_a_plan_is_told_with_its_reason() -> None:
    assert COVERAGE.never == {"C": "", "CheckCartesianProducts": UNREACHED["CheckCartesianProducts"]}


@pytest.mark.parametrize(
    ("changed", "why"),
    [("PushDownPredicates", "a part of PushDownPredicates, counted there"), ("A", "")],
    ids=["whole at work", "whole not at work"],
)
def test_a_part_that_a_batch_of_its_own_lists_is_counted_with_its_whole(changed: str, why: str) -> None:
    release = {"PushPredicateThroughNonJoin": Listed("Extract Python UDFs", True, True)}
    assert covered(release, [(changed,)]).never == {"PushPredicateThroughNonJoin": why}


def test_two_workers_add_up() -> None:
    assert covered(RELEASE, CHECKS[:2]) + covered({}, CHECKS[2:]) == COVERAGE
    assert Coverage() + COVERAGE == COVERAGE


def test_the_summary_is_plain_data() -> None:
    assert COVERAGE.summary() == {
        "changed": {"A": 3, "B": 2, "D": 1},
        "never": dict(COVERAGE.never),
        "unknown": ["A", "B", "C", "CheckCartesianProducts"],
        "pairs": 3,
    }


PART = Rule(
    name="P",
    rule_name="P",
    batch="",
    switch=Excluded(("X",)),
    law="law",
    tracked_as="X",
    evidence=lambda before, after: True,
)


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("EliminateOuterJoins", Listed("A Batch", True, False)),
        ("RewriteExceptAll", Listed("Replace Operators", True, True)),
        ("Optimizer$FinishAnalysis", Listed("Finish Analysis", False, False)),
    ],
    ids=["excludable", "with an entry", "always on"],
)
def test_the_release_is_listed_with_what_is_known(name: str, entry: Listed) -> None:
    found = [
        Discovered("A Batch", OPTIMIZER + "EliminateOuterJoins", True),
        Discovered("Replace Operators", OPTIMIZER + "RewriteExceptAll", False),
        Discovered("Finish Analysis", OPTIMIZER + "Optimizer$FinishAnalysis", False),
    ]
    plain = Catalogue.of_release(found[:1] + found[2:], release="4.3.0", entries=())
    catalogue = Catalogue(
        (
            *plain.rules,
            Rule(name="RewriteExceptAll", rule_name=found[1].rule_name, batch=found[1].batch, switch=Excluded(())),
            PART,
        )
    )
    assert listed(catalogue)[name] == entry
    assert "P" not in listed(catalogue)


def test_the_record_keeps_what_two_workers_saw(tmp_path: Path) -> None:
    catalogue = Catalogue.of_release([Discovered("A Batch", "x.A", True)], release="4.3.0", entries=())
    for worker, changed_plan in enumerate([("A",), ("A", "B")]):
        recorder = Recorder(tmp_path / f"{worker}.jsonl")
        recorder.release("4.3.1", catalogue)
        recorder.check(checked_of(changed_plan=changed_plan), AGREE, str(worker))
        recorder.close()
    seen = read_record(tmp_path).coverage
    assert (seen.release, seen.changed) == ({"A": Listed("A Batch", True, False)}, {"A": 2, "B": 1})
    assert combined([read_record(tmp_path)]).coverage == seen


def test_the_summary_names_the_spark_that_ran(tmp_path: Path) -> None:
    """Not the installed one, where a distribution was asked for."""
    recorder = Recorder(tmp_path / "main.jsonl")
    recorder.release("4.4.0-SNAPSHOT", Catalogue(()))
    recorder.close()
    versions = {"spark": "4.3.0", "duckdb": "2.0.0"}
    assert summary(read_record(tmp_path), versions=versions, seed=1, seconds=1.0)["spark"] == "4.4.0-SNAPSHOT"
