"""``assay merge``: the folders of several campaigns in one."""

from __future__ import annotations

from pathlib import Path

import click

from assay.commands.cli import declare
from assay.options import types

_OPTIONS: list[click.Parameter] = [
    click.Argument(["folders"], type=types.PATH, nargs=-1, metavar="DIR..."),
    click.Option(
        ["--out"], type=types.PATH, metavar="DIR", required=True, help="the merged folder; may have been merged into"
    ),
]


@declare(
    "merge",
    "Put the folders of campaigns together.",
    _OPTIONS,
    example="tox run -e merge -- campaign-1 campaign-2 --out campaign",
)
def command(folders: tuple[Path, ...], out: Path) -> int:
    """Merge, and print what the new folder has."""
    from assay.ledger.merge import run

    return run(folders, out)
