"""``python -m assay``: commands, what is refused, and the exit code of a fault."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click
import pytest

from assay.commands.cli import COMMANDS, main
from assay.session.ending import Exit

FOLDER = Path(import_module("assay.commands").__file__ or "").parent
NOT_COMMANDS = {"__init__", "cli", "pytest_runs"}


def command_of(name: str) -> click.Command:
    found: click.Command = import_module(f"assay.commands.{name.replace('-', '_')}").command
    return found


def test_each_command_has_a_module_and_each_module_a_command() -> None:
    modules = {path.stem for path in FOLDER.glob("*.py")} - NOT_COMMANDS
    assert modules == {name.replace("-", "_") for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == Exit.GREEN
    said = capsys.readouterr().out
    assert ("Example:" in said, f"{name}" in said.partition("Example:")[2]) == (True, True), said


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_says_what_it_does(name: str) -> None:
    options = [each for each in command_of(name).params if isinstance(each, click.Option)]
    assert [option.opts for option in options if not option.help] == []


REFUSED = {
    "a command that is nearly one": (["fuz"], "assay: there is no command fuz: did you mean fuzz?"),
    "a command that is none": (["x"], "assay: there is no command x: there are fuzz, mutants, "),
    "an option that is nearly one": (["volume", "--scales", "5"], "volume: No such option '--scales'. "),
    "an option of pytest": (["fuzz", "--collect-only"], "fuzz: No such option '--collect-only'"),
    "an option of another command": (["fuzz", "--scale", "5"], "fuzz: No such option '--scale'"),
    "a choice that is none": (["fuzz", "--off", "some"], "fuzz: Invalid value for '--off': 'some' is not one of "),
    "a text that is no number": (["fuzz", "--max-examples", "many"], "--max-examples many: needs a whole number"),
    "no value": (["volume", "--scale"], "volume: Option '--scale' requires an argument."),
    "an option that is needed": (["nightly", "--out", "c"], "nightly: Missing option '--budget'."),
    "a word too many": (["nightly", "--budget", "1h", "--out", "c", "x"], "nightly: Got unexpected extra argument (x)"),
    "a typing error for the campaigns of matrix": (
        ["matrix", "--out", "m", "--max-round", "3"],
        "matrix: No such option '--max-round'. ",
    ),
}


@pytest.mark.parametrize(("arguments", "said"), REFUSED.values(), ids=REFUSED)
def test_a_command_line_that_means_nothing_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == Exit.BAD_INPUT
    printed = capsys.readouterr()
    assert (printed.out, len(printed.err.splitlines())) == ("", 1)
    assert printed.err.startswith(said)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [(KeyError("nobody thought of this"), Exit.SUITE_FAILED, "Traceback"), (KeyboardInterrupt(), 4, "stopped")],
    ids=["a fault", "Ctrl-C"],
)
def test_a_fault_of_the_suite_is_no_verdict(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> int:
        raise error

    monkeypatch.setattr(command_of("volume"), "callback", fail)
    assert main(["volume"]) == code
    assert said in capsys.readouterr().err
