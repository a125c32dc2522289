"""Compare the answers of two releases to the same cases. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.releases.compare.answers import Answer
from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from strategies.ir import Case

Likeness = Literal[
    "same rows", "other rows", "both raise", "one fails", "left alone raises", "right alone raises", "not judged"
]
DIFFER: tuple[Likeness, ...] = ("other rows", "one fails", "left alone raises", "right alone raises")
_FAULTS = ("internal", "invalid-plan")


def likeness(left: Outcome, right: Outcome) -> Likeness:
    """Compare two outcomes. A timeout or an unsupported query on either side is not judged.

    Two errors are alike, because each release words its errors in its own way, unless one of them is Spark's own fault.
    """
    if any(isinstance(end, Raised) and end.kind in ("timeout", "unsupported") for end in (left, right)):
        return "not judged"
    if isinstance(left, Rows) and isinstance(right, Rows):
        return "same rows" if same(left, right) else "other rows"
    if isinstance(left, Raised) and isinstance(right, Raised):
        return "both raise" if (left.kind in _FAULTS) == (right.kind in _FAULTS) else "one fails"
    return "left alone raises" if isinstance(left, Raised) else "right alone raises"


@dataclass(frozen=True, slots=True)
class Difference:
    """A case that two releases answer differently."""

    case: Case
    left: Outcome
    right: Outcome

    @property
    def likeness(self) -> Likeness:
        """The result of comparing the two outcomes."""
        return likeness(self.left, self.right)

    def sided(self, duckdb: Outcome) -> str:
        """The side that DuckDB agrees with: 'left', 'right', 'both', or 'neither'."""
        with_it = [
            name
            for name, mine in (("left", self.left), ("right", self.right))
            if isinstance(mine, Rows) and isinstance(duckdb, Rows) and same(mine, duckdb)
        ]
        return {0: "neither", 1: "".join(with_it), 2: "both"}[len(with_it)]


@dataclass(frozen=True, slots=True)
class Sides:
    """Both releases' answers to the cases that both ran; ``missing`` is the number of cases that only one ran."""

    pairs: tuple[tuple[Answer, Answer], ...]
    missing: int

    @classmethod
    def of(cls, left: Iterable[Answer], right: Iterable[Answer]) -> Sides:
        """The answers of two sides, joined by their cases."""
        ours, theirs = ({repr(answer.case): answer for answer in side} for side in (left, right))
        both = [case for case in ours if case in theirs]
        return cls(tuple((ours[case], theirs[case]) for case in both), len(ours) + len(theirs) - 2 * len(both))

    def counts(self) -> Counter[Likeness]:
        """The number of cases by the result of comparing their outcomes."""
        return Counter(likeness(left.outcome, right.outcome) for left, right in self.pairs)

    def differences(self) -> list[Difference]:
        """The cases whose answers differ, the shortest query first."""
        found = [Difference(left.case, left.outcome, right.outcome) for left, right in self.pairs]
        return sorted((one for one in found if one.likeness in DIFFER), key=lambda one: len(repr(one.case.query)))

    def rules(self) -> list[tuple[str, int, int]]:
        """Each rule, with the numbers of cases in which it changed the plan on the left and on the right."""
        counts = [Counter(rule for pair in self.pairs for rule in pair[side].changed_plan) for side in (0, 1)]
        return [(rule, counts[0][rule], counts[1][rule]) for rule in sorted(counts[0] | counts[1])]


def confirmed(first: Sequence[Difference], again: Sides) -> list[Difference]:
    """The differences of ``first`` that show again, in the same way, when both sides run once more."""
    ways = {repr(one.case): one for one in again.differences()}
    kept = [(one, ways.get(repr(one.case))) for one in first]
    return [other for one, other in kept if other is not None and other.likeness == one.likeness]
