"""What the bench asks its harnesses, and what these answer: plain values that go from process to process."""

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
    """What a harness is started with; ``discovered`` and ``release`` are what another one found out about Spark."""

    harness: HarnessName
    setup: Setup
    seed: int
    failures: Path
    discovered: tuple[Discovered, ...] = ()
    release: str = ""
    master: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """One check as it ended; ``off`` are the rules that were off, ``databases`` those that its plans were run over."""

    mark: str
    end: End
    off: tuple[str, ...]
    databases: int = 1


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by the clock, of both processes' processors, and bytes that both hold at the end."""

    seconds: float
    python_seconds: float
    jvm_seconds: float
    python_memory: int
    jvm_memory: int

    @property
    def processor_seconds(self) -> float:
        """Of both processes."""
        return self.python_seconds + self.jvm_seconds


@dataclass(frozen=True, slots=True)
class Ready:
    """A harness whose Spark runs: its release, and the rules that its optimizer lists."""

    release: str
    discovered: tuple[Discovered, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """``count`` distinct cases of ``load`` are to be drawn from ``seed`` and checked.

    ``off`` says by a case's mark which rules are off; where it has none, the harness takes some that acted. The fast
    path runs a pair of plans over so many ``databases``.
    """

    load: Load
    seed: int
    count: int
    off: Mapping[str, tuple[str, ...]] | None = None
    databases: int = 1


@dataclass(frozen=True, slots=True)
class Done:
    """A round that was run."""

    seen: tuple[Seen, ...]
    cost: Cost
    phases: Mapping[Phase, float] = field(default_factory=dict)

    @property
    def databases(self) -> int:
        """Those that pairs of plans were run over, in all."""
        return sum(seen.databases for seen in self.seen)


@dataclass(frozen=True, slots=True)
class Floor:
    """What Spark's own parser, analyzer, optimizer and planner take for the last round's queries is to be measured."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The seconds that they take for a query, on the average; None where none could be planned."""

    seconds: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """The results of the last round's checks with these marks are to be told, as a failure file has them."""

    marks: tuple[str, ...]


Request = Round | Floor | Told
