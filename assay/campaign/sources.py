"""Choice of the next round's source: the least covered of shapes, composite shapes, general and steered queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from assay.fuzz.case_mix import composite_cases, general_cases, shape_cases
from assay.fuzz.steering import steered_cases
from assay.ledger.rounds import Round, Work, WorkKind
from strategies.ir import Case
from strategies.shapes import Shape
from strategies.shapes.composites import COMPOSITES

SHARES: Mapping[WorkKind, float] = {"general": 0.5, "shape": 0.175, "composite": 0.075, "steered": 0.25}
"""Shares of a campaign's checks by kind of source; general queries find bugs that no shape was written for. Without one
of the kinds the others keep their proportions.
"""

GENERAL = Work("general")
STEERED = Work("steered")
_LEAST, _WHOLE = 5, 200
"""A round of fewer checks than the first counts as the second among those of its kind, and as a whole one for the share
of its kind: to find few cases takes as long as to find many.
"""
_SHAPE_ROUNDS = 16
"""A round of general or steered queries has so many times the checks of one of a shape: there are about a hundred
shapes, and an hour is to draw from each.
"""


def all_work(shapes: Mapping[str, Shape], named: Sequence[str] = (), *, steered: bool = True) -> list[Work]:
    """All sources that rounds may draw from; if rules are named, only their shapes, general and steered queries."""
    everywhere = [GENERAL, STEERED] if steered else [GENERAL]
    if named:
        return [*everywhere, *(Work("shape", name) for name in named if name in shapes)]
    own = [Work("shape", name) for name, shape in shapes.items() if not shape.own]
    return [*everywhere, *own, *(Work("composite", name) for name in COMPOSITES)]


def cases_of_work(work: Work, shapes: Mapping[str, Shape], members: Sequence[Case] = ()) -> st.SearchStrategy[Case]:
    """The strategy that draws the cases of a round of ``work``; steered ones are edits of ``members``.

    Without members a steered round draws general cases.
    """
    if work.kind == "steered":
        return steered_cases(general_cases(), members, 100)
    if work.kind == "shape":
        return shape_cases(shapes[work.name])
    return composite_cases(work.name) if work.kind == "composite" else general_cases()


@dataclass(slots=True)
class Covered:
    """The coverage of all rounds so far, for the choice of the next round.

    ``differed``: by rule, the number of checks, from any source, in which switching the rule off changed the plan, or
    in which it fired and only DuckDB judged. ``few``: the number of rounds with few cases (the others were seen, or an
    older release does not support them).
    """

    checks: dict[Work, int] = field(default_factory=dict)
    few: dict[Work, int] = field(default_factory=dict)
    differed: dict[str, int] = field(default_factory=dict)

    def add(self, one: Round) -> None:
        """Count a finished round."""
        self.checks[one.work] = self.checks.get(one.work, 0) + one.checks
        self.few[one.work] = self.few.get(one.work, 0) + (one.checks < _LEAST)
        for name, seen in one.rules.items():
            self.differed[name] = self.differed.get(name, 0) + seen.differed + seen.two_legs


def round_size(work: Work, size: int) -> int:
    """The checks of a round of ``work``, where one of general queries has ``size``; no round is so small for that alone
    that it counts as one of few cases.
    """
    return size if work.kind in ("general", "steered") else min(size, max(_LEAST, size // _SHAPE_ROUNDS))


def next_work(choices: Sequence[Work], covered: Covered, under_way: Sequence[Work], size: int) -> Work:
    """The next round's source, of the kind that is furthest behind its share: of shapes the one whose rule made the
    least difference, of composite shapes the one with the fewest checks.

    ``under_way`` are the rounds that other workers run now; they count as if they were done. ``size`` is the checks of
    a round of general queries.
    """
    sizes = {work: round_size(work, size) for work in choices}
    planned = {work: covered.checks.get(work, 0) + under_way.count(work) * sizes[work] for work in choices}
    kinds = sorted({work.kind for work in choices})
    done = dict.fromkeys(kinds, 0)
    for work, checks in planned.items():
        done[work.kind] += checks + covered.few.get(work, 0) * sizes[work]
    kind = min(kinds, key=lambda each: done[each] / SHARES[each])

    def coverage(work: Work) -> tuple[float, str]:
        # A rule that makes a difference in every check gets a fifth of the rounds of one that never does. One that made
        # none in general queries either comes before those that did, or a short campaign would never see it act.
        evidence = min(covered.differed.get(work.name, 0), planned[work] + sizes[work]) if work.kind == "shape" else 0
        return evidence + (planned[work] + covered.few.get(work, 0) * _WHOLE) / 4, work.name

    return min((work for work in choices if work.kind == kind), key=coverage)
