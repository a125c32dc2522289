"""``tox run -e check-rule -- --rule …``: evaluate rules: whether each is right, fires, and saves time.

Rules are evaluated one by one. All other rules are on in both legs; a rule that was convicted is off in both legs from
then on.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from assay.coverage.own_rule import OwnProbes
from assay.evaluation.for_ci import evaluations_markdown
from assay.evaluation.progress import Finds, TrialProgress
from assay.evaluation.rule_evaluation import SETTINGS, RuleEvaluation, RuleEvaluator, unwatched
from assay.evaluation.small_queries import refuted, verified, with_small_queries
from assay.evaluation.timing import Timing, measured
from assay.evaluation.verdict_text import ending_line, print_evaluation
from assay.fuzz.case_mix import fuzz_cases
from assay.fuzz.incident_log import IncidentLog, without_lost_jvms
from assay.fuzz.job_summary import add_to_job_summary
from assay.fuzz.steering import STEERED
from assay.fuzz.supervision import Supervised
from assay.fuzz.supervisor import Supervisor, current_case, supervisor_of
from assay.session.console import console as console_of
from assay.session.console import told_if_unwritten
from assay.session.ending import Exit
from assay.session.known import known_divergences
from assay.session.options import LEG_SECONDS, Options
from assay.session.rule_names import require_rules
from assay.session.rules_on_trial import classes_of, has_own_rules, rules_on_trial
from assay.session.session import Setup, prepare, prepare_java, require_spark
from assay.session.stock import stock_spark
from assay.session.touched_rules import Touched
from assay.verify.verification import Verification
from oracles.answers.atomic import write_json
from oracles.answers.plural import number
from oracles.checks.check import Harness
from oracles.checks.result import LegSettings
from oracles.engines.spark.interruption import was_interrupted
from oracles.rules.rule import Rule
from strategies.shapes import Shape, load_shapes


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRequest:
    """The options of a ``check-rule`` run; with ``rows`` 0 no times are compared.

    ``verify_seconds``: the time for small queries before the first draw, 0 for none. ``time_limit``: the seconds that a
    leg may take; a case with a slower leg gets an isolated rerun with five times the limit.
    ``touched`` are the rules of ``--since``, of which this Spark may not have all; None without the option.
    """

    options: Options
    shapes: dict[str, Shape]
    rows: int
    keep_going: bool
    steered: bool = True
    verify_seconds: float = 0.0
    time_limit: float = LEG_SECONDS
    touched: Touched | None = None


Report = Callable[[Sequence[RuleEvaluation], Mapping[str, Any], Sequence[str]], None]
"""Takes the evaluations of a run, the head of its summary (versions, seed, seconds), and the lines that are red."""


@dataclass(slots=True)
class _Tried:
    """The state of a run: the first of the ``rules`` on trial have their ``evaluations``."""

    log: IncidentLog
    rules: list[Rule] = field(default_factory=list)
    evaluations: list[RuleEvaluation] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)


def run(request: EvaluationRequest, report: Report = lambda evaluations, head, red: None) -> int:
    """Evaluate each requested rule, and call ``report``; the worst verdict is the exit code.

    :raises KeyboardInterrupt: the run was interrupted; if rules had their verdicts, these are reported before.
    """
    started = time.monotonic()
    require_spark(request.options.spark_home)
    require_rules(request.options)  # before the first line of progress
    prepare_java()
    console = console_of()
    progress = TrialProgress(request.options.max_examples)
    tried = _Tried(IncidentLog(request.options.failures, progress.heard(console)))
    interruption: KeyboardInterrupt | None = None
    try:
        _try_all(request, progress, tried, console)
    except BaseException as error:
        if not (tried.evaluations and was_interrupted(error)):
            raise
        interruption = KeyboardInterrupt()
    evaluations = tried.evaluations
    seconds = round(time.monotonic() - started, 1)
    head: dict[str, Any] = {"format": 1, **tried.versions, "seed": request.options.seed, "seconds": seconds}
    lines = list(tried.log.red)
    if interruption is not None:
        head["stopped"] = f"after {len(evaluations)} of {number(len(tried.rules), 'rule')}"
        lines.append(f"stopped {head['stopped']}")
    add_to_job_summary(evaluations_markdown(evaluations, lines, seed=request.options.seed))
    code = conclude(request.options, console, evaluations, head, tried.log, report)
    if interruption is not None:
        console.print(lines[-1], highlight=False)
        raise interruption
    return code


def _try_all(request: EvaluationRequest, progress: TrialProgress, tried: _Tried, console: Console) -> None:
    with ExitStack() as stack:
        stack.enter_context(progress)
        setup = prepare(request.options, probes=has_own_rules(request.options))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="assay-check-rule-"))
        harness = stack.enter_context(setup.supervised())
        harness.spark.time_limit = harness.duckdb.time_limit = request.time_limit
        tried.rules += rules_on_trial(request.options, harness, console, request.touched)
        tried.versions = {"spark": harness.spark.version, "duckdb": harness.duckdb.version}
        log = tried.log
        probes = OwnProbes(classes=classes_of(harness), told=progress.said(console))
        evaluator = _evaluator(request, setup, harness, Path(folder), progress, log, probes)
        for rule in tried.rules:
            progress.began(rule.name)
            early = IncidentLog(request.options.failures, progress.heard(console))
            small = verified(
                evaluator, rule, request.verify_seconds, _supervised(harness, Path(folder), early), progress.compared
            )
            beside = [each.name for each in tried.rules if each != rule]
            evaluation = replace(_tried(request, evaluator, rule, small), beside=beside)
            tried.evaluations.append(evaluation)
            wrong = evaluation.outcome == "convicted"
            log.incidents += without_lost_jvms(early.incidents) if wrong else early.incidents
            if wrong:
                evaluator = evaluator.without(rule)
            with progress.hidden():
                print_evaluation(console, evaluation)


def conclude(
    options: Options,
    console: Console,
    evaluations: Sequence[RuleEvaluation],
    head: Mapping[str, Any],
    log: IncidentLog,
    report: Report,
) -> int:
    """Write the summary and the ``report``, and print the ending; returns the exit code, whatever can't be written."""
    if options.summary_json is not None:
        rules_tried = {each.rule: each.summary() for each in evaluations}
        with told_if_unwritten(console, "--summary-json", options.summary_json):
            write_json(options.summary_json, {**head, "rules": rules_tried, "incidents": log.incidents})
    report(evaluations, head, log.red)
    for line in log.red:
        console.print(line, highlight=False, soft_wrap=True)
    console.print(f"again with: --hypothesis-seed {options.seed}", highlight=False)
    if len(evaluations) > 1:
        console.print(ending_line(evaluations), highlight=False, markup=False, soft_wrap=True)
    return Exit.SUITE_FAILED if log.red else _exit([evaluation.outcome for evaluation in evaluations])


def _exit(outcomes: Sequence[str]) -> Exit:
    if "convicted" in outcomes:
        return Exit.FOUND
    return Exit.GREEN if all(outcome == "acquitted" for outcome in outcomes) else Exit.UNDECIDED


def _evaluator(
    request: EvaluationRequest,
    setup: Setup,
    harness: Harness,
    folder: Path,
    progress: TrialProgress,
    log: IncidentLog,
    probes: OwnProbes,
) -> RuleEvaluator:
    options = request.options
    return RuleEvaluator(
        harness=harness,
        subject=replace(setup.subject, settings=SETTINGS),
        folder=folder,
        failures=options.failures,
        run_seed=options.seed,
        fast=not harness.spark.on_cluster,
        databases=options.databases,
        steered=STEERED if request.steered else 0,
        told=progress.told,
        watch=Finds(progress.found),
        stock=stock_spark(options),
        supervised=_supervised(harness, folder, log),
        probes=probes,
        divergences=known_divergences(options.known),
    )


def _supervised(harness: Harness, folder: Path, log: IncidentLog) -> Supervised:
    def supervised(rules: Sequence[Rule], settings: LegSettings) -> Supervisor:
        return supervisor_of(harness, rules, settings, case_file=current_case(folder, "main"), tell=log.tell)

    return supervised


def _tried(
    request: EvaluationRequest, evaluator: RuleEvaluator, rule: Rule, small: Verification | None = None
) -> RuleEvaluation:
    """Evaluate ``rule`` by draws, unless ``small`` queries have refuted it."""
    if small is not None and small.findings and not request.keep_going:
        return refuted(small)
    shapes = {**load_shapes(), **request.shapes}
    drawn = fuzz_cases(shapes, [*request.shapes] or [rule.name])
    # The shapes of a rule are closer to it than what its class mentions.
    aimed = request.steered and not request.shapes and rule.name not in shapes
    count = request.options.max_examples
    earlier = small.findings if small else ()
    evaluation = evaluator.evaluate(rule, drawn, count, keep_going=request.keep_going, aimed=aimed, earlier=earlier)
    if small is not None:
        evaluation = with_small_queries(evaluation, small)
    if evaluation.outcome != "acquitted" or not request.rows or evaluation.stats.all_alone:
        return evaluation
    cases = sorted(evaluation.stats.cases, key=lambda case: len(repr(case.query)))
    settings, seed, none = unwatched(evaluator.subject.settings), request.options.seed, list[Timing]()

    def compared() -> list[Timing]:
        # The off leg doesn't run the rule's classes, so their probes would take time in the on leg alone.
        evaluator.probes.pause(evaluator.harness.spark)
        return measured(evaluator.harness, rule, cases, settings, rows=request.rows, seed=seed)

    timings = evaluator.guard(rule).attempt(None, compared, none)
    return replace(evaluation, timings=timings, rows=request.rows)
