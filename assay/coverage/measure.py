"""Draw cases by source, check or plan each one in a session with probes, and keep which blocks it ran."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from assay.coverage.sources import Source
from assay.fuzz.case_mix import composite_cases, general_cases, shape_cases
from assay.fuzz.corpus import corpus_files
from assay.fuzz.drawing import distinct_cases
from assay.fuzz.finding import digest
from assay.fuzz.fuzzer import SHARD, shard_seed
from assay.fuzz.policy import subset_of
from oracles.checks.check import Harness
from oracles.checks.result import LegSettings
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.optimizer_probes import OptimizerProbes
from oracles.engines.spark.probes import Block, Probes, ProbesFailed
from oracles.failures.failure import read_failure
from oracles.patterns.unsupported import supported_on
from oracles.rules.rule import Rule
from strategies.ir import Case
from strategies.shapes import Shape
from strategies.shapes.composites import COMPOSITES

MOST_LOSSES = 3
"""JVMs that may be lost before the measurement ends."""


@dataclass(frozen=True, slots=True)
class Job:
    """``count`` cases of one source: of the shape or composite ``name``, or of the round ``number``."""

    source: Source
    name: str
    number: int
    count: int


@dataclass(slots=True)
class Ran:
    """The blocks that the cases of one source ran.

    ``cases_of``: the number of cases in which each block ran. ``new``: for each case, the blocks that no earlier case
    of this measurement had run.
    """

    cases: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    cases_of: Counter[int] = field(default_factory=Counter)
    new: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, verdict: str, ran: Set[int], known: set[int]) -> None:
        """Count one case, whose blocks are then ``known``."""
        self.cases += 1
        self.verdicts[verdict] += 1
        self.cases_of.update(ran)
        self.new.append(tuple(ran - known))
        known.update(ran)

    def join(self, other: Ran) -> None:
        """Add what ``other`` ran."""
        self.cases += other.cases
        self.verdicts += other.verdicts
        self.cases_of += other.cases_of
        self.new += other.new


@dataclass(frozen=True, slots=True)
class Observed:
    """The effects of one case: how often each block ran, the rules that changed the on leg's plan, and its shape."""

    verdict: str
    blocks: Mapping[int, int]
    changed_plan: frozenset[str]
    plan: str


def jobs_of(count: int, sources: Sequence[Source], shapes: Sequence[str]) -> list[Job]:
    """``count`` cases in all but the corpus, half of them general where there are shapes, too."""
    jobs: list[Job] = []
    drawn = [source for source in ("general", "shapes") if source in sources and (shapes or source == "general")]
    if "general" in drawn:
        general = count - count // 2 if len(drawn) > 1 else count
        starts = range(0, general, SHARD)
        jobs += [Job("general", "", number, min(SHARD, general - start)) for number, start in enumerate(starts)]
    if "shapes" in drawn:
        of_shapes = count // 2 if len(drawn) > 1 else count
        each, more = divmod(of_shapes, len(shapes))
        counts = [each + (place < more) for place in range(len(shapes))]
        jobs += [Job("shapes", name, 0, own) for name, own in zip(shapes, counts, strict=True) if own]
    if "corpus" in sources and (files := corpus_files()):
        jobs.append(Job("corpus", "", 0, len(files)))
    return jobs


def cases_of(job: Job, shapes: Mapping[str, Shape], run_seed: int, spark: str) -> list[Case]:
    """The cases of a job: the same ones each time, whoever draws them."""
    if job.source == "corpus":
        return [read_failure(file).case for file in corpus_files()]
    if job.source == "general":
        strategy = general_cases()
    else:
        strategy = shape_cases(shapes[job.name]) if job.name in shapes else composite_cases(job.name)
    of_seed = shard_seed(run_seed, f"coverage/{job.source}/{job.name}", job.number)
    found = distinct_cases(supported_on(spark, strategy), job.count, of_seed=of_seed)
    return list(found.values())[-job.count :]


def shape_names(shapes: Mapping[str, Shape], rules: Sequence[str]) -> list[str]:
    """The shapes to draw from: of the named rules, or else of all of Spark's, with the composites."""
    named = [name for name in rules if name in shapes]
    return named if rules else [*(name for name, shape in shapes.items() if not shape.own), *COMPOSITES]


@dataclass(slots=True, kw_only=True)
class Measurement:
    """Runs jobs in one session with probes, which starts again if its JVM is lost.

    :param own: classes of rules of one's own, whose source files get probes as well.
    :param plan_only: plan the on leg of each case instead of checking it.
    :param told: called after each case.
    """

    harness: Harness
    own: Sequence[str]
    shapes: Mapping[str, Shape]
    run_seed: int
    settings: LegSettings
    plan_only: bool = False
    told: Callable[[], None] = lambda: None
    by_source: dict[Source, Ran] = field(default_factory=dict)
    losses: int = 0
    _probes: OptimizerProbes = field(init=False)
    _known: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._probes = OptimizerProbes(self.own)

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks with probes."""
        return self.probes.blocks

    @property
    def probes(self) -> Probes:
        """The session's probes."""
        spark = self.harness.spark
        assert isinstance(spark, SparkEngine)  # no other has a JVM of ours
        return self._probes.of(spark)

    def run(self, jobs: Sequence[Job]) -> None:
        """Run the cases of ``jobs``, in order.

        :raises ProbesFailed: a case was planned, and no probe has counted.
        """
        for job in jobs:
            ran = self.by_source.setdefault(job.source, Ran())
            for case in cases_of(job, self.shapes, self.run_seed, self.harness.spark.version):
                self._one(case, ran)
                self.told()

    def _one(self, case: Case, ran: Ran) -> None:
        if observed := self.observe(case):
            ran.add(observed.verdict, observed.blocks.keys(), self._known)

    def observe(self, case: Case) -> Observed | None:
        """Check or plan ``case``; None if its JVM was lost.

        :raises ProbesFailed: the case was planned, and no probe has counted.
        """
        try:
            probes = self.probes
            probes.take()
            verdict, changed_plan, plan = self._planned(case) if self.plan_only else self._checked(case)
            blocks = probes.take()
        except Exception as error:
            if self.harness.spark.lost(error) is None or self.losses == MOST_LOSSES:
                raise
            self.losses += 1
            self.harness.spark.close()
            return None
        if not blocks:
            raise ProbesFailed("probes count nothing: a query was planned, and no block of any rule has run")
        return Observed(verdict, blocks, frozenset(changed_plan), plan)

    def _planned(self, case: Case) -> tuple[str, Iterable[str], str]:
        spark = self.harness.spark
        with (
            spark.stage(case.database, case.settings, fast=True) as stage,
            stage.leg(case.query, self.settings.on) as leg,
        ):
            report = leg.plan()
        return "raised" if report.outcome else "planned", report.changed_plan, report.shape

    def _checked(self, case: Case) -> tuple[str, Iterable[str], str]:
        """Check with all rules off that changed the plan, or a random subset; the digest of the case decides."""
        chance = random.Random(digest(case))

        def choose(changed: Sequence[Rule]) -> Sequence[Rule]:
            if not changed or chance.random() < 0.5:
                return changed
            return subset_of(chance.sample(range(len(changed)), chance.randint(1, len(changed))), changed)

        checked = self.harness.check(case, choose, self.settings, fast=True)
        return checked.verdict.name, checked.changed_plan, checked.plan
