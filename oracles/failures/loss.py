"""Findings that end a JVM or a worker, or take very long: their cases are not run again without need."""

from __future__ import annotations

from collections.abc import Mapping

from oracles.answers.outcome import Raised
from oracles.checks.result import CheckResult
from oracles.engines.protocol import Loss
from oracles.failures.failure import Failure

JVM_LOSSES: Mapping[Loss, str] = {
    "hung": "JVM_HUNG",
    "out of memory": "JVM_OUT_OF_MEMORY",
    "died": "JVM_DIED",
    "cut off": "JVM_CUT_OFF",
}
"""Condition of a leg whose JVM was lost, by how it was lost."""

WORKER_DIED = "WORKER_DIED"
"""Condition of a leg whose worker died."""

LOSSES = frozenset({*JVM_LOSSES.values(), WORKER_DIED})
"""Conditions of legs that ended their engine or its process."""


def is_loss(checked: CheckResult) -> bool:
    """Whether each check of a finding ends an engine or takes very long, so that it isn't checked again."""
    conditions = {end.condition for end in checked.legs.values() if isinstance(end, Raised)}
    return checked.verdict.kind == "timeout" or not conditions.isdisjoint(LOSSES)


def was_loss(failure: Failure) -> bool:
    """Whether each replay of a failure ends an engine or takes very long."""
    conditions = {leg["raised"]["condition"] for leg in failure.legs.values() if "raised" in leg}
    return failure.verdict.kind == "timeout" or not conditions.isdisjoint(LOSSES)
