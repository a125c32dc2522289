"""The rules that a change of Spark's sources touches: ``check-rule --since REV`` in a checkout of Spark."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.session.ending import BadInput
from assay.session.options import rule_names

_FILE = re.compile(r"^\+\+\+ b/(.+)$")
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_DEFINITION = re.compile(
    r"^(?:(?:case|final|sealed|abstract|implicit|private|protected)(?:\[\w+\])?\s+)*(?:object|class|trait)\s+(\w+)"
)
_BESIDE = re.compile(r"\s*(?:import\b.*|package\b.*|/?\*.*|//.*)?$")
"""Lines that belong to no definition: imports, comments and empty ones."""


def touched_rules(folder: Path, revision: str) -> list[str]:
    """The rules in whose definitions the work tree at ``folder`` differs from ``revision``, by name, in order.

    A change of a file outside its rules, such as one of a helper that they share, touches all rules of the file. Tests
    are left out, and so are rules of files that are gone.

    :raises BadInput: ``folder`` is no git work tree, or has no such revision.
    """
    command = ["git", "-C", str(folder), "diff", "-U0", "--no-color", "--no-ext-diff", "--relative", revision, "--"]
    try:
        done = subprocess.run([*command, "*.scala"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise BadInput(f"--since {revision}: git can't be run: {error.strerror}") from error
    if done.returncode:
        raise BadInput(f"--since {revision}: {(done.stderr.splitlines() or ['git failed'])[0]}")
    found = [
        name
        for path, lines in _changed(done.stdout.splitlines())
        if "/test/" not in f"/{path}" and (folder / path).is_file()
        for name in rules_at((folder / path).read_text(encoding="utf-8"), lines)
    ]
    return list(dict.fromkeys(found))


def rules_at(text: str, lines: Sequence[int]) -> list[str]:
    """The rules of a Scala file's ``text`` that its ``lines`` touch; lines are counted from 1."""
    rules = rule_names(text)
    owners: dict[int, str] = {}
    owner = ""
    source = text.splitlines()
    for number, line in enumerate(source, 1):
        if definition := _DEFINITION.match(line):
            owner = definition[1]
        owners[number] = owner
    touched = {owners[line] for line in lines if line in owners and not _BESIDE.fullmatch(source[line - 1])}
    return rules if touched - {*rules} else [name for name in rules if name in touched]


def _changed(diff: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Each file of a diff without context, with the lines that are new; for lines that went, the ones around these."""
    path, lines = "", list[int]()
    for line in [*diff, "+++ b/"]:
        if line.startswith("+++ "):
            if path and lines:
                yield path, lines
            found = _FILE.match(line)
            path, lines = (found[1] if found else ""), []
        elif hunk := _HUNK.match(line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines += range(first, first + count) if count else [first, first + 1]
