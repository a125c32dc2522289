"""The reducer: turns a failing case into a smaller one that still fails.

It goes on where Hypothesis's shrinker stops, which can't remove a row from each of two tables at once, or replace a
join by one of its sides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from oracles.reductions import STEPS, Search, Step, size
from strategies.ir import Case

__all__ = ["Reduction", "candidates", "reduce", "size"]


@dataclass(frozen=True, slots=True)
class Reduction:
    """The smallest failing case found.

    :param tried: the number of candidates that were run.
    :param kept: the number of candidates that failed, each smaller than the one before.
    :param complete: no reduction is left to try; False if time ran out.
    """

    case: Case
    tried: int
    kept: int
    complete: bool


def reduce(
    case: Case,
    fails: Callable[[Case], bool],
    *,
    deadline_seconds: float,
    clock: Callable[[], float] = time.monotonic,
    steps: Sequence[Step] = STEPS,
) -> Reduction:
    """Minimize ``case``, which fails, by one accepted reduction after the other.

    Each reduction decreases ``size``, so the search ends; no case is tried twice. ``fails`` takes most of the time. It
    should test for the same failure, or a smaller case may fail for another reason.

    :param deadline_seconds: by ``clock``, no try starts after it; the last one may outlast it.
    :param steps: the reductions to try; all by default.
    """
    end = clock() + deadline_seconds
    seen = {case}
    tried = kept = 0
    kept_before = -1
    while kept > kept_before:
        kept_before = kept
        for step in steps:
            search = _promising(step(case), case, seen)
            candidate = _answer(search, None)
            while candidate is not None:
                if clock() >= end:
                    return Reduction(case, tried, kept, complete=False)
                tried += 1
                accepted = fails(candidate)
                if accepted:
                    case = candidate
                    kept += 1
                candidate = _answer(search, accepted)
    return Reduction(case, tried, kept, complete=True)


def candidates(case: Case) -> Iterator[Case]:
    """The candidates that the reducer tries for ``case`` as long as none of them fails; lazily, each once."""
    seen = {case}
    for step in STEPS:
        yield from _promising(step(case), case, seen)


def _promising(search: Search, case: Case, seen: set[Case]) -> Search:
    """The candidates of ``search`` that are smaller than the smallest failing case, and not in ``seen`` before."""
    limit = size(case)
    candidate = _answer(search, None)
    while candidate is not None:
        accepted = False
        if candidate not in seen and (candidate_size := size(candidate)) < limit:
            seen.add(candidate)
            accepted = yield candidate
            limit = candidate_size if accepted else limit
        candidate = _answer(search, accepted)


def _answer(search: Search, accepted: bool | None) -> Case | None:
    """Send ``search`` the result of its last candidate (None before the first), and take the next one, if any."""
    try:
        return search.send(accepted)  # type: ignore[arg-type]  # a generator's first send takes None
    except StopIteration:
        return None
