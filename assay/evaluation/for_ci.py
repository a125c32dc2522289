"""The verdicts on rules in Markdown, for the page of a CI job."""

from __future__ import annotations

from collections.abc import Sequence

from assay.evaluation.rule_evaluation import RuleEvaluation
from assay.evaluation.verdict_text import headline, hints, notes
from assay.fuzz.issue_text import cut, fenced


def evaluations_markdown(evaluations: Sequence[RuleEvaluation], red: Sequence[str], *, seed: int) -> str:
    """For each rule its verdict, its counts and its counterexamples; then the ``red`` lines, and the seed."""
    parts = [part for evaluation in evaluations for part in _parts(evaluation)]
    return "\n".join([*parts, *(f"- {line}" for line in red), f"Again with `--hypothesis-seed {seed}`.", ""])


def _parts(evaluation: RuleEvaluation) -> list[str]:
    where = f"@{evaluation.point}" if evaluation.point else ""
    told = [*hints(evaluation), *notes(evaluation)]
    return [
        f"## {evaluation.rule}{where}: {evaluation.outcome}",
        "",
        headline(evaluation),
        "",
        *(f"- {line}" for line in told),
        *([""] if told else []),
        *(fenced("text", cut(text)) for text in evaluation.counterexamples),
    ]
