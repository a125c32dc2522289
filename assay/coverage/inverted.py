"""Invert conditionals of the optimizer one at a time, and see whether drawn cases show it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import psutil

from assay.coverage.measure import Job, cases_of
from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.checks.check import Harness
from oracles.checks.extra_databases import others_of
from oracles.engines.protocol import LegReport
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.inversions import Conditional, Inversions
from oracles.engines.spark.probes import OPTIMIZER, ProbesFailed
from strategies.ir import AnyLimit, Case, Database
from strategies.shapes import Shape

Fate = Literal["wrong rows", "error", "invalid plan", "another plan", "same plan", "never run"]
FATES: tuple[Fate, ...] = ("wrong rows", "error", "invalid plan", "another plan", "same plan", "never run")
"""The possible results of inverting a conditional; a check detects the first three, the others survive."""
SEEN: tuple[Fate, ...] = FATES[:3]

MOST_CASES = 12
"""Cases that an inverted conditional is tried on, at the most."""
DATABASES = 4
"""Databases that each case runs over."""
LEG_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Base:
    """A case that ran as it should: its databases beside the first, its rows over each, and its plan."""

    case: Case
    others: Sequence[Database]
    rows: Sequence[Outcome | None]
    plan: str


@dataclass(frozen=True, slots=True)
class Inverted:
    """The result of inverting a conditional; ``runs``: how often it ran, ``cases``: on how many cases it was tried."""

    conditional: Conditional
    fate: Fate
    runs: int
    cases: int = 0


@dataclass(slots=True)
class Inverting:
    """Runs cases in a session whose conditionals can be inverted.

    :param told: called after each case, and after each conditional that was tried.
    """

    harness: Harness
    shapes: Mapping[str, Shape]
    run_seed: int
    told: Callable[[], None] = lambda: None
    bases: list[Base] = field(default_factory=list)
    runs: Counter[int] = field(default_factory=Counter)
    cases_with: dict[int, list[int]] = field(default_factory=dict)
    losses: int = 0
    _inversions: Inversions | None = None

    @property
    def spark(self) -> SparkEngine:
        """The engine, which has a JVM of ours."""
        spark = self.harness.spark
        assert isinstance(spark, SparkEngine)
        return spark

    @property
    def inversions(self) -> Inversions:
        """The session's conditionals; a new session has the same ones."""
        if self._inversions is None:
            listed = sorted({rule.rule_name for rule in self.spark.discovered()})
            self._inversions = Inversions(self.spark, packages=[OPTIMIZER], rules=listed)
        return self._inversions

    def collect(self, jobs: Sequence[Job]) -> None:
        """Run the cases of ``jobs`` as they are, twice, and keep those that give the same rows without Spark jobs.

        :raises ProbesFailed: no conditional was seen to run.
        """
        for job in jobs:
            for case in cases_of(job, self.shapes, self.run_seed, self.spark.version):
                if case.settings.is_quick:
                    self._collect(case)
                self.told()
        if not self.runs:
            raise ProbesFailed("no conditional was seen to run: the cases show nothing")

    def _collect(self, case: Case) -> None:
        others = others_of(case, DATABASES - 1)
        self.inversions.take()
        first, again = self._run(case, others), self._run(case, others)
        ran = self.inversions.take()
        rows = (first.outcome, *first.others)
        unstable = _differ(rows, (again.outcome, *again.others), case)
        if not first.in_driver or not isinstance(first.outcome, Rows) or unstable:
            return
        for number, count in ran.items():
            self.runs[number] += count
            self.cases_with.setdefault(number, []).append(len(self.bases))
        self.bases.append(Base(case, others, rows, first.plan))

    def _run(self, case: Case, others: Sequence[Database], known: str = "") -> LegReport:
        with (
            self.spark.stage(case.database, case.settings, fast=True, others=others) as stage,
            stage.leg(case.query, {}) as leg,
        ):
            return leg.run(known=known, databases=stage.databases)

    def sample(self, most: int, wanted: Callable[[Conditional], bool]) -> list[int]:
        """``most`` of the wanted conditionals that ran, chosen by the run's seed."""
        ran = sorted(number for number in self.runs if wanted(self.inversions.conditionals[number]))
        return sorted(random.Random(self.run_seed).sample(ran, min(most, len(ran))))

    def tried(self, number: int) -> Inverted:
        """Invert one conditional in up to MOST_CASES of the cases that run it, until a check would see it."""
        places = self.cases_with[number]
        chosen = random.Random(number).sample(places, min(MOST_CASES, len(places)))
        worst: Fate = "same plan"
        tries = 0
        for place in chosen:
            tries += 1
            fate = self._fate(number, self.bases[place])
            worst = min(worst, fate, key=FATES.index)
            if worst in SEEN:
                break
        self.told()
        return Inverted(self.inversions.conditionals[number], worst, self.runs[number], tries)

    def _fate(self, number: int, base: Base) -> Fate:
        try:
            with self.inversions.inverted(number):
                report = self._run(base.case, base.others, known=base.plan)
        except Exception as error:
            if self.spark.lost(error) is None:
                raise
            # A loop that no conditional of the optimizer is in, or no memory: the watchdog has ended the JVM.
            self.losses += 1
            self._inversions = None
            self.spark.close()
            return "error"
        return fate_of(report, base)


def fate_of(report: LegReport, base: Base) -> Fate:
    """The fate of an inverted conditional: compares its run with the unchanged run."""
    if report.outcome is None:
        return "same plan"
    if isinstance(report.outcome, Raised):
        return "invalid plan" if report.outcome.kind == "invalid-plan" else "error"
    rows = (report.outcome, *report.others) if report.others else (report.outcome,)
    return "wrong rows" if _differ(rows, base.rows[: len(rows)], base.case) else "another plan"


def _differ(one: Sequence[Outcome | None], other: Sequence[Outcome | None], case: Case) -> bool:
    """True if two runs return different rows over a database; an AnyLimit compares only their number."""
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if isinstance(a, Rows) and isinstance(b, Rows)]
    if isinstance(case.query, AnyLimit):
        return any(len(a.rows) != len(b.rows) for a, b in pairs)
    return any(not same(a, b) for a, b in pairs)


def cpu_minutes(spark: SparkEngine) -> float:
    """Minutes of processor time that this process and its JVM have taken; of a JVM that was lost, nothing."""
    times = psutil.Process(spark.pid).cpu_times()
    return float(time.process_time() + times.user + times.system) / 60
