"""``assay replay``: failures again, from their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import shared_options, take_options

_OPTIONS: list[click.Parameter] = [
    click.Argument(["files"], type=types.PATH, nargs=-1, metavar="FILE..."),
    click.Option(["--add"], is_flag=True, help="put the files into the regression corpus"),
    click.Option(["--register"], is_flag=True, help="enter the files among the known divergences"),
    click.Option(["--id", "name"], default="", metavar="NAME", help="the name of the new entry"),
    click.Option(["--url"], type=types.URL, default="", help="the ticket of the new entry"),
    *shared_options(without=("--max-examples", "--off", "--by", "--record", "--databases")),
]


@declare(
    "replay",
    "Run failures again; red while they still fail.",
    _OPTIONS,
    example="tox run -e replay -- failures/3f9c5b1e07d2a684.json",
)
def command(files: tuple[Path, ...], add: bool, register: bool, name: str, url: str, **given: Any) -> int:
    """Replay each file."""
    from assay.replay.main import ReplayRequest, run

    options = take_options(given, max_examples=1, makes_known=register)
    return run(ReplayRequest(options=options, files=files, add=add, register=register, name=name, url=url))
