"""Fuzz runs about one rule that end early: it ends each JVM, or it hardly fires."""

from __future__ import annotations

import json

from oracles.failures.failure import read_failure
from tests.cli.assay import RULES, fuzz


def test_a_rule_that_ends_each_jvm_is_found_and_ends_the_run(tmp_path):
    """Three queries have an isolated rerun, two more only lose their JVM; then it is enough."""
    options = ("-n", "0", "--max-examples", 10, "--hypothesis-seed", 1, "--rule", RULES / "EndsTheJvm.scala")
    ended = fuzz(*options, "--failures", "found", cwd=tmp_path)
    assert (ended.code, "as in 5 checks right before: nothing can be checked" in ended.text) == (4, True), ended.text
    found = [read_failure(file) for file in (tmp_path / "found").glob("*.json")]
    assert {leg["raised"]["condition"] for one in found for leg in one.legs.values() if "raised" in leg} == {"JVM_DIED"}


def test_a_rule_that_hardly_fired(tmp_path):
    """The run ends although it hasn't made the checks that it was asked for, and nothing is known."""
    summary = tmp_path / "summary.json"
    rule = f"{RULES / 'SwapsFewConjuncts.scala'}@pre-operator-optimization"
    ended = fuzz("-n", "0", "--max-examples", 30, "--hypothesis-seed", 1, "--rule", rule, "--summary-json", summary)
    told = json.loads(summary.read_text())
    fired = told["rules"]["SwapsFewConjuncts"]["fired"]
    assert (ended.code, 0 < fired == told["checks"] < 30) == (3, True), ended.text
    assert f"fired in {fired} of {told['queries']} queries" in ended.text
    assert told["queries"] == 30 * 20
    assert ", no finding" not in ended.text
