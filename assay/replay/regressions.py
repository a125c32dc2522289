"""The regression corpus: failure files of bugs that were found once, each with what it must end in ever since.

A bug of Spark's or DuckDB's that is still there, and registered, must end in just that known divergence. One that was
Assay's own, or has been mended, must pass. A registered bug that does not show any more is reported, too: its entry is
stale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oracles.answers.atomic import write_json
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict
from oracles.failures.failure import Failure, to_json
from oracles.failures.loss import was_loss
from oracles.triage.attribution import judged
from oracles.triage.divergences import Divergence

PASSES = "passes"
"""The expectation of a file whose bug is mended; all others expect the id of the known divergence that excuses them."""

_PASSING = ("agree", "vacuous", "raised", "same-error")


@dataclass(frozen=True, slots=True)
class Regression:
    """A failure, and what it must end in: PASSES or a known divergence's id."""

    failure: Failure
    expected: str


def write_regression(folder: Path, regression: Regression) -> Path:
    """Put ``regression`` into ``folder``, without what belongs to the machine that found it."""
    path = folder / f"{regression.failure.fingerprint}.json"
    # Messages of the legs name files, and a replay has outcomes of its own.
    subject = replace(regression.failure.subject, spark_home=None)
    bare = replace(regression.failure, subject=subject, legs={}, stock=None)
    content: dict[str, Any] = {**to_json(bare), "expected": regression.expected}
    write_json(path, content)
    return path


def unfit(failure: Failure) -> str:
    """The reason why ``failure`` can't be in the corpus, whose files share one plain session; '' if it can."""
    subject = failure.subject
    needs = {
        "a planted rule": subject.mutant,
        "rules of one's own": subject.rules,
        "jars": subject.jars,
        "extensions": subject.extensions,
        "a session's settings": subject.conf,
    }
    if failure.scale:
        return f"it needs {failure.rows:,} rows"
    if was_loss(failure):
        return "it takes too long, or takes its engine down"
    needed = [what for what, given in needs.items() if given]
    return f"it needs {', '.join(needed)}, and the corpus is replayed without" if needed else ""


def replayed(harness: Harness, failure: Failure, divergences: Sequence[Divergence]) -> CheckResult:
    """``failure``'s case checked and judged as in a run; UnknownRule where the release lacks a rule that was off."""
    rules = [harness.catalogue.rule(name) for name in failure.off]
    checked = harness.check(failure.case, fixed(rules), failure.subject.settings, fast=failure.fast)
    return judged(harness, checked, divergences)[0]


def expectation(verdict: Verdict) -> str:
    """The expectation of a file whose replay ends in ``verdict``; '' if such a file can't be in the corpus."""
    if verdict.name in _PASSING:
        return PASSES
    return verdict.divergence or ""
