"""V1Writes by hand: rows that are written to files are sorted by the column that the table is partitioned by."""

from __future__ import annotations

import pytest

from strategies.ir import Insert, Overwrite, OverwritePartitions, Settings
from tests.rules.expected import T0, Expected, holds
from tests.rules.test_statements import DATABASE, T
from tests.rules.test_writes_to_files import CASES, U, checked

RULE = "V1Writes"
SORTED = "Sort [a#"
EXPECTED = Expected(
    holds(Insert, Overwrite, OverwritePartitions),
    frozenset({"sql"}),
    Insert(T0, T0),
    {"an overwriting insert": holds(Overwrite), "overwritten partitions": holds(OverwritePartitions)},
    source="partitioned",
)


def plans_around(harness, statement):
    with (
        harness.spark.stage(DATABASE, Settings("partitioned")) as stage,
        stage.leg(statement, {}) as leg,
    ):
        return leg.around(harness.catalogue.rule(RULE).rule_name)


def test_rows_are_sorted_by_the_partitioning_column(harness):
    before, after = plans_around(harness, Insert(T, U))
    assert SORTED not in before
    assert SORTED in after
    assert "WriteFiles" in after


@pytest.mark.parametrize("statement", [statement for statement, _ in CASES.values()], ids=CASES)
def test_it_fires_where_rows_are_written(harness, statement):
    assert RULE in checked(harness, statement).fired


def test_it_does_not_fire_where_rows_are_read(harness):
    assert RULE not in checked(harness, U).changed_plan
