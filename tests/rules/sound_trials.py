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


def tried(harness: Harness, rule: SoundRule, folder: Path, queries: int) -> RuleEvaluation:
    """The trial of ``rule`` by so many queries, half of them of its shape; what fails is left in ``folder``.

    What is known of a rule of Spark's is known of it under another name.
    """
    catalogue = harness.catalogue
    subject = Subject(settings=rule.settings(catalogue, WATCHED))
    stands_for = {rule.name: rule.original} if rule.original else {}
    evaluator = RuleEvaluator(
        harness=harness,
        subject=subject,
        folder=folder,
        failures=folder / "failures",
        run_seed=SEED,
        shrink_seconds=10,
        stands_for=stands_for,
    )
    return evaluator.evaluate(catalogue.rule(rule.name), fuzz_cases(load_shapes(), [rule.shape]), queries)
