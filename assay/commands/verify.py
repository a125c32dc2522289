"""``assay verify``: all small queries on which a rule fires, over all small databases."""

from __future__ import annotations

from typing import Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import shared_options, take_options, workers_option
from assay.session.ending import BadInput
from assay.verify.bound import PAIRS, SECONDS, Bound, parse_bound

_OPTIONS = [
    *shared_options(without=("--max-examples", "--off", "--by", "--record", "--databases", "--spark-master")),
    click.Option(["--all"], is_flag=True, help="every rule of Spark that has a shape"),
    click.Option(["--mutant"], multiple=True, metavar="NAME", help="a planted wrong rule of jars/; repeatable"),
    click.Option(["--all-mutants"], is_flag=True, help="every planted wrong rule"),
    click.Option(
        ["--shard"], type=types.SHARD, default="1/1", metavar="I/N", help="of --all and --all-mutants, every Nth rule"
    ),
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
    click.Option(
        ["--prove"], is_flag=True, help="put the pairs of plans to a solver, too: over all values; for as long again"
    ),
    workers_option(),
]


@declare(
    "verify",
    "Run a rule on all small queries over all small databases.",
    _OPTIONS,
    example="tox run -e verify -- --rule path/to/MyRule.scala@plan-normalization",
)
def command(
    all: bool,  # noqa: A002  # click names it after its option
    mutant: tuple[str, ...],
    all_mutants: bool,
    shard: tuple[int, int],
    bound: Bound,
    pairs: int,
    budget: float,
    prove: bool,
    workers: int,
    **given: Any,
) -> int:
    """Verify each rule that is named; the worst verdict is the exit code."""
    from dataclasses import replace

    from assay.verify.chosen import all_mutants as every_mutant
    from assay.verify.chosen import shaped_rules
    from assay.verify.main import run
    from assay.verify.proofs import require_solver
    from assay.verify.session import VerifyRequest

    if shard != (1, 1) and not (all or all_mutants):
        raise BadInput(f"--shard {shard[0]}/{shard[1]}: goes with --all or --all-mutants, whose rules it divides")
    if prove:
        require_solver()
    options = take_options({**given, "hypothesis_seed": 0}, max_examples=1)
    if all:
        options = replace(options, rules=(*options.rules, *shaped_rules(shard, options.rules)))
    if all_mutants:
        mutant = tuple(dict.fromkeys((*mutant, *every_mutant(shard))))
    if not options.rules and not options.extensions and not mutant:
        raise BadInput("verify: name a rule with --rule, or an extension with --extensions, or use --all")
    bounds = replace(bound, pairs=pairs, seconds=budget)
    request = VerifyRequest(
        options=options, mutants=mutant, bound=bounds, workers=workers, every=all or all_mutants, prove=prove
    )
    return run(request)
