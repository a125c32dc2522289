"""Benchmark of a user's rule: ``month < 3`` EXCEPT ``month = 12`` over one CSV file, with the rule on and off in turn.

``python -m assay seed-bench`` makes the file (500 MB by default) and runs the query in several ways,
one after the other in each turn, in one session: with EXCEPT as an anti join, by either example rule, and by the rule
that Spark has for this today. The table has the median of each, its spread, and the ratio to the anti join's.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from assay.session.ending import BadInput, Exit
from assay.session.own_rule import AS_WRITTEN, OWN, own_rule
from jars.build import BuildError, build, build_examples
from oracles.engines.spark.java import NoJava, find_java
from oracles.engines.spark.leg_conf import leg_conf
from oracles.engines.spark.start import SparkOptions, Started, start
from strategies.ir import Settings

QUERY = "SELECT * FROM flights WHERE month < 3 EXCEPT SELECT * FROM flights WHERE month = 12"
_LEFT = "SELECT * FROM flights WHERE month < 3"
_EXCEPT, _ANTI = "ReplaceExceptWithNotFilter", "ReplaceAntiJoinWithNotFilter"
# A text is compared with a number: in ANSI mode one that is no number raises.
_BASE = {"spark.sql.ansi.enabled": "false", "spark.sql.planChangeValidation": "false"}
_SAMPLE_ROWS = 100_000
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Way:
    """One way to run the query, or a part of it: what it is called, and the session's settings."""

    name: str
    conf: Mapping[str, str]
    query: str = QUERY


ANTI_JOIN = Way("anti join", own_rule(_EXCEPT).settings(_BASE).off)
WAYS = (
    ANTI_JOIN,
    Way(_EXCEPT, own_rule(_EXCEPT).settings(_BASE).on),
    Way(_EXCEPT + ", as written", own_rule(_EXCEPT + AS_WRITTEN).settings(_BASE).on),
    Way(_ANTI, own_rule(_ANTI).settings(_BASE).on),
    Way("ReplaceExceptWithFilter", _BASE),
)
PARTS = (
    Way("scan of the left side", _BASE, _LEFT),
    Way("DISTINCT of the left side", _BASE, _LEFT.replace("SELECT *", "SELECT DISTINCT *")),
)
"""Queries for the work that every way includes; they show how much time the scan and the DISTINCT take."""


@dataclass(frozen=True, slots=True)
class Timed:
    """The seconds that each turn of one way took, and the operators of its optimized plan from the top down."""

    way: Way
    seconds: tuple[float, ...]
    operators: tuple[str, ...]

    @property
    def median(self) -> float:
        """Seconds."""
        return statistics.median(self.seconds)


def table(timed: Sequence[Timed], base: str = ANTI_JOIN.name) -> str:
    """Median, spread and ratio to the median of ``base``, a line for each way."""
    against = next(one.median for one in timed if one.way.name == base)
    width = max(len(one.way.name) for one in timed)
    lines = [f"{'':{width}}  median   least    most   ratio  plan"]
    for one in timed:
        ratio = f"{against / one.median:.2f}x" if one.way.query == QUERY else ""
        lines.append(
            f"{one.way.name:{width}} {one.median:6.2f}s {min(one.seconds):6.2f}s {max(one.seconds):6.2f}s"
            f" {ratio:>7}  {' '.join(one.operators)}"
        )
    return "\n".join(lines)


def make_flights(folder: Path, megabytes: int) -> Path:
    """A CSV file of about that size in ``folder``, with a header; one that is there already is kept.

    Each row is a flight: year, month, day, carrier, number, origin, destination, delay, all of them text. Nearly no row
    is there twice; one month in a hundred is empty, and one is ``NA``.
    """
    target = folder / f"flights-{megabytes}mb.csv"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(f".{os.getpid()}.tmp")
    try:
        _write(fresh, _SAMPLE_ROWS)
        _write(fresh, max(1, round(megabytes * _MEGABYTE / (fresh.stat().st_size / _SAMPLE_ROWS))))
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    return target


def _write(path: Path, rows: int) -> None:
    """The first ``rows`` flights, each computed from its number: the same whenever a file of a size is made."""

    def drawn(salt: int, bound: int) -> str:
        return f"(hash(i * 31 + {salt}) % {bound})::INTEGER"

    columns = {
        "year": f"1987 + {drawn(1, 22)}",
        "month": f"CASE {drawn(2, 100)} WHEN 0 THEN NULL WHEN 1 THEN 'NA' ELSE (1 + {drawn(3, 12)})::VARCHAR END",
        "day": f"1 + {drawn(4, 31)}",
        "carrier": f"['WN', 'AA', 'UA', 'DL', 'US', 'NW', 'CO', 'XE'][1 + {drawn(5, 8)}]",
        "number": f"1 + {drawn(6, 9000)}",
        "tail": f"printf('N%05dX', {drawn(7, 90_000)})",
        "origin": f"printf('A%02d', {drawn(8, 99)})",
        "destination": f"printf('A%02d', {drawn(9, 99)})",
        "delay": f"{drawn(10, 400)} - 60",
        "distance": f"{drawn(11, 4000)}",
    }
    listed = ", ".join(f"{value} AS {name}" for name, value in columns.items())
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"COPY (SELECT {listed} FROM range({rows}) AS r(i)) TO '{path}' (FORMAT csv, HEADER)")


def run(
    data: Path, *, turns: int, master: str, ways: Sequence[Way] = WAYS, tell: Callable[[str], None] = lambda _: None
) -> list[Timed]:
    """Each of ``ways`` as often as there are ``turns``, in turn, after one round that does not count.

    ``tell`` gets each run once it is over.
    BuildError, NoJava or SparkUnusable in one line where there is no Spark to run it.
    """
    java = find_java().java
    jars = (build(java).main, build_examples(java))
    # A long leg runs best with other settings than a short one: Spark's and the JVM's own defaults, all cores.
    conf = {
        **leg_conf(Settings(aqe=True, codegen=True, partitions=2)),
        "spark.driver.extraJavaOptions": "-Dassay=bench",
        "spark.default.parallelism": str(os.cpu_count() or 1),
        "spark.driver.memory": "4g",
    }
    started = start(SparkOptions(jars=jars, injected=tuple(own.injected() for own in OWN), conf=conf, master=master))
    try:
        started.session.sparkContext.setLogLevel("OFF")
        frame = started.session.read.option("header", "true").csv(str(data))
        frame.createOrReplaceTempView("flights")
        operators = {way.name: _planned(started, way) for way in ways}
        seconds: dict[str, list[float]] = {way.name: [] for way in ways}
        for turn in range(turns + 1):
            for way in ways:
                taken = _once(started, way)
                tell(f"{f'turn {turn} of {turns}' if turn else 'not counted'}: {way.name}, {taken:.1f} s")
                if turn:
                    seconds[way.name].append(taken)
    finally:
        started.stop()
    return [Timed(way, tuple(seconds[way.name]), operators[way.name]) for way in ways]


def _once(started: Started, way: Way) -> float:
    """Seconds of one run whose rows go nowhere."""
    started.runner.configure(started.session._jsparkSession, json.dumps(dict(way.conf)))
    try:
        begun = time.monotonic()
        started.session.sql(way.query).write.format("noop").mode("overwrite").save()
        return time.monotonic() - begun
    finally:
        started.runner.restore(started.session._jsparkSession)


def _planned(started: Started, way: Way) -> tuple[str, ...]:
    started.runner.configure(started.session._jsparkSession, json.dumps(dict(way.conf)))
    try:
        plan = started.session.sql(way.query)._jdf.queryExecution().optimizedPlan().treeString()
    finally:
        started.runner.restore(started.session._jsparkSession)
    return tuple(line.lstrip(" :+-").split(" ")[0].split("[")[0] for line in plan.splitlines())


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def report(megabytes: int, turns: int, *, folder: Path, master: str, parts: bool) -> int:
    """Make the data where it isn't, run, and print the table; BadInput where there is nothing to run it with."""
    try:
        data = make_flights(folder, megabytes)
        ways = WAYS + PARTS if parts else WAYS
        timed = run(data.absolute(), turns=turns, master=master, ways=ways, tell=_progress)
    except (BuildError, NoJava, OSError, duckdb.Error) as problem:
        raise BadInput(str(problem)) from problem
    print(f"{data.name}: {data.stat().st_size / _MEGABYTE:.0f} MB, {turns} turns, {master}")
    print(table(timed))
    return Exit.GREEN
