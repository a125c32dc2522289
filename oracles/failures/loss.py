"""Findings that end a JVM or a worker, or take very long: their cases are not run again without need."""

from __future__ import annotations

from oracles.checks.check import Checked
from oracles.answers.outcome import Raised
from oracles.failures.failure import Failure

LOSSES = ("JVM_HUNG", "JVM_OUT_OF_MEMORY", "JVM_DIED", "JVM_CUT_OFF", "WORKER_DIED")
"""Conditions of legs that took their engine, or the process that hosts it, down with them."""


def is_loss(checked: Checked) -> bool:
    """A finding that costs an engine, or a long time, each time that it is looked at: it is looked at no more."""
    conditions = {end.condition for end in checked.legs.values() if isinstance(end, Raised)}
    return checked.verdict.kind == "timeout" or not conditions.isdisjoint(LOSSES)


def was_loss(failure: Failure) -> bool:
    """Whether a failure is of this kind."""
    conditions = {leg["raised"]["condition"] for leg in failure.legs.values() if "raised" in leg}
    return failure.verdict.kind == "timeout" or not conditions.isdisjoint(LOSSES)
