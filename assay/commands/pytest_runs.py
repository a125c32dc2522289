"""Commands that pytest runs, with a Spark in each of its workers."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from assay.options.shared import KIND, seed_option, shared_options

ROOT = Path(__file__).resolve().parents[2]

OF_PYTEST: list[click.Parameter] = [
    click.Option(["-n", "--numprocesses"], metavar="N", help="workers, each with a Spark of its own (pytest-xdist)"),
    click.Option(["--dist"], metavar="MODE", help="how tests go to workers (pytest-xdist)"),
    click.Option(["--junitxml", "--junit-xml"], metavar="PATH", help="write the tests there, as JUnit's XML"),
    click.Option(["--hypothesis-profile"], metavar="NAME", help="debug, dev, ci, nightly or pinned"),
    click.Option(["-k"], metavar="EXPRESSION", help="run the tests that the expression names"),
    click.Option(["-x"], is_flag=True, help="stop at the first test that fails"),
    click.Option(["-v"], is_flag=True, help="print a line for each test"),
    click.Option(["-q"], is_flag=True, help="print less"),
    click.Option(["-p"], multiple=True, metavar="PLUGIN", help="load a plugin of pytest, or no:NAME"),
    seed_option(),
    click.Argument(["others"], nargs=-1, type=click.UNPROCESSED, metavar="[-- PYTEST OPTIONS]"),
]


class PytestCommand(click.Command):
    """A command whose options are checked here, and passed on to pytest as they were written."""

    def __init__(self, name: str, summary: str, *, folder: str, example: str, without: Sequence[str] = ()) -> None:
        super().__init__(
            name,
            params=[*shared_options(without=without), *OF_PYTEST],
            help=summary,
            epilog=f"\b\nExample:\n  {example}",
            callback=lambda **_: None,
        )
        self._folder = ROOT / "tests" / folder

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Check ``args``, and keep them."""
        ctx.meta["written"] = list(args)
        rest = super().parse_args(ctx, list(args))
        if (others := ctx.params["others"]) and "--" not in args:
            raise click.UsageError(f"Got unexpected extra argument ({' '.join(others)})", ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Become pytest."""
        written = [argument for argument in ctx.meta["written"] if argument != "--"]
        asked = [sys.executable, "-m", "pytest", KIND, str(self.name), *written, str(self._folder)]
        sys.stdout.flush()
        os.execv(sys.executable, asked)
