"""The measurements of the benchmark: run rounds on the harnesses in turn, and collect the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from assay.bench.figures import Moment
from assay.bench.harnesses import Running
from assay.bench.loads import AS_DRAWN, GROWTH, QUICK, Load
from assay.bench.messages import HarnessName, RoundRequest, RoundResult, Seen
from assay.fuzz.fuzzer import shard_seed
from assay.volume.costs import Cost

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Difference:
    """A case on which the harnesses reach different verdicts; ``ends`` by harness."""

    mark: str
    ends: Mapping[HarnessName, Seen]


class PathsDisagree(RuntimeError):
    """The harnesses' verdicts differ, and no known divergence explains it; ``results`` by mark and harness."""

    def __init__(self, results: Mapping[str, Mapping[str, Mapping[str, object]]]) -> None:
        super().__init__(f"verdicts differ between harnesses: {', '.join(sorted(results))}")
        self.results = results


@dataclass(frozen=True, slots=True)
class Turns:
    """The results of rounds in which all harnesses check the same cases, by harness and round.

    ``floors``: the average seconds that Spark itself takes to plan a query, by round. ``several``: the same rounds on
    the fast path, with each pair of plans over several databases.
    """

    done: Mapping[HarnessName, Sequence[RoundResult]]
    floors: Sequence[float | None]
    excused: int = 0
    several: Sequence[RoundResult] = ()

    def seconds(self, harness: HarnessName) -> list[float]:
        """Seconds that a check took, round by round."""
        return [done.cost.seconds / len(done.seen) for done in self.done[harness]]

    def rates(self, harness: HarnessName) -> list[float]:
        """Checks per second, round by round."""
        return [1 / seconds for seconds in self.seconds(harness)]

    def databases(self) -> list[float]:
        """Databases per second, round by round, where a pair of plans is run over several."""
        return [done.databases / done.cost.seconds for done in self.several]


@dataclass(frozen=True, slots=True)
class Workers:
    """Rounds of one worker and of two at once: distinct checks per second."""

    one: tuple[float, ...] = ()
    two: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Grown:
    """Checks per second of a load, turn by turn."""

    load: Load
    rates: tuple[float, ...]


@dataclass(slots=True, kw_only=True)
class Measured:
    """The measurements of one run of the benchmark so far."""

    turns: Turns | None = None
    as_drawn: list[RoundResult] = field(default_factory=list)
    workers: Workers = field(default_factory=Workers)
    grown: list[Grown] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    volume: list[tuple[int, Mapping[str, Cost]]] = field(default_factory=list)


def warm_up(harness: Running, seed: int, seconds: float, off_of: Running | None = None, *, checks: int = 10) -> None:
    """Let ``harness`` check for ``seconds``; if ``off_of`` is given, it determines which rules are off."""
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        request = RoundRequest(load=QUICK, seed=shard_seed(seed, "warm-up", number), count=checks)
        off = offs(off_of.round(request)) if off_of else None
        harness.round(RoundRequest(load=QUICK, seed=request.seed, count=checks, off=off))
        number += 1


def offs(done: RoundResult) -> dict[str, tuple[str, ...]]:
    """The rules that were off, by the mark of the case."""
    return {seen.mark: seen.off for seen in done.seen}


def in_turn(
    harnesses: Mapping[HarnessName, Running], seed: int, rounds: int, checks: int, tell: Tell, *, databases: int = 1
) -> Turns:
    """Run rounds of the same cases on every harness; the fast harness runs first and determines which rules are off.

    If ``databases`` is more than 1, the fast harness runs each round again over that many databases. Raises
    PathsDisagree if the harnesses' verdicts differ and no known divergence explains it.
    """
    done: dict[HarnessName, list[RoundResult]] = {name: [] for name in harnesses}
    floors: list[float | None] = []
    several: list[RoundResult] = []
    excused = 0
    for number in range(rounds):
        request = RoundRequest(load=QUICK, seed=shard_seed(seed, "round", number), count=checks)
        first = harnesses["fast"].round(request)
        floors.append(harnesses["fast"].floor())
        results: dict[HarnessName, RoundResult] = {"fast": first}
        for name in harnesses:
            if name != "fast":
                results[name] = harnesses[name].round(
                    RoundRequest(load=QUICK, seed=request.seed, count=checks, off=offs(first))
                )
        if databases > 1:
            several.append(
                harnesses["fast"].round(
                    RoundRequest(load=QUICK, seed=request.seed, count=checks, off=offs(first), databases=databases)
                )
            )
            tell(f"round {number + 1}: {several[-1].databases / several[-1].cost.seconds:.1f} databases/s")
        found = differences(results)
        excused += sum(is_excused(each) for each in found)
        unexcused = [each for each in found if not is_excused(each)]
        if unexcused:
            raise PathsDisagree(_results(harnesses, unexcused))
        for name, each in results.items():
            done[name].append(each)
        tell(f"round {number + 1} of {rounds}: " + ", ".join(f"{name} {_rate(each)}" for name, each in results.items()))
    return Turns(done, tuple(floors), excused, several)


def _rate(done: RoundResult) -> str:
    return f"{len(done.seen) / done.cost.seconds:.1f}/s"


def differences(results: Mapping[HarnessName, RoundResult]) -> list[Difference]:
    """The cases of one round on which the harnesses reach different verdicts.

    ``agree`` and ``vacuous`` count as the same verdict, since the naive harness cannot see whether a rule fired. A case
    that a harness has not drawn counts as a verdict of its own.
    """
    marks = dict.fromkeys(seen.mark for done in results.values() for seen in done.seen)
    by_harness = {name: {seen.mark: seen for seen in done.seen} for name, done in results.items()}
    nothing = Seen("", ("not drawn", None, None), ())
    found = []
    for mark in marks:
        ends = {name: seen.get(mark, nothing) for name, seen in by_harness.items()}
        if len({_end(seen) for seen in ends.values()}) > 1:
            found.append(Difference(mark, ends))
    return found


def _end(seen: Seen) -> tuple[str, str | None, str | None]:
    return ("passed", None, None) if seen.end[0] in ("agree", "vacuous") else seen.end


def is_excused(difference: Difference) -> bool:
    """True if a known divergence explains the difference: some harnesses excuse the case, and all others pass it.

    The naive harness can't turn off the rules that Spark won't, so a finding that all others excuse may be one that it
    can blame on nobody.
    """
    ends = {name: _end(seen) for name, seen in difference.ends.items()}
    verdicts = {verdict for verdict, _, _ in ends.values()}
    naive, others = ends.get("naive"), [end for name, end in ends.items() if name != "naive"]
    if naive is not None and naive[::2] == ("finding", "unknown"):
        return bool(others) and all(end[:2] == ("excused", naive[1]) for end in others)
    return "excused" in verdicts and verdicts <= {"excused", "passed"}


def _results(
    harnesses: Mapping[HarnessName, Running], found: Sequence[Difference]
) -> dict[str, dict[str, Mapping[str, object]]]:
    results: dict[str, dict[str, Mapping[str, object]]] = {difference.mark: {} for difference in found}
    for name, harness in harnesses.items():
        marks = tuple(each.mark for each in found if each.ends[name].mark)
        for mark, result in harness.told(marks).items():
            results[mark][name] = result
    return results


def as_drawn(fast: Running, seed: int, rounds: int, checks: int, tell: Tell) -> list[RoundResult]:
    """Run rounds of cases as a fuzz run draws them, including the cases whose settings need the plain path."""
    done = []
    for number in range(rounds):
        done.append(fast.round(RoundRequest(load=AS_DRAWN, seed=shard_seed(seed, "as drawn", number), count=checks)))
        tell(f"as drawn, round {number + 1} of {rounds}: {_rate(done[-1])}")
    return done


def two_workers(one: Running, other: Running, seed: int, rounds: int, checks: int, tell: Tell) -> Workers:
    """Run one worker alone and two at once, in turn; the rate of two counts distinct cases until both are done."""
    alone, both = [], []
    for number in range(rounds):
        single = one.round(RoundRequest(load=QUICK, seed=shard_seed(seed, "alone", number), count=checks))
        alone.append(len(single.seen) / single.cost.seconds)
        for place, worker in enumerate((one, other)):
            worker.begin(RoundRequest(load=QUICK, seed=shard_seed(seed, "both", number, place), count=checks))
        pair = [worker.done() for worker in (one, other)]
        distinct = {seen.mark for done in pair for seen in done.seen}
        both.append(len(distinct) / max(done.cost.seconds for done in pair))
        tell(f"two workers, round {number + 1} of {rounds}: {alone[-1]:.1f}/s alone, {both[-1]:.1f}/s together")
    return Workers(tuple(alone), tuple(both))


def growth(fast: Running, seed: int, turns: int, checks: int, tell: Tell) -> list[Grown]:
    """Measure checks per second for each size in every turn; the first turn is a warm-up and does not count."""
    rates: dict[Load, list[float]] = {load: [] for load in GROWTH}
    for turn in range(turns + 1):
        for load in GROWTH:
            done = fast.round(RoundRequest(load=load, seed=shard_seed(seed, load.name, turn), count=checks))
            if turn:
                rates[load].append(len(done.seen) / done.cost.seconds)
        tell(f"growth, turn {turn} of {turns}")
    return [Grown(load, tuple(each)) for load, each in rates.items()]


def long_run(fast: Running, seed: int, seconds: float, checks: int, tell: Tell) -> list[Moment]:
    """Check for ``seconds``, and record the time, the checks and the memory after every round."""
    start, made = time.monotonic(), 0
    moments: list[Moment] = []
    told = start
    while not moments or moments[-1].seconds < seconds:
        done = fast.round(RoundRequest(load=QUICK, seed=shard_seed(seed, "long", len(moments)), count=checks))
        made += len(done.seen)
        now = time.monotonic()
        moments.append(Moment(now - start, made, done.cost.python_memory, done.cost.jvm_memory))
        if now - told > 60:
            told = now
            tell(f"long run: {now - start:.0f} of {seconds:.0f} s, {made} checks")
    return moments
