"""Find the pairs of plans of small queries that a rule makes different: one query for each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from assay.verify.bound import Bound
from assay.verify.databases import Versions
from assay.verify.grammar import Grammar, Level, Schema
from assay.verify.interest import in_order
from oracles.checks.check import Harness
from oracles.checks.choices import with_their_callers
from oracles.checks.result import LegSettings
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.plan_pairs import Planned, plans
from oracles.rules.points import Point
from oracles.rules.rule import Rule
from oracles.rules.switch import switch_off
from strategies.ir import Database, Relation, Settings, Table, scans

BATCH = 200
"""The queries that are planned in one call."""
_PHYSICAL = (Point.PLANNER_STRATEGY, Point.COLUMNAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A query on which the rule fires, and the settings of both legs; no query before it has the same two plans."""

    query: Relation
    schema: Schema
    level: Level
    on: Mapping[str, str]
    off: Mapping[str, str]

    @property
    def tables(self) -> int:
        """The number of tables that it reads: t0, t1 and so on."""
        return len({scan.table for scan in scans(self.query)})


@dataclass(slots=True)
class Enumerated:
    """The queries of one level over one schema so far, and whether these are all of them."""

    level: Level
    schema: Schema
    queries: int = 0
    complete: bool = False


@dataclass(slots=True, kw_only=True)
class PairFinder:
    """Enumerates queries, plans each with the rule on, and once more with it off if it fired.

    ``fired`` counts the queries on which the rule fired, ``alike`` those of them whose executed plans are the same all
    the same, ``repeated`` those with the plans of an earlier query, ``unplanned`` those that Spark can't plan.
    """

    harness: Harness
    rule: Rule
    settings: LegSettings
    bound: Bound
    stages: list[Enumerated] = field(default_factory=list)
    fired: int = 0
    alike: int = 0
    repeated: int = 0
    unplanned: int = 0
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    @property
    def spark(self) -> SparkEngine:
        """The engine; no other runs plans in the driver."""
        assert isinstance(self.harness.spark, SparkEngine)
        return self.harness.spark

    @property
    def queries(self) -> int:
        """The number of queries that were enumerated."""
        return sum(stage.queries for stage in self.stages)

    @property
    def complete(self) -> bool:
        """Whether all queries of the bound were enumerated."""
        return len(self.stages) == len(list(self.bound.stages())) and all(stage.complete for stage in self.stages)

    def batches(self) -> Iterator[list[Pair]]:
        """The new pairs of each batch of queries, in the order of the enumeration."""
        grammars: dict[Schema, Grammar] = {}
        spark = self.spark
        named = spark.names_of(spark.injected.get(self.rule.rule_name, self.rule.rule_name)).operators
        for level, schema in self.bound.stages():
            stage = Enumerated(level, schema)
            self.stages.append(stage)
            queries = in_order(grammars.setdefault(schema, Grammar(schema)).queries(level), level, named)
            while batch := list(islice(queries, BATCH)):
                found = self._found(schema, level, batch)
                stage.queries += len(batch)
                yield found
            stage.complete = True

    def _found(self, schema: Schema, level: Level, queries: Sequence[Relation]) -> list[Pair]:
        spark, rule = self.spark, self.rule
        physical = spark.points.get(rule.rule_name, "") in _PHYSICAL
        wanted = {rule.rule_name, rule.carrier}
        with spark.in_memory([database_of(schema, (0,) * schema.tables, Versions(schema.types, 0))]):
            on = plans(spark, queries, Settings(), self.settings.on, wanted=wanted, physical=physical)
            self.unplanned += sum(planned is None for planned in on)
            fired = [
                (query, planned)
                for query, planned in zip(queries, on, strict=True)
                if planned is not None and wanted & planned.changed
            ]
            self.fired += len(fired)
            offs = [self._off(planned) for _, planned in fired]
            theirs = self._planned_off([query for query, _ in fired], offs)
        pairs = []
        for (query, planned), off, other in zip(fired, offs, theirs, strict=True):
            mark = (schema.types, planned.plan, other.plan if other else "")
            if other is not None and planned.plan == other.plan:
                self.alike += 1
            elif mark in self._seen:
                self.repeated += 1
            else:
                self._seen.add(mark)
                pairs.append(Pair(query=query, schema=schema, level=level, on=self.settings.on, off=off))
        return pairs

    def _off(self, planned: Planned) -> Mapping[str, str]:
        """The off leg's settings for a query: the rule is off, and so are the rules that call it, if they fired."""
        rules = with_their_callers([self.rule])(self.harness.catalogue.offered(planned.changed))
        return switch_off([rule.switch for rule in rules if rule.switch], self.settings.off)

    def _planned_off(self, queries: Sequence[Relation], settings: Sequence[Mapping[str, str]]) -> list[Planned | None]:
        planned: list[Planned | None] = [None] * len(queries)
        for conf in {tuple(sorted(each.items())): each for each in settings}.values():
            places = [place for place, each in enumerate(settings) if each == conf]
            made = plans(self.spark, [queries[place] for place in places], Settings(), conf, wanted=(), physical=True)
            for place, each in zip(places, made, strict=True):
                planned[place] = each
        return planned


def database_of(schema: Schema, choice: Sequence[int], versions: Versions) -> Database:
    """The database of a choice of versions of the first tables."""
    filled = (Table(f"t{place}", schema.columns, versions.contents[number]) for place, number in enumerate(choice))
    return Database(tuple(filled))
