"""Trials of sound rules on a session that has loaded them."""

from __future__ import annotations

from pathlib import Path

from assay.evaluation.rule_evaluation import RuleEvaluation, RuleEvaluator
from assay.fuzz.case_mix import fuzz_cases
from oracles.checks.check import Harness
from oracles.checks.misbehaviour import WATCHED
from oracles.failures.failure import Subject
from strategies.shapes import load_shapes
from tests.rules.sound_sources import SoundRule

SEED = 5


def evaluated(harness: Harness, rule: SoundRule, folder: Path, queries: int) -> RuleEvaluation:
    """The trial of ``rule`` by so many queries, half of them of its shape; what fails is left in ``folder``."""
    drawn = fuzz_cases(load_shapes(), [rule.shape])
    return evaluator_of(harness, rule, folder).evaluate(harness.catalogue.rule(rule.name), drawn, queries)


def evaluator_of(harness: Harness, rule: SoundRule, folder: Path) -> RuleEvaluator:
    """The evaluator for ``rule``; what is known of a rule of Spark's is known of it under another name."""
    return RuleEvaluator(
        harness=harness,
        subject=Subject(settings=rule.settings(harness.catalogue, WATCHED)),
        folder=folder,
        failures=folder / "failures",
        run_seed=SEED,
        shrink_seconds=10,
        stands_for={rule.name: rule.original} if rule.original else {},
    )
