"""``assay report``: one self-contained HTML page of campaigns."""

from __future__ import annotations

from pathlib import Path

import click

from assay.commands.cli import declare
from assay.options import types

_OPTIONS: list[click.Parameter] = [
    click.Argument(["folders"], type=types.PATH, nargs=-1, metavar="DIR..."),
    click.Option(["--out"], type=types.OUT_FILE, metavar="FILE", help="the page; page.html in the first folder"),
    click.Option(
        ["--mutants"], type=types.PATH, multiple=True, metavar="FILE", help="a summary of hunted mutants; repeatable"
    ),
    click.Option(
        ["--verified"], type=types.PATH, multiple=True, metavar="FILE", help="a summary of verify; repeatable"
    ),
    click.Option(
        ["--inversions"], type=types.PATH, multiple=True, metavar="FILE", help="a summary of inversions; repeatable"
    ),
]


@declare(
    "report", "Write one page about the campaigns in these folders.", _OPTIONS, example="tox run -e report -- campaign"
)
def command(
    folders: tuple[Path, ...],
    out: Path | None,
    mutants: tuple[Path, ...],
    verified: tuple[Path, ...],
    inversions: tuple[Path, ...],
) -> int:
    """Write the page, and print where it is."""
    from assay.report.main import run

    return run(folders, out, mutants, verified, inversions)
