"""RowLevelOperationRuntimeGroupFiltering by hand: rows that meet the condition choose the groups to write anew."""

from __future__ import annotations

import pytest

from strategies.ir import Delete, IsNull, Merge, Update
from tests.rules.expected import A_IS_ZERO, T0, Expected, holds
from tests.rules.test_statements import CASES, A, T, checked, rows_of

RULE = "RowLevelOperationRuntimeGroupFiltering"
EXPECTED = Expected(
    holds(Delete, Update, Merge),
    frozenset({"sql"}),
    Delete(T0, A_IS_ZERO),
    {"an update": holds(Update), "a merge": holds(Merge)},
    source="v2",
    others={"capabilities": ("runtime filters", "identity")},
)
OF_NULL = Delete(T, IsNull(A))


@pytest.mark.parametrize("name", ["delete", "delete by a subquery", "update by a subquery", "merge with one action"])
def test_it_fires_on_a_condition(harness, name):
    found = checked(harness, *CASES[name][0])
    assert RULE in found.fired
    assert found.verdict.name == "agree"


@pytest.mark.parametrize("name", ["delete all", "merge", "update", "insert"])
def test_it_does_not_fire_where_no_group_can_be_left_out(harness, name):
    """A MERGE that changes rows without a match reads all of them, and some tables can't leave out groups."""
    assert RULE not in checked(harness, *CASES[name][0]).changed_plan


def test_groups_whose_key_is_null_are_written_anew_too(harness):
    found = checked(harness, OF_NULL, ("identity", "runtime filters"))
    assert RULE in found.fired
    assert [rows_of(leg) for leg in found.legs.values()] == [[(1, 1), (1, 1), (2, 2), (3, None)]] * 3
