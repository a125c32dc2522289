"""A difference of rows is not explained by a case without its cause that fails: its rows are not known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from oracles.checks.check import Harness
from oracles.checks.finding_kind import FindingKind
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict
from oracles.triage.divergences import Without
from oracles.triage.explanation import disappears
from tests.unit.failure_samples import RULES, checked_of

SETTING = Without(settings={"spark.sql.x": "false"})


class OneEnd:
    """A harness whose checks all end in one finding."""

    def __init__(self, kind: FindingKind) -> None:
        self.verdict = Verdict(name="finding", kind=kind, blame="on", reason="")

    @property
    def catalogue(self) -> OneEnd:
        return self

    def rule(self, name: str) -> str:
        return name

    def check(self, *given: Any, **how: Any) -> CheckResult:
        return replace(checked_of(), verdict=self.verdict)


@pytest.mark.parametrize("before", [FindingKind.RULE, FindingKind.ENGINE, FindingKind.METAMORPHIC], ids=str)
@pytest.mark.parametrize(
    ("after", "explains"),
    [(FindingKind.INTERNAL, False), (FindingKind.INVALID_PLAN, False), (FindingKind.ENGINE, True)],
    ids=str,
)
def test_another_known_divergence_explains_the_rest_where_there_are_rows(
    before: FindingKind, after: FindingKind, explains: bool
) -> None:
    checked = checked_of(verdict=Verdict(name="finding", kind=before, blame="on", reason=""))
    harness = cast(Harness, OneEnd(after))
    assert disappears(harness, checked, RULES, SETTING, lambda again, rules: True) == explains


def test_of_a_finding_that_fails_the_rest_may_fail() -> None:
    checked = checked_of(verdict=Verdict(name="finding", kind=FindingKind.INTERNAL, blame="on", reason=""))
    harness = cast(Harness, OneEnd(FindingKind.INVALID_PLAN))
    assert disappears(harness, checked, RULES, SETTING, lambda again, rules: True)
