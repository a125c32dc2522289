"""A finding while it is minimized, and the signature that minimizing must preserve."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oracles.answers.outcome import Raised
from oracles.checks.result import CheckResult
from oracles.failures.failure import Failure
from strategies.ir import Case


@dataclass(frozen=True, slots=True)
class FindingSignature:
    """The properties of a finding that minimizing must preserve: kind, blame, and the conditions that legs raised."""

    kind: str | None
    blame: str | None
    conditions: tuple[tuple[str, str], ...]


def signature(checked: CheckResult) -> FindingSignature:
    """The signature of ``checked``'s finding."""
    conditions = tuple((leg, end.condition) for leg, end in sorted(checked.legs.items()) if isinstance(end, Raised))
    return FindingSignature(checked.verdict.kind, checked.verdict.blame, conditions)


@dataclass(slots=True, kw_only=True)
class Finding:
    """A finding while it is minimized: the smallest failing check so far, and the finding's file.

    ``recorded`` is the check with which the finding was recorded. ``fast`` says that the finding shows on the fast
    path, so that minimizing uses that path; then ``checked`` may be a case that never ran on the plain path.
    """

    checked: CheckResult
    rules: tuple[str, ...]
    signature: FindingSignature
    file: Path
    fingerprint: str
    failure: Failure
    recorded: CheckResult
    fast: bool = False
    examples: int = 0


def is_finding(checked: CheckResult, rules: Sequence[str]) -> bool:
    """Whether ``checked`` is a finding that no known divergence excuses: the default predicate of a policy."""
    return checked.verdict.name == "finding"


def digest(case: Case) -> str:
    """The hash of ``case``, as 16 hex digits."""
    return hashlib.sha256(repr(case).encode()).hexdigest()[:16]
