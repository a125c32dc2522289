"""How close a rule on trial came to another answer, by which cases are chosen to be edited."""

from __future__ import annotations

import pytest

from assay.evaluation.rule_fuzzer import effect_of
from assay.fuzz.steering import Effect
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict, excuse
from tests.unit.failure_samples import FINDING, LEGS, answer, checked_of

NOTHING = dict.fromkeys(LEGS, answer())
EFFECTS: dict[str, tuple[CheckResult, Effect]] = {
    "another plan whose answer has rows": (checked_of(), Effect.WITH_ROWS),
    "another plan without rows": (checked_of(legs=NOTHING), Effect.OTHER_PLAN),
    "the same plan": (checked_of(differed=False), Effect.FIRED),
}


@pytest.mark.parametrize(("checked", "effect"), EFFECTS.values(), ids=EFFECTS)
def test_a_case_counts_by_its_plans_and_rows(checked: CheckResult, effect: Effect) -> None:
    assert effect_of(checked, Verdict(name="agree", reason="")) == effect


def test_an_excused_case_is_edited_last() -> None:
    assert effect_of(checked_of(), excuse(FINDING, "SPARK-1")) == Effect.FIRED
    assert effect_of(checked_of(), FINDING) == Effect.WITH_ROWS
