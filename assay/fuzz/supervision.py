"""Supervision of checks, as hunts see it: here it does nothing; a run of its own has a supervisor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from oracles.checks.result import CheckResult, LegSettings
from oracles.rules.rule import Rule
from strategies.ir import Case

T = TypeVar("T")


class Guard:
    """Lets everything run, and lets everything through that it raises; a supervisor doesn't.

    ``incidents`` counts what went wrong, see :mod:`oracles.failures.incidents`.
    """

    incidents: int = 0

    def look(self, case: Case, look: Callable[[], CheckResult | None]) -> CheckResult | None:
        """``look()``, a check of ``case``; or what is known of ``case`` where that can't be had."""
        return look()

    def look_each(self, case: Case, look: Callable[[], Sequence[CheckResult]]) -> Sequence[CheckResult]:
        """``look()``, several checks of ``case``; or what is known of ``case``."""
        return look()

    def attempt(self, case: Case | None, what: Callable[[], T], otherwise: T) -> T:
        """``what()``, more about ``case``; ``otherwise`` where that can't be had."""
        return what()

    def persist(self, write: Callable[[], T]) -> T:
        """``write()``, which puts a finding on disk."""
        return write()

    def stopped(self) -> bool:
        """Whether the fuzzer must end: it draws no example and minimizes nothing."""
        return False


Supervised = Callable[[Sequence[Rule], LegSettings], Guard]
"""Makes the supervision of a hunt about these rules, under these settings of both legs."""


def unsupervised(rules: Sequence[Rule], settings: LegSettings) -> Guard:
    """None."""
    return Guard()
