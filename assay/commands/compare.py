"""``assay compare``: the same queries on two releases of Spark."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from assay.commands import answers
from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option
from assay.releases.runner import Factor, parse_releases
from assay.session.ending import BadInput

CHECKS = 1_000


def _release(option: str, text: str) -> Factor:
    releases = parse_releases(text, option)
    if len(releases) != 1:
        raise BadInput(f"{option} {text}: needs one release")
    return releases[0]


_RELEASE = types.Parsed("RELEASE", _release)
_OPTIONS: list[click.Parameter] = [
    click.Option(["--left"], type=_RELEASE, required=True, help="spark41, or an exact version: 4.1.0"),
    click.Option(["--right"], type=_RELEASE, required=True, help="the other release"),
    click.Option(
        ["--out"],
        type=types.PATH,
        default="compared",
        metavar="DIR",
        show_default=True,
        help="the answers and the differences",
    ),
    click.Option(["--max-examples"], type=types.WHOLE, default=str(CHECKS), show_default=True, help="queries"),
    seed_option(),
    click.Argument(["others"], nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF answers]"),
]


@declare(
    "compare",
    "Ask two releases of Spark the same queries.",
    _OPTIONS,
    example="tox run -e compare -- --left spark41 --right spark43 --max-examples 2000",
)
def command(
    left: Factor,
    right: Factor,
    out: Path,
    max_examples: int,
    hypothesis_seed: int | None,
    others: tuple[str, ...],
) -> int:
    """Ask both, and print where they differ."""
    from assay.releases.compare.main import run

    # Refused here, and not by the first side after its environment was made.
    answers.command.make_context("compare", ["--out", str(out / "answers.jsonl"), "--as-of", "4.0.0", *others])
    seed = secrets.randbits(32) if hypothesis_seed is None else hypothesis_seed
    return run(left, right, out=out, checks=max_examples, seed=seed, others=others)


command.ignore_unknown_options = True
