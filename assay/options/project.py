"""``assay.toml``: a project's own options, for every command that has them.

The file is looked for in the caller's folder and in those above it. Its paths start at its own folder. An option that
is given on the command line replaces the file's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import tomllib

from assay.session.ending import BadInput

NAME = "assay.toml"


def _texts(value: Any) -> list[str]:
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return value
    raise ValueError('needs a list of texts, such as ["a", "b"]')


def _text(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    raise ValueError('needs a text, such as "a"')


def _number(value: Any) -> list[str]:
    if isinstance(value, int) and not isinstance(value, bool):
        return [str(value)]
    raise ValueError("needs a whole number")


def _settings(value: Any) -> list[str]:
    if isinstance(value, dict) and all(isinstance(each, (str, bool, int)) for each in value.values()):
        return [f"{key}={str(each).lower() if isinstance(each, bool) else each}" for key, each in value.items()]
    raise ValueError('needs a table of settings, such as { "spark.sql.cbo.enabled" = "true" }')


def _joined(value: Any) -> list[str]:
    return [",".join(_texts(value))]


_Read = Callable[[Any], list[str]]
KEYS: dict[str, tuple[str, _Read]] = {
    "rules": ("--rule", _texts),
    "jars": ("--rule-jar", _texts),
    "extensions": ("--extensions", _texts),
    "shapes": ("--shapes", _texts),
    "settings": ("--spark-conf", _settings),
    "spark-home": ("--spark-home", _text),
    "releases": ("--releases", _joined),
    "budget": ("--budget", _text),
    "checks": ("--max-examples", _number),
    "schema": ("--schema", _text),
    "data": ("--data", _text),
    "queries": ("--queries", _text),
    "failures": ("--failures", _text),
    "known": ("--known", _text),
}
"""By key of the file, the option that it stands for, and what reads its value as the option's texts."""

_PATHS = {"jars", "shapes", "spark-home", "data", "queries", "failures", "known"}
_CATALOG = "catalog:"


def find(here: Path) -> Path | None:
    """The file in ``here`` or in the nearest folder above it."""
    return next((file for folder in (here, *here.parents) if (file := folder / NAME).is_file()), None)


def arguments_of(file: Path, commands: Sequence[click.Command], given: Sequence[str]) -> list[str]:
    """The file's options that one of ``commands`` has, as arguments, except those among ``given``.

    Every key of the file is read, whether a command has it or not: BadInput names the file, the key and what is wrong.
    """
    by_option = {name: option for command in commands for option in command.params for name in option.opts}
    arguments = []
    for key, texts in _read(file).items():
        name = KEYS[key][0]
        if name not in by_option or any(each == name or each.startswith(f"{name}=") for each in given):
            continue
        _check(file, key, by_option[name], texts)
        arguments += [f"{name}={text}" for text in texts]
    return arguments


def _read(file: Path) -> Mapping[str, list[str]]:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as problem:
        raise BadInput(f"{file}: {problem}") from problem
    read = {}
    for key, value in data.items():
        if key not in KEYS:
            raise BadInput(f"{file}: there is no key {key}: it can have {', '.join(KEYS)}")
        try:
            texts = KEYS[key][1](value)
        except ValueError as problem:
            raise BadInput(f"{file}: {key}: {problem}") from problem
        read[key] = [_located(key, text, file.parent) for text in texts]
    return read


def _located(key: str, text: str, folder: Path) -> str:
    is_path = key in _PATHS or (key == "rules" and ".scala" in text)
    is_path = is_path or (key == "schema" and not text.startswith(_CATALOG))
    return str(folder / text) if is_path else text


def _check(file: Path, key: str, option: click.Parameter, texts: Sequence[str]) -> None:
    """BadInput for a text that the option refuses."""
    context = click.Context(click.Command(NAME), obj=file.parent)
    for text in texts:
        try:
            option.type.convert(text, option, context)
        except (BadInput, click.BadParameter) as problem:
            said = problem.format_message() if isinstance(problem, click.BadParameter) else str(problem)
            raise BadInput(f"{file}: {key}: {said}") from problem
