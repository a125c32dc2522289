"""A campaign that is hurt, and goes on: every fault is a real one."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

import pytest

from assay.ledger.folder import Folder
from oracles.failures.failure import read_failure
from tests.cli.assay import replay
from tests.slow.nightly_runs import Running, rule


@dataclass(frozen=True)
class Hurt:
    """A campaign's end after all that was done to it."""

    code: int
    text: str
    folder: Folder

    def incidents(self, kind: str) -> list[dict]:
        return [each for each in self.folder.read_incidents() if each["kind"] == kind]


@pytest.fixture(scope="module")
def hurt(tmp_path_factory):
    """One campaign: its JVM killed, then stopped; its worker killed; its disk full for a while; then Ctrl-C."""
    with Running(tmp_path_factory.mktemp("hurt") / "c", "--budget", "1h", "--time-limit", 5) as run:
        run.until_rounds(1)
        os.kill(run.jvm, signal.SIGKILL)
        run.until_told("the JVM died with code -9 (SIGKILL)")
        run.until_told("alone, with 5 times the limit, it did not")
        run.until_rounds(1)
        os.kill(run.jvm, signal.SIGSTOP)
        run.until_told("the JVM hung; alone, with 5 times the limit, it did not")
        run.until_rounds(1)
        os.kill(run.worker, signal.SIGKILL)
        run.until_told("worker 0 ended with code -9")
        run.until_rounds(1)
        run.disk_of_worker(full=True)
        run.until_told("no room, waiting")
        run.disk_of_worker(full=False)
        run.until_rounds(1)
        code = run.interrupt()
        return Hurt(code, run.text, run.folder)


@pytest.mark.parametrize("told", ["the JVM died", "the JVM hung"])
def test_a_lost_jvm_is_on_record_with_its_query(hurt, told):
    (incident,) = [each for each in hurt.incidents("jvm") if each["told"].startswith(told)]
    assert (incident["repeated"], "query" in incident["case"]) == (False, True)


def test_a_lost_jvm_leaves_its_last_words(hurt):
    (incident,) = [each for each in hurt.incidents("jvm") if each["told"].startswith("the JVM died")]
    words = incident["last_words"]
    assert (words["code"], words["signal"], words["memory"]["resident_mb"] > 0) == (-9, "SIGKILL", True)


def test_a_killed_worker_is_on_record_with_its_query(hurt):
    (incident,) = hurt.incidents("worker")
    assert "query" in incident["current_case"]["case"]


def test_ctrl_c_keeps_the_round_in_flight(hurt):
    rounds = hurt.folder.read_rounds()
    assert (hurt.code, "stopped before its time" in hurt.text) == (4, True), hurt.text
    assert [one.ended for one in rounds][-1] == "stopped"


def test_only_the_round_of_the_killed_worker_is_lost(hurt):
    numbers = [one.id.number for one in hurt.folder.read_rounds()]
    missing = set(range(1, max(numbers) + 1)) - set(numbers)
    assert (len(missing), len(set(numbers)) == len(numbers)) == (1, True)


def test_no_fault_from_outside_is_taken_for_a_finding(hurt):
    assert list(hurt.folder.findings.glob("*.json")) == []
    verdicts = [name for one in hurt.folder.read_rounds() for name in one.verdicts]
    assert "finding" not in verdicts


def test_a_stopped_campaign_says_how_it_ended(hurt):
    (run,) = hurt.folder.read_runs()
    assert (run["how"], run["exit"], run["checks"] > 30) == ("stopped", 4, True)


@pytest.mark.parametrize("victim", ["worker", "jvm"])
def test_a_campaign_that_lost_a_process_for_no_reason_goes_on_and_ends_red(tmp_path, victim):
    """Signals come from outside: nothing that is tested explains them."""
    with Running(tmp_path / "c", "--budget", "1h", "--max-rounds", 3) as run:
        run.until_rounds(1)
        os.kill(getattr(run, victim), signal.SIGKILL)
        code = run.wait()
    numbers = [one.id.number for one in run.folder.read_rounds()]
    assert (code, f"red: 1 {'dead worker' if victim == 'worker' else 'lost JVM'}" in run.text) == (4, True), run.text
    if victim == "worker":
        assert numbers == [1, 3]
        assert "lost with their workers: 1 round" in run.text
    else:
        assert numbers == [1, 2, 3]
        assert {one.checks for one in run.folder.read_rounds()} == {10}


@pytest.fixture(scope="module")
def guilty(tmp_path_factory):
    """A campaign about two rules that take their JVM down: each is found, and it goes on."""
    out = tmp_path_factory.mktemp("guilty") / "c"
    # Every check that is lost costs a start of Spark: few in a round.
    small = ("--time-limit", 1, "--round", 4, "--spark-conf", "spark.driver.memory=640m")
    with Running(out, "--budget", "1h", *small, *rule("LoopsForEver"), *rule("EatsMemory")) as run:
        run.until(lambda: len(list(run.folder.findings.glob("*.json"))) >= 2)
        run.until_rounds(1)
        code = run.interrupt()
    found = [read_failure(file) for file in run.folder.findings.glob("*.json")]
    return Hurt(code, run.text, run.folder), found


ENDS = {"timeout": "JVM_HUNG", "internal": "JVM_OUT_OF_MEMORY"}


@pytest.mark.parametrize("kind", ENDS)
def test_a_query_that_takes_the_jvm_down_again_alone_is_a_finding(guilty, kind):
    hurt, found = guilty
    (one, *_) = [each for each in found if each.verdict.kind == kind]
    assert (one.verdict.blame, one.confirmed, one.rules) == ("on", True, ("LoopsForEver", "EatsMemory")), hurt.text
    assert one.legs["on"]["raised"]["condition"] == ENDS[kind]
    assert "schema" in one.legs["off"]


def test_a_query_that_takes_the_jvm_down_replays(guilty):
    hurt, found = guilty
    (one, *_) = [each for each in found if each.verdict.kind == "internal"]
    ended = replay(hurt.folder.findings / f"{one.fingerprint}.json")
    assert (ended.code, "JVM_OUT_OF_MEMORY" in ended.text) == (1, True), ended.text
