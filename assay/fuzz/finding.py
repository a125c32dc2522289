"""A finding on its way to being small, and what shrinking must not let go of."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from oracles.answers.outcome import Raised
from oracles.checks.result import CheckResult
from oracles.failures.failure import Failure
from strategies.ir import Case


@dataclass(frozen=True, slots=True)
class Signature:
    """What shrinking must not let go of: the finding's kind, whom it blames, and the conditions that legs raised."""

    kind: str | None
    blame: str | None
    conditions: tuple[tuple[str, str], ...]


def signature(checked: CheckResult) -> Signature:
    """The signature of ``checked``'s finding."""
    conditions = tuple((leg, end.condition) for leg, end in sorted(checked.legs.items()) if isinstance(end, Raised))
    return Signature(checked.verdict.kind, checked.verdict.blame, conditions)


@dataclass(slots=True, kw_only=True)
class Finding:
    """A finding on its way to being small: the smallest failing check so far, and where it is on disk.

    ``sure`` is the check that it was kept with. ``fast``: it shows on the fast path too, so that shrinking can take
    that one; then ``checked`` may be a case that no other path has seen.
    """

    checked: CheckResult
    rules: tuple[str, ...]
    signature: Signature
    file: Path
    fingerprint: str
    failure: Failure
    sure: CheckResult
    fast: bool = False
    examples: int = 0


def is_finding(checked: CheckResult) -> bool:
    """Every finding that no known divergence excuses: the usual predicate."""
    return checked.verdict.name == "finding"


def digest(case: Case) -> str:
    """16 hex digits that tell cases apart."""
    return hashlib.sha256(repr(case).encode()).hexdigest()[:16]
