"""``tox run -e replay -- FILE…``: failures again, on this machine; red while they still fail.

With ``--add`` they go into the regression corpus, each with what it ends in now; with ``--register`` they are entered
among the known divergences (with both, first the one, then the other).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.fuzz.corpus import CORPUS
from assay.fuzz.incident_log import IncidentLog, incident_line
from assay.fuzz.isolated_rerun import TIMES, run_alone
from assay.fuzz.supervision import Guard, Supervised, unsupervised
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.replay.register import NotRegistered, TooWide, register, require_narrow
from assay.replay.regressions import PASSES, Regression, expectation, replayed, unfit, write_regression
from assay.session.ending import BadInput, Exit
from assay.session.known import known_divergences
from assay.session.mutant_sources import load_mutants
from assay.session.options import Options, parse_rule
from assay.session.session import prepare, prepare_java
from assay.volume.fuzzer import again as again_at_scale
from oracles.answers.atomic import write_json
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.result import CheckResult
from oracles.failures.caller import caller_folder
from oracles.failures.failure import Failure, UnreadableFailure, failure_of, read_failure
from oracles.failures.loss import is_loss, was_loss
from oracles.failures.text import render
from oracles.rules.catalogue import UnknownRule
from oracles.rules.rule import Rule
from oracles.triage.divergences import KNOWN, load
from oracles.triage.third_opinion import third_opinion, versions_of
from oracles.triage.witness_results import COMMAND

_ALONE = 60.0
"""Seconds for each leg of a query that hung, or took its engine down: this is a try, not a campaign."""


@dataclass(frozen=True, kw_only=True)
class ReplayRequest:
    """The files to replay, and whether to add or register them; ``name`` and ``url`` are those of the entry."""

    options: Options
    files: Sequence[Path]
    add: bool
    register: bool
    name: str
    url: str


def run(request: ReplayRequest) -> int:
    """Replay each file: FOUND if any still fails, else UNDECIDED if any can't be judged.

    A file that is added to the corpus may fail as a known divergence has it; one that is registered has to fail.
    """
    if not request.files:
        raise BadInput("replay: name at least one failure file")
    failures = [_failure(file, request.options) for file in request.files]
    if request.name and (len(failures) > 1 or not request.register):
        raise BadInput("replay: --id is for one file that is registered")
    if request.add or request.register:
        _require_fit(failures)
    if request.register:
        _require_narrow(failures)
    prepare_java()
    if request.add or request.register:
        return _worst(_take_in(failures, request))
    log = IncidentLog(request.options.failures, lambda incident: print(incident_line(incident)))
    worst = _worst(_all_replayed(failures, request.options, log))
    print("".join(f"{line}\n" for line in log.red), end="")
    return Exit.SUITE_FAILED if log.red else worst


def _worst(ends: Sequence[Exit]) -> Exit:
    return next((end for end in (Exit.FOUND, Exit.UNDECIDED) if end in ends), Exit.GREEN)


def _failure(path: Path, options: Options) -> tuple[Path, Failure]:
    """The failure in the file at ``path``, on the Spark that ``options`` give: what is found now is found there."""
    try:
        failure = read_failure(path)
    except UnreadableFailure as problem:
        raise BadInput(str(problem)) from problem
    home = None if options.spark_home is None else str(options.spark_home)
    return path, replace(failure, subject=replace(failure.subject, spark_home=home))


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


def _take_in(failures: Sequence[tuple[Path, Failure]], request: ReplayRequest) -> list[Exit]:
    """Add or register all failures in one session: none of them needs rules or settings of its own."""

    def taken_in(file: Path, failure: Failure, harness: Harness) -> Exit:
        registered = _registered(file, failure, harness, request) if request.register else Exit.GREEN
        return _added(file, failure, harness) if request.add and registered == Exit.GREEN else registered

    with prepare(options_of(failures[0][1], request.options)).harness() as harness:
        return [_judged(file, failure, harness, taken_in) for file, failure in failures]


def _registered(file: Path, failure: Failure, harness: Harness, request: ReplayRequest) -> Exit:
    known = request.options.known or KNOWN
    present = known_divergences(request.options.known if known.exists() else None)
    try:
        with _not_too_wide(file):
            entry = register(harness, failure, name=request.name, url=request.url, known=known, present=present)
    except NotRegistered as reason:
        print(f"{file.name}: not registered: {reason}")
        return Exit.FOUND
    print(f"{file.name}: registered as {entry.id}, until {entry.expires}: say in {known.name} what the bug is")
    if known == KNOWN:
        print(f"then store its result for the gallery of docs: {COMMAND} --only {entry.id}")
    return Exit.GREEN


def _all_replayed(failures: Sequence[tuple[Path, Failure]], given: Options, log: IncidentLog) -> list[Exit]:
    """Replay all failures, and return their exit codes; with ``--summary-json``, these are also written to disk.

    Failures that need the same settings and rules share a session.
    """
    ends: dict[Path, Exit] = {}
    try:
        with TemporaryDirectory(prefix="assay-replay-") as folder:
            for options, planted, group in _sessions(failures, given):
                setup = prepare(options, [mutant for mutant in load_mutants() if mutant.name in planted])
                with setup.supervised() as harness:
                    case_file, tell = current_case(Path(folder), "main"), log.tell
                    supervised = partial(supervisor_of, harness, case_file=case_file, tell=tell)
                    judge = partial(run_again, supervised=supervised)
                    for file, failure in group:
                        ends[file] = _judged(file, failure, harness, judge)
    finally:
        if given.summary_json:
            told = {"format": 1, "files": {str(file): int(end) for file, end in ends.items()}}
            write_json(given.summary_json, {**told, "incidents": log.incidents})
    return [ends[file] for file, _ in failures]


def _sessions(
    failures: Sequence[tuple[Path, Failure]], given: Options
) -> list[tuple[Options, list[str], list[tuple[Path, Failure]]]]:
    """Group failures by the options and mutants that they need; a failure that ended a JVM has its own session."""
    sessions: dict[str, tuple[Options, list[str], list[tuple[Path, Failure]]]] = {}
    for file, failure in failures:
        planted = (failure.subject.mutant or "").split(",")
        try:
            options = options_of(failure, given)
        except BadInput as problem:
            raise BadInput(
                f"{file.name}: {problem} (--rule and --rule-jar stand in for what a file names)"
            ) from problem
        alone = str(file) if was_loss(failure) or failure.scale else ""
        key = repr((replace(options, seed=0), planted, alone))
        sessions.setdefault(key, (options, planted, []))[2].append((file, failure))
    return list(sessions.values())


def _judged(file: Path, failure: Failure, harness: Harness, judge: Callable[[Path, Failure, Harness], Exit]) -> Exit:
    try:
        return judge(file, failure, harness)
    except UnknownRule as problem:
        print(f"{file.name}: can't be judged here: {problem}")
        return Exit.UNDECIDED


def run_again(file: Path, failure: Failure, harness: Harness, supervised: Supervised = unsupervised) -> Exit:
    """Check the case of ``failure``, which is in ``file``, again, print the result, and return the exit code."""
    rules = [harness.catalogue.rule(name) for name in failure.off]
    settings = failure.subject.settings
    guard = supervised(rules, settings)
    checked: CheckResult | None
    if failure.scale:
        with TemporaryDirectory(prefix="assay-volume-") as folder:
            checked = again_at_scale(harness, failure, Path(folder) / "dataset")
    elif was_loss(failure):
        checked = run_alone(harness, failure.case, rules, settings, limit=_ALONE / TIMES)
    else:
        checked = guard.check(failure.case, partial(_checked, harness, failure, rules))
    if checked is None:
        print(f"{file.name}: can't be judged: Assay failed over it")
        return Exit.UNDECIDED
    if not (is_loss(checked) or failure.scale):
        checked = guard.attempt(failure.case, partial(third_opinion, harness, checked), checked)
    return _told(file, failure, checked, harness, guard)


def _checked(harness: Harness, failure: Failure, rules: Sequence[Rule]) -> CheckResult:
    return harness.check(failure.case, fixed(rules), failure.subject.settings, fast=failure.fast)


def _added(file: Path, failure: Failure, harness: Harness) -> Exit:
    checked = replayed(harness, failure, load())
    expected = expectation(checked.verdict)
    if not expected:
        print(f"{file.name}: not added: mend what it shows, or enter it among the known divergences")
        return _told(file, failure, checked, harness, Guard())
    path = write_regression(CORPUS, Regression(failure, expected))
    print(f"{file.name}: added as {path.relative_to(CORPUS.parents[1])}, which {_expected(expected)}")
    return Exit.GREEN


def _expected(expected: str) -> str:
    return "must pass from now on" if expected == PASSES else f"must be excused by {expected} from now on"


def _told(file: Path, failure: Failure, checked: CheckResult, harness: Harness, guard: Guard) -> Exit:
    if checked.verdict.name in ("inconclusive", "order-open"):
        print(f"{file.name}: {checked.verdict.name}: {checked.verdict.reason}")
        return Exit.UNDECIDED
    if checked.verdict.name != "finding":
        print(f"{file.name}: does not fail any more ({checked.verdict.name}): {checked.verdict.reason}")
        return Exit.GREEN
    versions = versions_of(harness, checked)
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
        plans = guard.attempt(checked.case, lambda: harness.plans_around(checked, failure.rules), plans)
    print(render(again, file, plans))
    return Exit.FOUND


def options_of(failure: Failure, given: Options) -> Options:
    """The caller's options for one file, with what that file says must be loaded unless the caller gave others.

    BadInput where the file names a rule or a jar that isn't there any more.
    """
    subject = failure.subject
    return replace(
        given,
        seed=failure.seed or 0,
        max_examples=1,
        rule_jars=given.rule_jars or tuple(_jar(Path(jar)) for jar in subject.jars),
        rules=given.rules or tuple(parse_rule(text, caller_folder()) for text in subject.rules),
        extensions=given.extensions or tuple(subject.extensions),
        spark_conf={**subject.conf, **given.spark_conf},
    )


def _jar(path: Path) -> Path:
    if not path.is_file():
        raise BadInput(f"--rule-jar: no such file: {path}")
    return path
