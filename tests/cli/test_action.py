"""The action for GitHub: every input is documented and used, and a wrong one is one line and exit code 2."""

from __future__ import annotations

import re

import pytest
import tomllib

from tests.cli.action import ACTION, EXPRESSION, STEPS, Job
from tests.cli.assay import ROOT

pytestmark = pytest.mark.one_in(1)  # all of them take a tenth of a second

LOOK = STEPS[0]
PAGE = (ROOT / "docs" / "how-to" / "in-your-build.md").read_text(encoding="utf-8")
TEXT = (ROOT / "action.yml").read_text(encoding="utf-8")


@pytest.fixture
def job(tmp_path):
    """Makes a job with the inputs, in a folder with a jar and a rule."""

    def made(**inputs: str) -> Job:
        for name in ("workspace", "temporary"):
            (tmp_path / name).mkdir()
        (tmp_path / "workspace" / "my.jar").touch()
        (tmp_path / "workspace" / "My.scala").touch()
        return Job(
            tmp_path / "workspace", tmp_path / "temporary", {name.replace("_", "-"): inputs[name] for name in inputs}
        )

    return made


@pytest.mark.parametrize("name", ACTION["inputs"])
def test_every_input_is_documented_and_used(name):
    assert ACTION["inputs"][name]["description"]
    assert f"`{name}`" in PAGE
    assert f"inputs.{name}" in EXPRESSION.findall(TEXT)


def test_no_step_uses_an_input_that_is_not_there():
    used = {found.removeprefix("inputs.") for found in EXPRESSION.findall(TEXT) if found.startswith("inputs.")}
    assert used == set(ACTION["inputs"])


def test_each_step_is_a_script_or_an_action_with_a_version():
    uses = [step["uses"] for step in ACTION["runs"]["steps"] if "run" not in step]
    assert len(STEPS) == 3
    assert [each for each in uses if not re.fullmatch(r"actions/[\w-]+@v\d+", each)] == []
    assert len({step["name"] for step in STEPS}) == len(STEPS)


def test_the_releases_are_the_extras_of_the_wheel():
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    extras = [name for name in groups if re.fullmatch(r"spark\d+", name)]
    (listed,) = re.findall(r"^ *([\d. |]+)\) ;;$", LOOK["run"], re.MULTILINE)
    assert [f"spark{each.replace('.', '')}" for each in listed.split(" | ")] == extras


RIGHT = {
    "a class of a jar": {"rule": "a.b.Mine@optimizer", "jars": "my.jar"},
    "extensions": {"extensions": "a.b.Mine", "jars": "my.jar"},
    "a file": {"rule": "My.scala"},
    "a file, with its class and a point": {"rule": "My.scala:Mine@plan-normalization"},
    "several": {"rule": "a.b.One\na.b.Two\n", "jars": "my.jar\nmy.jar\n"},
    "a class in a package scala": {"rule": "a.scala.Mine@optimizer"},
    "every release": {"rule": "a.b.Mine", "spark": "3.5"},
    "a seed": {"rule": "a.b.Mine", "seed": "7", "max_examples": "10"},
}


@pytest.mark.parametrize("inputs", RIGHT.values(), ids=RIGHT)
def test_right_inputs_are_taken(job, inputs):
    ended = job(**inputs).run(LOOK)
    assert (ended.code, ended.text) == (0, "")


WRONG = {
    "no rule": ({}, "no rule: give the input rule or extensions"),
    "blanks for a rule": ({"rule": " \n"}, "no rule: give the input rule or extensions"),
    "an unknown release": ({"rule": "a.b.Mine", "spark": "3.3"}, "spark: no release 3.3; there are 3.5, 4.0"),
    "the name of an extra": ({"rule": "a.b.Mine", "spark": "spark43"}, "spark: no release spark43"),
    "no release": ({"rule": "a.b.Mine", "spark": ""}, "spark: no release"),
    "two releases": ({"rule": "a.b.Mine", "spark": "4.2\n4.3"}, "spark: no release 4.2 4.3"),
    "no number": ({"rule": "a.b.Mine", "max_examples": "many"}, "max-examples: many is no whole number above 0"),
    "none": ({"rule": "a.b.Mine", "max_examples": "0"}, "max-examples: 0 is no whole number above 0"),
    "less than none": ({"rule": "a.b.Mine", "max_examples": "-1"}, "max-examples: -1 is no"),
    "an empty budget": ({"rule": "a.b.Mine", "max_examples": ""}, "max-examples: "),
    "a seed that is none": ({"rule": "a.b.Mine", "seed": "x; exit 0"}, "seed: x; exit 0 is no whole number"),
    "a missing jar": ({"rule": "a.b.Mine", "jars": "no.jar"}, "jars: no such file: no.jar"),
    "a missing jar beside one": ({"rule": "a.b.Mine", "jars": "my.jar\nno.jar"}, "jars: no such file: no.jar"),
    "a missing file": ({"rule": "No.scala:Mine@optimizer"}, "rule: no such file: No.scala"),
    "a script for a file": ({"rule": "$(touch made).scala"}, "rule: no such file: $(touch made).scala"),
}


@pytest.mark.parametrize(("inputs", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_input_is_one_line_and_exit_code_2(job, inputs, said):
    made = job(**inputs)
    ended = made.run(LOOK)
    assert (ended.code, len(ended.text.splitlines())) == (2, 1), ended.text
    assert ended.text.startswith(f"::error::assay: {said}")
    assert sorted(path.name for path in made.workspace.iterdir()) == ["My.scala", "my.jar"]


def test_a_project_file_names_the_rules_as_well(job):
    made = job()
    (made.workspace / "assay.toml").touch()
    assert made.run(LOOK).code == 0
