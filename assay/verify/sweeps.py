"""Run the two plans of a pair over its databases, in rounds: the databases with no more rows in all than so many."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from assay.verify.bound import Bound
from assay.verify.databases import Choice, Versions, databases, packed, row_count
from assay.verify.grammar import Schema
from assay.verify.pairs import Pair, database_of
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.plan_pairs import PlanPair, plan_pair
from strategies.ir import Database, Settings

CHUNK = 500
"""The databases of one call."""
CALL_SECONDS = 60.0
"""The time after which a call is stopped: it needs a few seconds, so one of its plans never ends."""
_TRIED = 4
"""The most differences of one call that are tried: a known divergence shows over most of its databases."""
_BY_JOBS = 8
"""The databases that are checked by jobs of a pair that the driver runs over none."""


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
    compared: then ``unrun`` has a row in each table. ``endless``: a call did not end, and the databases from its first
    one on are left out. ``checked``: the databases that had an ordinary check.
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
    endless: bool = False
    checked: set[Choice] = field(default_factory=set)

    @property
    def by_jobs(self) -> list[Choice]:
        """The databases to check by jobs, because one plan or both have no rows in the driver: the first such one, the
        first over which only one plan has none, and if the driver runs no database at all, some with rows everywhere.
        """
        found = [choice for choice in (self.unrun, self.one_sided) if choice is not None]
        if self.covered and not self.compared:
            found += spread([choice for choice in self.choices if all(choice)], _BY_JOBS)
        return list(dict.fromkeys(found))


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

    def versions(self, schema: Schema) -> Versions:
        """The versions of each table of ``schema``."""
        return Versions(schema.types, self.bound.rows, self.bound.values)

    def begin(self, pairs: Sequence[Pair]) -> list[Sweep]:
        """Plan ``pairs``, all over one schema, over the versions of its tables."""
        sweeps = [Sweep(pair, []) for pair in pairs]
        for settings in self.bound.layouts if pairs else ():
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
            while way.covered < (end := bisect_right(way.counts, most_rows)) and self.left() > 0:
                chunk = way.choices[way.covered : min(way.covered + CHUNK, end)]
                if found := self._run(sweep.pair, way, chunk):
                    schema = sweep.pair.schema
                    return [Difference(sweep.pair, database_of(schema, each, every), way.settings) for each in found]
        return []

    def _run(self, pair: Pair, way: Way, chunk: Sequence[Choice]) -> list[Choice]:
        """Run ``chunk``; some of those on which the plans differ, the first and last among them: two bugs may show."""
        assert way.plans is not None  # else there are no databases
        # A query without tables has one database, in which it doesn't matter what the first table holds.
        choices = packed(chunk if pair.tables else [(0,)])
        # The time that is left may be less: a plan that never ends would look like one that was interrupted.
        swept = way.plans.run(choices, tables=max(pair.tables, 1), seconds=CALL_SECONDS)
        differing = [chunk[place] for place in spread(swept.differ, _TRIED)]
        if swept.late:
            way.endless = True
            way.choices, way.counts = way.choices[: way.covered], way.counts[: way.covered]
            return differing
        way.covered += len(chunk)
        way.compared += swept.ran
        way.fresh += [chunk[place] for place in swept.fresh]
        if swept.unrun and way.unrun is None:
            way.unrun = chunk[swept.unrun[0]]
        if swept.one_sided and way.one_sided is None:
            way.one_sided = chunk[swept.one_sided[0]]
        return differing


_Each = TypeVar("_Each")


def spread(found: Sequence[_Each], most: int) -> list[_Each]:
    """At most ``most`` of those that were ``found``, evenly spread, the first and the last among them."""
    if len(found) <= most:
        return list(found)
    return [found[number * (len(found) - 1) // (most - 1)] for number in range(most)]
