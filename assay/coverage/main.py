"""``tox run -e coverage``: draw cases, check them with probes in the optimizer's classes, and print what never ran."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from assay.coverage.measure import Job, Measurement, Ran, jobs_of, shape_names
from assay.coverage.parts import parts_of, rule_names
from assay.coverage.report import BlockCoverage, lines_text, reasons_table, rules_table, summary, totals_text
from assay.coverage.sources import Source
from assay.fuzz.corpus import CORPUS
from assay.session.console import console as console_of
from assay.session.ending import BadInput, Exit
from assay.session.options import Options, options_from_plain, options_to_plain
from assay.session.session import Setup, check_names, prepare, prepare_java
from assay.session.workers import worker_processes
from oracles.answers.atomic import write_json
from oracles.checks.result import NO_SETTINGS
from oracles.engines.spark.probes import Block, ProbesFailed
from strategies.draw.seeding import ignore_local_constants
from strategies.shapes import load_shapes


@dataclass(frozen=True, slots=True)
class CoverageRequest:
    """The shared options, the sources to draw from, and whether cases are only planned; ``workers`` processes."""

    options: Options
    sources: tuple[Source, ...]
    plan_only: bool
    workers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The measurements of one process: blocks, names of rules by their classes, and the blocks that each source ran."""

    spark: str
    blocks: Sequence[Block]
    rules: dict[str, str]
    by_source: dict[Source, Ran]
    losses: int


def run(request: CoverageRequest) -> int:
    """Measure, and print the coverage: UNDECIDED if no case was counted, or if a named rule ran no block at all."""
    started = time.monotonic()
    prepare_java()
    options = request.options
    setup = prepare(options, probes=True)
    jobs = jobs_of(
        options.max_examples, request.sources, shape_names(load_shapes(), [rule.name for rule in options.rules])
    )
    if not jobs and "corpus" not in request.sources:
        raise BadInput(f"--source {', '.join(request.sources)}: none of the named rules has a shape")
    if not jobs:
        print(f"no case was counted: the folder {CORPUS} has no failure files")
        return Exit.UNDECIDED
    measured = _in_workers(request, jobs) if request.workers > 1 else _here(request, setup, jobs)
    coverage = BlockCoverage(measured.blocks, parts_of(measured.blocks, measured.rules), measured.by_source)
    if options.rules:
        coverage = coverage.named(rule.name for rule in options.rules)
    seconds = time.monotonic() - started
    _print(console_of(), coverage, seconds, measured.losses)
    if options.summary_json is not None:
        head = {"format": 1, "spark": measured.spark, "seed": options.seed, "seconds": round(seconds, 1)}
        write_json(options.summary_json, {**head, "losses": measured.losses, **summary(coverage)})
    if not any(own.cases for own in coverage.by_source.values()):
        print("no case was counted: there is no coverage to report")
        return Exit.UNDECIDED
    silent = _silent(request, coverage)
    for name in silent:
        print(f"{name}: no block of it ran: it was never called")
    return Exit.UNDECIDED if silent else Exit.GREEN


def _silent(request: CoverageRequest, coverage: BlockCoverage) -> list[str]:
    """Named rules of which no block ran."""
    ran = coverage.ran
    named = {part.name for part in coverage.parts if part.ran(ran)}
    return [rule.name for rule in request.options.rules if rule.name not in named]


def _here(request: CoverageRequest, setup: Setup, jobs: Sequence[Job]) -> Measured:
    with _progress(sum(job.count for job in jobs)) as progress:
        return measure(request, setup, jobs, progress.advance)


def measure(
    request: CoverageRequest, setup: Setup, jobs: Sequence[Job], told: Callable[[], None] = lambda: None
) -> Measured:
    """Run ``jobs`` in this process.

    :raises ProbesFailed: no probe has counted, or a class can't have probes.
    """
    ignore_local_constants()
    with setup.supervised() as harness:
        check_names(harness, request.options.rules)
        own = [rule.class_name for rule in request.options.rules if rule.class_name]
        measurement = Measurement(
            harness=harness,
            own=own,
            shapes=load_shapes(),
            run_seed=request.options.seed,
            settings=NO_SETTINGS,
            plan_only=request.plan_only,
            told=told,
        )
        measurement.run(jobs)
        return Measured(
            spark=harness.spark.version,
            blocks=measurement.blocks,
            rules=rule_names(harness),
            by_source=measurement.by_source,
            losses=measurement.losses,
        )


def _in_workers(request: CoverageRequest, jobs: Sequence[Job]) -> Measured:
    """Share ``jobs`` among processes, each with a Spark of its own, and add up what they measured."""
    options = options_to_plain(request.options)
    shares = [jobs[place :: request.workers] for place in range(min(request.workers, len(jobs)))]
    with worker_processes(len(shares)) as pool:
        futures: list[Future[Measured]] = [
            pool.submit(_worker, options, request.sources, request.plan_only, share) for share in shares
        ]
        every = [future.result() for future in futures]
    first = every[0]
    if any([block.key for block in other.blocks] != [block.key for block in first.blocks] for other in every):
        raise ProbesFailed("two workers' probes have other blocks: their results can't be added up")
    by_source: dict[Source, Ran] = {}
    for other in every:
        for source, ran in other.by_source.items():
            by_source.setdefault(source, Ran()).join(ran)
    return Measured(
        spark=first.spark,
        blocks=first.blocks,
        rules=first.rules,
        by_source=by_source,
        losses=sum(other.losses for other in every),
    )


def _worker(options: dict[str, Any], sources: tuple[Source, ...], plan_only: bool, jobs: Sequence[Job]) -> Measured:
    request = CoverageRequest(options_from_plain(options), sources, plan_only, workers=1)
    return measure(request, prepare(request.options, probes=True), jobs)


class _Cases:
    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=total)

    def advance(self) -> None:
        """Count one case."""
        self._progress.advance(self._task)


@contextmanager
def _progress(total: int) -> Iterator[_Cases]:
    console = Console(stderr=True)
    columns = (TextColumn("running cases"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield _Cases(progress, total)


def _print(console: Console, coverage: BlockCoverage, seconds: float, losses: int) -> None:
    console.print(rules_table(coverage))
    console.print("lines that never ran", style="italic")
    ran = coverage.ran
    for part in coverage.parts:
        for line in lines_text(part, ran):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
    console.print(reasons_table(coverage))
    for line in totals_text(coverage, seconds):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if losses:
        console.print(f"Spark's JVM was lost {losses} times: the current cases count for nothing")
