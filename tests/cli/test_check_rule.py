"""check-rule as its user runs it: the files lie outside the checkout, and so does the folder that it is run in."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from tests.cli.assay import RULES, check_rule, replay

QUICK = ("--hypothesis-seed", 3, "--scale", 0, "--verify", "0s")
PROGRESS = re.compile(r"compiling what has changed, and starting Spark \| \d+ s")
ON_PAIRS = ("--shapes", RULES / "two_conditions.py", "--max-examples", 130)
"""Enough queries, and half of them such, that a rule about AND can be acquitted."""


def _copied(file, folder):
    return shutil.copy(file, folder / file.name)


@pytest.fixture(scope="module")
def convicted(tmp_path_factory):
    """The trial of a wrong rule in a Scala file."""
    folder = _copied(RULES / "DropsFilters.scala", tmp_path_factory.mktemp("convicted")).parent
    options = ("--failures", "found", "--summary-json", "s.json", "--html", "trial.html")
    return folder, check_rule(*QUICK, *ON_PAIRS, "--rule", "DropsFilters.scala", *options, cwd=folder)


@pytest.mark.slow
def test_of_several_rules_each_has_its_own_verdict(tmp_path):
    """The right one is on trial with the wrong one off."""
    for name in ("SwapsConjuncts", "DropsFilters"):
        _copied(RULES / f"{name}.scala", tmp_path)
    rules = ("--rule", "DropsFilters.scala", "--rule", "SwapsConjuncts.scala@pre-operator-optimization")
    ended = check_rule(*QUICK, *ON_PAIRS, *rules, "--summary-json", "s.json", "--html", "trial.html", cwd=tmp_path)
    rules = json.loads((tmp_path / "s.json").read_text())["rules"]
    assert {name: (trial["point"], trial["verdict"]) for name, trial in rules.items()} == {
        "SwapsConjuncts": ("pre-operator-optimization", "acquitted"),
        "DropsFilters": ("optimizer", "convicted"),
    }, ended.text
    title = "<title>DropsFilters@optimizer, SwapsConjuncts@pre-operator-optimization: convicted"
    assert title in (tmp_path / "trial.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_wrong_rule_in_a_file_is_convicted(convicted):
    _, ended = convicted
    assert ended.code == 1, ended.text
    assert "convicted (another answer): fired in " in ended.text
    sections = [
        "rule finding[DropsFilters], blame on",
        "spark ",
        "diff ",
        "before ",
        "after ",
        "replay ",
        "convicted (",
    ]
    positions = [ended.text.index(section) for section in sections]
    assert positions == sorted(positions)


@pytest.mark.slow
def test_the_summary_has_the_verdict_and_the_counterexample(convicted):
    folder, ended = convicted
    trial = json.loads((folder / "s.json").read_text())["rules"]["DropsFilters"]
    (finding,) = trial["findings"]
    assert (trial["verdict"], trial["point"], finding["rules"]) == ("convicted", "optimizer", ["DropsFilters"]), (
        ended.text
    )
    assert trial["queries"] >= trial["checked"] >= trial["fired"] >= trial["differed"] >= 1
    assert trial["operators"]["Filter"] >= 1


@pytest.mark.slow
def test_the_page_has_the_verdicts_and_the_counterexample(convicted):
    folder, ended = convicted
    page = (folder / "trial.html").read_text(encoding="utf-8")
    (finding,) = json.loads((folder / "s.json").read_text())["rules"]["DropsFilters"]["findings"]
    assert "<title>DropsFilters@optimizer: convicted" in page, ended.text
    assert f'id="f-{finding["fingerprint"]}"' in page


@pytest.mark.slow
def test_the_counterexample_replays(convicted):
    folder, _ = convicted
    ended = replay(next((folder / "found").glob("*.json")))
    assert (ended.code, "rule finding[DropsFilters], blame on" in ended.text) == (1, True), ended.text


@pytest.mark.slow
def test_a_small_query_convicts_an_obviously_wrong_rule_before_any_is_drawn(tmp_path):
    _copied(RULES / "DropsFilters.scala", tmp_path)
    outputs = ("--summary-json", "s.json", "--html", "trial.html")
    ended = check_rule("--rule", "DropsFilters.scala", *outputs, cwd=tmp_path)
    assert (ended.code, "convicted (another answer): a small query, refuted, after " in ended.text) == (1, True), (
        ended.text
    )
    trial = json.loads((tmp_path / "s.json").read_text())["rules"]["DropsFilters"]
    (finding,) = trial["findings"]
    assert (trial["verdict"], trial["queries"], trial["verification"]["verdict"]) == ("convicted", 0, "refuted")
    assert (finding["operators"], finding["rows"]) == (1, 1)
    assert trial["coverage"]["ran"] > 0
    assert "<title>DropsFilters@optimizer: convicted" in (tmp_path / "trial.html").read_text(encoding="utf-8")


BAD_SHAPES = {
    "nothing": ("x = 1\n", "has no public function without arguments"),
    "no_python": ("def broken(:\n", ":1: SyntaxError"),
    "raises": ("import nowhere_at_all\n", ":1: ModuleNotFoundError: No module named 'nowhere_at_all'"),
    "no_strategy": ("def numbers():\n    return 3\n", "numbers: TypeError: returns a int, not a strategy"),
    "other_things": (
        "from hypothesis import strategies as st\ndef numbers():\n    return st.integers()\n",
        "numbers: draws int, neither a Case nor a pair",
    ),
}


@pytest.mark.parametrize(("content", "said"), BAD_SHAPES.values(), ids=BAD_SHAPES)
def test_shapes_that_are_none_are_bad_input(tmp_path, content, said):
    (tmp_path / "shapes.py").write_text(content)
    _one_line_said(check_rule("--rule", "EliminateSorts", "--shapes", "shapes.py", cwd=tmp_path), said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "name a rule with --rule"),
        (("--rule", "com.acme.MyRule@check"), "a check changes no plan"),
        (("--rule", "com.acme.MyRule@nowhere"), "no injection point 'nowhere'"),
        (("--rule", "EliminateSorts", "--shapes", "none.py"), "--shapes: no such file"),
        (("--rule", "EliminateSorts", "--scale", "much"), "--scale much: needs a number of rows"),
        (("--rule-jar", "no.jar", "--rule", "com.acme.MyRule"), "--rule-jar: no such file"),
        (("--rule-jar", RULES / "NotARule.scala", "--rule", "java.lang.String"), "is not a Rule[LogicalPlan]"),
        (("--extensions", "com.acme.NoExtensions"), "com.acme.NoExtensions: no such class"),
    ],
    ids=lambda value: " ".join(map(str, value))[:50] if isinstance(value, tuple) else "",
)
def test_what_is_not_there_is_one_line(tmp_path, options, said):
    _one_line_said(check_rule(*options, cwd=tmp_path), said)


def test_a_file_that_does_not_compile_is_told_in_the_compilers_lines(tmp_path):
    ended = check_rule("--rule", _copied(RULES / "DoesNotCompile.scala", tmp_path), cwd=tmp_path)
    assert (ended.code, "DoesNotCompile.scala:7: error: not found" in ended.text) == (2, True), ended.text


def _one_line_said(ended, said):
    """One line, beside those that tell of the start of Spark."""
    lines = [line for line in ended.text.splitlines() if not PROGRESS.fullmatch(line)]
    assert (ended.code, len(lines), said in lines[0]) == (2, 1, True), ended.text


@pytest.mark.slow
def test_the_lines_of_a_rule_that_never_ran_are_named(tmp_path):
    _copied(RULES / "HasAnIdleCase.scala", tmp_path)
    options = ("--rule", "HasAnIdleCase.scala", "--max-examples", 12, "--summary-json", "s.json")
    ended = check_rule(*QUICK, *options, cwd=tmp_path)
    assert ended.code == 3, ended.text
    assert "HasAnIdleCase: lines 10-11 of HasAnIdleCase.scala never ran" in ended.text
    told = json.loads((tmp_path / "s.json").read_text())["rules"]["HasAnIdleCase"]["coverage"]
    assert told["never_run"] == {"HasAnIdleCase.scala": [[10, 11]]}
    assert 0 < told["ran"] < told["blocks"]
