"""A rule of physical planning that is only tried counts as fired, and the plan stays as it was."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from assay.session.mutant_sources import load_mutants, trying
from oracles.engines.spark.leg_conf import leg_conf
from oracles.engines.spark.plan_pairs import firing
from oracles.rules.points import Point
from oracles.rules.switch import switched_on, tried
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Lit,
    Scan,
    SetOp,
    Settings,
    Table,
)

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


T = Scan("t", (Column("a", INT),))
A = Col("a", INT)
POSITIVE = Filter(Filter(T, Compare(">", A, Lit(INT, 0))), Compare("<", A, Lit(INT, 9)))
QUERIES = {
    "filters and a count": Aggregate(POSITIVE, (), (Item("n", Agg("count")),)),
    "a set operator": SetOp("except", T, POSITIVE, all=True),
}
MUTANTS = [mutant for mutant in load_mutants() if not Point(mutant.point).running]


@pytest.mark.by("shape")
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_one_call_names_the_wrong_rules_that_fire_in_legs_of_their_own(harness, query):
    confs = [trying([mutant], harness.catalogue) for mutant in MUTANTS]
    with harness.spark.stage(DATABASE, TWO, fast=True) as stage:
        with stage.leg(query, {}) as analyzed:
            pass
        logical, physical = (firing(harness.spark, analyzed, TWO, confs, physical=each) for each in (False, True))
        alone = []
        for conf in confs:
            with stage.leg(query, conf, like=analyzed) as leg:
                alone.append(leg.plan().changed_plan)
    names = {mutant.name for mutant in MUTANTS}
    assert [fired & names for fired in physical] == [fired & names for fired in alone]
    by_plan = [mutant.name for mutant, fired in zip(MUTANTS, physical, strict=True) if mutant.name in fired]
    assert by_plan
    of_logical = [mutant.name for mutant, fired in zip(MUTANTS, logical, strict=True) if mutant.name in fired]
    assert of_logical == [name for name in by_plan if not Point(harness.spark.points[name]).physical]


@pytest.mark.by("shape")
def test_no_wrong_rule_fires_in_a_query_that_cannot_be_analyzed(harness):
    confs = [trying(MUTANTS[:1], harness.catalogue)]
    with harness.spark.stage(DATABASE, TWO, fast=True) as stage:
        with stage.leg(Scan("u", (Column("a", INT),)), {}) as analyzed:
            pass
        assert firing(harness.spark, analyzed, TWO, confs, physical=True) == [frozenset()]
