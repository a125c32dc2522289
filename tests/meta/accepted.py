"""Whether the real command line takes the arguments of a shown command: its own parsers say so, and nothing is run."""

from __future__ import annotations

import argparse
import importlib
import io
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from unittest.mock import patch

import _pytest.config
import click
import pytest

import conftest
from assay.commands.cli import COMMANDS
from assay.session.ending import BadInput
from docs.shown_commands import environments

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = environments((ROOT / "tox.ini").read_text(encoding="utf-8"))

PARSING = {"jars.build", "oracles.triage.witness"}
"""Modules whose ``main`` parses its arguments with argparse before it does anything else: it is called up to there."""

CLICK = {"tests.blind.trial"}
"""Modules whose ``main`` is a command of click."""

PASSED_ON: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "matrix": ("nightly", ("--budget", "1m", "--out", "DIR")),
    "compare": ("answers", ("--out", "FILE", "--as-of", "4.1.0")),
}
"""Commands that pass options which are not their own to another one, with what they pass to it anyway."""

_IN_WORDS = ("needs a number of rows, from 1,000 on", "such as 1/4", "such as 90s, 10m, 8h or 1h30m")
"""Ends of messages about a value: a page may show what kind of value it is, as in ``--scale ROWS``."""


class _Parsed(BaseException):
    """Ends a command once it has parsed its arguments; ``rest`` are those that it has no option for."""

    def __init__(self, rest: list[str]) -> None:
        super().__init__()
        self.rest = rest


def accepts(environment: str, arguments: Sequence[str]) -> str | None:
    """The fault of ``arguments`` after ``tox run -e ENVIRONMENT --``; None where the command line takes them.

    ``environment`` is one of tox.ini's.
    """
    command = ENVIRONMENTS[environment]
    if "{posargs}" not in command:
        return f"{environment} takes no arguments" if arguments else None
    words = shlex.split(command.replace("{posargs}", ""))
    if words[:3] == ["python", "-m", "pytest"]:
        return _pytest_accepts(arguments)
    if words[:3] == ["python", "-m", "assay"]:
        return assay_accepts([words[3], *arguments])
    return module_accepts(words[words.index("-m") + 1], arguments)


def assay_accepts(arguments: Sequence[str]) -> str | None:
    """The fault of ``python -m assay ARGUMENTS``; None where the command takes them. Files need not be there."""
    name, *options = arguments or ["--help"]
    if name in ("--help", "COMMAND"):
        return None
    if name not in COMMANDS:
        return f"no command {name}"
    try:
        context = command_of(name).make_context(name, list(options))
        if name in PASSED_ON:
            other, anyway = PASSED_ON[name]
            command_of(other).make_context(other, [*anyway, *context.params["others"]])
    except click.exceptions.Exit:  # --help
        return None
    except (BadInput, click.ClickException) as problem:
        text = problem.format_message() if isinstance(problem, click.ClickException) else str(problem)
        return None if "no such file" in text or text.endswith(_IN_WORDS) else text
    return None


def command_of(name: str) -> click.Command:
    """The command of that name."""
    command: click.Command = importlib.import_module(f"assay.commands.{name.replace('-', '_')}").command
    return command


def module_accepts(module: str, arguments: Sequence[str]) -> str | None:
    """The fault of ``arguments`` after ``python -m MODULE``; None where the module takes them."""
    if module == "assay":
        return assay_accepts(arguments)
    if module == "examples.tpcds.lay_out":  # it has no options
        return None if 1 <= len(arguments) <= 2 else f"{module} takes DIR [SCALE]"
    if module == "assay.verify.page":  # nor has this
        return None if arguments else f"{module} takes SUMMARY.json..."
    if module in CLICK:
        return _click_accepts(module, arguments)
    if module not in PARSING:
        return f"no parser is known of {module}: see tests/meta/accepted.py"
    return _argparse_accepts(module, arguments)


def file_accepts(path: str, arguments: Sequence[str]) -> str | None:
    """The fault of ``arguments`` after ``python PATH``; None where the file's command takes them."""
    return module_accepts(".".join(Path(path).with_suffix("").parts), arguments)


def _click_accepts(module: str, arguments: Sequence[str]) -> str | None:
    try:
        importlib.import_module(module).main.make_context(module, list(arguments))
    except click.exceptions.Exit:  # --help
        return None
    except click.ClickException as problem:
        return problem.format_message()
    return None


def _argparse_accepts(module: str, arguments: Sequence[str]) -> str | None:
    real = argparse.ArgumentParser.parse_known_args

    # Both ways to parse end the command: one that went on would really run.
    def parse(parser: argparse.ArgumentParser, *_: object) -> None:
        _, rest = real(parser, list(arguments))
        raise _Parsed(rest)

    main = importlib.import_module(module).main
    printed = io.StringIO()
    with (
        patch.object(argparse.ArgumentParser, "parse_args", parse),
        patch.object(argparse.ArgumentParser, "parse_known_args", parse),
        patch.object(sys, "argv", [module, *arguments]),
        redirect_stderr(printed),
        redirect_stdout(printed),
    ):
        rest = None
        try:
            main()
        except _Parsed as parsed:
            rest = parsed.rest
        except SystemExit:
            pass
    return printed.getvalue().strip().splitlines()[-1] if rest is None else _rest_accepted(rest)


def _rest_accepted(rest: Sequence[str]) -> str | None:
    return f"unrecognized arguments: {' '.join(rest)}" if rest else None


def _pytest_accepts(arguments: Sequence[str]) -> str | None:
    try:
        known, unknown = _pytest_parser().parse_known_and_unknown_args(list(arguments))
    except (pytest.UsageError, SystemExit) as error:
        return str(error)
    wrong = [*unknown, *(word for word in known.file_or_dir if not re.match(r"tests/", word))]
    return f"unrecognized arguments: {' '.join(wrong)}" if wrong else None


@cache
def _pytest_parser() -> _pytest.config.Parser:
    """Pytest's parser with the options of its plugins and of conftest.py."""
    config = _pytest.config.get_config()
    config.pluginmanager.load_setuptools_entrypoints("pytest11")
    config.pluginmanager.register(conftest, "conftest")
    return config._parser
