"""What stands around everything that a hunt runs: nothing, unless the run has to outlive its engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from oracles.check import Checked
from oracles.outcome import Raised
from oracles.repro import Failure
from strategies.ir import Case

T = TypeVar("T")
LOSSES = ("JVM_HUNG", "JVM_OUT_OF_MEMORY", "JVM_DIED", "WORKER_DIED")
"""Conditions of legs that took their engine, or the process that hosts it, down with them."""


def is_loss(checked: Checked) -> bool:
    """A finding that costs an engine, or a long time, each time that it is looked at: it is looked at no more."""
    conditions = {end.condition for end in checked.legs.values() if isinstance(end, Raised)}
    return checked.verdict.kind == "timeout" or not conditions.isdisjoint(LOSSES)


def was_loss(failure: Failure) -> bool:
    """Whether a failure is of this kind."""
    conditions = {leg["raised"]["condition"] for leg in failure.legs.values() if "raised" in leg}
    return failure.verdict.kind == "timeout" or not conditions.isdisjoint(LOSSES)


class Guard:
    """Lets everything run, and lets everything through that it raises."""

    def look(self, case: Case, look: Callable[[], Checked | None]) -> Checked | None:
        """``look()``, a check of ``case``; or what is known of ``case`` where that can't be had."""
        return look()

    def attempt(self, case: Case, what: Callable[[], T], otherwise: T) -> T:
        """``what()``, more about ``case``; ``otherwise`` where that can't be had."""
        return what()

    def persist(self, write: Callable[[], T]) -> T:
        """``write()``, which puts a finding on disk."""
        return write()

    def stopped(self) -> bool:
        """Whether the hunt is to end: no new example is drawn, and nothing is made smaller."""
        return False
