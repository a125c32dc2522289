"""``assay verify``: all small queries on which a rule fires, over all small databases."""

from __future__ import annotations

from typing import Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import shared_options, take_options
from assay.session.ending import BadInput
from assay.verify.bound import PAIRS, SECONDS, Bound, parse_bound

_OPTIONS = [
    *shared_options(without=("--max-examples", "--off", "--by", "--record", "--databases", "--spark-master")),
    click.Option(["--mutant"], multiple=True, metavar="NAME", help="a planted wrong rule of jars/; repeatable"),
    click.Option(
        ["--bound"],
        type=types.Parsed("NAME=N,…", parse_bound),
        default="rows=2,values=2,tables=3,operators=3",
        show_default=True,
        help="the greatest table, domain, number of tables, and query",
    ),
    click.Option(
        ["--pairs"], type=types.WHOLE, default=str(PAIRS), show_default=True, help="the most pairs of plans of a rule"
    ),
    click.Option(
        ["--budget"], type=types.DURATION, default=f"{SECONDS:.0f}s", show_default=True, help="the time for each rule"
    ),
]


@declare(
    "verify",
    "Run a rule on all small queries over all small databases.",
    _OPTIONS,
    example="tox run -e verify -- --rule path/to/MyRule.scala@plan-normalization",
)
def command(mutant: tuple[str, ...], bound: Bound, pairs: int, budget: float, **given: Any) -> int:
    """Verify each rule that is named; the worst verdict is the exit code."""
    from dataclasses import replace

    from assay.verify.main import Asked, run

    options = take_options({**given, "hypothesis_seed": 0}, max_examples=1)
    if not options.rules and not options.extensions and not mutant:
        raise BadInput("verify: name a rule with --rule, or an extension with --extensions")
    return run(Asked(options=options, mutants=mutant, bound=replace(bound, pairs=pairs, seconds=budget)))
