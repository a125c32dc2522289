"""A fault of Assay's own while a finding is judged: an incident, and neither the finding nor the run is lost."""

from __future__ import annotations

import json

import pytest

from oracles.failures.failure import read_failure
from tests.cli.assay import RULES, fuzz

CHECKS = 12
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """A fuzz run about a wrong rule, none of whose findings can be judged."""
    folder = tmp_path_factory.mktemp("faulty")
    rule = f"{RULES / 'DropsFilters.scala'}@pre-operator-optimization"
    options = ("-n", 0, "--max-examples", CHECKS, "--hypothesis-seed", 3, "--rule", rule, "--failures", "f")
    return fuzz(*options, "--record", "r", "-p", "tests.cli.failing_judge", cwd=folder), folder


def test_the_findings_stay_on_disk_unexcused(faulty):
    ended, folder = faulty
    found = [read_failure(file) for file in (folder / "f").glob("*.json")]
    assert {(one.verdict.kind, one.verdict.blame, one.rules) for one in found} == {("rule", "on", ())}, ended.text
    assert f"finding {found[0].fingerprint}: rule, blame on, no rule" in ended.text
    assert not (folder / "f" / "unjudged").exists()


def test_the_run_goes_on_with_all_of_its_checks(faulty):
    ended, folder = faulty
    verdicts = [json.loads(line).get("verdict") for line in (folder / "r" / "main.jsonl").read_text().splitlines()]
    assert len([each for each in verdicts if each]) == CHECKS, ended.text
    assert verdicts.count("finding") > 1


def test_it_ends_as_a_suite_that_failed_and_says_so(faulty):
    ended, folder = faulty
    assert (ended.code, "planted: nobody can judge this" in ended.text) == (4, True), ended.text
    assert f"faults of Assay's own: see {folder / 'f' / 'incidents'}" in ended.text


def test_each_incident_holds_the_query_and_the_trace(faulty):
    ended, folder = faulty
    incidents = [json.loads(file.read_text()) for file in (folder / "f" / "incidents").glob("*.json")]
    assert incidents, ended.text
    for incident in incidents:
        assert (incident["kind"], "query" in incident["case"]) == ("fault", True)
        assert "failing_judge.py" in incident["trace"]
