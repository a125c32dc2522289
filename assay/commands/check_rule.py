"""``assay check-rule``: a rule of one's own on trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option, shared_options, take_options, unsteered_option
from assay.session.ending import BadInput
from assay.session.options import LEG_SECONDS
from assay.session.touched_rules import touched_by
from oracles.failures.caller import caller_folder

if TYPE_CHECKING:
    from assay.evaluation.rule_evaluation import RuleEvaluation

CHECKS = 1_000
"""The number of queries that are planned, unless the user says otherwise."""

ROWS = 20_000
"""Rows of each table when time is compared: enough that planning doesn't hide it, few enough for a coffee."""

VERIFY_SECONDS = 20.0
"""The time for small queries: enough for the first levels of most rules, and little beside a thousand draws."""

_OPTIONS = [
    *shared_options(without=("--off", "--by", "--record")),
    seed_option(),
    click.Option(
        ["--shapes"], type=types.FILE, multiple=True, metavar="FILE.py", help="queries of your own; repeatable"
    ),
    click.Option(
        ["--scale"],
        type=types.ROWS,
        default=str(ROWS),
        show_default=True,
        help="rows of a table for the comparison of times; 0: no comparison",
    ),
    unsteered_option(),
    click.Option(
        ["--verify", "verify_seconds"],
        type=types.DURATION_OR_NONE,
        default=f"{VERIFY_SECONDS:.0f}s",
        show_default=True,
        metavar="TIME",
        help="the time for small queries over all small databases, before any is drawn; 0s: none",
    ),
    click.Option(
        ["--time-limit"],
        type=types.SECONDS,
        default=f"{LEG_SECONDS:.0f}",
        show_default=True,
        help="what a query may take; a rule that takes longer, also alone and with five times as much, is convicted",
    ),
    click.Option(
        ["--since"], metavar="REV", help="in a checkout of Spark: the rules that the changes since a revision touch"
    ),
    click.Option(["--html"], type=types.OUT_FILE, help="write the verdict and the evidence there as a page"),
    click.Option(["--keep-going"], is_flag=True, help="go on after the first counterexample"),
]


@declare(
    "check-rule",
    "Put a rule of yours, or of Spark's, on trial.",
    _OPTIONS,
    example="tox run -e check-rule -- --rule path/to/MyRule.scala@plan-normalization",
)
def command(
    shapes: tuple[Any, ...],
    scale: int,
    keep_going: bool,
    unsteered: bool,
    verify_seconds: float,
    time_limit: float,
    since: str | None,
    html: Path | None,
    **given: Any,
) -> int:
    """Try each rule that is named; the worst verdict is the exit code."""
    from assay.evaluation.check_rule import EvaluationRequest, run
    from assay.evaluation.own_shapes import load_own_shapes

    options = take_options(given, max_examples=CHECKS)
    if not options.rules and not options.extensions and since is None:
        raise BadInput("check-rule: name a rule with --rule, an extension with --extensions, or a change with --since")
    touched = None if since is None else touched_by(caller_folder(), since)
    if touched is not None and not (touched.rules or options.rules):
        raise BadInput(f"--since {since}: the change touches no rule{touched.note('; ')}")
    own = {name: shape for path in shapes for name, shape in load_own_shapes(path).items()}
    request = EvaluationRequest(
        options=options,
        shapes=own,
        rows=scale,
        keep_going=keep_going,
        steered=not unsteered,
        verify_seconds=verify_seconds,
        time_limit=time_limit,
        touched=touched,
    )

    def written(evaluations: Sequence[RuleEvaluation], head: Mapping[str, Any], red: Sequence[str]) -> None:
        if html is not None:
            from assay.report.render import render_trial
            from assay.report.trial import trial_page
            from assay.session.console import console, told_if_unwritten
            from oracles.answers.atomic import write_text

            with told_if_unwritten(console(), "--html", html):
                write_text(html, render_trial(trial_page(evaluations, head, red)))

    return run(request, written)
