"""Whole trials of sound rules: there is enough evidence for each, and neither draws nor small queries convict one."""

from __future__ import annotations

import pytest

from assay.commands.check_rule import CHECKS, VERIFY_SECONDS
from assay.evaluation.small_queries import verified
from assay.evaluation.verdict_text import headline
from assay.fuzz.supervision import unsupervised
from assay.verify.text import headline as headline_of_small
from jars.build import build, build_sound
from oracles.checks.check import Harness
from oracles.checks.evidence import LEAST
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.java import find_java
from oracles.engines.spark.start import SparkOptions
from tests.rules.sound_evaluations import evaluated, evaluator_of
from tests.rules.sound_sources import load_sound

SOUND = load_sound()


@pytest.fixture(scope="module")
def harness(harness):
    """A session with the sound rules, off, in place of the worker's."""
    harness.spark.close()
    java = find_java().java
    options = SparkOptions(
        jars=(build(java).main, build_sound(java)), injected=tuple(rule.injected() for rule in SOUND)
    )
    with Harness(SparkEngine(options), DuckdbEngine()) as engines:
        yield engines


@pytest.mark.parametrize("rule", SOUND, ids=[rule.name for rule in SOUND])
def test_a_sound_rule_is_not_convicted_and_gathers_enough_evidence(harness, tmp_path, rule):
    evaluation = evaluated(harness, rule, tmp_path, CHECKS)
    assert evaluation.outcome != "convicted", "\n".join([headline(evaluation), *evaluation.counterexamples])
    assert evaluation.stats.evidence >= LEAST, headline(evaluation)


@pytest.mark.parametrize("rule", SOUND, ids=[rule.name for rule in SOUND])
def test_no_small_query_refutes_a_sound_rule(harness, tmp_path, rule):
    evaluator, rule_there = evaluator_of(harness, rule, tmp_path), harness.catalogue.rule(rule.name)
    small = verified(evaluator, rule_there, VERIFY_SECONDS, unsupervised, lambda verification: None)
    assert small is not None
    assert (small.findings, small.unexplained) == ([], {}), "\n".join(
        [headline_of_small(small), *small.counterexamples]
    )
