"""A finding that a run was stopped over, before it was small or its script was run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from oracles.check import Checked, fixed
from oracles.repro import Failure, UnreadableFailure, read_failure
from oracles.rules.catalogue import UnknownRule
from oracles.run.filing import filed
from oracles.run.guard import is_loss, was_loss
from oracles.run.hunt import Hunt


def unfinished(findings: Path) -> list[Path]:
    """The failure files in a folder that :func:`pick_up` has something to do with."""
    files = []
    for file in sorted(findings.glob("*.json")):
        with suppress(UnreadableFailure):  # of another format
            failure = read_failure(file)
            files += [file] if not was_loss(failure) and not (failure.confirmed and failure.stock) else []
    return files


def pick_up(file: Path, hunt: Hunt) -> None:
    """Make the finding in ``file`` small if it is not, and run its script.

    It is left alone where it is gone by now, or where it is about rules that this run doesn't have.
    """
    with suppress(UnreadableFailure, UnknownRule):
        failure = read_failure(file)
        if not failure.confirmed:
            checked, rules = _again(failure, hunt)
            if hunt.prey(checked) and not is_loss(checked):
                hunt.made_small(hunt.keep(checked, rules))
                return
        if failure.stock is None:
            guilty = [hunt.laboratory.catalogue.rule(name) for name in failure.rules]
            filed(hunt.failures, failure, guilty, hunt.guard, hunt.stock, ask=True)


def _again(failure: Failure, hunt: Hunt) -> tuple[Checked, tuple[str, ...]]:
    laboratory, case = hunt.laboratory, failure.case
    off = [laboratory.catalogue.rule(name) for name in failure.off]
    settings = hunt.subject.settings
    checked = hunt.guard.look(case, lambda: laboratory.check(case, fixed(off), settings, fast=failure.fast))
    assert checked is not None  # it is about no quarry
    unjudged: tuple[Checked, tuple[str, ...]] = (checked, ())
    return hunt.guard.attempt(case, lambda: hunt.judged(unjudged[0]), unjudged)
