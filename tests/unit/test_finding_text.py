"""A finding in one line."""

from __future__ import annotations

from assay.fuzz.finding_text import finding_line
from tests.unit.test_report import FILE, FINDING


def test_an_unconfirmed_finding_of_an_earlier_run_says_so() -> None:
    line = "3f9c5b1e07d2a684: rule, blame on, EliminateOuterJoin, 3 operators, 2 rows, unconfirmed, seen 5 times"
    assert finding_line({**FINDING, "confirmed": False}, earlier=True) == f"earlier finding {line}: {FILE}"
