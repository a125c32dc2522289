"""Verdicts of check-rule that take many queries: acquittals, thin evidence, and convictions beside known bugs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from jars.build import compile_rule
from oracles.engines.spark.java import find_java
from tests.cli.assay import ROOT, RULES, check_rule

SHAPES = ROOT / "examples" / "my_shapes.py"
QUICK = ("--hypothesis-seed", 3, "--scale", 0, "--verify", "0s")
ON_PAIRS = ("--shapes", RULES / "two_conditions.py", "--max-examples", 130)
"""Enough queries, and half of them such, that a rule about AND can be acquitted."""


def _copied(file, folder):
    return shutil.copy(file, folder / file.name)


def test_a_right_rule_in_a_jar_is_acquitted_and_timed(tmp_path):
    """With the templates that the README gives, a rule and queries that suit it, and some that have rows for sure."""
    jar = compile_rule(ROOT / "examples" / "MyRule.scala", tmp_path, java=find_java().java).rename(tmp_path / "my.jar")
    _copied(SHAPES, tmp_path)
    shapes = ("--shapes", SHAPES.name, "--shapes", RULES / "excepts_with_rows.py")
    options = ("--rule-jar", jar.name, "--rule", "com.acme.MyRule@plan-normalization", *shapes)
    size = ("--max-examples", 220, "--hypothesis-seed", 3, "--scale", 500, "--summary-json", "s.json")
    ended = check_rule(*options, *size, cwd=tmp_path)
    assert (ended.code, "acquitted: fired in " in ended.text) == (0, True), ended.text
    assert "time with tables of 500 rows" in ended.text
    trial = json.loads((tmp_path / "s.json").read_text())["rules"]["MyRule"]
    assert trial["differed"] >= trial["evidence"] >= trial["needed"] == 30
    assert [len(each["on"]) == len(each["off"]) == 5 for each in trial["time"]] == [True] * 3


def test_the_rules_of_an_extension_are_found_and_tried_one_by_one(tmp_path):
    jar = compile_rule(RULES / "AcmeExtensions.scala", tmp_path, java=find_java().java)
    options = ("--rule-jar", jar, "--extensions", "com.acme.AcmeExtensions")
    ended = check_rule(*QUICK, *ON_PAIRS, *options, "--summary-json", "s.json", cwd=tmp_path)
    rules = json.loads((tmp_path / "s.json").read_text())["rules"]
    assert {name: (trial["point"], trial["verdict"]) for name, trial in rules.items()} == {
        "KeepsAll": ("optimizer", "convicted"),
        "SortsPairs": ("plan-normalization", "acquitted"),
    }, ended.text
    assert ended.code == 1
    assert "@check: not tried: a check changes no plan" in ended.text


def test_a_second_mistake_of_a_rule_is_told_where_the_trial_goes_on(tmp_path):
    rule = ("--rule", f"{_copied(RULES / 'ForgetsTwice.scala', tmp_path)}@plan-normalization")
    shapes = ("--shapes", RULES / "filters_and_outer_joins.py", "--max-examples", 40)
    ended = check_rule(*QUICK, *rule, *shapes, "--keep-going", "--summary-json", "s.json", cwd=tmp_path)
    (trial,) = json.loads((tmp_path / "s.json").read_text())["rules"].values()
    files = [Path(finding["file"]) for finding in trial["findings"]]
    texts = [json.loads(file.read_text())["sql"]["spark"] for file in files]
    assert (ended.code, trial["queries"]) == (1, 40), ended.text
    assert [text for text in texts if "WHERE" in text and "JOIN" not in text] != [], ended.text
    assert [text for text in texts if "LEFT OUTER JOIN" in text and "WHERE" not in text] != [], ended.text


def _tried_alone(rule, shapes, folder, count):
    options = ("--rule", rule, "--shapes", RULES / shapes, "--max-examples", count, "--summary-json", "s.json")
    ended = check_rule(*QUICK, *options, cwd=folder)
    (trial,) = json.loads((folder / "s.json").read_text())["rules"].values()
    return ended, trial


def test_a_wrong_rule_that_makes_no_difference_to_the_plans_is_not_acquitted(tmp_path):
    """Nothing that it does was ever run: other rules undo it."""
    rule = f"{_copied(RULES / 'DropsFiltersOfDeletions.scala', tmp_path)}@pre-operator-optimization"
    ended, trial = _tried_alone(rule, "two_conditions.py", tmp_path, 30)
    assert (ended.code, trial["verdict"]) == (3, "thin evidence"), ended.text
    assert (trial["fired"] >= 10, trial["differed"]) == (True, 0), ended.text
    assert "thin evidence: fired in " in ended.text
    assert "plans differed in 0 of 30 queries" in ended.text
    unwrapped = " ".join(ended.text.replace("│", "").split())
    assert "; 0 kinds of queries agreed with rows where the plans differed (30 needed)" in unwrapped
    assert "the plans that ran never differed" in ended.text
    assert "--max-examples N, or another --hypothesis-seed" in ended.text


def test_a_wrong_rule_is_convicted_where_queries_look_like_a_bug_of_sparks(tmp_path):
    """``NOT (x IN q OR p)`` is what a known divergence is about; it excuses no rule that makes ``NOT p`` of it."""
    rule = f"{_copied(RULES / 'ForgetsInBesideOr.scala', tmp_path)}@plan-normalization"
    ended, trial = _tried_alone(rule, "not_in_beside_or.py", tmp_path, 60)
    assert (ended.code, trial["verdict"]) == (1, "convicted"), ended.text
    assert "rule finding[ForgetsInBesideOr], blame on" in ended.text


def test_a_rule_that_is_wrong_over_files_alone_is_convicted_although_most_queries_read_none(tmp_path):
    """It fires over tables in memory, too, and changes no answer there."""
    rule = f"{_copied(RULES / 'DropsFiltersOverFiles.scala', tmp_path)}@plan-normalization"
    options = ("--rule", rule, "--max-examples", 300, "--summary-json", "s.json")
    ended = check_rule(*QUICK, *options, cwd=tmp_path)
    (trial,) = json.loads((tmp_path / "s.json").read_text())["rules"].values()
    assert (ended.code, trial["verdict"]) == (1, "convicted"), ended.text


def test_a_rule_that_finds_nothing_left_to_do_is_told_of_another_point(tmp_path):
    rule = _copied(ROOT / "examples" / "MyRule.scala", tmp_path)
    ended = check_rule(*QUICK, "--rule", rule, "--shapes", SHAPES, "--max-examples", 20, cwd=tmp_path)
    assert (ended.code, "never fired in 20 queries" in ended.text) == (3, True), ended.text
    assert "Except no longer exists at optimizer; try @plan-normalization" in ended.text
    assert "the most frequent plans that the rule was given" in ended.text
