"""Run the two plans of a pair over its databases, in rounds: the databases with no more rows in all than so many."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from assay.verify.bound import Bound
from assay.verify.databases import Choice, Versions, databases, packed, row_count
from assay.verify.grammar import Schema
from assay.verify.pairs import Pair, database_of
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.plan_pairs import PlanPair, plan_pair
from strategies.ir import Database, Settings

CHUNK = 500
"""The databases of one call."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A database over which the plans of a pair have other rows, and the settings under which they have them."""

    pair: Pair
    database: Database
    settings: Settings


@dataclass(slots=True)
class Way:
    """One way to lay out the tables of a pair: ``settings``, and the databases in the order in which they are run.

    ``counts``: the rows in all of each database, ``whole`` the number of databases for which these stand.
    ``covered``: the number of databases that were run, ``compared`` those of them over which both plans had rows,
    ``fresh`` some over which a plan has an answer that there never was before, ``unrun`` the first over which a
    plan had none, ``one_sided`` the first over which only one plan had one, ``problem`` the reason why nothing can be
    compared: then ``unrun`` has a row in each table.
    """

    settings: Settings
    plans: PlanPair | None
    choices: Sequence[Choice] = ()
    counts: Sequence[int] = ()
    whole: int = 0
    covered: int = 0
    compared: int = 0
    fresh: list[Choice] = field(default_factory=list)
    unrun: Choice | None = None
    one_sided: Choice | None = None
    problem: str = ""


@dataclass(slots=True)
class Sweep:
    """A pair, with each way to lay out its tables."""

    pair: Pair
    ways: list[Way]

    @property
    def compared(self) -> int:
        """The databases over which both plans were compared."""
        return sum(way.compared for way in self.ways)

    @property
    def rest(self) -> int:
        """The databases over which the plans have still to be run."""
        return sum(len(way.choices) - way.covered for way in self.ways)

    @property
    def next_rows(self) -> int | None:
        """The rows in all of the next database that has to be run; None if all were."""
        return min((way.counts[way.covered] for way in self.ways if way.covered < len(way.choices)), default=None)


@dataclass(slots=True, kw_only=True)
class Sweeper:
    """Runs pairs over their databases.

    :param left: the seconds that are left.
    """

    spark: SparkEngine
    bound: Bound
    left: Callable[[], float]

    def settings(self) -> list[Settings]:
        """One partition, and a partition for each row of a table."""
        rows = self.bound.rows
        return [Settings(), *([Settings(partitions=rows, table_partitions=rows)] if rows > 1 else [])]

    def versions(self, schema: Schema) -> Versions:
        """The versions of each table of ``schema``."""
        return Versions(schema.types, self.bound.rows, self.bound.values)

    def begin(self, pairs: Sequence[Pair]) -> list[Sweep]:
        """Plan ``pairs``, all over one schema, over the versions of its tables."""
        sweeps = [Sweep(pair, []) for pair in pairs]
        for settings in self.settings() if pairs else ():
            with self._loaded(pairs[0].schema, settings):
                for sweep in sweeps:
                    sweep.ways.append(self._way(sweep.pair, settings))
        return sweeps

    @contextmanager
    def _loaded(self, schema: Schema, settings: Settings) -> Iterator[None]:
        every = self.versions(schema)
        loaded = [database_of(schema, (number,) * schema.tables, every) for number in range(len(every.contents))]
        with self.spark.in_memory(loaded, partitions=settings.table_partitions):
            yield

    def _way(self, pair: Pair, settings: Settings) -> Way:
        plans = plan_pair(self.spark, pair.query, settings, pair.on, pair.off)
        every = self.versions(pair.schema)
        if plans is None or plans.problem:
            problem = plans.problem if plans else "Spark can't plan it"
            return Way(settings, None, unrun=(len(every.rows),) * pair.tables, problem=problem)
        choices = databases(every, pair.tables, ordered=plans.ordered, named=plans.named)
        counts = [row_count(every, choice) for choice in choices]
        return Way(settings, plans, choices, counts, whole=len(every.contents) ** pair.tables)

    def round(self, sweep: Sweep, most_rows: int) -> list[Difference]:
        """Run what hasn't run yet of the databases of at most ``most_rows`` rows in all, up to a first difference.

        Ends early, after a whole call, when the time is up.
        """
        every = self.versions(sweep.pair.schema)
        for way in sweep.ways:
            end = bisect_right(way.counts, most_rows)
            while way.covered < end and self.left() > 0:
                chunk = way.choices[way.covered : min(way.covered + CHUNK, end)]
                if found := self._run(sweep.pair, way, chunk):
                    schema = sweep.pair.schema
                    return [Difference(sweep.pair, database_of(schema, each, every), way.settings) for each in found]
        return []

    def _run(self, pair: Pair, way: Way, chunk: Sequence[Choice]) -> list[Choice]:
        """Run ``chunk``; the first and the last one of those on which the plans differ, as the JVM lists them: two bugs
        may show.
        """
        assert way.plans is not None  # else there are no databases
        # A query without tables has one database, in which it doesn't matter what the first table holds.
        choices = packed(chunk if pair.tables else [(0,)])
        swept = way.plans.run(choices, tables=max(pair.tables, 1), seconds=max(self.left(), 1.0))
        if swept.late:
            return []
        way.covered += len(chunk)
        way.compared += swept.ran
        way.fresh += [chunk[place] for place in swept.fresh]
        if swept.unrun and way.unrun is None:
            way.unrun = chunk[swept.unrun[0]]
        if swept.one_sided and way.one_sided is None:
            way.one_sided = chunk[swept.one_sided[0]]
        return [chunk[place] for place in dict.fromkeys((*swept.differ[:1], *swept.differ[-1:]))]
