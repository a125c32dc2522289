"""A check counts for the rules under test unless it says nothing of them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from assay.fuzz.fuzzer import are_others_alone
from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.checks.verdict import Verdict
from tests.unit.failure_samples import checked_of

ROWS = Rows(("int32",), ((("int32", 1),),))
RAISED = Raised("DIVIDE_BY_ZERO", "22012", "by zero", "user")
OPEN = Verdict(name="order-open", reason="SQL leaves open whether it raises")
SAME = Verdict(name="same-error", reason="all raise")
SAMPLES = {
    "all raise": (SAME, {"on": RAISED, "off": RAISED, "duckdb": RAISED}, (), (), True),
    "both legs of Spark raise": (OPEN, {"on": RAISED, "off": RAISED, "duckdb": ROWS}, (), (), True),
    "the on leg alone raises": (OPEN, {"on": RAISED, "off": ROWS, "duckdb": ROWS}, (), (), False),
    "the off leg alone raises": (OPEN, {"on": ROWS, "off": RAISED, "duckdb": ROWS}, (), (), False),
    "a rule fired": (SAME, {"on": RAISED, "off": RAISED, "duckdb": RAISED}, ("Mine",), (), False),
    "the rule is guilty": (SAME, {"on": RAISED, "off": RAISED, "duckdb": RAISED}, (), ("Mine",), False),
}


@pytest.mark.parametrize(("verdict", "legs", "fired", "guilty", "alone"), SAMPLES.values(), ids=SAMPLES)
def test_a_leg_of_spark_that_alone_raises_is_a_check_of_the_rule(
    verdict: Verdict, legs: Mapping[str, Outcome], fired: tuple[str, ...], guilty: tuple[str, ...], alone: bool
) -> None:
    checked = checked_of(verdict=verdict, legs=legs, off=("Mine",), fired=fired)
    assert are_others_alone(["Mine"], checked, checked, guilty) == alone
    assert not are_others_alone([], checked, checked, guilty)
