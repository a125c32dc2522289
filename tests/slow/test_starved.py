"""Runs whose evidence is taken away: real engines, one of them broken on purpose, and no finding; each is red."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from tests.cli.assay import fuzz

CHECKS = 12
STARVED = {
    "raising_duckdb": ("duckdb leg", "inconclusive"),
    "scans_alone": ("fired", "agree"),
    "silent_tracker": ("on leg", "vacuous"),
}
"""By the plugin that starves it: the ceiling that says so, and what most checks end in."""


@pytest.mark.parametrize("plugin", STARVED)
def test_a_run_without_evidence_is_red(tmp_path, plugin):
    """It finds nothing, and says by how much it falls short, on the terminal and in JUnit's XML."""
    ceiling, verdict = STARVED[plugin]
    summary, junit = tmp_path / "summary.json", tmp_path / "junit.xml"
    options = ("--max-examples", CHECKS, "--hypothesis-seed", 5, "--summary-json", summary, "--junitxml", junit)
    ended = fuzz("-n", "0", *options, "-p", f"tests.slow.starving.{plugin}")
    told = json.loads(summary.read_text())
    assert (told["checks"], told["findings"], told["verdicts"][verdict] > CHECKS / 2) == (CHECKS, [], True), ended.text
    assert (ended.code, f"red: {ceiling}: " in ended.text) == (1, True), ended.text
    assert ", no finding" not in ended.text
    tests = ElementTree.parse(junit).iter("testcase")
    assert ceiling in {test.get("name") for test in tests if test.find("failure") is not None}
