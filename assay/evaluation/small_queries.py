"""The begin of an evaluation: small queries on which the rule fires, over all small databases, the smallest first.

A rule that is wrong in an obvious way is refuted by one of them within seconds, and nothing has to be minimized.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assay.evaluation.acquittal import EvaluationStats
from assay.evaluation.rule_evaluation import RuleEvaluation, RuleEvaluator, unwatched
from assay.fuzz.supervision import Supervised
from assay.verify.bound import Bound
from assay.verify.verification import Verification
from assay.verify.verifier import Verifier, why_not
from oracles.rules.rule import Rule


def verified(
    evaluator: RuleEvaluator, rule: Rule, seconds: float, supervised: Supervised, told: Callable[[Verification], None]
) -> Verification | None:
    """Verify ``rule`` for so long; None without time, and for a rule without two plans to compare in the driver.

    :param supervised: makes the supervision of the verification, in place of the evaluator's own.
    :param told: called with the verification after each pair of plans.
    """
    # The plans that the rule is given here are not those of draws, which the evaluation counts.
    harness, settings = evaluator.harness, unwatched(evaluator.subject.settings)
    if seconds <= 0 or harness.spark.on_cluster or why_not(rule, harness):
        return None
    verifier = Verifier(
        harness=harness,
        subject=replace(evaluator.subject, settings=settings),
        folder=evaluator.folder,
        failures=evaluator.failures,
        bound=Bound(seconds=seconds),
        guard=lambda each: supervised([each], settings),
        stock=evaluator.stock,
        stands_for=dict(evaluator.stands_for),
        probes=evaluator.probes,
        divergences=evaluator.divergences,
        told=told,
        watch=evaluator.watch,
    )
    return verifier.verify(rule)


def refuted(verification: Verification) -> RuleEvaluation:
    """The evaluation of a rule that a small query refuted: nothing was drawn."""
    return RuleEvaluation(
        rule=verification.rule,
        point=verification.point,
        stats=EvaluationStats(),
        findings=verification.findings,
        counterexamples=verification.counterexamples,
        coverage=verification.coverage,
        verification=verification,
    )


def with_small_queries(evaluation: RuleEvaluation, small: Verification) -> RuleEvaluation:
    """``evaluation``, with what the small queries before it showed, each finding once."""
    seen = {finding.fingerprint for finding in small.findings}
    drawn = zip(evaluation.findings, evaluation.counterexamples, strict=True)
    later = [(finding, text) for finding, text in drawn if finding.fingerprint not in seen]
    coverage = evaluation.coverage.with_runs_of(small.coverage) if evaluation.coverage else small.coverage
    return replace(
        evaluation,
        findings=[*small.findings, *(finding for finding, _ in later)],
        counterexamples=[*small.counterexamples, *(text for _, text in later)],
        coverage=coverage,
        verification=small,
    )
