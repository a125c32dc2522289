"""Invert conditionals of the optimizer one at a time, and see whether drawn cases show it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, get_args

import psutil

from assay.coverage.measure import MOST_LOSSES, Job, cases_of
from oracles.answers.outcome import Outcome, Rows
from oracles.checks.check import Harness
from oracles.checks.extra_databases import NOT_RUN, others_of
from oracles.checks.finding_kind import FindingKind
from oracles.checks.verdict import Verdict, judge
from oracles.engines.protocol import LegReport
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.inversions import Conditional, Inversions
from oracles.engines.spark.probes import OPTIMIZER, ProbesFailed
from oracles.patterns.order import order_of
from strategies.ir import AnyLimit, Case, Database, Relation
from strategies.shapes import Shape

Fate = Literal["wrong rows", "error", "invalid plan", "another plan", "inconclusive", "same plan", "never run"]
FATES: tuple[Fate, ...] = get_args(Fate)
"""The possible results of inverting a conditional; a check detects the first three.

``inconclusive``: the query timed out, or raised an error that SQL allows, or the JVM was lost.
"""
SEEN: tuple[Fate, ...] = FATES[:3]
CHANGED: tuple[Fate, ...] = FATES[:4]
"""The fates of a conditional whose inversion was seen to change something."""

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
    rows: Sequence[Rows | None]
    plan: str


@dataclass(frozen=True, slots=True)
class Inverted:
    """The result of inverting a conditional; ``runs``: how often it ran, ``cases``: on how many cases it was tried."""

    conditional: Conditional
    fate: Fate
    runs: int
    cases: int = 0


@dataclass(slots=True, kw_only=True)
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
    _conditionals: Sequence[Conditional] = ()

    @property
    def spark(self) -> SparkEngine:
        """The engine, which has a JVM of ours."""
        spark = self.harness.spark
        assert isinstance(spark, SparkEngine)
        return spark

    @property
    def inversions(self) -> Inversions:
        """The session's inversions, which a new session has anew."""
        if self._inversions is None:
            listed = sorted({rule.rule_name for rule in self.spark.discovered()})
            self._inversions = Inversions(self.spark, packages=[OPTIMIZER], rules=listed)
        return self._inversions

    @property
    def conditionals(self) -> Sequence[Conditional]:
        """The conditionals, which are the same in each session."""
        if not self._conditionals:
            self._conditionals = self.inversions.conditionals
        return self._conditionals

    def collect(self, jobs: Sequence[Job]) -> None:
        """Run the cases of ``jobs`` unchanged, twice, and keep those with the same plan and the same rows in both runs.

        A case that runs as Spark jobs is not kept, nor one at which the JVM was lost.

        :raises ProbesFailed: no conditional was seen to run.
        """
        for job in jobs:
            for case in cases_of(job, self.shapes, self.run_seed, self.spark.version):
                if case.settings.is_quick:
                    try:
                        self._collect(case)
                    except Exception as error:
                        if not self._restarted(error) or self.losses > MOST_LOSSES:
                            raise
                self.told()
        if not self.runs:
            raise ProbesFailed("no conditional was seen to run: the cases show nothing")

    def _collect(self, case: Case) -> None:
        others = others_of(case, DATABASES - 1)
        self.inversions.take()
        first = self._run(case, others)
        ran = self.inversions.take()
        again = self._run(case, others)
        if not first.in_driver or not isinstance(first.outcome, Rows):
            return
        rows, repeated = (first.outcome, *first.others), (again.outcome, *again.others)
        pairs = zip(rows, repeated, strict=False)
        if again.plan != first.plan or not all(_agree(one, other, case.query) for one, other in pairs):
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
        ran = sorted(number for number in self.runs if wanted(self.conditionals[number]))
        return sorted(random.Random(self.run_seed).sample(ran, min(most, len(ran))))

    def tried_each(self, numbers: Sequence[int]) -> list[Inverted]:
        """Invert the conditionals one by one; those after MOST_LOSSES lost JVMs are not tried."""
        found: list[Inverted] = []
        for number in numbers:
            if self.losses > MOST_LOSSES:
                break
            found.append(self.tried(number))
        return found

    def tried(self, number: int) -> Inverted:
        """Invert one conditional in up to MOST_CASES of the cases that run it, until a check detects it or the JVM is
        lost.
        """
        places = self.cases_with[number]
        chosen = random.Random(number).sample(places, min(MOST_CASES, len(places)))
        worst: Fate = "same plan"
        tries, losses = 0, self.losses
        for place in chosen:
            tries += 1
            fate = self._fate(number, self.bases[place])
            worst = min(worst, fate, key=FATES.index)
            if worst in SEEN or self.losses > losses:
                break
        self.told()
        return Inverted(self.conditionals[number], worst, self.runs[number], tries)

    def _fate(self, number: int, base: Base) -> Fate:
        try:
            with self.inversions.inverted(number):
                report = self._run(base.case, base.others, known=base.plan)
            return fate_of(report, base, partial(self._alone, number, base.case))
        except Exception as error:
            # A loop that no conditional of the optimizer is in, or no memory: the watchdog has ended the JVM.
            if not self._restarted(error):
                raise
            return "inconclusive"

    def _alone(self, number: int, case: Case, database: Database) -> Verdict:
        """The verdict on the inverted conditional over one extra database alone, with plans of its own."""
        alone = replace(case, database=database)
        unchanged = self._run(alone, ()).outcome
        with self.inversions.inverted(number):
            changed = self._run(alone, ()).outcome
        return _verdict(changed, unchanged, case.query)

    def _restarted(self, error: Exception) -> bool:
        """Count the loss of the JVM and close the session, whose next use starts a new one; False if none was lost."""
        if self.spark.lost(error) is None:
            return False
        self.losses += 1
        self._inversions = None
        self.spark.close()
        return True


def fate_of(report: LegReport, base: Base, alone: Callable[[Database], Verdict]) -> Fate:
    """The fate of an inverted conditional in one case: what a check would see, with the unchanged run as its off leg.

    :param alone: checks the case over one extra database alone. Like a check, this is done for the first extra database
        whose rows differ or are missing in one of the runs.
    """
    if report.outcome is None:
        return "same plan"
    query = base.case.query
    verdict = _verdict(report.outcome, base.rows[0], query)
    if verdict.name == "agree":
        pairs = zip(base.others, report.others, base.rows[1:], strict=False)
        mismatch = next((database for database, one, other in pairs if not _agree(one, other, query)), None)
        again = verdict if mismatch is None else alone(mismatch)
        verdict = again if again.name == "finding" else verdict
    if verdict.name != "finding":
        return "another plan" if verdict.name == "agree" else "inconclusive"
    fates: Mapping[FindingKind | None, Fate] = {
        FindingKind.RULE: "wrong rows",
        FindingKind.INVALID_PLAN: "invalid plan",
    }
    return fates.get(verdict.kind, "error")


def _verdict(changed: Outcome | None, unchanged: Outcome | None, query: Relation) -> Verdict:
    """The verdict of a check whose off leg and DuckDB both have the ``unchanged`` outcome.

    Under an AnyLimit, rows agree if their number and their types do.
    """
    on, off = (NOT_RUN if outcome is None else outcome for outcome in (changed, unchanged))
    if isinstance(query, AnyLimit) and isinstance(on, Rows) and isinstance(off, Rows):
        on = off if (on.schema, len(on.rows)) == (off.schema, len(off.rows)) else on
    return judge(on, off, off, fired=True, order=order_of(query))


def _agree(one: Outcome | None, other: Outcome | None, query: Relation) -> bool:
    """True if two runs agree over a database: they have the same rows, or neither could run there."""
    return one is other is None or _verdict(one, other, query).name == "agree"


def cpu_minutes(spark: SparkEngine) -> float:
    """Minutes of processor time that this process and its JVM have taken; of a JVM that was lost, nothing."""
    times = psutil.Process(spark.pid).cpu_times()
    return float(time.process_time() + times.user + times.system) / 60
