"""Environments of one checkout run at once: none rebuilds a folder under another, and who has to wait says for whom."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from tests.cli.tiny_tox import SIX, TinyProject

REBUILT = ("recreate env", "remove tox env folder")
"""The words of tox when it rebuilds a folder."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    return TinyProject(tmp_path_factory.mktemp("tiny") / "checkout")


@pytest.fixture
def project(checkout):
    """A checkout whose folder has been made, with tiny 1 in it, and where nothing has been reported."""
    checkout.depend("tiny==1")
    checkout.make()
    shutil.rmtree(checkout.folder / ".tox" / "reports", ignore_errors=True)
    yield checkout
    checkout.end_all()


def _rebuilt(text):
    return [words for words in REBUILT if words in text]


def test_environments_of_one_spark_run_at_once(project):
    runs = [project.start(name) for name in SIX]
    started = [run.started() for run in runs]
    ended = [run.end() for run in runs]
    assert [(name, ok, code, _rebuilt(text)) for name, ok, (code, text) in zip(SIX, started, ended, strict=True)] == [
        (name, True, 0, []) for name in SIX
    ]


def test_what_is_set_up_beside_a_run_rebuilds_nothing(project):
    """Setting up without running leaves tox's record of who did it, for the next one to stumble over."""
    first = project.start("tests")
    assert first.started()
    project.make("cli")
    second = project.start("fuzz")
    assert (second.started(), _rebuilt(second.text)) == (True, [])
    assert [run.end()[0] for run in (first, second)] == [0, 0]


def test_two_runs_of_one_environment_have_reports_of_their_own(project):
    first, second = project.start("tests"), project.start("tests")
    assert (first.started(), second.started()) == (True, True)
    assert [run.end()[0] for run in (first, second)] == [0, 0]
    reports = project.folder / ".tox" / "reports"
    assert sorted(path.name for path in reports.iterdir()) == ["tests-2.xml", "tests.xml"]


def test_the_next_run_of_an_environment_has_the_first_ones_report_again(project):
    for _ in range(2):
        run = project.start("tests")
        assert run.started()
        assert run.end()[0] == 0
    assert [path.name for path in (project.folder / ".tox" / "reports").iterdir()] == ["tests.xml"]


CHANGES = {
    "another version": (("tiny==2",), (), "started with tiny 2"),
    "one package more": (("tiny==1", "other"), (), "started with tiny 1"),
    "told to rebuild it": (("tiny==1",), ("--recreate",), "started with tiny 1"),
}


@pytest.mark.parametrize(("requirements", "options", "then"), CHANGES.values(), ids=CHANGES)
def test_a_folder_in_use_is_changed_only_after_the_run(project, requirements, options, then):
    first = project.start("tests")
    assert first.started()
    project.depend(*requirements)
    second = project.start("replay", *options)
    assert second.until("is in use: waits for tests"), second.text
    assert f"waits for tests (process {first.pid}) " in second.text
    assert first.end()[0] == 0
    assert second.until(then), second.text
    assert second.end()[0] == 0


@pytest.mark.slow  # waits for processes
def test_while_one_waits_those_that_change_nothing_run(project):
    first = project.start("tests")
    assert first.started()
    waiting = project.start("replay", "--recreate")
    assert waiting.until("is in use: waits for")
    third = project.start("cli")
    assert third.started()
    assert [run.end()[0] for run in (third, first, waiting)] == [0, 0, 0]


def test_an_interrupt_ends_the_waiting_alone(project):
    first = project.start("tests")
    assert first.started()
    waiting = project.start("replay", "--recreate")
    assert waiting.until("is in use: waits for")
    waiting.send(signal.SIGINT)
    code, text = waiting.end()
    assert (code != 0, "started with" in text) == (True, False)
    assert first.end()[0] == 0


@pytest.mark.slow  # as above
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system doesn't show other processes")
def test_what_a_killed_tox_has_left_running_is_waited_for(project):
    killed = project.start("tests")
    assert killed.started()
    killed.send(signal.SIGKILL)
    second = project.start("replay", "--recreate")
    assert second.until("is in use: waits for tests (process "), second.text
    killed.end()
    assert second.started()
    assert second.end()[0] == 0
