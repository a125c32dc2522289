"""``assay.toml``: which options it adds to which command, and one line for whatever is wrong in it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click
import pytest

from assay.commands.cli import COMMANDS, main
from assay.options.project import KEYS, NAME, arguments_of, find
from assay.session.ending import BadInput, Exit

RULE = "package a\n\nobject Mine extends Rule[LogicalPlan] {}\n"


def command_of(name: str) -> click.Command:
    command = import_module(f"assay.commands.{name.replace('-', '_')}").command
    assert isinstance(command, click.Command)
    return command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a rule, a jar, a shape, and a folder for runs."""
    for name in ("Mine.scala", "mine.jar", "mine.py"):
        (tmp_path / name).write_text(RULE, encoding="utf-8")
    (tmp_path / "runs" / "today").mkdir(parents=True)
    (tmp_path / "spark").mkdir()
    return tmp_path


def project(folder: Path, text: str) -> Path:
    file = folder / NAME
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("below", ["", "runs", "runs/today"], ids=["here", "a folder up", "two folders up"])
def test_the_nearest_file_upwards_is_found(folder: Path, below: str) -> None:
    assert find(folder / below) is None
    file = project(folder, "")
    assert find(folder / below) == file


def test_a_nearer_file_hides_one_above(folder: Path) -> None:
    project(folder, "")
    nearer = project(folder / "runs", "")
    assert find(folder / "runs" / "today") == nearer


SAID = {
    "rules": ('rules = ["Mine.scala@optimizer"]', "check-rule", ["--rule={folder}/Mine.scala@optimizer"]),
    "a class": ('rules = ["a.b.Mine"]', "check-rule", ["--rule=a.b.Mine"]),
    "jars": ('jars = ["mine.jar"]', "fuzz", ["--rule-jar={folder}/mine.jar"]),
    "extensions": ('extensions = ["a.One", "a.Two"]', "nightly", ["--extensions=a.One", "--extensions=a.Two"]),
    "shapes": ('shapes = ["mine.py"]', "check-rule", ["--shapes={folder}/mine.py"]),
    "settings": (
        'settings = { "spark.sql.cbo.enabled" = true, "spark.sql.shuffle.partitions" = 3 }',
        "volume",
        ["--spark-conf=spark.sql.cbo.enabled=true", "--spark-conf=spark.sql.shuffle.partitions=3"],
    ),
    "spark-home": ('spark-home = "spark"', "queries", ["--spark-home={folder}/spark"]),
    "releases": ('releases = ["spark35", "4.0.0"]', "matrix", ["--releases=spark35,4.0.0"]),
    "budget": ('budget = "10m"', "verify", ["--budget=10m"]),
    "checks": ("checks = 50", "check-rule", ["--max-examples=50"]),
    "schema": ('schema = "mine.sql"', "queries", ["--schema={folder}/mine.sql"]),
    "a catalog": ('schema = "catalog:a.b"', "queries", ["--schema=catalog:a.b"]),
    "data": ('data = "rows"', "queries", ["--data={folder}/rows"]),
    "queries": ('queries = "sql"', "queries", ["--queries={folder}/sql"]),
    "failures": ('failures = "found"', "fuzz", ["--failures={folder}/found"]),
    "known": ('known = "known.toml"', "replay", ["--known={folder}/known.toml"]),
}


@pytest.mark.parametrize(("text", "command", "expected"), SAID.values(), ids=SAID)
def test_a_key_is_an_option_whose_paths_start_at_the_file(
    folder: Path, text: str, command: str, expected: list[str]
) -> None:
    arguments = arguments_of(project(folder, text), [command_of(command)], [])
    assert arguments == [each.format(folder=folder) for each in expected]


def test_every_key_is_tried_here() -> None:
    assert {text.split(" ")[0] for text, _, _ in SAID.values()} == set(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_an_option_of_some_command(key: str) -> None:
    assert any(KEYS[key][0] in option.opts for name in COMMANDS for option in command_of(name).params)


@pytest.mark.parametrize("given", [["--rule", "b.Other"], ["--rule=b.Other"]], ids=["two words", "one word"])
def test_the_command_line_replaces_what_the_file_says(folder: Path, given: list[str]) -> None:
    file = project(folder, 'rules = ["a.b.Mine"]\nchecks = 7')
    assert arguments_of(file, [command_of("check-rule")], given) == ["--max-examples=7"]


def test_a_command_takes_the_keys_that_it_has_an_option_for(folder: Path) -> None:
    file = project(folder, 'rules = ["a.b.Mine"]\nqueries = "sql"')
    assert arguments_of(file, [command_of("report")], []) == []


WRONG = {
    "an unknown key": ('rule = ["a.b.Mine"]', "there is no key rule: it can have rules, jars"),
    "a table": ("[check-rule]\nchecks = 1", "there is no key check-rule"),
    "a text for a list": ('rules = "a.b.Mine"', 'rules: needs a list of texts, such as ["a", "b"]'),
    "a list of numbers": ("rules = [1]", "rules: needs a list of texts"),
    "an empty list": ("rules = []", "rules: needs a list of texts"),
    "a list for a text": ('budget = ["10m"]', "budget: needs a text"),
    "a text for a number": ('checks = "50"', "checks: needs a whole number"),
    "a boolean for a number": ("checks = true", "checks: needs a whole number"),
    "a list for settings": ('settings = ["a=b"]', "settings: needs a table of settings"),
    "a nested setting": ("settings = { a.b = 1 }", "settings: needs a table of settings"),
    "no rule there": ('rules = ["Other.scala"]', "rules: --rule: no such file: {folder}/Other.scala"),
    "no such point": ('rules = ["a.b.Mine@nowhere"]', "rules: --rule a.b.Mine@nowhere: no injection point"),
    "no such jar": ('jars = ["other.jar"]', "jars: --rule-jar: no such file: {folder}/other.jar"),
    "no number of checks": ("checks = 0", "checks: --max-examples 0:"),
    "no such shapes": ('shapes = ["other.py"]', "shapes: --shapes: no such file: {folder}/other.py"),
    "a folder for a jar": ('jars = ["spark"]', "jars: --rule-jar: no such file: {folder}/spark"),
    "no such Spark": ('spark-home = "other"', "spark-home: --spark-home: no such file: {folder}/other"),
    "a number for a Spark": ("spark-home = 4", "spark-home: needs a text"),
    "no name of a class": ('extensions = ["a b"]', "extensions: --extensions a b: needs the name of a class"),
    "no name of a rule": ('rules = [""]', "rules: --rule "),
    "a file for failures": ('failures = "mine.jar"', "failures: --failures: {folder}/mine.jar is no folder"),
    "a fraction of a check": ("checks = 1.5", "checks: needs a whole number"),
    "a fraction for a setting": ("settings = { a = 1.5 }", "settings: needs a table of settings"),
    "a setting without a name": ('settings = { "" = 1 }', "settings: --spark-conf =1: needs key=value"),
    "a date": ("budget = 2026-01-01", "budget: needs a text"),
    "a key twice": ('rules = ["a.b.C"]\nrules = ["a.b.D"]', "Cannot overwrite a value"),
    "not TOML": ("rules = [", "Invalid value"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_one_line_with_its_place(folder: Path, text: str, said: str) -> None:
    file = project(folder, text)
    with pytest.raises(BadInput) as problem:
        arguments_of(file, [command_of("check-rule")], [])
    assert str(problem.value).startswith(f"{file}: {said.format(folder=folder)}")
    assert "\n" not in str(problem.value)


def test_the_command_line_reads_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project(folder, 'rules = ["Other.scala"]')
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.chdir(folder / "runs")
    assert main(["check-rule"]) == Exit.BAD_INPUT
    assert capsys.readouterr().err == f"{file}: rules: --rule: no such file: {folder}/Other.scala\n"


def test_what_matrix_passes_on_is_read_for_it_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(folder, 'jars = ["other.jar"]')
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.chdir(folder)
    assert main(["matrix", "--out", "here"]) == Exit.BAD_INPUT
    assert "jars: --rule-jar: no such file" in capsys.readouterr().err


def test_help_is_had_beside_a_wrong_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(folder, "rules = [")
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.chdir(folder)
    assert main(["check-rule", "--help"]) == Exit.GREEN
