"""Find the pairs of plans of small queries that a rule makes different: one query for each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from assay.verify.bound import Bound, Stage
from assay.verify.databases import Versions
from assay.verify.grammar import Grammar, Schema
from assay.verify.interest import in_order, named_operators, named_types, operators_of, passing
from oracles.checks.check import Harness
from oracles.checks.choices import with_their_callers
from oracles.checks.legs import has_fired
from oracles.checks.result import LegSettings
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.plan_pairs import Planned, plans
from oracles.rules.points import Point
from oracles.rules.rule import Rule
from oracles.rules.switch import switch_off
from strategies.ir import Case, Database, Relation, Settings, Table, scans

BATCH = 200
"""The queries that are planned in one call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A query on which the rule fires, and the settings of both legs; no query before it has the same two plans."""

    query: Relation
    schema: Schema
    on: Mapping[str, str]
    off: Mapping[str, str]

    @property
    def tables(self) -> int:
        """The number of tables that it reads: t0, t1 and so on."""
        return len({scan.table for scan in scans(self.query)})


@dataclass(slots=True)
class Enumerated:
    """The queries of one stage so far, and whether these are all of them."""

    stage: Stage
    queries: int = 0
    complete: bool = False


@dataclass(slots=True, kw_only=True)
class PairFinder:
    """Enumerates queries, plans each with the rule on, and once more with it off if it fired.

    ``fired`` counts the queries on which the rule fired, and those that Spark can plan only with it off. ``alike``
    counts those of them whose executed plans are the same all the same, ``repeated`` those with the plans of an earlier
    query, ``unplanned`` the queries that Spark can't plan with the rule, nor without. Of a part of another rule
    (see :class:`~oracles.rules.rule.Rule`), ``fired`` counts the queries on which its carrier fired, and ``foreign``
    the new pairs of plans on which the part itself changed nothing.

    ``planning`` is the last batch of queries, over empty tables, ``named`` the operators that the rule is about, by its
    class and its name.
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
    foreign: int = 0
    planning: list[Case] = field(default_factory=list)
    named: frozenset[str] = frozenset()
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
        stages = list(self.bound.stages(self.named, named_types(self.rule.name)))
        return len(self.stages) == len(stages) and all(stage.complete for stage in self.stages)

    def batches(self) -> Iterator[list[Pair]]:
        """The new pairs of each batch of queries, in the order of the enumeration."""
        grammars: dict[tuple[Schema, bool], Grammar] = {}
        spark, rule_name = self.spark, self.rule.rule_name
        mentioned = spark.names_of(spark.injected.get(rule_name, rule_name)).operators
        named = self.named = named_operators(self.rule.name, mentioned)
        allowed = named | passing(named)

        def among(relation: Relation) -> bool:
            return operators_of(relation) <= allowed

        for stage in self.bound.stages(named, named_types(self.rule.name)):
            enumerated = Enumerated(stage)
            self.stages.append(enumerated)
            of_named = stage.part == "named"
            grammar = grammars.setdefault(
                (stage.schema, of_named),
                Grammar(stage.schema, among) if of_named else Grammar(stage.schema),
            )
            queries = in_order(grammar.queries(stage.level), stage, named)
            while batch := list(islice(queries, BATCH)):
                found = self._found(stage.schema, batch)
                enumerated.queries += len(batch)
                yield found
            enumerated.complete = True

    def _found(self, schema: Schema, queries: Sequence[Relation]) -> list[Pair]:
        empty = database_of(schema, (0,) * schema.tables, Versions(schema.types, 0))
        self.planning = [Case(query, empty) for query in queries]
        ons = zip(*(self._planned_on(layout, empty, queries) for layout in self._layouts), strict=True)
        # A rule that raises shows no rule in the plan.
        fired = [(query, on) for query, on in zip(queries, ons, strict=True) if any(map(self._may_have_fired, on))]
        offs = [self._off(frozenset().union(*(planned.changed for planned in on if planned))) for _, on in fired]
        theirs = zip(
            *(self._planned_off(layout, empty, [query for query, _ in fired], offs) for layout in self._layouts),
            strict=True,
        )
        new = []
        for (query, on), off, without in zip(fired, offs, theirs, strict=True):
            both = [(one, other) for one, other in zip(on, without, strict=True) if self._may_have_fired(one)]
            mark = (schema.types, *((one and one.plan, other and other.plan) for one, other in both))
            if all(one is None and other is None for one, other in both):
                self.unplanned += 1
                continue
            self.fired += 1
            if all(one and other and one.plan == other.plan for one, other in both):
                self.alike += 1
            elif mark in self._seen:
                self.repeated += 1
            else:
                self._seen.add(mark)
                new.append((both[0][0], Pair(query=query, schema=schema, on=self.settings.on, off=off)))
        return [pair for planned, pair in new if not self._is_foreign(planned, pair)]

    @property
    def _is_physical(self) -> bool:
        point = self.spark.points.get(self.rule.rule_name, "")
        return bool(point) and Point(point).physical

    @property
    def _layouts(self) -> list[Settings]:
        """The layouts to plan queries in: a rule of physical plans may need exchanges, which come with partitions."""
        return self.bound.layouts if self._is_physical else self.bound.layouts[:1]

    @property
    def _wanted(self) -> set[str]:
        return {self.rule.rule_name, self.rule.carrier}

    def _may_have_fired(self, planned: Planned | None) -> bool:
        return planned is None or bool(self._wanted & planned.changed)

    def _planned_on(self, layout: Settings, empty: Database, queries: Sequence[Relation]) -> list[Planned | None]:
        with self.spark.in_memory([empty], partitions=layout.table_partitions):
            return plans(self.spark, queries, layout, self.settings.on, wanted=self._wanted, physical=self._is_physical)

    def _is_foreign(self, planned: Planned | None, pair: Pair) -> bool:
        """Whether the rule is a part of the one that fired, and changed nothing itself."""
        if self.rule.evidence is None or planned is None or self.rule.rule_name in planned.changed:
            return False
        empty = database_of(pair.schema, (0,) * pair.schema.tables, Versions(pair.schema.types, 0))
        with self.spark.stage(empty, Settings(), fast=True) as stage, stage.leg(pair.query, pair.on) as leg:
            changes = {self.rule.carrier: leg.changes(self.rule.carrier)}
        foreign = not has_fired(self.rule, planned.changed, changes)
        self.foreign += foreign
        return foreign

    def _off(self, changed: frozenset[str]) -> Mapping[str, str]:
        """The off leg's settings for a query: the rule is off, and so are the rules that call it, if they fired."""
        rules = with_their_callers([self.rule])(self.harness.catalogue.offered(changed))
        return switch_off([rule.switch for rule in rules if rule.switch], self.settings.off)

    def _planned_off(
        self, layout: Settings, empty: Database, queries: Sequence[Relation], settings: Sequence[Mapping[str, str]]
    ) -> list[Planned | None]:
        planned: list[Planned | None] = [None] * len(queries)
        with self.spark.in_memory([empty], partitions=layout.table_partitions):
            for conf in {tuple(sorted(each.items())): each for each in settings}.values():
                places = [place for place, each in enumerate(settings) if each == conf]
                made = plans(self.spark, [queries[place] for place in places], layout, conf, wanted=(), physical=True)
                for place, each in zip(places, made, strict=True):
                    planned[place] = each
        return planned


def database_of(schema: Schema, choice: Sequence[int], versions: Versions) -> Database:
    """The database of a choice of versions of the first tables."""
    filled = (Table(f"t{place}", schema.columns, versions.contents[number]) for place, number in enumerate(choice))
    return Database(tuple(filled))
