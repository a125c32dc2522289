"""``assay answers``: one side of ``compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option, shared_options, take_options
from assay.session.ending import Exit

CHECKS = 200

_OPTIONS = [
    click.Option(["--out"], type=types.OUT_FILE, required=True, metavar="FILE", help="a line of JSON for each query"),
    click.Option(["--as-of"], required=True, metavar="RELEASE", help="draw only what this release runs, too"),
    click.Option(
        ["--cases"],
        type=types.PATH,
        metavar="FILE",
        help="ask the cases of such a file, on the plain path; draw nothing",
    ),
    seed_option("1"),
    *shared_options(without=("--off", "--by", "--record", "--failures", "--summary-json", "--databases", "--known")),
]


@declare(
    "answers",
    "Write down the answers of one release of Spark.",
    _OPTIONS,
    example="tox run -e answers-spark41 -- --out answers.jsonl --as-of 4.1.0",
)
def command(out: Path, as_of: str, cases: Path | None, **given: Any) -> int:
    """Write the answers."""
    from assay.releases.compare.answers import write

    write(take_options(given, max_examples=CHECKS), out, as_of, cases)
    return Exit.GREEN
