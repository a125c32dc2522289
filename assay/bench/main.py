"""``tox run -e bench``: checks per second beside a naive harness, and where the time of a check goes."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from assay.bench.figures import KEYS, Spread, last_over_second, ratios, summary, tenth_rates
from assay.bench.harnesses import Running, running
from assay.bench.measure import (
    Measured,
    PathsDisagree,
    as_drawn,
    growth,
    in_turn,
    long_run,
    two_workers,
    warm_up,
)
from assay.bench.messages import HarnessName, Place
from assay.bench.options import BenchRequest
from assay.bench.page import write_page
from assay.bench.tables import print_as_drawn, print_figures, print_growth, print_long_run, print_turns
from assay.bench.volume import by_rows, volume
from assay.bench.worker import Fault
from assay.session.console import console as console_of
from assay.session.ending import Exit
from assay.session.session import lasting, prepare, prepare_java
from assay.volume.table import print_costs
from oracles.answers.atomic import write_json

_OF_WORKERS = 5
"""The factor by which a round of the worker measurement has more checks than other rounds."""

_GROWN, _OF_GROWTH = 3, 10
"""The most turns of each size, and the most checks in a turn; both are low since there are many sizes."""


def run(request: BenchRequest) -> int:
    """Measure, print and write the figures; returns SUITE_FAILED if the harnesses' verdicts differ."""
    prepare_java()
    setup = lasting(prepare(request.options), request.warm_up)
    place = Place(harness="fast", setup=setup, seed=request.options.seed, failures=request.options.failures)
    try:
        measured = _measured(request, place)
        _print(console_of(), request, measured)
    except PathsDisagree as differ:
        print("\n".join([str(differ), *map(str, written(request.options.failures, differ))]), file=sys.stderr)
        return Exit.SUITE_FAILED
    except Fault as fault:
        print(fault, file=sys.stderr)
        return Exit.SUITE_FAILED
    return Exit.GREEN


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _measured(request: BenchRequest, place: Place) -> Measured:
    measured, seed = Measured(), request.options.seed
    if "volume" in request.parts:
        measured.volume = list(volume(request.options, request.scales, _tell))
    if request.parts - {"volume"}:
        _rounds(request, place, measured)
    if request.long_run:
        # In a session of its own, as a campaign of that length has it.
        with running(replace(place, setup=lasting(place.setup, request.long_run))) as campaign:
            warm_up(campaign, seed, request.warm_up)
            measured.moments = long_run(campaign, seed, request.long_run, request.checks, _tell)
    return measured


def _rounds(request: BenchRequest, place: Place, measured: Measured) -> None:
    seed = request.options.seed
    with ExitStack() as stack:
        fast = stack.enter_context(running(place))
        warm_up(fast, seed, request.warm_up)
        if request.parts & {"paths", "databases"}:
            databases = request.options.databases if "databases" in request.parts else 1
            with ExitStack() as others:
                harnesses = _others(request, place, fast, others)
                measured.turns = in_turn(harnesses, seed, request.rounds, request.checks, _tell, databases=databases)
            measured.as_drawn = as_drawn(fast, seed, request.rounds, request.checks, _tell)
        if "workers" in request.parts:
            with running(place) as second:
                warm_up(second, seed, request.warm_up)
                checks = request.checks * _OF_WORKERS
                measured.workers = two_workers(fast, second, seed, request.rounds, checks, _tell)
        if "growth" in request.parts:
            measured.grown = growth(fast, seed, min(request.rounds, _GROWN), min(request.checks, _OF_GROWTH), _tell)


def _others(request: BenchRequest, place: Place, fast: Running, stack: ExitStack) -> dict[HarnessName, Running]:
    """Start and warm up the other two harnesses, and return all three."""
    told = Place(
        harness="naive",
        setup=place.setup,
        seed=place.seed,
        failures=place.failures,
        discovered=fast.ready.discovered,
        release=fast.ready.release,
        master=request.naive_master,
    )
    naive = stack.enter_context(running(told))
    plain = stack.enter_context(
        running(Place(harness="plain", setup=place.setup, seed=place.seed, failures=place.failures))
    )
    for other in (naive, plain):
        warm_up(other, place.seed, request.warm_up, fast)
    return {"naive": naive, "plain": plain, "fast": fast}


def figures(measured: Measured) -> dict[str, Spread | float | None]:
    """The figures of the summary, with their spread."""
    made: dict[str, Spread | float | None] = dict.fromkeys(KEYS)
    if turns := measured.turns:
        for harness in ("fast", "plain"):
            made[f"{harness}_over_naive"] = Spread.of(ratios(turns.rates(harness), turns.rates("naive")))
        if turns.several:
            made["databases_over_naive"] = Spread.of(ratios(turns.databases(), turns.rates("naive")))
        known = [(s, f) for s, f in zip(turns.seconds("fast"), turns.floors, strict=True) if f is not None]
        made["check_over_catalyst"] = Spread.of(ratios([s for s, _ in known], [f for _, f in known]))
    made["two_workers_over_one"] = Spread.of(ratios(measured.workers.two, measured.workers.one))
    if measured.moments:
        made["last_tenth_over_second"] = last_over_second(tenth_rates(measured.moments))
        made["seconds_of_long_run"] = measured.moments[-1].seconds
    return made


def _print(console: Console, request: BenchRequest, measured: Measured) -> None:
    made = figures(measured)
    if turns := measured.turns:
        print_turns(console, turns)
        rates = [len(done.seen) / done.cost.seconds for done in measured.as_drawn]
        print_as_drawn(console, measured.as_drawn, Spread.of(ratios(rates, turns.rates("naive"))))
    if measured.volume:
        print_costs(
            console, [(rows, {step: [cost] for step, cost in costs.items()}) for rows, costs in measured.volume]
        )
    if measured.grown:
        print_growth(console, measured.grown)
    if measured.moments:
        print_long_run(console, measured.moments)
    if measured.grown or measured.moments:
        write_page(request.plot, measured.grown, measured.moments)
        console.print(f"charts: {request.plot}", soft_wrap=True)
    print_figures(console, made)
    if request.options.summary_json is not None:
        by_size = {"volume": by_rows(measured.volume)} if measured.volume else {}
        write_json(request.options.summary_json, {"format": 1, **summary(made), **by_size})


def written(folder: Path, differ: PathsDisagree) -> list[Path]:
    """Write every harness's result of each differing check to disk, and return the files."""
    files = []
    for mark, results in differ.results.items():
        for harness, result in results.items():
            files.append(folder / "paths" / f"{mark}.{harness}.json")
            write_json(files[-1], result)
    return files
