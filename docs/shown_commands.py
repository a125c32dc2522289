"""The command lines that README, CONTRIBUTING and docs show, and whether the project has them.

The standard library is all that is needed: the build of the site uses this, and so does tests/meta.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

TOX_COMMANDS = ("run", "list")
"""The commands of tox that the texts may show."""

TOOLS = ("pip", "tox", "pre_commit", "venv")
"""Modules for ``python -m`` that are other projects' commands, or Python's own."""

PLACEHOLDER = "NAME"
"""Stands for any environment in a text."""

_FENCE = re.compile(r"^ *(?P<fence>`{3,}|~{3,})(?P<language>\S*).*$")
_INLINE = re.compile(r"(?<!`)`(?P<code>[^`\n]+(?:\n(?!\n)[^`\n]+)*)`(?!`)")
_COMMAND = re.compile(r"(?:\.ci/run|python (?:-m \S|\S+\.py)|tox (?:run|list|-\S|\w+ -)|pre-commit )")
_SPLIT = re.compile(r"&&|;|\|")


@dataclass(frozen=True, slots=True)
class Shown:
    """A command that a text shows: its line in the text (from 1), its text, and its words without a comment.

    ``inline``: it stands between backticks; without arguments it may then be a mere mention of an environment.
    """

    line: int
    text: str
    words: tuple[str, ...]
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Project:
    """The names that a command may use: environments of tox.ini with their commands, and the folder of the modules."""

    root: Path
    environments: Mapping[str, str]

    @classmethod
    def read(cls, root: Path) -> Project:
        """The project in the folder ``root``."""
        return cls(root, environments((root / "tox.ini").read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class ToxCall:
    """``tox COMMAND -e ENVIRONMENTS -- ARGUMENTS``."""

    command: str
    environments: tuple[str, ...]
    arguments: tuple[str, ...]


def commands_of(text: str) -> Iterator[Shown]:
    """Every command that the Markdown ``text`` shows, in a fenced block or between backticks, by its line."""
    fence = ""
    prose: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _FENCE.match(line)
        if found and (not fence or (found["fence"].startswith(fence) and not found["language"])):
            fence = "" if fence else found["fence"]
            prose.append("")
            continue
        prose.append("" if fence else line)
        if fence:
            yield from _commands(number, line, inline=False)
    joined = "\n".join(prose)
    for span in _INLINE.finditer(joined):
        number = joined.count("\n", 0, span.start()) + 1
        yield from _commands(number, " ".join(span["code"].split()), inline=True)


def _commands(number: int, line: str, *, inline: bool) -> Iterator[Shown]:
    for part in _SPLIT.split(_without_comment(line)):
        start = _COMMAND.search(part)
        if start and not part[: start.start()].strip(" $-|│").removeprefix("replay").removeprefix("- run:").strip():
            text = part[start.start() :].strip()
            yield Shown(number, text, tuple(_words(text)), inline)


def _without_comment(line: str) -> str:
    return re.split(r"\s#", line, maxsplit=1)[0]


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # an apostrophe
        return text.split()


def tox_call(words: tuple[str, ...]) -> ToxCall | None:
    """``words`` as a call of tox, or of ``.ci/run``, which is one; None where they are none."""
    if words[:1] == (".ci/run",):
        words = ("tox", "run", *words[1:])
    if words[:3] == ("python", "-m", "tox"):
        words = words[2:]
    if words[:1] != ("tox",):
        return None
    command, *rest = words[1:] or ("run",)
    arguments = tuple(rest[rest.index("--") + 1 :]) if "--" in rest else ()
    own = rest[: rest.index("--")] if "--" in rest else rest
    names = [own[index + 1] for index, word in enumerate(own[:-1]) if word == "-e"]
    return ToxCall(command, tuple(name for each in names for name in each.split(",")), arguments)


def command_fault(shown: Shown, project: Project) -> str | None:
    """The fault of the command itself, whatever its options are; None if the project has the command."""
    call = tox_call(shown.words)
    if call is not None:
        if call.command not in TOX_COMMANDS:
            return f"unknown command of tox: {call.command}"
        unknown = [name for name in call.environments if name not in project.environments and name != PLACEHOLDER]
        return f"unknown environment: {', '.join(unknown)}" if unknown else None
    if shown.words[:2] == ("python", "-m"):
        return _module_fault(shown.words[2], project)
    if shown.words[0] == "python" and not (project.root / shown.words[1]).is_file():
        return f"no such file: {shown.words[1]}"
    return None


def _module_fault(name: str, project: Project) -> str | None:
    path = project.root.joinpath(*name.split("."))
    known = name in TOOLS or path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
    return None if known else f"no such module: {name}"


def environments(tox_ini: str) -> dict[str, str]:
    """The environments of ``tox_ini`` by name, each with its last command, in which other sections are put in place.

    ``{posargs}`` and what only tox knows stays as it is.
    """
    parsed = ConfigParser(interpolation=None, comment_prefixes=("#",), strict=True)
    parsed.read_string(tox_ini)
    found = {}
    for section in parsed.sections():
        kind, _, pattern = section.partition(":")
        if kind == "testenv" and pattern:
            commands = _resolved(parsed, parsed[section].get("commands", "")).strip().splitlines()
            found.update(dict.fromkeys(_expanded(pattern), commands[-1] if commands else ""))
    return found


def _expanded(pattern: str) -> list[str]:
    """The names that ``pattern`` stands for: ``a{,-b}`` for a and a-b."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [name for choice in braces[1].split(",") for name in _expanded(f"{before}{choice.strip()}{after}")]


def _resolved(parsed: ConfigParser, text: str) -> str:
    reference = re.search(r"\{\[([^]]+)\](\w+)\}", text)
    if reference is None:
        return text
    value = parsed[reference[1]][reference[2]]
    return _resolved(parsed, text[: reference.start()] + value + text[reference.end() :])
