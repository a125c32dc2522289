"""The main job: random queries with rules on, with rules off, and on DuckDB."""

from __future__ import annotations

import pytest

from assay.fuzz.case_mix import fuzz_cases, off_policy
from assay.fuzz.failure_store import FailureStore
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy
from assay.session.known import known_divergences
from assay.session.stock import stock_spark
from oracles.engines.spark.jvm import SparkLost
from strategies.shapes import load_shapes

pytestmark = pytest.mark.assay_run("fuzz")


@pytest.fixture(scope="session")
def names(run):
    return [rule.name for rule in run.options.rules]


@pytest.fixture(scope="session")
def fuzzer(run, harness, recorder, names, supervised):
    recorder.release(harness.spark.version, harness.catalogue)
    rules = [harness.catalogue.rule(name) for name in names]
    guard = supervised(rules, run.setup.subject.settings)
    policy = Policy(
        draw_off=off_policy(run.options.off, names, harness.catalogue),
        divergences=known_divergences(run.options.known),
        targets=rules,
        fast=not harness.spark.on_cluster,
        databases=run.options.databases,
    )
    return Fuzzer(
        harness=harness,
        subject=run.setup.subject,
        recorder=recorder,
        store=FailureStore(folder=run.options.failures, guard=guard, stock=stock_spark(run.options)),
        policy=policy,
        run_seed=run.options.seed,
    )


def test_rules_change_no_answer(fuzzer, names, shard, count, request):
    """Every check of this shard ends without a finding that nothing excuses."""
    try:
        findings = fuzzer.run(fuzz_cases(load_shapes(), names), f"fuzz/{shard}", count)
    except SparkLost as lost:
        pytest.fail(str(lost), pytrace=False)
    request.node.user_properties.extend(("assay", finding.fingerprint) for finding in findings)
    if findings:
        pytest.fail("\n\n".join(fuzzer.text(finding) for finding in findings), pytrace=False)
