"""Compare shares of steered draws: the blocks that each share runs first, at equal processor time, in one session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from hypothesis import strategies as st
from rich.table import Table

from assay.coverage.inverted import cpu_minutes
from assay.coverage.measure import Measurement
from assay.fuzz.case_mix import fuzz_cases
from assay.fuzz.drawing import distinct_cases
from assay.fuzz.fuzzer import shard_seed
from assay.fuzz.steering import SteeringCorpus, steered_cases
from assay.session.console import console as console_of
from assay.session.console import table
from assay.session.ending import Exit
from assay.session.options import Options
from assay.session.session import check_names, prepare, prepare_java
from oracles.answers.atomic import write_json
from oracles.checks.result import NO_SETTINGS
from oracles.engines.spark.engine import SparkEngine
from oracles.patterns.unsupported import supported_on
from strategies.draw.seeding import ignore_local_constants
from strategies.ir import Case
from strategies.shapes import load_shapes

BATCH = 50
"""The number of cases that one share draws before the next share's turn, so that all meet a JVM as warm."""


@dataclass(slots=True, kw_only=True)
class Arm:
    """Cases that are drawn with one share of steered draws, and what they did that no earlier case of the arm had done.

    ``percent`` is the share; ``seconds`` is the processor time of Python and of the JVM.
    """

    percent: int
    corpus: SteeringCorpus
    seen: set[str]
    pairs: set[tuple[str, str]]
    plans: set[str]
    cases: int = 0
    raised: int = 0
    seconds: float = 0.0
    batches: int = 0
    new_blocks: int = 0
    new_pairs: int = 0
    new_plans: int = 0

    def apart(self, percent: int) -> Arm:
        """An arm of another share that starts where this one is."""
        return Arm(
            percent=percent,
            corpus=self.corpus.copy(),
            seen=set(self.seen),
            pairs=set(self.pairs),
            plans=set(self.plans),
        )

    def summary(self) -> dict[str, Any]:
        """The arm's counts as JSON has them."""
        return {
            "percent": self.percent,
            "cases": self.cases,
            "raised": self.raised,
            "cpu_seconds": round(self.seconds, 1),
            "members": len(self.corpus.members),
            "blocks": self.new_blocks,
            "pairs": self.new_pairs,
            "plans": self.new_plans,
        }


@dataclass(slots=True, kw_only=True)
class Comparison:
    """Draws ``first`` fresh cases, then goes on from there with each share for ``seconds`` of processor time.

    :param fresh: the strategy of cases that are not edited.
    :param told: called after each case.
    """

    measurement: Measurement
    fresh: st.SearchStrategy[Case]
    run_seed: int
    told: Callable[[], None] = lambda: None
    before: Arm = field(
        default_factory=lambda: Arm(percent=0, corpus=SteeringCorpus(), seen=set(), pairs=set(), plans=set())
    )

    def run(self, first: int, percents: Sequence[int], seconds: float) -> list[Arm]:
        """The arms of all shares, in the given order."""
        while self.before.cases < first:
            self._batch(self.before)
        arms = [self.before.apart(percent) for percent in percents]
        while (arm := min(arms, key=lambda each: each.seconds)).seconds < seconds:
            self._batch(arm)
        return arms

    def _batch(self, arm: Arm) -> None:
        started = self._clock()
        arm.batches += 1
        for case in self._drawn(arm):
            observed = self.measurement.observe(case)
            if observed is None:
                continue
            arm.cases += 1
            arm.raised += observed.verdict == "raised"
            arm.new_blocks += len(arm.corpus.add(case, observed.blocks.keys()))
            pairs = set(combinations(sorted(observed.changed_plan), 2)) - arm.pairs
            arm.new_pairs += len(pairs)
            arm.pairs |= pairs
            arm.new_plans += observed.plan not in arm.plans
            arm.plans.add(observed.plan)
            self.told()
        arm.seconds += self._clock() - started

    def _clock(self) -> float:
        spark = self.measurement.harness.spark
        assert isinstance(spark, SparkEngine)  # no other has a JVM of ours
        return 60 * cpu_minutes(spark)

    def _drawn(self, arm: Arm) -> list[Case]:
        """A batch of cases that the arm hasn't drawn yet."""
        strategy = steered_cases(self.fresh, arm.corpus.cases, arm.percent)
        name = "before" if arm is self.before else arm.percent
        of_seed = shard_seed(self.run_seed, "steered", name, arm.batches)
        found = distinct_cases(supported_on(self.measurement.harness.spark.version, strategy), BATCH, of_seed=of_seed)
        new = [mark for mark in found if mark not in arm.seen][-BATCH:]
        arm.seen.update(new)
        return [found[mark] for mark in new]


def comparison_table(arms: Sequence[Arm]) -> Table:
    """The arms, each beside the one without steered draws."""
    head = ("steered", "cases", "raised", "CPU s", "members", "new blocks", "over 0 %", "new pairs", "new plans")
    alone = next((arm.new_blocks for arm in arms if not arm.percent), 0)
    rows = (
        [
            f"{arm.percent} %",
            str(arm.cases),
            str(arm.raised),
            f"{arm.seconds:.0f}",
            str(len(arm.corpus.members)),
            str(arm.new_blocks),
            f"{arm.new_blocks / alone:.2f}" if alone else "-",
            str(arm.new_pairs),
            str(arm.new_plans),
        ]
        for arm in arms
    )
    return table("shares of steered draws", head, rows)


@dataclass(frozen=True, slots=True)
class SteeredRequest:
    """The shared options, the shares to compare, the seconds of each, and whether cases are only planned."""

    options: Options
    percents: Sequence[int]
    seconds: float
    plan_only: bool


def compare(request: SteeredRequest) -> int:
    """Compare the shares, and print them side by side."""
    options = request.options
    prepare_java()
    ignore_local_constants()
    shapes = load_shapes()
    with prepare(options, probes=True).supervised() as harness:
        rules = check_names(harness, options.rules)
        own = [rule.class_name for rule in options.rules if rule.class_name]
        measurement = Measurement(
            harness=harness,
            own=own,
            shapes=shapes,
            run_seed=options.seed,
            settings=NO_SETTINGS,
            plan_only=request.plan_only,
        )
        comparison = Comparison(
            measurement=measurement, fresh=fuzz_cases(shapes, [rule.name for rule in rules]), run_seed=options.seed
        )
        arms = comparison.run(options.max_examples, request.percents, request.seconds)
        version = harness.spark.version
    first = comparison.before
    console = console_of()
    console.print(
        f"before: {first.cases:,} fresh cases in {first.seconds:.0f} s of processor time ran "
        f"{len(first.corpus.known):,} blocks; {len(first.corpus.members):,} of them are members",
        highlight=False,
    )
    console.print(comparison_table(arms))
    if options.summary_json is not None:
        head = {"format": 1, "spark": version, "seed": options.seed, "plan_only": request.plan_only}
        write_json(options.summary_json, {**head, "before": first.summary(), "shares": [arm.summary() for arm in arms]})
    return Exit.GREEN
