"""The reducer: from a case that fails to a small one that still fails.

It goes on where Hypothesis's shrinker stops, which knows neither that two rows of two tables belong together
nor that a join may give way to one of its sides.
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
    """The smallest failing case that was found.

    :param tried: how often the case under test was run.
    :param kept: how many of those runs failed, each on a smaller case than the one before.
    :param complete: no reduction is left to try; False when time ran out.
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
    """Make ``case``, which fails, as small as ``fails`` lets it be, one accepted reduction after the other.

    ``size`` goes down with each, so there is an end; no case is tried twice. ``fails`` is the cost: it should
    ask for the same failure, or a smaller case may fail for another reason.

    :param deadline_seconds: of ``clock``; nothing is tried after it. The last try may outlast it.
    :param steps: what may be reduced; everything by default.
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
    """The smaller cases that are tried for ``case`` as long as none of them fails; lazily, each once."""
    seen = {case}
    for step in STEPS:
        yield from _promising(step(case), case, seen)


def _promising(search: Search, case: Case, seen: set[Case]) -> Search:
    """Of ``search``, what is smaller than the smallest failing case so far and not in ``seen``, where it goes."""
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
    """Tell ``search`` of its last candidate (None where it has made none yet), and take the next one, if any."""
    try:
        return search.send(accepted)  # type: ignore[arg-type]  # a generator's first send takes None
    except StopIteration:
        return None
