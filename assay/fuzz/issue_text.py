"""A finding as the text of an issue, in Markdown: its first line is the title."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from pathlib import Path

from assay.fuzz.finding_text import finding_title
from oracles.answers.atomic import write_text
from oracles.failures.again import replay_command, script_command
from oracles.failures.failure import Failure, read_failure, script_path
from oracles.failures.text import render

_TICKS = re.compile(r"`{3,}")
_LONGEST = 60_000
"""The longest text of an issue, in characters, with some margin below GitHub's limit of 65,536."""


def title(failure: Failure) -> str:
    """One line that names the finding, with its fingerprint, by which an issue is found again."""
    return f"{finding_title(failure.summary())} ({failure.fingerprint})"


def issue_text(failure: Failure, file: Path, *, seen: int) -> str:
    """The text of an issue for the failure in ``file``, which was ``seen`` this many times.

    It says how to replay the failure, and has the failure's script if there is one and it is not too long.
    """
    versions = ", ".join(f"{engine} {version}" for engine, version in failure.versions.items())
    stock = failure.stock.told if failure.stock else "not run on stock Spark"
    text = "\n".join(
        [
            f"# {title(failure)}",
            "",
            f"{versions}; {stock}; seen {seen} times.",
            "",
            fenced("text", cut(render(failure, None, {}))),
            f"Again: `{replay_command(file.name, failure=failure)}`",
            "",
            f"Among the known divergences: `{replay_command('--register', file.name, failure=failure)}`",
            "",
        ]
    )
    script = script_path(file)
    if not script.is_file():
        return text
    source = fenced("python", script.read_text(encoding="utf-8"))
    command = html.escape(script_command(script.name, failure=failure))
    needs = f"A script that needs pyspark and duckdb alone: <code>{command}</code>"
    whole = f"{text}\n<details><summary>{needs}</summary>\n\n{source}\n</details>\n"
    return whole if len(whole) <= _LONGEST else f"{text}\nA script that shows it is too long for here: {script.name}\n"


def cut(text: str) -> str:
    """The first lines of ``text``, as many as leave room for others on a page; all of a shorter text."""
    half = _LONGEST // 2
    return text if len(text) <= half else text[:half].rpartition("\n")[0] + "\n..."


def _fence(text: str) -> int:
    """The length of a Markdown fence around ``text``: one tick more than the longest row of ticks in it."""
    return max([2, *(len(ticks) for ticks in _TICKS.findall(text))]) + 1


def fenced(language: str, text: str) -> str:
    """``text`` in a fence of Markdown that nothing in it ends."""
    ticks = "`" * _fence(text)
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}\n"


def write_issues(folder: Path, files: Iterable[tuple[Path, int]]) -> list[Path]:
    """Write the text of an issue into ``folder`` for each failure file, given with its count; the files written."""
    written = []
    for file, seen in files:
        failure = read_failure(file)
        path = folder / f"{failure.fingerprint}.md"
        write_text(path, issue_text(failure, file, seen=seen))
        written.append(path)
    return written
