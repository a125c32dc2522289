"""Figures of a benchmark run: medians with their spread, tenths of a long run, and the keys of the summary."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

KEYS = (
    "fast_over_naive",
    "plain_over_naive",
    "databases_over_naive",
    "check_over_catalyst",
    "two_workers_over_one",
    "last_tenth_over_second",
    "seconds_of_long_run",
)
"""The keys of every summary; the value is null where a figure was not measured."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of several values, the least of them and the greatest."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread | None:
        """The spread of ``values``; None where there are none."""
        each = list(values)
        return cls(statistics.median(each), min(each), max(each)) if each else None

    def text(self, form: str) -> str:
        """``median (least … most)``, each in ``form``."""
        return f"{self.median:{form}} ({self.least:{form}} … {self.most:{form}})"


def ratios(over: Sequence[float], under: Sequence[float]) -> list[float]:
    """The ratio of ``over`` to ``under`` for each round; rounds where ``under`` is 0 are left out."""
    return [one / other for one, other in zip(over, under, strict=True) if other]


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a long run at one time: ``seconds`` and ``checks`` so far, and the memory in use, in bytes."""

    seconds: float
    checks: int
    python_memory: int
    jvm_memory: int

    @property
    def memory(self) -> int:
        """Bytes of both processes."""
        return self.python_memory + self.jvm_memory


def tenth_rates(moments: Sequence[Moment]) -> list[float]:
    """Checks per second in each tenth of a run, from its start to the last of ``moments``; none for no run.

    Between two moments checks count as evenly spread.
    """
    if not moments or moments[-1].seconds <= 0:
        return []
    end = moments[-1].seconds
    done = [_done_by(moments, end * tenth / 10) for tenth in range(11)]
    return [(later - earlier) / (end / 10) for earlier, later in pairwise(done)]


def _done_by(moments: Sequence[Moment], seconds: float) -> float:
    before = Moment(0.0, 0, 0, 0)
    for moment in moments:
        if moment.seconds >= seconds:
            share = (seconds - before.seconds) / (moment.seconds - before.seconds) if seconds > before.seconds else 0.0
            return before.checks + share * (moment.checks - before.checks)
        before = moment
    return before.checks


def last_over_second(values: Sequence[float]) -> float | None:
    """The last of ten tenths over the second one; None where there aren't ten, or nothing in the second."""
    return values[-1] / values[1] if len(values) == 10 and values[1] else None


def tenth_memory(moments: Sequence[Moment]) -> list[float]:
    """The median of the memory in use in each tenth of a run; empty where a tenth has no moment."""
    if not moments:
        return []
    end = moments[-1].seconds
    tenths: list[list[int]] = [[] for _ in range(10)]
    for moment in moments:
        tenths[min(9, int(10 * moment.seconds / end))].append(moment.memory)
    return [statistics.median(each) for each in tenths] if all(tenths) else []


def summary(measured: Mapping[str, Spread | float | None]) -> dict[str, float | None]:
    """The figures of ``--summary-json``: of a spread its median, and null for each of KEYS that wasn't measured.

    Raises ValueError for a figure that is none of KEYS.
    """
    if unknown := sorted(measured.keys() - set(KEYS)):
        raise ValueError(f"no such figure: {', '.join(unknown)}")
    values = ((key, measured.get(key)) for key in KEYS)
    return {key: _rounded(value.median if isinstance(value, Spread) else value) for key, value in values}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
