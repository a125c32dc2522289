"""``assay coverage`` as its user runs it: probes in a real session, and a red end where they count nothing."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

from tests.cli.assay import ROOT, run

SOURCES = ("assay", "examples", "jars", "oracles", "strategies")
INSERTED = "all.foreach(block => insert(method.instructions, block.first, probe(numbers.next())))"


def coverage(*options, cwd):
    """``tox run -e coverage -- options`` without tox."""
    return run([sys.executable, "-m", "assay", "coverage", "--hypothesis-seed", 1, *options], cwd)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checked")
    ended = coverage("--source", "general", "--max-examples", 50, "--summary-json", "c.json", cwd=folder)
    assert ended.code == 0, ended.text
    return json.loads((folder / "c.json").read_text()), ended.text


def test_fifty_checks_pass_with_probes_in_every_class(checked):
    """A class that can't be verified would end each query that needs it."""
    told, _ = checked
    general = told["sources"]["general"]
    assert general["cases"] == 50
    assert told["losses"] == 0
    assert general["verdicts"]["agree"] >= 40
    assert not {"raised", "inconclusive"} & general["verdicts"].keys()


def test_the_coverage_is_told_by_rule_with_lines(checked):
    told, text = checked
    assert told["blocks"] > 12_000
    assert told["blocks"] / 4 < told["ran"] < told["blocks"]
    pushed = told["rules"]["PushPredicateThroughJoin"]
    assert 0 < pushed["ran"] < pushed["blocks"]
    assert "PushPredicateThroughJoin: " in text
    assert " of joins.scala never ran" in text
    assert told["curve"][-1] == [50, told["ran"]]


def test_two_workers_run_as_many_blocks_as_one(tmp_path):
    for workers, name in ((1, "one"), (2, "two")):
        options = ("--max-examples", 50, "--plan-only", "-n", workers, "--summary-json", f"{name}.json")
        ended = coverage(*options, cwd=tmp_path)
        assert ended.code == 0, ended.text
    one, two = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("one", "two"))
    assert one["sources"] == two["sources"]
    assert one["sources"].keys() == {"general", "shapes", "corpus"}


def test_a_rule_of_ones_own_has_its_lines(tmp_path):
    rule = ROOT / "examples" / "MyRule.scala"
    ended = coverage("--rule", rule, "--max-examples", 20, "--summary-json", "c.json", cwd=tmp_path)
    assert ended.code == 0, ended.text
    told = json.loads((tmp_path / "c.json").read_text())
    assert list(told["rules"]) == ["MyRule"]
    assert told["rules"]["MyRule"]["ran"] > 0


def test_without_a_shape_there_is_nothing_to_draw_from_shapes(tmp_path):
    ended = coverage("--rule", "InlineCTE", "--source", "shapes", cwd=tmp_path)
    assert (ended.code, ended.text) == (2, "--source shapes: none of the named rules has a shape\n")


def test_probes_that_count_nothing_are_a_fault_and_no_coverage(tmp_path):
    """Planted: instrumented classes without one probe."""
    for name in SOURCES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("target", "__pycache__", "mutants"))
    planted = next(tmp_path.rglob("Instrumenter.scala"))
    text = planted.read_text()
    assert INSERTED in text
    planted.write_text(text.replace(INSERTED, f"if (first < 0) {INSERTED}"))
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv[0] = 'assay'\n"]
    command[-1] += "from assay.commands.cli import main; sys.exit(main())"
    ended = run([*command, "coverage", "--source", "general", "--max-examples", 5], tmp_path)
    assert ended.code == 4, ended.text
    assert "probes count nothing" in ended.text
    assert " %" not in ended.text
