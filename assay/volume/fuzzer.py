"""Run checks over large tables, one after the other, and triage their findings.

It is on disk before anything else happens to it: with the scale that its rows are made from. If few rows show it, too,
it goes the way of every finding; if not, it stays as it is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.finding import signature
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy, draw_fixed
from assay.fuzz.record import Recorder
from assay.fuzz.supervision import Guard
from assay.volume.check import VolumeCheckResult, check
from assay.volume.dataset import Dataset, dataset
from assay.volume.execution import SETTINGS, leg_settings
from assay.volume.reducer import Reducer
from oracles.answers.outcome import Rows
from oracles.checks.check import Harness
from oracles.checks.choices import ChooseOff, all_that_changed, fixed, with_their_callers
from oracles.checks.result import CheckResult, LegSettings
from oracles.failures.failure import Failure, Subject
from oracles.failures.scale import Scale
from oracles.failures.text import MAX_ROWS, render
from oracles.rules.rule import Rule
from oracles.triage.divergences import Divergence
from strategies.draw.large import large_query, large_schema
from strategies.ir import Case, Relation

PER_DATASET = 5
"""Queries that are asked over the same tables: making these takes as long as asking one."""

_TRIES = 200
"""Queries that are planned, at most, to find one on which the named rule fires."""

MINIMIZE_SECONDS = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuery:
    """One check, and its verdict in the end: ``file`` is a finding's, ``told`` the text of it."""

    checked: VolumeCheckResult
    name: str
    reason: str
    file: Path | None = None
    told: str = ""

    @property
    def is_compared(self) -> bool:
        """Whether each leg has an answer."""
        legs = self.checked.checked.legs
        return all(isinstance(end, Rows) for end in legs.values())

    @property
    def used(self) -> tuple[str, ...]:
        """The names in WANTED that the on leg used."""
        on = self.checked.exercise.get("on")
        return on.used if on else ()


@dataclass(slots=True, kw_only=True)
class VolumeFuzzer:
    """Run checks over large tables. ``subject`` is for findings that need many rows, ``usual`` for others.

    ``rules`` are turned off, one in each check; if it is empty, all rules that fired are turned off. ``folder`` is
    for tables and answers, and new; ``store`` for findings.
    """

    harness: Harness
    subject: Subject
    usual: Subject
    store: FailureStore
    folder: Path
    rows: int
    seed: int
    divergences: Sequence[Divergence]
    rules: Sequence[Rule] = ()
    minimize_seconds: float = MINIMIZE_SECONDS

    @property
    def guard(self) -> Guard:
        """The supervision of each check."""
        return self.store.guard

    def run(self, count: int) -> Iterator[CheckedQuery]:
        """``count`` checks; fewer where a named rule fires on none of many queries, or Assay failed over one.

        Raises SwitchFailed and SparkLost.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with closing(Recorder(self.folder / "checks.jsonl")) as recorder:
            for first in range(0, count, PER_DATASET):
                yield from self._over_one_dataset(first, min(first + PER_DATASET, count), recorder)

    def _over_one_dataset(self, first: int, end: int, recorder: Recorder) -> Iterator[CheckedQuery]:
        random = Random(f"{self.seed}/{first}")
        schema, scale = large_schema(random), Scale(self.rows, random.getrandbits(32))
        with dataset(self.harness, schema, scale, self.folder / f"dataset-{first}") as made:
            for number in range(first, end):
                rule = self.rules[number % len(self.rules)] if self.rules else None
                query = self._query(made, random, rule)
                if query is not None:
                    off = with_their_callers([rule]) if rule else all_that_changed
                    done = self.ask(made, Case(query, schema, SETTINGS), off, scale, recorder)
                    yield from () if done is None else (done,)

    def _query(self, made: Dataset, random: Random, rule: Rule | None) -> Relation | None:
        """A query whose plan ``rule`` changes; None if none of many queries is one."""
        for _ in range(_TRIES):
            query = large_query(made.schema, random)
            if rule is None:
                return query
            conf = self._settings(self.subject).on
            with self.harness.spark.leg(query, SETTINGS, conf) as leg:
                if {rule.rule_name, rule.carrier} & leg.plan().changed_plan:
                    return query
        return None

    def ask(self, made: Dataset, case: Case, off: ChooseOff, scale: Scale, recorder: Recorder) -> CheckedQuery | None:
        """Run one check, and triage and minimize its finding; None if Assay itself failed on the check."""
        settings = self._settings(self.subject)
        checked = self.guard.attempt(case, lambda: check(made, case, off, settings, rows=scale.rows), None)
        if checked is None:
            return None
        verdict = checked.checked.verdict
        if verdict.name != "finding":
            return CheckedQuery(checked=checked, name=verdict.name, reason=verdict.reason)
        rules = checked.checked.off if len(checked.checked.off) == 1 else ()
        usual = self._usual(recorder)
        large = replace(usual, subject=replace(self.subject, settings=settings))
        first = replace(large.failure(checked.checked, rules), scale=scale)
        file = self.store.write(first)
        seen = checked
        small = self.guard.attempt(case, lambda: self._small(made, seen, usual), None)
        if small is not None and (done := self._small_done(small, first, checked, usual)):
            return done
        rules_off = fixed(self._rules(checked))
        again = self.guard.attempt(case, lambda: check(made, case, rules_off, settings, rows=scale.rows), None)
        confirmed = again is not None and signature(again.checked) == signature(checked.checked)
        kept = replace(first, confirmed=confirmed)
        if confirmed:
            file = self.store.write(kept)
        return CheckedQuery(
            checked=checked, name="finding", reason=verdict.reason, file=file, told=_told(kept, file, checked)
        )

    def _small_done(
        self, small: CheckResult, first: Failure, checked: VolumeCheckResult, usual: Fuzzer
    ) -> CheckedQuery | None:
        """Triage a finding that few rows show; None if Assay itself failed on it: then ``first`` stays."""
        return self.guard.attempt(small.case, lambda: self._minimized(small, first, checked, usual), None)

    def _usual(self, recorder: Recorder) -> Fuzzer:
        return Fuzzer(
            harness=self.harness,
            subject=self.usual,
            recorder=recorder,
            store=self.store,
            policy=Policy(draw_off=draw_fixed(self.rules), divergences=self.divergences, fast=False),
            run_seed=self.seed,
        )

    def _settings(self, subject: Subject) -> LegSettings:
        """Both legs' settings at scale: the subject's own (a planted rule's, say) above those that many rows need."""
        needed, own = leg_settings(self.rows), subject.settings
        return LegSettings({**needed.on, **own.on}, {**needed.off, **own.off})

    def _rules(self, checked: VolumeCheckResult) -> list[Rule]:
        return [self.harness.catalogue.rule(name) for name in checked.checked.off]

    def _small(self, made: Dataset, checked: VolumeCheckResult, usual: Fuzzer) -> CheckResult | None:
        """A usual check over few rows that shows what ``checked`` shows; None where none was found."""
        wanted, off = signature(checked.checked), fixed(self._rules(checked))
        found: list[CheckResult] = []

        def fails(case: Case) -> bool:
            again = self.harness.check(case, off, usual.subject.settings)
            if signature(again) == wanted:
                found.append(again)
            return bool(found)

        def differs(dataset: Dataset, case: Case) -> bool:
            again = check(dataset, case, off, self._settings(self.subject), rows=self.rows)
            return signature(again.checked) == wanted

        reducer = Reducer(fails, differs, time.monotonic() + self.minimize_seconds)
        reducer.small(made, checked.checked.case, checked.comparison)
        return found[0] if found else None

    def _minimized(self, small: CheckResult, first: Failure, checked: VolumeCheckResult, usual: Fuzzer) -> CheckedQuery:
        """Triage and minimize a finding as in a usual run; an excused finding or a duplicate leaves no file."""
        judged, rules = usual.judged(small)
        finding = usual.record_finding(judged, rules) if judged.verdict.name == "finding" else None
        if finding is None:
            self.store.discard(first)
            reason = judged.verdict.divergence or "seen before"
            return CheckedQuery(checked=checked, name=judged.verdict.name, reason=reason)
        finding = usual.minimize(finding)
        self.store.retire(first, finding.fingerprint)
        return CheckedQuery(
            checked=checked,
            name="finding",
            reason=judged.verdict.reason,
            file=finding.file,
            told=_lines(checked) + usual.text(finding),
        )


def _told(failure: Failure, file: Path, checked: VolumeCheckResult) -> str:
    return _lines(checked) + render(failure, file, {})


def _lines(checked: VolumeCheckResult) -> str:
    """The number of rows that differ, and some of these rows with their copies in each leg."""
    if checked.comparison is None or checked.comparison.equal:
        return ""
    lines = checked.comparison.lines()
    head = f"{checked.comparison.differing:,} distinct rows differ, by their copies in each leg:"
    return "\n".join([head, *(f"  {line}" for line in lines[:MAX_ROWS]), ""])


def again(harness: Harness, failure: Failure, folder: Path) -> CheckResult:
    """The check of a ``failure`` with a scale, over the rows that are made from it once more; ``folder`` is new."""
    scale = failure.scale
    assert scale is not None  # its caller has looked
    off = fixed([harness.catalogue.rule(name) for name in failure.off])
    with dataset(harness, failure.case.database, scale, folder) as made:
        return check(made, failure.case, off, failure.subject.settings, rows=scale.rows).checked
