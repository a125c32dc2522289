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

    def check(self, case: Case, run: Callable[[], CheckResult | None]) -> CheckResult | None:
        """Call ``run``, a check of ``case``; a supervisor replaces the result if ``run`` fails."""
        return run()

    def check_each(self, case: Case, run: Callable[[], Sequence[CheckResult]]) -> Sequence[CheckResult]:
        """Call ``run``, several checks of ``case``; a supervisor replaces the results if ``run`` fails."""
        return run()

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
