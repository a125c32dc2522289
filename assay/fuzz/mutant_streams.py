"""The search for mutants with general queries: one stream for all mutants, then one for the survivors of each rule."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hypothesis import given, seed
from hypothesis import strategies as st

from assay.fuzz.acting_mutants import acting_on, by_rule
from assay.fuzz.aim import aim_of
from assay.fuzz.case_mix import forms_of
from assay.fuzz.drawing import generating, supervised
from assay.fuzz.finding import digest
from assay.fuzz.fuzzer import shard_seed
from assay.fuzz.mutant_kills import Kill, is_excused_kill, is_kill, only_on_is_wrong
from assay.fuzz.mutants import MutantFuzzer
from assay.fuzz.spread import as_suits, mostly_quick, suited
from assay.fuzz.steering import Effect, Nearest, steered_cases, with_shown
from assay.session.mutant_sources import Mutant
from oracles.answers.outcome import Outcome, Raised, Rows, has_rows
from oracles.answers.rows import same
from oracles.checks.choices import fixed
from oracles.checks.extra_databases import refills
from oracles.checks.legs import plans_tell
from oracles.checks.paths import Paths
from oracles.checks.result import CheckResult, LegSettings
from oracles.engines.protocol import Leg, RuleNames, Stage
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.leg import SparkLeg
from strategies.edits.aims import aimed_cases
from strategies.edits.shown import signed_cases
from strategies.ir import Case, Database

GENERAL_EXAMPLES = 1_600
"""Queries for each mutant. Of 53 mutants 51 are killed; 50 were with 2,400, and a kill cost more processor time."""

_PART = 50
"""The number of queries after which a stream turns to the cases that came closest by then."""

_IDLE_PARTS = 5
"""The number of parts without a new query after which a stream ends."""


def by_general(
    fuzzer: MutantFuzzer, mutants: Sequence[Mutant], cases: st.SearchStrategy[Case], *, count: int = GENERAL_EXAMPLES
) -> list[Kill]:
    """Search for all ``mutants`` with at most ``count`` queries each.

    Half of the queries are one stream for all of them: no query there knows what a mutant replaces. Each is planned
    with the living mutants, those of several rules at once. It runs once without mutants, and once with each mutant
    that fires. A mutant gets a whole check only if its answer differs from the answer without mutants.

    The survivors of each rule then have a stream of their own, drawn as in the evaluation of a user's rule: aimed
    at what their classes mention, and with edits of the queries on which they came closest to an effect.

    In either stream most queries run on the fast path, once a living mutant fires there: one off it costs three times
    as much.
    """
    shared = _Stream(fuzzer, mutants)
    shared.run(cases, count // 2)
    kills = list(shared.kills)
    for rule, survivors in by_rule(shared.alive):
        own = shared.only(rule, survivors)
        aimed = st.one_of([_aimed(fuzzer, cases, mutant) for mutant in survivors])
        own.run(suited(aimed, *(mutant.point for mutant in survivors)), count, steered=fuzzer.steered)
        kills += [*own.kills, *(fuzzer.recorded(own.survivor(mutant)) for mutant in own.alive)]
    return kills


def _aimed(fuzzer: MutantFuzzer, cases: st.SearchStrategy[Case], mutant: Mutant) -> st.SearchStrategy[Case]:
    """``cases`` aimed at what the class of ``mutant`` mentions and reads."""
    spark = fuzzer.harness.spark
    assert isinstance(spark, SparkEngine)  # no other has mutants
    names = fuzzer.guard(mutant).attempt(None, lambda: spark.names_of(mutant.class_name), RuleNames())
    return aimed_cases(cases, aim_of(names), forms_of=forms_of)


class _Stream:
    """A stream of queries, each checked with the mutants that are still alive."""

    def __init__(self, fuzzer: MutantFuzzer, mutants: Iterable[Mutant]) -> None:
        self.fuzzer = fuzzer
        self.alive = list(mutants)
        self.kills: list[Kill] = []
        self.excused: Counter[str] = Counter()
        self._name: tuple[str, ...] = ("general",)
        self._guard = fuzzer.supervised((), LegSettings())
        self._seen: set[str] = set()
        self._near: dict[str, Nearest] = {}
        self._started = time.monotonic()

    def only(self, rule: str, mutants: Sequence[Mutant]) -> _Stream:
        """A stream for ``mutants`` of ``rule`` alone, which goes on from the queries of this one."""
        own = _Stream(self.fuzzer, mutants)
        names = [mutant.name for mutant in mutants]
        own.excused = Counter({name: self.excused[name] for name in names})
        own._name = (*self._name, rule)
        own._seen = set(self._seen)
        own._near = {name: self._near[name] for name in names if name in self._near}
        return own

    def survivor(self, mutant: Mutant) -> Kill:
        """The result of ``mutant``, which no query of this stream has killed."""
        return Kill(
            mutant=mutant,
            by="general",
            finding=None,
            examples=len(self._seen),
            seconds=self.seconds,
            excused=self.excused[mutant.name],
        )

    @property
    def seconds(self) -> float:
        """Seconds since the stream began: the cost so far of every mutant that is still alive."""
        return time.monotonic() - self._started

    def run(self, cases: st.SearchStrategy[Case], count: int, *, steered: int = 0) -> None:
        """Check distinct queries, of which ``steered`` percent are edits of those on which living mutants came closest
        to an effect, until there were ``count``, unless all mutants are killed before.
        """
        parts = idle = 0
        while self.alive and idle < _IDLE_PARTS and (left := count - len(self._seen)) > 0:
            before = len(self._seen)
            near = self._nearest()
            fresh = mostly_quick(cases, near=near)
            drawn = signed_cases(steered_cases(fresh, near, steered), forms_of=forms_of)
            strategy = as_suits(self.fuzzer.harness.spark, drawn)
            self._part(strategy, shard_seed(self.fuzzer.run_seed, *self._name, parts), min(_PART, left))
            idle = idle + 1 if len(self._seen) == before else 0
            parts += 1

    def _nearest(self) -> list[Case]:
        """The queries on which living mutants came closest to an effect."""
        near = (self._near[mutant.name] for mutant in self.alive if mutant.name in self._near)
        return [case for each in near for case in with_shown(each.cases)]

    def _part(self, cases: st.SearchStrategy[Case], part_seed: int, count: int) -> None:
        @seed(part_seed)
        @generating(count)
        @given(case=supervised(cases, self._guard))
        def examples(case: Case) -> None:
            self._example(case)

        examples()

    def _example(self, case: Case) -> None:
        mark = digest(case)
        if not self.alive or mark in self._seen:
            return
        self._seen.add(mark)
        none: list[tuple[Mutant, Case]] = []
        for mutant, telling in self._guard.attempt(case, lambda: self._suspects(case), none):
            checked = self._checked(mutant, telling)
            if checked is None or not only_on_is_wrong(checked):
                continue
            judged, rules = self.fuzzer.judged(mutant, checked)
            self.excused[mutant.name] += is_excused_kill(judged, rules, mutant.name)
            if is_kill(judged, rules, mutant.name):
                self.alive.remove(mutant)
                seconds = self.seconds
                finding = self.fuzzer.killed(mutant, judged)
                # At once: a stream that is stopped keeps what it has found.
                self.kills.append(
                    self.fuzzer.recorded(
                        Kill(
                            mutant=mutant,
                            by="general",
                            finding=finding,
                            examples=len(self._seen),
                            seconds=seconds,
                            excused=self.excused[mutant.name],
                        )
                    )
                )

    def _checked(self, mutant: Mutant, case: Case) -> CheckResult | None:
        harness, settings = self.fuzzer.harness, self.fuzzer.settings(mutant)
        off = fixed([harness.catalogue.rule(mutant.name)])
        paths = Paths(harness, not harness.spark.on_cluster, lambda checked: False)
        return self.fuzzer.guard(mutant).check(case, lambda: paths.check(case, off, settings))

    def _suspects(self, case: Case) -> list[tuple[Mutant, Case]]:
        """The living mutants that change the answer of this query, each with the case whose rows show it.

        Only these mutants need a whole check. A mutant that fires runs over several databases where one plan serves for
        all, as in a check: in memory, and not planned by rows.
        """
        at_once = case.settings.is_quick and not case.settings.plans_by_rows
        databases = [case.database, *(refills(case, self.fuzzer.databases - 1) if at_once else ())]
        with self.fuzzer.harness.spark.stage(case.database, case.settings, fast=True, others=databases[1:]) as stage:
            analyzed = None if case.query.is_statement else _analyzed(case, stage)
            acting = acting_on(case, self.alive, stage, analyzed, self.fuzzer.harness)
            wrong = self._wrong(case, databases, stage, analyzed, acting) if acting else {}
        return [(mutant, replace(case, database=databases[place])) for mutant, place in wrong.items()]

    def _wrong(
        self, case: Case, databases: Sequence[Database], stage: Stage, analyzed: Leg | None, acting: Sequence[Mutant]
    ) -> dict[Mutant, int]:
        """The mutants of ``acting`` that change the answer, each with the index of the first of the ``databases`` of
        ``stage`` that shows it.

        Only plans run that differ from the plan without mutants, which runs once.
        """
        with stage.leg(case.query, {}, like=analyzed) as leg:
            stock = leg.run(databases=stage.databases)
        known = stock.plan if plans_tell(case) else ""
        reports = {}
        for mutant in acting:
            with stage.leg(case.query, self.fuzzer.settings(mutant).on, like=analyzed) as leg:
                reports[mutant] = leg.run(known=known, databases=stage.databases)
        answers = [stock.outcome, *stock.others]
        place = next((place for place, answer in enumerate(answers) if has_rows(answer)), None)
        near = replace(case, database=databases[place or 0])
        effect = Effect.OTHER_PLAN if place is None else Effect.WITH_ROWS
        found = {}
        for mutant, wrong in reports.items():
            closest = self._near.setdefault(mutant.name, Nearest())
            if wrong.outcome is None:  # its plan is the one without mutants
                closest.add(near, Effect.FIRED)
                continue
            closest.add(near, effect if wrong.plan != stock.plan else Effect.FIRED)
            different = _first_difference(answers, [wrong.outcome, *wrong.others])
            if different is not None:
                found[mutant] = different
        return found


def _analyzed(case: Case, stage: Stage) -> SparkLeg:
    """A leg of the query whose analysis serves all others: mutants stand after it."""
    with stage.leg(case.query, {}) as analyzed:
        assert isinstance(analyzed, SparkLeg)
        return analyzed


def _first_difference(stock: Sequence[Outcome | None], wrong: Sequence[Outcome | None]) -> int | None:
    """The index of the first pair of outcomes that are neither the same rows nor the same error; None if there is none.

    After the first pair, two missing outcomes count as equal.
    """
    for place, (one, other) in enumerate(zip(stock, wrong, strict=False)):
        if place and one is None and other is None:
            continue
        if isinstance(one, Raised) and isinstance(other, Raised) and one.condition == other.condition:
            continue
        if not (isinstance(one, Rows) and isinstance(other, Rows) and same(one, other)):
            return place
    return None
