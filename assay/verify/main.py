"""``tox run -e verify -- --rule …``: verify rules one by one, and end with the worst verdict."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from assay.coverage.own_rule import OwnProbes
from assay.evaluation.check_rule import LEG_SECONDS, classes_of, has_own_rules, rules_on_trial
from assay.fuzz.incident_log import IncidentLog, printed_on
from assay.fuzz.supervision import Guard
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.session.console import console as console_of
from assay.session.ending import BadInput, Exit
from assay.session.known import known_divergences
from assay.session.mutant_sources import Mutant, UnknownMutant, named
from assay.session.options import Options
from assay.session.session import prepare, prepare_java
from assay.session.stock import stock_spark
from assay.verify.bound import Bound
from assay.verify.text import print_verification
from assay.verify.verification import Verification
from assay.verify.verifier import Verifier
from oracles.answers.atomic import write_json
from oracles.checks.check import Harness
from oracles.checks.result import NO_SETTINGS, LegSettings
from oracles.failures.failure import Subject
from oracles.rules.points import Point
from oracles.rules.rule import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The options of a ``verify`` run; ``mutants`` are names of planted rules."""

    options: Options
    mutants: tuple[str, ...]
    bound: Bound


@dataclass(frozen=True, slots=True)
class _Trial:
    """A rule, the settings of both legs, and the planted rule that it is, if it is one."""

    rule: Rule
    settings: LegSettings
    mutant: Mutant | None = None


def run(asked: Asked) -> int:
    """Verify each requested rule; the worst verdict is the exit code."""
    started = time.monotonic()
    prepare_java()
    console = console_of()
    mutants = _mutants(asked.mutants)
    setup = prepare(asked.options, mutants, probes=has_own_rules(asked.options))
    log = IncidentLog(asked.options.failures, printed_on(console))
    results: list[Verification] = []
    with tempfile.TemporaryDirectory(prefix="assay-verify-") as folder, setup.supervised() as harness:
        harness.spark.time_limit = harness.duckdb.time_limit = LEG_SECONDS
        for trial in _trials(asked, mutants, harness, console):
            result = _verifier(asked, trial, setup.subject, harness, Path(folder), log, console).verify(trial.rule)
            results.append(result)
            print_verification(console, result)
        versions = {"spark": harness.spark.version, "duckdb": harness.duckdb.version}
    for line in log.red:
        console.print(line, highlight=False, soft_wrap=True)
    if asked.options.summary_json is not None:
        seconds = round(time.monotonic() - started, 1)
        rules = {result.rule: result.summary() for result in results}
        head = {"format": 1, **versions, "seconds": seconds}
        write_json(asked.options.summary_json, {**head, "rules": rules, "incidents": log.incidents})
    return Exit.SUITE_FAILED if log.red else exit_of(results)


def exit_of(results: Sequence[Verification]) -> Exit:
    """Refuted comes first, then what is not known."""
    outcomes = {result.outcome for result in results}
    if "refuted" in outcomes:
        return Exit.FOUND
    return Exit.GREEN if outcomes == {"verified"} else Exit.UNDECIDED


def _mutants(names: Sequence[str]) -> list[Mutant]:
    try:
        return named(names)
    except UnknownMutant as error:
        raise BadInput(str(error)) from error


def _trials(asked: Asked, mutants: Sequence[Mutant], harness: Harness, console: Console) -> list[_Trial]:
    options = asked.options
    rules = rules_on_trial(options, harness, console) if options.rules or options.extensions else []
    planted = [
        _Trial(harness.catalogue.rule(mutant.name), mutant.settings(harness.catalogue), mutant) for mutant in mutants
    ]
    trials = [*(_Trial(rule, NO_SETTINGS) for rule in rules), *planted]
    points = harness.spark.points
    for trial in trials:
        if trial.rule.switch is None:
            raise BadInput(f"--rule {trial.rule.name}: can't be turned off, so that there are no two plans to compare")
        point = points.get(trial.rule.rule_name, "")
        if point and Point(point).adaptive:
            raise BadInput(
                f"{trial.rule.name}@{point}: only adaptive execution has this point, and plans are run without"
            )
    return trials


def _verifier(
    asked: Asked, trial: _Trial, subject: Subject, harness: Harness, folder: Path, log: IncidentLog, console: Console
) -> Verifier:
    def guard(rule: Rule) -> Guard:
        return supervisor_of(harness, [rule], trial.settings, hand=current_case(folder, "main"), tell=log.tell)

    def said(line: str) -> None:
        console.print(line, highlight=False, markup=False, soft_wrap=True)

    mutant = trial.mutant
    return Verifier(
        harness=harness,
        subject=replace(subject, mutant=mutant.name if mutant else None, settings=trial.settings),
        folder=folder,
        failures=asked.options.failures,
        bound=asked.bound,
        guard=guard,
        stock=stock_spark(asked.options),
        stands_for={mutant.name: mutant.rule} if mutant else {},
        probes=OwnProbes(classes={} if mutant else classes_of(harness), told=said),
        divergences=known_divergences(asked.options.known),
    )
