"""The results of the search for mutants: kills and survivors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.fuzz.finding import Finding
from assay.session.mutant_sources import Mutant
from oracles.checks.result import CheckResult
from strategies.ir import operators


def is_kill(checked: CheckResult, rules: Sequence[str], mutant: str) -> bool:
    """Whether only the on leg is wrong, and ``mutant`` is among the guilty ``rules``: others may go off with it."""
    return only_on_is_wrong(checked) and mutant in rules


def only_on_is_wrong(checked: CheckResult) -> bool:
    """Whether only the on leg is wrong in rows, schema or error, and DuckDB agrees with Spark without the mutant."""
    return _is_wrong(checked, "finding")


def is_excused_kill(checked: CheckResult, rules: Sequence[str], mutant: str) -> bool:
    """Whether it would be a kill of ``mutant`` if no known divergence excused it, so that a regression would go
    unnoticed.
    """
    return _is_wrong(checked, "excused") and mutant in rules


def _is_wrong(checked: CheckResult, name: str) -> bool:
    verdict = checked.verdict
    return verdict.name == name and verdict.kind in ("rule", "error") and verdict.blame == "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """The result of the search for one mutant: a kill if it has a finding, else a survivor.

    ``by`` is 'shape' or 'general'. ``excused`` counts the checks that would have been kills if no known divergence had
    excused them.
    """

    mutant: Mutant
    by: str
    finding: Finding | None
    examples: int
    seconds: float
    excused: int = 0

    def entry(self) -> dict[str, Any]:
        """The result as the record and the summary have it, with the size of the minimized case."""
        case = self.finding.checked.case if self.finding else None
        return {
            "name": self.mutant.name,
            "rule": self.mutant.rule,
            "by": self.by,
            "killed": self.finding is not None,
            "examples": self.examples,
            "excused": self.excused,
            "seconds": round(self.seconds, 1),
            "operators": operators(case.query) if case else None,
            "rows": case.database.row_count if case else None,
            "file": str(self.finding.file) if self.finding else None,
        }
