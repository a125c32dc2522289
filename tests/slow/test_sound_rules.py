"""Whole trials of sound rules: as many queries as ``check-rule`` looks at are enough evidence, and none convicts."""

from __future__ import annotations

import pytest

from jars.build import build, build_sound
from oracles.check import Laboratory
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.java import find_java
from oracles.engines.spark import SparkEngine
from oracles.engines.start import SparkOptions
from oracles.evidence import LEAST
from oracles.rules.sound import load_sound
from oracles.run.check_rule import CHECKS
from oracles.run.verdict_text import headline
from tests.rules.sound_trials import tried

SOUND = load_sound()


@pytest.fixture(scope="module")
def laboratory(laboratory):
    """A session with the sound rules, off, in place of the worker's."""
    laboratory.spark.close()
    java = find_java().java
    options = SparkOptions((build(java).main, build_sound(java)), tuple(rule.injected() for rule in SOUND))
    with Laboratory(SparkEngine(options), DuckdbEngine()) as engines:
        yield engines


@pytest.mark.parametrize("rule", SOUND, ids=[rule.name for rule in SOUND])
def test_a_sound_rule_is_not_convicted_and_gathers_enough_evidence(laboratory, tmp_path, rule):
    trial = tried(laboratory, rule, tmp_path, CHECKS)
    assert trial.sentence != "convicted", "\n".join([headline(trial), *trial.counterexamples])
    assert trial.tried.evidence >= LEAST, headline(trial)
