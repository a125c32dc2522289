"""Resume findings of a run that stopped before they were judged, minimized, or confirmed by their script."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.unjudged import is_unjudged, unjudged_files
from oracles.checks.choices import fixed
from oracles.checks.result import CheckResult
from oracles.failures.failure import Failure, UnreadableFailure, read_failure
from oracles.failures.loss import is_loss, was_loss
from oracles.rules.catalogue import UnknownRule


def unfinished(findings: Path) -> list[Path]:
    """The failure files in a folder that :func:`resume` still has to process; unjudged ones last."""
    files = []
    for file in sorted(findings.glob("*.json")):
        with suppress(UnreadableFailure):  # of another format
            failure = read_failure(file)
            files += [file] if not was_loss(failure) and not (failure.confirmed and failure.stock) else []
    return [*files, *unjudged_files(findings)]


def resume(file: Path, fuzzer: Fuzzer) -> None:
    """Judge the finding in ``file`` if it is unjudged; else minimize it if it is unconfirmed, or run its script.

    Nothing happens if the file cannot be read, or if this run lacks the rules of the finding. The file of an
    unjudged finding is removed once it has been judged; one that does not show again stays as an unconfirmed finding.
    """
    with suppress(UnreadableFailure, UnknownRule):
        failure = read_failure(file)
        if is_unjudged(file):
            _judge(file, failure, fuzzer)
            return
        if not failure.confirmed:
            checked, rules = _again(failure, fuzzer)
            if checked is not None and fuzzer.policy.predicate(checked, rules) and not is_loss(checked):
                fuzzer.minimized(fuzzer.keep(checked, rules))
                return
        if failure.stock is None:
            fuzzer.store.file(failure, fuzzer.harness, ask=True)


def _judge(file: Path, failure: Failure, fuzzer: Fuzzer) -> None:
    incidents = fuzzer.guard.incidents
    checked, rules = _again(failure, fuzzer)
    found = checked is not None and fuzzer.policy.predicate(checked, rules)
    if checked is not None and found and (finding := fuzzer.record_finding(checked, rules)):
        fuzzer.minimized(finding)
    elif checked is not None and checked.verdict.name not in ("excused", "finding"):
        kept, path = fuzzer.store.file(failure, fuzzer.harness)
        fuzzer.recorder.finding(kept.summary(path))
    if found or fuzzer.guard.incidents == incidents:
        file.unlink(missing_ok=True)


def _again(failure: Failure, fuzzer: Fuzzer) -> tuple[CheckResult | None, tuple[str, ...]]:
    """Repeat the check, and find its guilty rules; the check is None if Assay failed over it."""
    harness, case = fuzzer.harness, failure.case
    off = [harness.catalogue.rule(name) for name in failure.off]
    settings = fuzzer.subject.settings
    checked = fuzzer.guard.check(case, lambda: harness.check(case, fixed(off), settings, fast=failure.fast))
    if checked is None:
        return None, ()
    seen, unjudged = checked, (checked, tuple[str, ...]())
    return fuzzer.guard.attempt(case, lambda: fuzzer.judged(seen), unjudged)
