"""V2Writes by hand: a statement's rows are dealt out and sorted as the table wants them."""

from __future__ import annotations

import pytest

from strategies.ir import Insert, Merge, Overwrite, Update
from tests.rules.expected import T0, Expected, holds
from tests.rules.test_statements import CASES, checked

RULE = "V2Writes"
EXPECTED = Expected(
    holds(Insert, Overwrite, Update, Merge),
    frozenset({"sql"}),
    Insert(T0, T0),
    {"an overwriting insert": holds(Overwrite), "an update": holds(Update), "a merge": holds(Merge)},
    source="v2",
)


@pytest.mark.parametrize("name", ["insert", "overwrite", "replace some", "update", "delete", "merge that inserts"])
def test_it_fires_where_rows_are_written(harness, name):
    assert RULE in checked(harness, *CASES[name][0]).changed_plan


@pytest.mark.parametrize("name", ["delete by the source", "delete all by the source"])
def test_it_does_not_fire_where_the_source_writes_by_itself(harness, name):
    assert RULE not in checked(harness, *CASES[name][0]).changed_plan


def test_nothing_turns_it_off(harness):
    """Spark's answer is compared with DuckDB's alone."""
    assert harness.catalogue.rule(RULE).switch is None
