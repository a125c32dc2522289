"""``tox run -e replay -- FILE…``: failures again, on this machine; red while they still fail.

With ``--add`` they go into the regression corpus, each with what it ends in now; with ``--register`` they are entered
among the known divergences (with both, first the one, then the other).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.fuzz.incident_log import IncidentLog, incident_line
from assay.fuzz.isolated_rerun import TIMES, run_alone
from assay.fuzz.supervision import Guard, Supervised, unsupervised
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.replay.register import NotRegistered, TooWide, register, require_narrow
from assay.replay.regressions import CORPUS, PASSES, Regression, expectation, replayed, unfit, write_regression
from assay.session.ending import BadInput, Exit
from assay.session.mutant_sources import load_mutants
from assay.session.options import Options, add_options, caller_folder, parse_options
from assay.session.session import prepare, prepare_java
from assay.volume.hunt import again as again_at_scale
from oracles.answers.atomic import write_json
from oracles.checks.check import Checked, Laboratory, fixed
from oracles.engines.spark.jvm import SparkLost
from oracles.engines.spark.start import SparkUnusable
from oracles.failures.failure import Failure, UnreadableFailure, failure_of, read_failure
from oracles.failures.loss import is_loss, was_loss
from oracles.failures.text import render
from oracles.rules.catalogue import UnknownRule
from oracles.rules.rule import Rule
from oracles.triage.divergences import KNOWN, load
from oracles.triage.third_opinion import third_opinion, versions_of

_ALONE = 60.0
"""Seconds for each leg of a query that hung, or took its engine down: this is a try, not a campaign."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay each file: FOUND if any still fails, else UNDECIDED if any can't be judged.

    What is added to the corpus may fail as a known divergence has it, and what is registered has to fail.
    """
    parser = argparse.ArgumentParser(prog="replay", description="Run failures again.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="failure files")
    parser.add_argument("--add", action="store_true", help="put them into the regression corpus")
    parser.add_argument("--register", action="store_true", help="enter them among the known divergences")
    parser.add_argument("--id", default="", metavar="NAME", help="what the new entry is called")
    parser.add_argument("--url", default="", metavar="URL", help="the ticket of what is registered")
    add_options(parser.add_argument)
    try:
        raw = parser.parse_args(arguments)
        if not raw.files:
            raise BadInput("replay: name at least one failure file")
        failures = [_failure(caller_folder() / file) for file in raw.files]
        if raw.id and (len(failures) > 1 or not raw.register):
            raise BadInput("replay: --id is for one file that is registered")
        if raw.url and not raw.url.startswith("https://"):
            raise BadInput(f"--url {raw.url}: needs https")
        if raw.add or raw.register:
            _require_fit(failures)
        if raw.register:
            _require_narrow(failures)
        prepare_java()
        if raw.add or raw.register:
            return _worst(_take_in(failures, raw))
        log = IncidentLog(caller_folder() / raw.failures, lambda incident: print(incident_line(incident)))
        worst = _worst(_all_replayed(failures, raw, log))
        print("".join(f"{line}\n" for line in log.red), end="")
        return Exit.SUITE_FAILED if log.red else worst
    except (BadInput, SparkUnusable) as problem:
        print(problem, file=sys.stderr)
        return Exit.BAD_INPUT
    except SparkLost as fault:
        print(fault, file=sys.stderr)
        return Exit.SUITE_FAILED


def _worst(ends: Sequence[Exit]) -> Exit:
    return next((end for end in (Exit.FOUND, Exit.UNDECIDED) if end in ends), Exit.GREEN)


def _failure(path: Path) -> tuple[Path, Failure]:
    try:
        return path, read_failure(path)
    except UnreadableFailure as problem:
        raise BadInput(str(problem)) from problem


def _require_fit(failures: Sequence[tuple[Path, Failure]]) -> None:
    for file, failure in failures:
        if reason := unfit(failure):
            raise BadInput(f"replay: {file} can't be taken in: {reason}")


def _require_narrow(failures: Sequence[tuple[Path, Failure]]) -> None:
    print("replay: drawing cases, to see how many of them the new entries would fit: about half a minute")
    for file, failure in failures:
        with _not_too_wide(file):
            require_narrow(failure.case)


@contextmanager
def _not_too_wide(file: Path) -> Iterator[None]:
    try:
        yield
    except TooWide as reason:
        raise BadInput(f"replay: {file} can't be registered: {reason}") from reason


def _take_in(failures: Sequence[tuple[Path, Failure]], raw: argparse.Namespace) -> list[Exit]:
    """All of them in one session: none needs anything of its own."""

    def taken_in(file: Path, failure: Failure, laboratory: Laboratory) -> Exit:
        registered = _registered(file, failure, laboratory, raw) if raw.register else Exit.GREEN
        return _added(file, failure, laboratory) if raw.add and registered == Exit.GREEN else registered

    with prepare(options_of(failures[0][1], raw)).laboratory() as laboratory:
        return [_judged(file, failure, laboratory, taken_in) for file, failure in failures]


def _registered(file: Path, failure: Failure, laboratory: Laboratory, raw: argparse.Namespace) -> Exit:
    try:
        with _not_too_wide(file):
            entry = register(laboratory, failure, name=raw.id, url=raw.url)
    except NotRegistered as reason:
        print(f"{file.name}: not registered: {reason}")
        return Exit.FOUND
    print(f"{file.name}: registered as {entry.id}, until {entry.expires}: say in {KNOWN.name} what the bug is")
    return Exit.GREEN


def _all_replayed(failures: Sequence[tuple[Path, Failure]], raw: argparse.Namespace, log: IncidentLog) -> list[Exit]:
    """How each ends; those that need the same things loaded share a session. With ``--summary-json``, also on disk."""
    ends: dict[Path, Exit] = {}
    try:
        with TemporaryDirectory(prefix="assay-replay-") as folder:
            for options, planted, group in _sessions(failures, raw):
                setup = prepare(options, [mutant for mutant in load_mutants() if mutant.name in planted])
                with setup.supervised() as laboratory:
                    hand, tell = current_case(Path(folder), "main"), log.tell
                    supervised = partial(supervisor_of, laboratory, hand=hand, tell=tell)
                    judge = partial(run_again, supervised=supervised)
                    for file, failure in group:
                        ends[file] = _judged(file, failure, laboratory, judge)
    finally:
        if raw.summary_json:
            told = {"format": 1, "files": {str(file): int(end) for file, end in ends.items()}}
            write_json(caller_folder() / raw.summary_json, {**told, "incidents": log.incidents})
    return [ends[file] for file, _ in failures]


def _sessions(
    failures: Sequence[tuple[Path, Failure]], raw: argparse.Namespace
) -> list[tuple[Options, list[str], list[tuple[Path, Failure]]]]:
    """Options and mutants, and the failures that need these; one that took a JVM with it has a session of its own."""
    sessions: dict[str, tuple[Options, list[str], list[tuple[Path, Failure]]]] = {}
    for file, failure in failures:
        planted, options = (failure.subject.mutant or "").split(","), options_of(failure, raw)
        alone = str(file) if was_loss(failure) or failure.scale else ""
        key = repr((replace(options, seed=0), planted, alone))
        sessions.setdefault(key, (options, planted, []))[2].append((file, failure))
    return list(sessions.values())


def _judged(
    file: Path, failure: Failure, laboratory: Laboratory, judge: Callable[[Path, Failure, Laboratory], Exit]
) -> Exit:
    try:
        return judge(file, failure, laboratory)
    except UnknownRule as problem:
        print(f"{file.name}: can't be judged here: {problem}")
        return Exit.UNDECIDED


def run_again(file: Path, failure: Failure, laboratory: Laboratory, supervised: Supervised = unsupervised) -> Exit:
    """Check the case of ``failure``, which is in ``file``, once more, print what comes of it, and say how it ends."""
    rules = [laboratory.catalogue.rule(name) for name in failure.off]
    settings = failure.subject.settings
    guard = supervised(rules, settings)
    checked: Checked | None
    if failure.scale:
        with TemporaryDirectory(prefix="assay-volume-") as folder:
            checked = again_at_scale(laboratory, failure, Path(folder) / "ground")
    elif was_loss(failure):
        checked = run_alone(laboratory, failure.case, rules, settings, limit=_ALONE / TIMES)
    else:
        checked = guard.look(failure.case, partial(_checked, laboratory, failure, rules))
    if checked is None:
        print(f"{file.name}: can't be judged: Assay failed over it")
        return Exit.UNDECIDED
    if not (is_loss(checked) or failure.scale):
        checked = guard.attempt(failure.case, partial(third_opinion, laboratory, checked), checked)
    return _told(file, failure, checked, laboratory, guard)


def _checked(laboratory: Laboratory, failure: Failure, rules: Sequence[Rule]) -> Checked:
    return laboratory.check(failure.case, fixed(rules), failure.subject.settings, fast=failure.fast)


def _added(file: Path, failure: Failure, laboratory: Laboratory) -> Exit:
    checked = replayed(laboratory, failure, load())
    expected = expectation(checked.verdict)
    if not expected:
        print(f"{file.name}: not added: mend what it shows, or enter it among the known divergences")
        return _told(file, failure, checked, laboratory, Guard())
    path = write_regression(CORPUS, Regression(failure, expected))
    print(f"{file.name}: added as {path.relative_to(CORPUS.parents[1])}, which {_expected(expected)}")
    return Exit.GREEN


def _expected(expected: str) -> str:
    return "must pass from now on" if expected == PASSES else f"must be excused by {expected} from now on"


def _told(file: Path, failure: Failure, checked: Checked, laboratory: Laboratory, guard: Guard) -> Exit:
    if checked.verdict.name == "inconclusive":
        print(f"{file.name}: inconclusive: {checked.verdict.reason}")
        return Exit.UNDECIDED
    if checked.verdict.name != "finding":
        print(f"{file.name}: does not fail any more ({checked.verdict.name}): {checked.verdict.reason}")
        return Exit.GREEN
    versions = versions_of(laboratory, checked)
    again = failure_of(
        checked,
        failure.rules,
        subject=failure.subject,
        versions=versions,
        sql=failure.sql,
        seed=failure.seed,
        confirmed=True,
    )
    again = replace(again, stock=failure.stock, scale=failure.scale)
    # The plans of what takes its engine down can't be had.
    plans: dict[str, tuple[str, str]] = {}
    if not is_loss(checked):
        plans = guard.attempt(checked.case, lambda: laboratory.plans_around(checked, failure.rules), plans)
    print(render(again, file, plans))
    return Exit.FOUND


def options_of(failure: Failure, raw: argparse.Namespace) -> Options:
    """The caller's options for one file, with what that file says must be loaded unless the caller gave others."""
    own = argparse.Namespace(**vars(raw))
    own.rule_jar = raw.rule_jar or list(failure.subject.jars)
    own.rule = raw.rule or list(failure.subject.rules)
    own.extensions = raw.extensions or list(failure.subject.extensions)
    own.spark_conf = [*(f"{key}={value}" for key, value in failure.subject.conf.items()), *raw.spark_conf]
    return parse_options(own, here=caller_folder(), seed=failure.seed or 0, max_examples=1)


if __name__ == "__main__":
    sys.exit(main())
