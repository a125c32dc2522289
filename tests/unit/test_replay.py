"""Replaying failure files: what is refused before any engine starts, and what each file asks to be loaded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assay.commands.cli import main
from assay.replay import main as replay
from assay.session.ending import Exit
from assay.session.options import Options
from oracles.failures.failure import Failure, Subject, write_failure
from tests.unit.command_lines import shared
from tests.unit.failure_samples import failure


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "no failure file"), ("{}", "it has no format"), ('{"format": 2}', "format 2"), ('{"format": 1}', "broken")],
    ids=["empty", "no format", "a later format", "half of it"],
)
def test_a_broken_file_is_bad_input_in_one_line(tmp_path: Path, capsys, text: str, reason: str) -> None:
    (tmp_path / "broken.json").write_text(text, encoding="utf-8")
    good = write_failure(tmp_path, failure())
    assert main(["replay", str(good), str(tmp_path / "broken.json")]) == Exit.BAD_INPUT
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert "broken.json" in told[0]
    assert reason in told[0]


@pytest.mark.parametrize("arguments", [[], ["missing.json"], ["--max-examples", "5"]], ids=str)
def test_without_a_file_there_is_nothing_to_replay(capsys, arguments: list[str]) -> None:
    assert main(["replay", *arguments]) == Exit.BAD_INPUT
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_needs_more_than_a_plain_session_can_not_be_added(tmp_path: Path, capsys) -> None:
    file = write_failure(tmp_path, failure())
    assert main(["replay", "--add", str(file)]) == Exit.BAD_INPUT
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert f"{file} can't be taken in: it needs a planted rule" in told[0]


def test_the_file_whose_rule_is_gone_is_named(tmp_path: Path, capsys) -> None:
    gone = Subject(rules=(f"{tmp_path}/Gone.scala:Gone@optimizer",))
    file = write_failure(tmp_path, replace(failure(), subject=gone))
    assert main(["replay", str(file)]) == Exit.BAD_INPUT
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{file.name}: --rule: no such file: {tmp_path}/Gone.scala")


def asked(*arguments: str) -> Options:
    """The options of a command line."""
    return shared(*arguments)


def about(folder: Path, rule: str) -> Failure:
    """A finding of a rule in a jar of the same name."""
    (folder / f"{rule}.jar").touch()
    subject = Subject(
        rules=(f"com.acme.{rule}@pre-cbo",),
        jars=(str(folder / f"{rule}.jar"),),
        extensions=(f"com.acme.{rule}Extensions",),
    )
    return replace(failure(), subject=subject)


def test_each_file_has_loaded_what_it_says_itself(tmp_path: Path) -> None:
    raw = asked()
    one = replay.options_of(about(tmp_path, "One"), raw)
    two = replay.options_of(about(tmp_path, "Two"), raw)
    plain = replay.options_of(replace(failure(), subject=Subject()), raw)
    assert [rule.name for rule in one.rules] == ["One"]
    assert [rule.name for rule in two.rules] == ["Two"]
    assert (one.rules[0].point, one.rule_jars) == ("pre-cbo", (tmp_path / "One.jar",))
    assert (two.rule_jars, two.extensions) == ((tmp_path / "Two.jar",), ("com.acme.TwoExtensions",))
    assert (plain.rules, plain.rule_jars, plain.extensions) == ((), (), ())


def test_a_file_is_tried_on_the_spark_that_the_caller_gives(tmp_path: Path) -> None:
    # The same file goes from release to release: not the Spark that it was found on, but the one that is to try it.
    found = replace(failure(), subject=Subject(spark_home="/gone"))
    home = tmp_path / "spark"
    home.mkdir()
    file = write_failure(tmp_path, found)
    for arguments, spark in (((), None), (("--spark-home", str(home)), home)):
        path, read = replay._failure(file, asked(*arguments))
        assert (path, read.subject.spark_home) == (file, None if spark is None else str(spark))
        assert replay.options_of(read, asked(*arguments)).spark_home == spark


def test_what_the_caller_gives_stands_in_for_what_the_file_says(tmp_path: Path) -> None:
    (tmp_path / "mended.jar").touch()
    raw = asked("--rule-jar", str(tmp_path / "mended.jar"))
    options = replay.options_of(about(tmp_path, "One"), raw)
    assert options.rule_jars == (tmp_path / "mended.jar",)
    assert [rule.name for rule in options.rules] == ["One"]
