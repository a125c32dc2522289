"""``tox run -e matrix -- --out DIR``: a campaign on each release of Spark, in one table with all findings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from assay.releases.matrix.table import (
    Bug,
    Column,
    as_json,
    bug_rows,
    heads,
    markdown,
    read_column,
    rule_rows,
    shown_by,
)
from assay.releases.runner import Factor, Runner
from assay.session.console import console as console_of
from assay.session.console import table
from assay.session.ending import BadInput, Exit
from oracles.answers.atomic import write_json, write_text
from oracles.triage.divergences import load


def run(releases: Sequence[Factor], *, out: Path, budget: str, seed: int, others: Sequence[str]) -> int:
    """Run the campaigns one after another, then each finding on the releases that it wasn't found on.

    ``others`` are options of the campaigns' own. FOUND where a campaign has a finding, or is red without one, as too
    few of its checks say anything; SUITE_FAILED where one could not be run, whatever the others found.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadInput(f"matrix: {problem}") from problem
    console = console_of(200)
    asked = ["--budget", budget, "--hypothesis-seed", str(seed), "--no-witnesses", *others]
    runner = Runner(console)
    columns = [_campaign(release, out, asked, runner) for release in releases]
    bugs = [bug for column in columns for bug in column.bugs]
    _write(out, columns, bugs, seed)
    for release in releases if bugs else ():
        bugs = _replayed(bugs, release, out, runner)
        _write(out, columns, bugs, seed)
    _show(console, columns, bugs)
    console.print(f"{out / 'matrix.md'}, {out / 'matrix.json'}; again with: --hypothesis-seed {seed}", soft_wrap=True)
    if any(column.exit not in (Exit.GREEN, Exit.FOUND) for column in columns):
        return Exit.SUITE_FAILED
    red = [column.name for column in columns if column.exit == Exit.FOUND and not column.bugs]
    for name in red:
        console.print(f"{name}: red without a finding, see {out / f'{name}.log'}", soft_wrap=True)
    return Exit.FOUND if bugs or red else Exit.GREEN


def _campaign(release: Factor, out: Path, asked: Sequence[str], runner: Runner) -> Column:
    folder, log = out / release.name, out / f"{release.name}.log"
    what = f"a campaign in {folder}, told in {log.name}"
    arguments = [*asked, "--out", str(folder)]
    code = runner.run(release, "nightly", arguments, log, what=what, fine=(Exit.GREEN, Exit.FOUND))
    return read_column(release.name, folder, code)


def _replayed(bugs: Sequence[Bug], release: Factor, out: Path, runner: Runner) -> list[Bug]:
    """``bugs`` with the result of each on ``release``, replayed in as few sessions as they need."""
    log, told = out / "replays" / f"{release.name}.log", out / "replays" / f"{release.name}.json"
    arguments = [*(str(bug.file) for bug in bugs), "--summary-json", str(told)]
    # A code says nothing that the file doesn't.
    runner.run(release, "replay", arguments, log, what=f"{len(bugs)} findings again", fine=None)
    ends = json.loads(told.read_text())["files"] if told.exists() else {}
    return [
        replace(bug, shown={**bug.shown, release.name: shown_by(ends.get(str(bug.file), Exit.SUITE_FAILED))})
        for bug in bugs
    ]


def _write(out: Path, columns: Sequence[Column], bugs: Sequence[Bug], seed: int) -> None:
    write_json(out / "matrix.json", as_json(columns, bugs, seed))
    names = [column.name for column in columns]
    rules = markdown(["rule", *heads(columns)], rule_rows(columns, load()))
    found = markdown(["finding", "found in", *names, "history"], bug_rows(bugs, names))
    write_text(out / "matrix.md", f"{rules}\n{found}" if bugs else rules)


def _show(console: Console, columns: Sequence[Column], bugs: Sequence[Bug]) -> None:
    names = [column.name for column in columns]
    rules, found = ("rule", *heads(columns)), ("finding", "found in", *names, "history")
    printed = [("fired/turned off, and what a rule did wrong", rules, rule_rows(columns, load()))]
    if bugs:
        printed.append(("findings on each release", found, bug_rows(bugs, names)))
    for title, head, rows in printed:
        console.print(table(title, head, rows, left=range(len(head)), title_justify="left"))
