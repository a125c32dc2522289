"""Supervision where no JVM is lost: faults of Assay's own, over engines that were never started."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis.errors import StopTest, UnsatisfiedAssumption

from assay.fuzz.supervisor import Supervisor, last_case, supervisor_of
from assay.session.ending import BadInput
from oracles.answers.outcome import Raised
from oracles.checks.check import Harness
from oracles.checks.paths import PathsDiffer
from oracles.checks.result import LegSettings
from oracles.checks.verdict import Verdict
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.jvm import SparkLost
from oracles.engines.spark.start import SparkOptions, SparkUnusable
from strategies.ir import to_plain
from tests.unit.failure_samples import case_of, checked_of

CASE = case_of()
Told = list[tuple[str, str, dict[str, Any]]]


@pytest.fixture
def told() -> Told:
    return []


@pytest.fixture
def guard(tmp_path: Path, told: Told) -> Iterator[Supervisor]:
    def tell(kind: str, line: str, **facts: Any) -> None:
        told.append((kind, line, facts))

    with Harness(SparkEngine(SparkOptions(jars=())), DuckdbEngine()) as harness:
        yield supervisor_of(harness, (), LegSettings(), case_file=tmp_path / "main.case.json", tell=tell)


def failing(error: BaseException) -> Callable[[], NoReturn]:
    def fail() -> NoReturn:
        raise error

    return fail


def test_what_goes_well_is_passed_on(guard: Supervisor, told: Told) -> None:
    checked = checked_of(CASE)
    assert guard.check(CASE, lambda: checked) is checked
    assert guard.check(CASE, lambda: None) is None
    assert guard.check_each(CASE, lambda: [checked]) == [checked]
    assert guard.attempt(CASE, lambda: 3, 0) == 3
    assert (told, guard.incidents) == ([], 0)


def test_the_case_is_on_disk_while_it_is_checked(guard: Supervisor, tmp_path: Path) -> None:
    seen = []

    def look() -> None:
        seen.append(last_case(tmp_path / "main.case.json"))

    guard.check(CASE, look)
    assert [(each["doing"], each["case"]) for each in seen] == [("check", to_plain(CASE))]
    assert last_case(tmp_path / "other.case.json") is None


def test_a_current_case_is_known_while_it_is_replaced(tmp_path: Path) -> None:
    tmp_path.joinpath("main.case.new").write_text('{"doing": "check"}')
    assert last_case(tmp_path / "main.case.json") == {"doing": "check"}


LATE = Raised("TIMEOUT", None, "", "timeout")


def test_a_finding_stands_where_a_leg_that_it_does_not_need_is_late(guard: Supervisor, told: Told) -> None:
    """An isolated rerun would have the word, and after three losses none is made."""
    guard.losses["late"] = 3
    finding = Verdict(name="finding", kind="rule", blame="unknown", reason="on and off differ")
    checked = replace(checked_of(CASE), verdict=finding, legs={**checked_of(CASE).legs, "duckdb": LATE})
    assert guard.check(CASE, lambda: checked) is checked
    unclear = replace(checked, verdict=Verdict(name="inconclusive", reason=""))
    seen = guard.check(CASE, lambda: unclear)
    assert (seen is unclear, [kind for kind, _, _ in told]) == (False, ["late"])


FAULTS: dict[str, tuple[Exception, str]] = {
    "any": (KeyError("planted"), "fault"),
    "the two paths": (PathsDiffer(checked_of(CASE), checked_of(CASE)), "paths"),
    "of the file system": (PermissionError("planted"), "fault"),
}


@pytest.mark.parametrize(("error", "kind"), FAULTS.values(), ids=FAULTS)
def test_a_fault_costs_a_check_and_holds_its_case(guard: Supervisor, told: Told, error: Exception, kind: str) -> None:
    error.add_note("see there")
    assert guard.check(CASE, failing(error)) is None
    assert guard.check_each(CASE, failing(error)) == []
    assert [each[0] for each in told] == [kind, kind]
    _, line, facts = told[0]
    assert line.startswith(f"{type(error).__name__} in test_supervisor.py:")
    assert line.endswith("see there")
    assert facts["case"] == to_plain(CASE)
    assert "in fail" in facts["trace"]
    json.dumps(facts)


def test_a_fault_in_a_closer_look_leaves_what_is_known(guard: Supervisor, told: Told) -> None:
    assert guard.attempt(CASE, failing(ValueError("planted")), "as it was") == "as it was"
    assert guard.attempt(None, failing(ValueError("planted")), "as it was") == "as it was"
    assert [(kind, facts["current_case"]["case"]) for kind, _, facts in told] == [("fault", to_plain(CASE))] * 2


PASSING = {
    "a draw that is rejected": UnsatisfiedAssumption(),
    "a draw that ends": StopTest(0),
    "Spark that doesn't start": SparkUnusable("no"),
    "bad input": BadInput("no"),
    "a server that is gone": SparkLost("no"),
    "a coordinator that is gone": BrokenPipeError(),
    "Ctrl-C": KeyboardInterrupt(),
}


@pytest.mark.parametrize("error", PASSING.values(), ids=PASSING)
def test_what_is_no_fault_of_a_check_passes(guard: Supervisor, told: Told, error: BaseException) -> None:
    with pytest.raises(type(error)):
        guard.check(CASE, failing(error))
    with pytest.raises(type(error)):
        guard.attempt(CASE, failing(error), None)
    assert told == []


def test_where_check_after_check_is_lost_it_is_enough(guard: Supervisor, told: Told) -> None:
    for _ in range(10):
        assert guard.check(CASE, failing(ValueError("planted"))) is None
    with pytest.raises(ValueError, match="planted"):
        guard.check(CASE, failing(ValueError("planted")))
    assert len(told) == 10


def test_one_fault_again_and_again_is_counted_and_not_told_for_ever(guard: Supervisor, told: Told) -> None:
    error = ValueError("planted")
    for _ in range(50):
        guard.attempt(CASE, failing(error), None)
    assert (len(told), guard.incidents) == (20, 50)
    guard.attempt(CASE, failing(KeyError("another")), None)
    assert (len(told), guard.incidents) == (21, 51)
