"""Where the time of a check goes: a clock for each of its phases, and engines that hold it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, get_args

from oracles.answers.outcome import Outcome
from oracles.checks.check import Checked, Laboratory
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.start import SparkOptions
from strategies.ir import Database, Relation, Settings, Source

Phase = Literal["generate", "register", "analyze", "optimize", "plan", "execute", "duckdb", "compare"]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""In the order of a check. What is in none of them is the suite's own: calls between processes, evidence, texts."""

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
        """The time that the context lasts counts as ``phase``."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[phase] += time.perf_counter() - start

    def add(self, phase: Phase, seconds: float) -> None:
        """So many seconds more of ``phase``, or fewer."""
        self._seconds[phase] += seconds

    def seconds(self, phase: Phase) -> float:
        """What there is of ``phase`` so far."""
        return self._seconds[phase]

    def read(self) -> dict[Phase, float]:
        """All phases; the clock starts again."""
        seconds, self._seconds = self._seconds, dict.fromkeys(PHASES, 0.0)
        return seconds


class TimedSpark(SparkEngine):
    """Spark as it is, with the time of its phases."""

    def __init__(self, options: SparkOptions, clock: Clock) -> None:
        super().__init__(options)
        self.clock = clock

    @contextmanager
    def in_memory(self, databases: Sequence[Database]) -> Iterator[None]:
        around = super().in_memory(databases)
        with self.clock("register"):
            around.__enter__()
        try:
            yield
        finally:
            with self.clock("register"):
                around.__exit__(None, None, None)

    @contextmanager
    def loaded(self, database: Database, source: Source, *, statistics: bool = False) -> Iterator[None]:
        around = super().loaded(database, source, statistics=statistics)
        with self.clock("register"):
            around.__enter__()
        try:
            yield
        finally:
            with self.clock("register"):
                around.__exit__(None, None, None)

    def frame(self, query: Relation, settings: Settings) -> Any:
        with self.clock("analyze"):
            return super().frame(query, settings)

    def facts(self, told: str | bytes) -> dict[str, Any]:
        facts = super().facts(told)
        for name, milliseconds in facts["milliseconds"].items():
            if name in _OF_JVM:
                self.clock.add(_OF_JVM[name], milliseconds / 1000)
        return facts


class TimedDuckdb(DuckdbEngine):
    """DuckDB as it is, with the time that is spent waiting for it."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def run_many(self, query: Relation, databases: Sequence[Database], *, optimize: bool = True) -> list[Outcome]:
        with self._clock("duckdb"):
            return super().run_many(query, databases, optimize=optimize)

    def begin(self, query: Relation, databases: Sequence[Database]) -> Callable[[], list[Outcome]]:
        begun = super().begin(query, databases)

        def answers() -> list[Outcome]:
            with self._clock("duckdb"):
                return begun()

        return answers


class TimedLaboratory(Laboratory):
    """A laboratory of timed engines: what its judging takes beyond DuckDB is comparing."""

    def __init__(self, spark: TimedSpark, duckdb: DuckdbEngine) -> None:
        super().__init__(spark, duckdb)
        self._clock = spark.clock

    def _judged(self, *arguments: Any, **named: Any) -> Checked:
        asked = self._clock.seconds("duckdb")
        with self._clock("compare"):
            checked = super()._judged(*arguments, **named)
        self._clock.add("compare", asked - self._clock.seconds("duckdb"))
        return checked
