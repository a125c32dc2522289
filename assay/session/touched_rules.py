"""The rules that a change of Spark's sources touches: ``check-rule --since REV`` in a checkout of Spark."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.session.ending import BadInput
from assay.session.options import rule_names

_FILE = re.compile(r"^(?:---|\+\+\+) [ab]/(.+)$")
_NEXT = "diff --git "
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_DEFINITION = re.compile(
    r"^(?:(?:case|final|sealed|abstract|implicit|private|protected)(?:\[\w+\])?\s+)*(?:object|class|trait)\s+(\w+)"
)
_BESIDE = re.compile(r"\s*(?:import\b.*|package\b.*|/?\*.*|//.*)?$")
"""Lines that belong to no definition: imports, comments and empty ones."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The rules that a change touches, by name, in order, and the ``other`` files whose code it changes: no rule is in
    these, so nothing says which rules use them.
    """

    rules: tuple[str, ...]
    other: tuple[str, ...] = ()

    def note(self, head: str = "") -> str:
        """``head`` and a clause about the other files; '' if there are none."""
        if not self.other:
            return ""
        files = ", ".join(self.other)
        return f"{head}changed, but no rule is in it (name those that use it with --rule): {files}"


def touched_by(folder: Path, revision: str) -> Touched:
    """The rules in whose definitions the work tree at ``folder`` differs from ``revision``.

    A change of a file outside its rules, such as one of a helper that they share, touches all rules of the file. Tests
    are left out. Of a file that is gone, the rules are gone, too.

    :raises BadInput: ``folder`` is no git work tree, or has no such revision.
    """
    command = ["git", "-C", str(folder), "diff", "-U0", "--no-color", "--no-ext-diff", "--relative", revision, "--"]
    try:
        done = subprocess.run([*command, "*.scala"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise BadInput(f"--since {revision}: git can't be run: {error.strerror}") from error
    if done.returncode:
        raise BadInput(f"--since {revision}: {(done.stderr.splitlines() or ['git failed'])[0]}")
    rules: list[str] = []
    other: list[str] = []
    for path, lines in _changed(done.stdout.splitlines()):
        if "/test/" in f"/{path}":
            continue
        file = folder / path
        text = file.read_text(encoding="utf-8") if file.is_file() else None
        found = [] if text is None else rules_at(text, lines)
        rules += found
        if not found and (text is None or _code_of(text, lines)):
            other.append(path)
    return Touched(tuple(dict.fromkeys(rules)), tuple(other))


def rules_at(text: str, lines: Sequence[int]) -> list[str]:
    """The rules of a Scala file's ``text`` that its ``lines`` touch; lines are counted from 1."""
    rules = rule_names(text)
    touched = _code_of(text, lines)
    return rules if touched - {*rules} else [name for name in rules if name in touched]


def _code_of(text: str, lines: Sequence[int]) -> set[str]:
    """The names of the definitions of ``text`` with code in its ``lines``; '' for code before the first definition."""
    owners: dict[int, str] = {}
    owner = ""
    source = text.splitlines()
    for number, line in enumerate(source, 1):
        if definition := _DEFINITION.match(line):
            owner = definition[1]
        owners[number] = owner
    return {owners[line] for line in lines if line in owners and not _BESIDE.fullmatch(source[line - 1])}


def _changed(diff: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Each file of a diff without context, with the lines that are new; for lines that went, the ones around these."""
    path, lines, in_head = "", list[int](), False
    for line in [*diff, _NEXT]:
        if line.startswith(_NEXT):
            if path and lines:
                yield path, lines
            path, lines, in_head = "", [], True
        elif hunk := _HUNK.match(line):
            in_head = False
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines += range(first, first + count) if count else [first, first + 1]
        elif in_head and (found := _FILE.match(line)):
            path = found[1]  # twice the same, but /dev/null once for a file that is new or gone
