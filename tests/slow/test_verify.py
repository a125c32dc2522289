"""Verification as its users run it: verdicts, exit codes and the summary, with the example rules as users' own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jars.build import EXAMPLE_SOURCES
from tests.cli.assay import verify

FIRST = ("--spark-conf", "spark.sql.optimizer.replaceExceptWithFilter=false")
THROWS = Path(__file__).parents[1] / "cli" / "rules" / "Throws.scala"
FILES = {
    "unsound": (EXAMPLE_SOURCES / "aswritten" / "ReplaceExceptWithNotFilter.scala", 1, "refuted"),
    "sound": (EXAMPLE_SOURCES / "ReplaceExceptWithNotFilter.scala", 0, "verified"),
}
DROPS = THROWS.with_name("DropsFilters.scala")


@pytest.mark.parametrize(("file", "code", "verdict"), FILES.values(), ids=FILES)
def test_an_example_rule(tmp_path, file, code, verdict):
    out = tmp_path / "summary.json"
    rule = f"{file}@plan-normalization"
    options = ("--failures", tmp_path, "--summary-json", out, "--budget", "150s", "--pairs", 4)
    ended = verify("--rule", rule, *FIRST, *options, cwd=tmp_path)
    assert ended.code == code, ended.text
    (summary,) = json.loads(out.read_text())["rules"].values()
    assert (summary["verdict"], summary["lost"], len(summary["findings"])) == (verdict, 0, code)
    assert summary["comparisons"] > 0
    assert summary["coverage"]["ran"] > 0


def test_a_rule_of_the_analysis_is_refuted(tmp_path):
    """The plan without it has an analysis of its own."""
    options = ("--bound", "operators=1", "--pairs", 4, "--budget", "150s", "--failures", tmp_path)
    ended = verify("--rule", f"{DROPS}@resolution", *options, cwd=tmp_path)
    assert (ended.code, "refuted" in ended.text) == (1, True), ended.text


@pytest.mark.parametrize("name", ["DropsExchangesBelowGroups", "DropsSortsBelowJoins"])
def test_a_rule_of_exchanges_and_sorts_is_refuted(tmp_path, name):
    """There are exchanges over several partitions alone, and a sort is missed where the rows have another order."""
    rule = f"{THROWS.with_name('RulesOfExchanges.scala')}:{name}@columnar"
    options = ("--bound", "operators=1", "--budget", "150s", "--failures", tmp_path)
    ended = verify("--rule", rule, *options, cwd=tmp_path)
    assert (ended.code, "refuted" in ended.text) == (1, True), ended.text


def test_a_rule_that_raises_is_refuted_though_it_leaves_no_plan(tmp_path):
    out = tmp_path / "summary.json"
    options = ("--bound", "operators=1", "--pairs", 1, "--budget", "150s", "--failures", tmp_path)
    ended = verify("--rule", f"{THROWS}@plan-normalization", *options, "--summary-json", out, cwd=tmp_path)
    assert ended.code == 1, ended.text
    (summary,) = json.loads(out.read_text())["rules"].values()
    assert [finding["kind"] for finding in summary["findings"]] == ["internal"]


def test_a_rule_of_sparks_that_no_small_query_fires(tmp_path):
    """Queries of its shape fire it, and no difference is no bound."""
    ended = verify("--rule", "EliminateSerialization", "--bound", "operators=1", "--budget", "60s", cwd=tmp_path)
    assert (ended.code, "undecided: no query of the grammar" in ended.text) == (3, True), ended.text
    assert "beyond the grammar: fired on " in ended.text


def test_rules_are_shared_out_between_workers(tmp_path):
    """One is refuted and one verified: the worst verdict is the exit code; the table and the summary have both."""
    names = ["RewriteExceptAllNoReplication", "RewriteExceptAllRightCountsZero"]
    planted = [option for name in names for option in ("--mutant", name)]
    out = tmp_path / "summary.json"
    bound = ("--bound", "operators=1,rows=1", "--budget", "150s", "--pairs", 4, "-n", 2)
    ended = verify(*planted, *bound, "--failures", tmp_path, "--summary-json", out, cwd=tmp_path)
    assert ended.code == 1, ended.text
    rules = json.loads(out.read_text())["rules"]
    assert {name: each["verdict"] for name, each in rules.items()} == dict(
        zip(names, ["verified", "refuted"], strict=True)
    )
    assert {each["mutant_of"] for each in rules.values()} == {"RewriteExceptAll"}
    assert "verified up to a bound" in ended.text
    assert all(f"{name}@plan-normalization: " in ended.text for name in names)


def test_what_one_worker_refuses_ends_the_run(tmp_path):
    ended = verify("--rule", "CombineFilters", "--rule", "OptimizeSubqueries", "-n", 2, cwd=tmp_path)
    assert (ended.code, "OptimizeSubqueries: can't be turned off" in ended.text) == (2, True), ended.text
    assert "Traceback" not in ended.text
