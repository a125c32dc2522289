"""A wrong rule that the shared queries leave alive is hunted alone, with queries aimed at what its class mentions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st

from assay.fuzz.mutant_streams import by_general
from assay.fuzz.record import Recorder
from assay.fuzz.supervisor import supervisor_of
from assay.session.mutant_sources import load_mutants
from oracles.engines.spark.leg import SparkLeg
from strategies.ir import INT, Case, Col, Column, Compare, Database, Filter, Lit, Scan, Table
from strategies.shapes import load_shapes
from tests.unit.strategy_asserts import half_faulty

pytestmark = [pytest.mark.assay_run("mutants"), pytest.mark.by("shape")]
COLUMNS = (Column("a", INT), Column("b", INT))
ROWS = ((0, 1), (1, 0), (1, 1), (None, 2), (2, None))
SCAN = Scan("t0", COLUMNS)
TABLE = st.just(Case(SCAN, Database((Table("t0", COLUMNS, ROWS),))))
ONE = Compare("=", Col("a", INT), Lit(INT, 1))
MUTANTS = {mutant.name: mutant for mutant in load_mutants()}


@pytest.mark.parametrize(
    ("name", "there"),
    [("PartitionPruningOfAnti", True), ("CombineFiltersEither", False)],
    ids=["applied", "another one"],
)
def test_a_rule_reads_what_the_rules_of_spark_read_that_it_applies(harness, name, there):
    conf = harness.spark.names_of(MUTANTS[name].class_name).conf
    assert ("spark.sql.optimizer.dynamicPartitionPruning.useStats" in conf) == there


def test_a_rule_that_acts_while_a_query_runs_is_killed(fuzzer, tmp_path):
    """No plan shows that it would act: a part of the query has to run before."""
    apart = replace(fuzzer, recorder=Recorder(tmp_path / "kills.jsonl"), failures=tmp_path)
    shape = load_shapes()["DemoteBroadcastHashJoin"]
    (kill,) = by_general(apart, [MUTANTS["DemoteBroadcastHashJoinEmptyInput"]], shape.fires(), count=100)
    assert kill.finding is not None


def test_a_rule_that_changes_what_a_statement_writes_is_killed(fuzzer, tmp_path):
    apart = replace(fuzzer, recorder=Recorder(tmp_path / "kills.jsonl"), failures=tmp_path)
    shape = load_shapes()["GroupBasedRowLevelOperationScanPlanning"]
    mutant = MUTANTS["GroupBasedRowLevelOperationScanPlanningFirstPartOfMerge"]
    (kill,) = by_general(apart, [mutant], shape.fires(), count=100)
    assert kill.finding is not None


@pytest.mark.parametrize(
    ("second", "ran"),
    [(ONE, [True, False]), (Compare("=", Col("b", INT), Lit(INT, 1)), [True, True])],
    ids=["the plan without it", "another plan"],
)
def test_a_plan_runs_only_if_it_differs_from_the_plan_without_the_rule(fuzzer, tmp_path, monkeypatch, second, ran):
    """The plan without it runs first. Each row meets both conditions or none: no whole check runs, as answers agree."""
    rows = ((1, 1), (0, 0))
    case = Case(Filter(Filter(SCAN, ONE), second), Database((Table("t0", COLUMNS, rows),)))
    apart = replace(fuzzer, recorder=Recorder(tmp_path / "kills.jsonl"), failures=tmp_path, databases=1)
    runs, run = [], SparkLeg.run

    def told(leg, **options):
        report = run(leg, **options)
        runs.append(report.outcome is not None)
        return report

    monkeypatch.setattr(SparkLeg, "run", told)
    (kill,) = by_general(apart, [MUTANTS["CombineFiltersEither"]], st.just(case), count=1)
    assert kill.finding is None
    assert runs == ran


def test_a_stream_goes_on_after_a_draw_that_fails(fuzzer, tmp_path):
    told = []

    def supervised(rules, settings):
        return supervisor_of(
            fuzzer.harness,
            rules,
            settings,
            case_file=tmp_path / "main.case.json",
            tell=lambda kind, line, **facts: told.append((kind, "planted" in line)),
        )

    recorder = Recorder(tmp_path / "kills.jsonl")
    apart = replace(fuzzer, recorder=recorder, failures=tmp_path, supervised=supervised)
    (kill,) = by_general(apart, [MUTANTS["CombineFiltersEither"]], half_faulty(TABLE), count=400)
    assert kill.finding is not None
    assert set(told) == {("fault", True)}


@pytest.mark.parametrize(
    ("count", "killed"), [(400, True), (1, False)], ids=["aimed queries", "the shared query alone"]
)
def test_a_survivor_is_killed_by_a_query_of_its_own(fuzzer, tmp_path, count, killed):
    apart = replace(fuzzer, recorder=Recorder(tmp_path / "kills.jsonl"), failures=tmp_path)  # none of the run's hunts
    (kill,) = by_general(apart, [MUTANTS["CombineFiltersEither"]], TABLE, count=count)
    assert (kill.finding is not None) == killed
    assert (kill.examples > 1) == killed
