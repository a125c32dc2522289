"""Command lines, parsed without running the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.options.shared import shared_options, take_options
from assay.session.options import Options


def parsed(command: click.Command, *arguments: str, here: Path | None = None) -> dict[str, Any]:
    """The values of the options of ``command``; relative paths are taken from ``here``, if it is given."""
    return command.make_context(command.name, list(arguments), obj=here).params


def shared(*arguments: str, here: Path | None = None) -> Options:
    """The shared options in ``arguments``, with seed 7 and 50 checks where they say nothing."""
    given = parsed(click.Command("any", params=list(shared_options())), *arguments, here=here)
    return take_options({**given, "hypothesis_seed": 7}, max_examples=50)
