"""A JVM that is killed while queries are checked: an incident, and the run goes on."""

from __future__ import annotations

import json

import pytest

from tests.cli.live import fuzzing

CHECKS = 30


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A fuzz run whose JVM is killed after its first checks: its exit code, what it printed, and its folder."""
    folder = tmp_path_factory.mktemp("killed")
    options = ("-n", 0, "--max-examples", CHECKS, "--hypothesis-seed", 1, "--record", "r", "--summary-json", "s.json")
    record = folder / "r" / "main.jsonl"
    with fuzzing(*options, "--failures", "f", cwd=folder) as run:
        run.until(lambda: record.exists() and record.read_text().count('"verdict"') >= 3)
        run.kill_jvm()
        return run.wait(), run.text, folder


def test_the_run_goes_on_with_all_of_its_checks(killed):
    _, text, folder = killed
    record = (folder / "r" / "main.jsonl").read_text()
    assert record.count('"verdict"') == CHECKS, text


def test_it_ends_as_a_suite_that_failed(killed):
    code, text, _ = killed
    assert (code, "red: 1 lost JVM: see " in text) == (4, True), text


def test_the_incident_is_shown_and_holds_the_query_and_the_last_words(killed):
    _, text, folder = killed
    files = list((folder / "f").glob("incidents/*.json"))
    assert len(files) == 1, text
    incident = json.loads(files[0].read_text())
    words = incident["last_words"]
    assert (incident["kind"], incident["repeated"], "query" in incident["case"]) == ("jvm", False, True)
    assert (words["code"], words["signal"], words["memory"]["resident_mb"] > 0) == (-9, "SIGKILL", True)
    assert "incident, jvm: the JVM died with code -9 (SIGKILL)" in text
    assert str(files[0]) in text


def test_the_summary_lists_the_incident(killed):
    _, text, folder = killed
    incidents = json.loads((folder / "s.json").read_text()).get("incidents", [])
    assert [each["kind"] for each in incidents] == ["jvm"], text
