"""Search a rule's shape for a difference: each of its queries over small databases, by ordinary checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from hypothesis.strategies import SearchStrategy

from assay.verify.shaped import BY_JOBS, DATABASES, Shaped, small_databases, smallest_first
from assay.verify.sweeps import spread
from oracles.checks.result import CheckResult
from oracles.rules.rule import Rule
from strategies.ir import Case, Database

CheckFired = Callable[[Case, Sequence[Database]], CheckResult | None]
"""Checks a case, and its plans over other databases if the driver runs them; None if the rule does not fire."""


@dataclass(slots=True, kw_only=True)
class ShapeSearch:
    """A search for a query that speaks against ``rule``.

    :param speaks: whether a finding of a check speaks against the rule; it keeps that finding.
    :param left: the seconds that are left.
    :param rows: the most rows of a table.
    :param shaped: what was asked so far.
    """

    rule: Rule
    check: CheckFired
    speaks: Callable[[Case, CheckResult], bool]
    left: Callable[[], float]
    rows: int
    shaped: Shaped = field(default_factory=Shaped)

    def run(self, cases: SearchStrategy[Case]) -> None:
        """Ask the queries of ``cases``, the smallest first, up to a finding or the end of the time."""
        for case in smallest_first(cases):
            if self.left() <= 0:
                return
            self.shaped.queries += 1
            if self._finds(case):
                self.shaped.refuted = True
                return

    def _finds(self, case: Case) -> bool:
        """Check the query of ``case`` over small databases; whether one speaks against the rule."""
        every = small_databases(case, rows=self.rows, most=DATABASES)
        first, *others = every[::-1]
        checked = self.check(replace(case, database=first), others)
        if checked is None:
            return False
        self.shaped.fired += self.rule.name in checked.fired
        self.shaped.databases += (checked.verdict.name == "agree") + checked.beside.agreed
        if self.speaks(case, checked):
            return True
        if checked.memory_alone or checked.beside.agreed:
            return False
        for other in spread(every, BY_JOBS)[1:-1]:
            again = self.check(replace(case, database=other), ()) if self.left() > 0 else None
            self.shaped.databases += again is not None and again.verdict.name == "agree"
            if again is not None and self.speaks(case, again):
                return True
        return False
