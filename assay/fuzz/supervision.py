"""The interface of supervision, as a fuzzer uses it; this implementation of it does nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from oracles.checks.result import CheckResult, LegSettings
from oracles.rules.rule import Rule
from strategies.ir import Case

T = TypeVar("T")


class Guard:
    """Supervision of checks that does nothing: each call runs as it is, and its exceptions pass; subclasses supervise.

    ``incidents`` counts the incidents, see :mod:`oracles.failures.incidents`.
    """

    incidents: int = 0

    def look(self, case: Case, look: Callable[[], CheckResult | None]) -> CheckResult | None:
        """Run ``look``, a check of ``case``; a supervisor replaces the result if ``look`` fails."""
        return look()

    def look_each(self, case: Case, look: Callable[[], Sequence[CheckResult]]) -> Sequence[CheckResult]:
        """Run ``look``, several checks of ``case``; a supervisor replaces the results if ``look`` fails."""
        return look()

    def attempt(self, case: Case | None, what: Callable[[], T], otherwise: T) -> T:
        """Run ``what``, which examines ``case`` further; a supervisor returns ``otherwise`` if it fails."""
        return what()

    def persist(self, write: Callable[[], T]) -> T:
        """Run ``write``, which writes to disk; a supervisor waits if the disk is full."""
        return write()

    def stopped(self) -> bool:
        """Whether the fuzzer must end: it draws no example and minimizes nothing."""
        return False


Supervised = Callable[[Sequence[Rule], LegSettings], Guard]
"""Makes the supervision of a search about these rules, under these settings of both legs."""


def unsupervised(rules: Sequence[Rule], settings: LegSettings) -> Guard:
    """A guard that does nothing."""
    return Guard()
