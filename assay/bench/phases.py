"""Time of a check by phase: a clock, and engines and a harness that report to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, get_args

from oracles.answers.outcome import Outcome
from oracles.checks.check import Harness
from oracles.checks.result import CheckResult
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.protocol import Engine
from strategies.ir import UTC, Database, Relation

Phase = Literal["generate", "register", "analyze", "optimize", "plan", "execute", "duckdb", "compare"]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""The phases in the order of a check; they leave out Assay's own work: calls between processes, evidence, texts."""

_OF_JVM: Mapping[str, Phase] = {
    "optimize": "optimize",
    "plan": "plan",
    "execute": "execute",
    "others": "execute",
    "encode": "execute",
}


class Clock:
    """Seconds by phase, since it was last read."""

    def __init__(self) -> None:
        self._seconds: dict[Phase, float] = dict.fromkeys(PHASES, 0.0)

    @contextmanager
    def __call__(self, phase: Phase) -> Iterator[None]:
        """Add the duration of the context to ``phase``."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[phase] += time.perf_counter() - start

    def add(self, phase: Phase, seconds: float) -> None:
        """Add ``seconds`` to ``phase``; a negative number subtracts."""
        self._seconds[phase] += seconds

    def report(self, name: str, seconds: float) -> None:
        """Add the ``seconds`` that the JVM reports under ``name`` to the phase that belongs to this name."""
        if name in _OF_JVM:
            self.add(_OF_JVM[name], seconds)

    def seconds(self, phase: Phase) -> float:
        """The seconds of ``phase`` since the clock was last read."""
        return self._seconds[phase]

    def read(self) -> dict[Phase, float]:
        """Return the seconds of all phases, and reset the clock."""
        seconds, self._seconds = self._seconds, dict.fromkeys(PHASES, 0.0)
        return seconds


class TimedDuckdb(DuckdbEngine):
    """DuckDB, which reports to a clock how long the caller waits for it."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def run_many(
        self, query: Relation, databases: Sequence[Database], *, optimize: bool = True, time_zone: str = UTC
    ) -> list[Outcome]:
        """Run in the phase ``duckdb``."""
        with self._clock("duckdb"):
            return super().run_many(query, databases, optimize=optimize, time_zone=time_zone)

    def begin(
        self, query: Relation, databases: Sequence[Database], *, time_zone: str = UTC
    ) -> Callable[[], list[Outcome]]:
        """Begin, and count only the time of waiting for the answer."""
        begun = super().begin(query, databases, time_zone=time_zone)

        def answers() -> list[Outcome]:
            with self._clock("duckdb"):
                return begun()

        return answers


class TimedHarness(Harness):
    """A harness that reports to ``clock``: judging counts as ``compare``, except for the time spent on DuckDB."""

    def __init__(self, spark: Engine, duckdb: DuckdbEngine, clock: Clock) -> None:
        super().__init__(spark, duckdb)
        self._clock = clock

    def _judged(self, *arguments: Any, **named: Any) -> CheckResult:
        asked = self._clock.seconds("duckdb")
        with self._clock("compare"):
            checked = super()._judged(*arguments, **named)
        self._clock.add("compare", asked - self._clock.seconds("duckdb"))
        return checked
