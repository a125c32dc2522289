"""OptimizeMetadataOnlyDeleteFromTable by hand: the source deletes rows by a condition that it can evaluate."""

from __future__ import annotations

import pytest

from strategies.ir import And, Delete, InList
from tests.rules.expected import A_IS_ZERO, T0, Expected, holds
from tests.rules.test_statements import CASES, checked

RULE = "OptimizeMetadataOnlyDeleteFromTable"
EXPECTED = Expected(
    holds(Delete),
    frozenset({"sql"}),
    Delete(T0, A_IS_ZERO),
    {"two conditions": holds(And), "a list": holds(InList)},
    source="v2",
    others={"capabilities": ("deletes",)},
)


def test_the_source_deletes_the_rows_and_groups_are_not_written(harness):
    found = checked(harness, *CASES["delete by the source"][0])
    assert (found.fired, found.differed) == ((RULE,), True)
    assert found.verdict.name == "agree"


@pytest.mark.parametrize("name", ["delete", "delete by a subquery", "delete all by the source", "update"])
def test_it_does_not_fire_on_another_statement(harness, name):
    assert RULE not in checked(harness, *CASES[name][0]).changed_plan
