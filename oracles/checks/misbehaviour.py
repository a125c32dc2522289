"""Misbehaviour of a rule beside a wrong answer: it throws, loops, changes the schema, or is not idempotent.

The jar's switch around an injected rule watches for misbehaviour if a leg has the settings :data:`WATCHED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.checks.finding_kind import FindingKind
from oracles.checks.verdict import Verdict, misbehaved
from oracles.rules.points import Point

WATCHED: Mapping[str, str] = {"spark.assay.misbehaviour": "true"}
"""Settings under which a leg watches for misbehaviour; each change costs another application of the rule."""

THROWS, LOOPS, NOT_IDEMPOTENT, SCHEMA = "throws", "loops", "not-idempotent", "schema"
"""The jar's names of the faults."""

ONCE = frozenset(point for point in Point if point.once)
"""Extension points whose logical rules run once per plan: a second application would never follow."""

_SETTLES = "settles"
"""Not a fault: the rule is not idempotent, at a point where rules run until the plan stays as it is."""


def faults_of(
    names: Iterable[str], misbehaviour: Mapping[str, Sequence[str]], points: Mapping[str, str]
) -> tuple[str, ...]:
    """The sorted faults of the rules ``names``, and a note for :func:`is_restless`."""
    found = set()
    for name in names:
        for fault in misbehaviour.get(name, ()):
            noted = fault == NOT_IDEMPOTENT and points.get(name) not in ONCE
            found.add(_SETTLES if noted else fault)
    return tuple(sorted(found))


def is_restless(faults: Iterable[str]) -> bool:
    """Whether a rule is not idempotent at a point where that is no fault."""
    return _SETTLES in faults


def with_misbehaviour(verdict: Verdict, faults: Sequence[str], on: Outcome, off: Outcome | None) -> Verdict:
    """``verdict``, or a finding of misbehaviour for the ``faults`` on the on leg.

    A changed schema replaces any verdict; other faults replace passing verdicts and engine findings only.
    """
    if SCHEMA in faults:
        return misbehaved(
            FindingKind.SCHEMA, f"the rule changes the names, types or number of the columns; {_told(on)}"
        )
    if verdict.name == "finding" and verdict.kind != "engine":
        return verdict
    if LOOPS in faults:
        return misbehaved(
            FindingKind.LOOP,
            "the rule was still changing plans after spark.sql.optimizer.maxIterations rounds, its own result too",
        )
    if NOT_IDEMPOTENT in faults:
        return misbehaved(
            FindingKind.NOT_IDEMPOTENT, "the rule changes its own result again, where rules are run only once"
        )
    if THROWS in faults and isinstance(on, Raised) and isinstance(off, Rows):
        return misbehaved(FindingKind.ERROR, f"the rule raises {on.condition}, and without it the query has an answer")
    return verdict


def _told(on: Outcome) -> str:
    return f"Spark says {on.condition}" if isinstance(on, Raised) else "Spark doesn't notice"
