"""Every exit code of a run, each reached by what it stands for; and what the run leaves behind."""

from __future__ import annotations

import json

import pytest

from oracles.failures.failure import read_failure
from tests.cli.assay import RULES, fuzz, replay


@pytest.fixture(scope="module")
def convicted(tmp_path_factory):
    """One run over a rule that is wrong."""
    folder = tmp_path_factory.mktemp("convicted")
    rule = f"{RULES / 'DropsFilters.scala'}@optimizer"
    options = ("-n", "0", "--max-examples", 20, "--hypothesis-seed", 7, "--rule", rule)
    ended = fuzz(*options, "--failures", "found", "--summary-json", "summary.json", cwd=folder)
    return folder, ended


@pytest.mark.slow
def test_a_right_rule_that_fired_is_green_and_its_checks_are_those_in_which_it_fired(tmp_path):
    summary = tmp_path / "summary.json"
    rule = f"{RULES / 'SwapsConjuncts.scala'}@pre-operator-optimization"
    options = ("-n", "0", "--max-examples", 8, "--hypothesis-seed", 1, "--rule", rule)
    ended = fuzz(*options, "--summary-json", summary)
    told = json.loads(summary.read_text())
    counts = told["rules"]["SwapsConjuncts"]
    assert (ended.code, counts["fired"] > 0) == (0, True), ended.text
    assert (told["checks"], counts["checked"], counts["fired"]) == (8, 8, 8)
    assert f"{told['nonempty']} agreements with rows over 1 rule that fired, no finding" in ended.text


def test_a_wrong_rule_is_a_finding(convicted):
    _, ended = convicted
    assert (ended.code, "blame on" in ended.text) == (1, True), ended.text


@pytest.mark.slow
def test_what_the_driver_alone_finds_is_the_suites_own_failure(tmp_path):
    rule = f"{RULES / 'KeepsAllInTheDriver.scala'}@pre-operator-optimization"
    options = ("-n", "0", "--max-examples", 25, "--hypothesis-seed", 3, "--rule", rule)
    ended = fuzz(*options, "--failures", "found", cwd=tmp_path)
    assert (ended.code, "run in the driver, a check ends in finding rule on" in ended.text) == (4, True), ended.text
    plain = next((tmp_path / "found" / "paths").glob("*.plain.json"))
    fast = plain.with_name(plain.name.replace(".plain", ""))
    assert str(fast) in ended.text
    assert json.loads(plain.read_text())["kind"] is None
    again = replay(fast)
    assert (again.code, "blame on" in again.text) == (1, True), again.text


def test_a_failure_prints_how_to_see_it_again(convicted):
    _, ended = convicted
    sections = ["blame on", "spark ", "duckdb ", "diff ", "types equal", "before ", "after ", "@example(", "replay "]
    positions = [ended.text.index(section) for section in sections]
    assert positions == sorted(positions)


def test_the_failure_file_has_the_plans_around_the_guilty_rule(convicted):
    folder, _ = convicted
    failure = read_failure(next((folder / "found").glob("*.json")))
    before, after = failure.plans["DropsFilters"]
    assert before.count("Filter") > after.count("Filter")


def test_the_summary_lists_the_finding_and_its_file(convicted):
    folder, _ = convicted
    found = json.loads((folder / "summary.json").read_text())["findings"]
    entry = found[0]
    assert (entry["kind"], entry["blame"], entry["rules"], entry["confirmed"]) == ("rule", "on", ["DropsFilters"], True)
    assert (entry["operators"] <= 2, entry["rows"] <= 2, (folder / "found").is_dir()) == (True, True, True)


def test_a_rule_of_ones_own_is_shown_wrong_on_a_spark_without_assay(convicted):
    folder, ended = convicted
    found = json.loads((folder / "summary.json").read_text())["findings"]
    assert found[0]["stock"] == "confirmed", ended.text
    assert "confirmed on stock Spark" in ended.text
    texts = [script.read_text(encoding="utf-8") for script in (folder / "found").glob("*.py")]
    assert texts
    assert all("object DropsFilters extends Rule[LogicalPlan]" in text for text in texts)


def test_a_finding_replays(convicted):
    folder, _ = convicted
    file = next((folder / "found").glob("*.json"))
    ended = replay(file)
    assert (ended.code, "blame on" in ended.text) == (1, True), ended.text


@pytest.mark.slow
def test_a_mended_rule_replays_green(convicted, tmp_path):
    """The file's rule can be given anew: the same name, another body."""
    folder, _ = convicted
    mended = tmp_path / "DropsFilters.scala"
    source = (RULES / "DropsFilters.scala").read_text()
    mended.write_text(
        source.replace("plan.transform { case Filter(_, child) => child }", "plan").replace(
            "import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}",
            "import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan",
        )
    )
    file = next((folder / "found").glob("*.json"))
    ended = replay(file, "--rule", f"{mended}@optimizer")
    assert (ended.code, "does not fail any more" in ended.text) == (0, True), ended.text


@pytest.mark.slow
def test_a_replay_that_cannot_be_judged(convicted, tmp_path):
    """The release lacks the rule that has to be off."""
    folder, _ = convicted
    data = json.loads(next((folder / "found").glob("*.json")).read_text())
    file = tmp_path / "other.json"
    file.write_text(json.dumps({**data, "off": ["RuleOfAnotherRelease"]}))
    ended = replay(file)
    assert (ended.code, "RuleOfAnotherRelease" in ended.text) == (3, True), ended.text


@pytest.mark.slow  # a run of its own
def test_a_rule_that_never_fired():
    ended = fuzz("-n", "0", "--max-examples", 1, "--hypothesis-seed", 1, "--rule", RULES / "NeverFires.scala")
    assert (ended.code, "NeverFires never fired" in ended.text) == (3, True), ended.text


def test_an_unknown_option_is_a_usage_error():
    """The command line refuses it before pytest starts, so the code is the command line's and not pytest's 4."""
    refused = fuzz("--no-such-option")
    assert (refused.code, "--no-such-option" in refused.text) == (2, True), refused.text
