"""``assay inversions`` as its user runs it: conditionals are inverted in a real session, and drawn cases show some."""

from __future__ import annotations

import json
import sys

from tests.cli.assay import run


def test_conditionals_of_a_rule_are_inverted_and_cases_show_some(tmp_path):
    options = ("--rule", "LimitPushDown", "--max-examples", 30, "--most", 8, "--hypothesis-seed", 1)
    command = [sys.executable, "-m", "assay", "inversions", *options, "--summary-json", "i.json"]
    ended = run(command, tmp_path)
    assert ended.code == 0, ended.text
    told = json.loads((tmp_path / "i.json").read_text())
    assert list(told["rules"]) == ["LimitPushDown"]
    assert (told["losses"], len(told["tried"])) == (0, 8)
    assert sum(told["fates"].values()) == 8
    assert told["fates"]["wrong rows"] + told["fates"]["error"] > 0
    assert all(each["file"] == "Optimizer.scala" and each["runs"] > 0 for each in told["tried"])
    assert "8 were inverted: " in ended.text
