"""Messages between the benchmark and its harness processes: requests and answers, all of them plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from assay.bench.loads import Load
from assay.bench.phases import Phase
from assay.session.session import Setup
from oracles.rules.catalogue import Discovered

HarnessName = Literal["naive", "plain", "fast"]
End = tuple[str, str | None, str | None]
"""A verdict's name, kind and blame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The start arguments of a harness; ``discovered`` and ``release`` come from a harness that started before it."""

    harness: HarnessName
    setup: Setup
    seed: int
    failures: Path
    discovered: tuple[Discovered, ...] = ()
    release: str = ""
    master: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """The verdict of one check; ``off``: the rules that were off, ``databases``: the number that its plans ran over."""

    mark: str
    end: End
    off: tuple[str, ...]
    databases: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCost:
    """Wall-clock seconds, and CPU seconds and memory in bytes (at the end) of the Python process and of the JVM."""

    seconds: float
    python_seconds: float
    jvm_seconds: float
    python_memory: int
    jvm_memory: int

    @property
    def processor_seconds(self) -> float:
        """CPU seconds of both processes."""
        return self.python_seconds + self.jvm_seconds


@dataclass(frozen=True, slots=True)
class Ready:
    """A harness whose Spark runs: its release, and the rules that its optimizer lists."""

    release: str
    discovered: tuple[Discovered, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRequest:
    """A request to draw ``count`` distinct cases of ``load`` from ``seed`` and to check them.

    ``off`` maps a case's mark to the rules that are off; if it is None, the harness draws them from the rules that
    changed the plan. The fast path runs a pair of plans over ``databases`` databases.
    """

    load: Load
    seed: int
    count: int
    off: Mapping[str, tuple[str, ...]] | None = None
    databases: int = 1


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The results of a round: its checks, its cost, and seconds by phase."""

    seen: tuple[Seen, ...]
    cost: RoundCost
    phases: Mapping[Phase, float] = field(default_factory=dict)

    @property
    def databases(self) -> int:
        """The sum of the databases over the checks of the round."""
        return sum(seen.databases for seen in self.seen)


@dataclass(frozen=True, slots=True)
class Floor:
    """A request to time Spark's own parser, analyzer, optimizer and planner on the last round's queries."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The average seconds that Spark takes to plan a query; None if no query could be planned."""

    seconds: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """A request for the results of the last round's checks with these marks, in the form of a failure file."""

    marks: tuple[str, ...]


Request = RoundRequest | Floor | Told
