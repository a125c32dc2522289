"""Types of options: each parses an option's text, or refuses it with one line that names the option."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click

from assay.session.ending import BadInput
from assay.session.options import RuleRequest, parse_rule, parse_seed, whole_number
from oracles.engines.connect.session import address_of
from oracles.engines.spark.master import UnknownMaster, require_master
from oracles.failures.caller import caller_folder


class Parsed(click.ParamType[Any]):
    """A type that parses with a function of the option's name and text, which raises BadInput for a wrong text."""

    def __init__(self, name: str, parse: Callable[[str, str], Any]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """``value`` parsed, if it is still a text."""
        if not isinstance(value, str) or param is None:
            return value
        return self._parse(max(param.opts, key=len), value)


class Located(Parsed):
    """A type for paths; relative paths start at the folder that is the context's object, or else at the caller's."""

    def __init__(self, name: str, find: Callable[[str, str, Path], Any]) -> None:
        super().__init__(name, lambda option, text: find(option, text, caller_folder()))
        self._find = find

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """``value`` parsed, if it is still a text."""
        if isinstance(value, str) and param is not None and ctx is not None and isinstance(ctx.obj, Path):
            return self._find(max(param.opts, key=len), value, ctx.obj)
        return super().convert(value, param, ctx)


def rows(option: str, text: str, *, least: int = 0) -> int:
    """``text`` as a number of rows, ``least`` or more; BadInput for anything else."""
    if not text.isdecimal() or int(text) < least:
        raise BadInput(f"{option} {text}: needs a number of rows" + (f", from {least:,} on" if least else ""))
    return int(text)


_PARTS = re.compile(r"(?:([\d.]+)d)?(?:([\d.]+)h)?(?:([\d.]+)m)?(?:([\d.]+)s)?")
_SECONDS = (86_400, 3_600, 60, 1)


def duration(option: str, text: str, *, none: bool = False) -> float:
    """Seconds of ``90s``, ``10m``, ``1.5h`` or ``1h30m``; BadInput for anything else, and for 0 unless ``none``."""
    match = _PARTS.fullmatch(text.strip())
    try:
        counts = [float(count) for count in match.groups("0")] if match and text.strip() else []
    except ValueError:
        counts = []
    seconds = sum(count * unit for count, unit in zip(counts, _SECONDS, strict=False))
    if not counts or (seconds <= 0 and not none):
        raise BadInput(f"{option} {text}: needs a time such as 90s, 10m, 8h or 1h30m")
    return seconds


def seconds(option: str, text: str) -> float:
    """``text`` as a number of seconds above 0; BadInput for anything else."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise BadInput(f"{option} {text}: needs a number of seconds above 0")
    return number


def shard(option: str, text: str) -> tuple[int, int]:
    """``I/N``: the number of this machine, from 1, and the number of machines; BadInput unless 1 <= I <= N."""
    match = re.fullmatch(r"(\d+)/(\d+)", text.strip())
    number, total = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= number <= total:
        raise BadInput(f"{option} {text}: needs I/N with I from 1 to N, such as 1/4")
    return number, total


def setting(option: str, text: str) -> tuple[str, str]:
    """``key=value``; BadInput for a text without = or without a key."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise BadInput(f"{option} {text}: needs key=value")
    return key.strip(), value


def master(option: str, text: str) -> str:
    """``text`` if Spark can run there; BadInput otherwise."""
    try:
        require_master(text)
    except UnknownMaster as problem:
        raise BadInput(f"{option} {problem}") from problem
    return text


def url(option: str, text: str) -> str:
    """``text`` if it is empty or an https address; BadInput otherwise."""
    if text and not text.startswith("https://"):
        raise BadInput(f"{option} {text}: needs https")
    return text


def server(option: str, text: str) -> str:
    """``text`` if it is the address of a Connect server; BadInput otherwise."""
    try:
        address_of(text)
    except ValueError as problem:
        raise BadInput(f"{option} {text}: needs sc://host:port") from problem
    return text


def _rule(option: str, text: str, here: Path) -> RuleRequest:
    return parse_rule(text, here)


def _path(option: str, text: str, here: Path) -> Path:
    return (here / text).absolute()


def existing(option: str, text: str, here: Path, *, is_there: Callable[[Path], bool] = Path.is_file) -> Path:
    """The absolute path of ``text``; BadInput unless ``is_there`` returns true for it."""
    path = (here / text).absolute()
    if not is_there(path):
        raise BadInput(f"{option}: no such file: {path}")
    return path


def to_write(option: str, text: str, here: Path, *, folder: bool = False) -> Path:
    """The absolute path of ``text``, which need not exist; BadInput where none can be made, or no ``folder``.

    The folder is tried, and nothing is left in it: a long run must not end in a file that can't be written.
    """
    path = _path(option, text, here)
    if path.exists() and path.is_dir() != folder:
        raise BadInput(f"{option}: {path} is {'no' if folder else 'a'} folder")
    above = next(each for each in (path, *path.parents) if each.is_dir() or (each != path and each.exists()))
    if not above.is_dir():
        raise BadInput(f"{option}: {above} is no folder")
    try:
        with TemporaryFile(dir=above):
            return path
    except OSError as error:
        raise BadInput(f"{option} {path}: can't be written: {error.strerror}") from error


def class_name(option: str, text: str) -> str:
    """``text`` if it can be the name of a class; BadInput otherwise."""
    if not re.fullmatch(r"[\w$]+(\.[\w$]+)*", text):
        raise BadInput(f"{option} {text}: needs the name of a class, such as com.acme.MyExtensions")
    return text


WHOLE = Parsed("N", whole_number)
ROWS = Parsed("ROWS", rows)
SEED = Parsed("N", lambda option, text: parse_seed(text))
DURATION = Parsed("TIME", duration)
DURATION_OR_NONE = Parsed("TIME", partial(duration, none=True))
SECONDS = Parsed("SECONDS", seconds)
SHARD = Parsed("I/N", shard)
SETTING = Parsed("K=V", setting)
MASTER = Parsed("URL", master)
URL = Parsed("URL", url)
SERVER = Parsed("URL", server)
CLASS = Parsed("CLASS", class_name)
RULE = Located("RULE", _rule)
PATH = Located("PATH", _path)
FILE = Located("PATH", existing)
OUT_FILE = Located("PATH", to_write)
OUT_FOLDER = Located("DIR", partial(to_write, folder=True))
FOLDER = Located("DIR", partial(existing, is_there=Path.is_dir))
