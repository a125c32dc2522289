"""GroupBasedRowLevelOperationScanPlanning by hand: a statement reads the groups of rows that it writes anew."""

from __future__ import annotations

import pytest

from strategies.ir import Delete, Merge, Update
from tests.rules.expected import A_IS_ZERO, T0, Expected, holds
from tests.rules.test_statements import CASES, checked

RULE = "GroupBasedRowLevelOperationScanPlanning"
EXPECTED = Expected(
    holds(Delete, Update, Merge),
    frozenset({"sql"}),
    Delete(T0, A_IS_ZERO),
    {"an update": holds(Update), "a merge": holds(Merge)},
    source="v2",
)


@pytest.mark.parametrize("name", ["delete", "update", "merge"])
def test_it_plans_the_scan_of_the_groups(harness, name):
    assert RULE in checked(harness, *CASES[name][0]).changed_plan


@pytest.mark.parametrize("name", ["insert", "delete by the source", "merge that inserts"])
def test_it_does_not_fire_where_no_group_is_written_anew(harness, name):
    assert RULE not in checked(harness, *CASES[name][0]).changed_plan


def test_nothing_turns_it_off(harness):
    """Spark's answer is compared with DuckDB's alone."""
    assert harness.catalogue.rule(RULE).switch is None
