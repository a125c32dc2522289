"""The plan of one leg tells of another leg's answer only where a plan alone decides how a leg ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.checks.legs import plan_that_tells
from oracles.engines.protocol import LegReport
from strategies.ir import Settings
from tests.unit.failure_samples import case_of

LEG = LegReport(outcome=None, changed_plan=frozenset(), plan="0123456789abcdef")


@pytest.mark.parametrize(
    ("settings", "tells"),
    [
        pytest.param(Settings(), True, id="static"),
        pytest.param(Settings(aqe=True), False, id="planned again while it runs"),
        pytest.param(Settings(siblings=True), False, id="planned by two threads"),
    ],
)
def test_equal_plans_end_alike_unless_they_change_or_threads_share_a_rule(settings: Settings, tells: bool) -> None:
    assert bool(plan_that_tells(replace(case_of(), settings=settings), LEG)) == tells


def test_a_leg_without_a_plan_tells_nothing() -> None:
    assert plan_that_tells(case_of(), replace(LEG, plan="")) == ""
