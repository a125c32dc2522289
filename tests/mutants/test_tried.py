"""A rule of physical planning that is only tried counts as fired, and the plan stays as it was."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from oracles.engines.spark.leg_conf import leg_conf
from oracles.rules.switch import switched_on, tried
from strategies.ir import INT, Column, Database, Settings, Table

pytestmark = pytest.mark.assay_run("mutants")
TWO = Settings(table_partitions=2)
DATABASE = Database((Table("t", (Column("a", INT),), ((1,), (1,))),))
WRONG_BY_PARTITION = {
    "EnsureRequirementsPartialIsFinal": "SELECT count(*) FROM t",
    "SpecialLimitsLocalAlone": "SELECT a FROM t LIMIT 1",
}


@pytest.mark.by("shape")
@pytest.mark.parametrize(("name", "sql"), WRONG_BY_PARTITION.items(), ids=WRONG_BY_PARTITION)
@pytest.mark.parametrize(("switched", "rows"), [(tried, 1), (switched_on, 2)], ids=["tried", "on"])
def test_a_tried_rule_fires_and_changes_nothing(harness, name, sql, switched, rows):
    runner, session = harness.spark.runner, harness.spark.session._jsparkSession
    with harness.spark.in_memory([DATABASE], partitions=TWO.table_partitions):
        runner.configure(session, json.dumps({**leg_conf(TWO), **switched(name)}))
        try:
            report = runner.runInDriver(runner.frame(session, sql), 60_000)
        finally:
            runner.restore(session)
    facts = json.loads(report.facts())
    assert (facts["error"], facts["injected"][name][1] > 0) == (None, True)
    assert pa.ipc.open_stream(report.arrow()).read_all().num_rows == rows
