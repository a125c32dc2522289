"""The plan of one leg tells of another leg's answer only where a plan alone decides how a leg ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.checks.legs import plans_tell
from strategies.ir import Case, Delete, Settings
from tests.unit.failure_samples import T0, case_of

CASE = case_of()


@pytest.mark.parametrize(
    ("case", "tell"),
    [
        pytest.param(CASE, True, id="static"),
        pytest.param(replace(CASE, settings=Settings(aqe=True)), False, id="planned again while it runs"),
        pytest.param(replace(CASE, settings=Settings(siblings=True)), False, id="planned by two threads"),
        pytest.param(Case(Delete(T0), CASE.database, Settings(source="v2")), False, id="a statement"),
    ],
)
def test_equal_plans_end_alike_where_nothing_but_the_plan_decides(case: Case, tell: bool) -> None:
    assert plans_tell(case) == tell
