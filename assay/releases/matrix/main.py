"""``tox run -e matrix -- --out DIR``: a campaign on each release of Spark, in one table; and who has which finding."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from assay.campaign.budget import parse_budget
from assay.releases.matrix.factors import FACTORS, Factor, parse_releases, run
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
from assay.session.ending import BadInput, Exit
from assay.session.options import caller_folder, parse_seed
from oracles.answers.atomic import write_json, write_text
from oracles.triage.divergences import load

BUDGET = "10m"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaigns one after another, then each finding on the releases that it wasn't found on.

    FOUND where a campaign has a finding; SUITE_FAILED where one could not be run, whatever the others found.
    """
    raw, others = _parser().parse_known_args(arguments)
    try:
        releases = parse_releases(raw.releases)
        parse_budget(raw.budget)
        seed = secrets.randbits(32) if raw.hypothesis_seed is None else parse_seed(raw.hypothesis_seed)
        out = (caller_folder() / raw.out).absolute()
        out.mkdir(parents=True, exist_ok=True)
    except (BadInput, OSError) as problem:
        print(f"matrix: {problem}" if isinstance(problem, OSError) else problem, file=sys.stderr)
        return Exit.BAD_INPUT
    console = Console(width=None if sys.stdout.isatty() else 200)
    asked = ["--budget", raw.budget, "--hypothesis-seed", str(seed), "--no-witnesses", *others]
    columns = [_campaign(release, out, asked, console) for release in releases]
    bugs = [bug for column in columns for bug in column.bugs]
    _write(out, columns, bugs, seed)
    for release in releases if bugs else ():
        bugs = _replayed(bugs, release, out, console)
        _write(out, columns, bugs, seed)
    _show(console, columns, bugs)
    console.print(f"{out / 'matrix.md'}, {out / 'matrix.json'}; again with: --hypothesis-seed {seed}", soft_wrap=True)
    if any(column.exit not in (Exit.GREEN, Exit.FOUND) for column in columns):
        return Exit.SUITE_FAILED
    return Exit.FOUND if bugs else Exit.GREEN


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="matrix", description="A campaign on each release; other options are the campaigns' own."
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the campaigns' folders and the tables")
    parser.add_argument("--budget", default=BUDGET, metavar="TIME", help=f"of each campaign (default {BUDGET})")
    parser.add_argument(
        "--releases", default=",".join(FACTORS), metavar="A,B", help="factors, or exact versions: spark35,4.0.0"
    )
    parser.add_argument("--hypothesis-seed", metavar="N", help="the seed of all of them; drawn if not given")
    return parser


def _campaign(release: Factor, out: Path, asked: Sequence[str], console: Console) -> Column:
    folder, log = out / release.name, out / f"{release.name}.log"
    console.print(f"{release.name}: a campaign in {folder}, told in {log.name}", soft_wrap=True)
    code = run(release, "nightly", [*asked, "--out", str(folder)], log)
    column = read_column(release.name, folder, code)
    if code not in (Exit.GREEN, Exit.FOUND):
        console.print(f"{release.name}: ended with exit code {code}, see {log}", soft_wrap=True)
    return column


def _replayed(bugs: Sequence[Bug], release: Factor, out: Path, console: Console) -> list[Bug]:
    """``bugs`` with what each does on ``release``: in as few sessions as they need."""
    console.print(f"{release.name}: {len(bugs)} findings again")
    log, told = out / "replays" / f"{release.name}.log", out / "replays" / f"{release.name}.json"
    run(release, "replay", [*(str(bug.file) for bug in bugs), "--summary-json", str(told)], log)
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
    rules = Table(title="fired/turned off, and what a rule did wrong", title_justify="left")
    for head in ("rule", *heads(columns)):
        rules.add_column(head)
    for row in rule_rows(columns, load()):
        rules.add_row(*row)
    console.print(rules)
    if bugs:
        found = Table(title="findings on each release", title_justify="left")
        for head in ("finding", "found in", *names, "history"):
            found.add_column(head)
        for row in bug_rows(bugs, names):
            found.add_row(*row)
        console.print(found)


if __name__ == "__main__":
    sys.exit(main())
