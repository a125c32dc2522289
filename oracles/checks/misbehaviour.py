"""How a rule behaves beside the answer: it throws, loops, changes the schema, or can't be applied twice.

The switch around an injected rule watches for these where a leg's settings ask for it, :data:`WATCHED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.checks.finding_kind import FindingKind
from oracles.checks.verdict import Verdict, misbehaved
from oracles.rules.points import Point

WATCHED: Mapping[str, str] = {"spark.assay.conduct": "true"}
"""Settings under which a leg's conduct is watched: each change costs another application of the rule."""

THROWS, LOOPS, NOT_IDEMPOTENT, SCHEMA = "throws", "loops", "not-idempotent", "schema"
"""The faults as the jar names them."""

ONCE = frozenset(point for point in Point if point.once)
"""Points of logical rules that are run once for a plan: nothing makes up for what one application leaves undone."""

_SETTLES = "settles"
"""A fault no more: it isn't idempotent where rules are run until nothing changes."""


def faults_of(names: Iterable[str], conduct: Mapping[str, Sequence[str]], points: Mapping[str, str]) -> tuple[str, ...]:
    """What the rules of ``names`` did wrong, sorted; :func:`is_restless` tells of one that is only noted."""
    found = set()
    for name in names:
        for fault in conduct.get(name, ()):
            noted = fault == NOT_IDEMPOTENT and points.get(name) not in ONCE
            found.add(_SETTLES if noted else fault)
    return tuple(sorted(found))


def is_restless(faults: Iterable[str]) -> bool:
    """Whether a rule changed its own result again at a point where that is no fault."""
    return _SETTLES in faults


def with_conduct(verdict: Verdict, faults: Sequence[str], on: Outcome, off: Outcome | None) -> Verdict:
    """``verdict``, or the finding that ``faults`` of the on leg make of it.

    A changed schema explains whatever else went wrong; other faults count where nothing worse was found.
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
