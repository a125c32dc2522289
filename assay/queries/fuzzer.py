"""Check a user's queries, one at a time: over each database with all rules on, each fired rule off, all of them off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.supervision import Guard
from assay.queries.classification import Classification, classification
from assay.queries.lines import one_line
from assay.queries.nondeterminism import nondeterminism
from assay.queries.prepared import Prepared
from oracles.answers.outcome import Raised, is_timeout
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.finding_kind import FindingKind
from oracles.checks.paths import Paths
from oracles.checks.result import CheckResult
from oracles.failures.failure import Failure, Subject, failure_of
from oracles.failures.loss import is_loss
from oracles.reductions.reducer import reduce
from oracles.reductions.rows import rows
from oracles.reductions.settings import default_settings
from oracles.rules.rule import Rule, with_callers
from oracles.triage.attribution import judged
from oracles.triage.bisect import guilty_rules, narrowed
from oracles.triage.divergences import Divergence, load
from strategies.ir import Case

MINIMIZE_SECONDS = 60.0
"""Seconds that minimizing a finding's tables may take."""
_FIND_KEYS = ("PushDownPredicates", "ReorderJoin", "BooleanSimplification")
"""The rules without which tables that are joined by commas may be paired row by row."""

_MANY = 500
"""The number of rows above which an off leg with a cross join is not run if the on leg has none."""


@dataclass(slots=True, kw_only=True)
class Count:
    """The counts of one query's checks.

    ``classes``: the checks by class (see :mod:`assay.queries.classification`). ``fired``: by rule, the checks in which
    it was off and had fired; ``shown``: those of them that agreed with rows, over other plans or with two legs.
    ``with_rows``: agreements (by all, or by Spark alone) with at least one row. ``reasons``:
    why checks weren't judged, or not by DuckDB. ``refused``: why the text isn't checked at all, '' if it is; a
    ``command`` is no query.
    """

    classes: Counter[str] = field(default_factory=Counter)
    fired: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    with_rows: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    files: list[Path] = field(default_factory=list)
    refused: str = ""
    command: bool = False

    @property
    def checks(self) -> int:
        """The number of all checks."""
        return self.classes.total()

    @property
    def agreed(self) -> int:
        """The number of checks in which the engines that answered agree."""
        return self.classes["all"] + self.classes["spark"]

    @property
    def judged(self) -> int:
        """The number of checks that ended in an agreement, a known divergence or a finding."""
        return self.checks - self.classes["unjudged"]


@dataclass(slots=True, kw_only=True)
class QueryFuzzer:
    """Check queries of a user, one at a time, and record the findings.

    ``rules`` are turned off, each alone; if it is empty, the rules that fired are turned off, each alone and all
    together. ``fast``: see :mod:`oracles.checks.paths`. ``told`` is called with each new finding. A finding that one
    of the known ``divergences`` explains is counted as known.
    """

    harness: Harness
    subject: Subject
    store: FailureStore
    seed: int
    rules: Sequence[Rule]
    fast: bool
    told: Callable[[Failure, Path], None]
    divergences: Sequence[Divergence] = field(default_factory=load)
    minimize_seconds: float = MINIMIZE_SECONDS
    _known: set[tuple[str, str | None, frozenset[str]]] = field(default_factory=set)

    @property
    def guard(self) -> Guard:
        """The supervision of each check."""
        return self.store.guard

    def ask(self, asked: Prepared, cases: Iterable[Case], count: Count) -> None:
        """Check each of ``cases`` of one query, and add the results to ``count``.

        Raises PathsDiffer, and the errors of Harness.check.
        """
        for number, case in enumerate(cases):
            random = Random(f"{self.seed}/{asked.query.name}/{number}/doubts")
            for checked in self.guard.check_each(case, partial(self._checks, case)):
                self._counted(asked, checked, random, count)

    def _checks(self, case: Case) -> list[CheckResult]:
        fast, many = self.fast and case.settings.is_quick, case.database.row_count > _MANY
        with self.harness.spark.stage(case.database, case.settings, fast=fast) as stage:
            choices = partial(self._choices, many=many)
            checks = self.harness.check_each(case, choices, self.subject.settings, stage=stage, skip_cross_joins=many)
            return [replace(checked, fast=stage.in_memory) for checked in checks]

    def _choices(self, fired: Sequence[Rule], *, many: bool) -> list[tuple[Rule, ...]]:
        """The sets of rules to turn off, a check for each; a rule goes together with the rules that call it.

        For tables of ``many`` rows there is one more set: all that fired but the rules that find a join's keys.
        """
        if self.rules:
            return [tuple(with_callers([rule], fired)) for rule in self.rules]
        others = tuple(rule for rule in fired if rule.name not in _FIND_KEYS)
        together = (tuple(fired), others) if many and others else (tuple(fired),)
        return [*dict.fromkeys([*(tuple(with_callers([rule], fired)) for rule in fired), *together])]

    def _counted(self, asked: Prepared, checked: CheckResult, random: Random, count: Count) -> None:
        found = classification(checked)
        if found.name == "finding":
            found = self._record_finding(asked, checked, random, count)
        count.classes[found.name] += 1
        count.fired.update(checked.fired)
        if found.reason and found.name != "finding":
            count.reasons[f"{_LEADS[found.name]}{found.reason}"] += 1
        if found.name in ("all", "spark") and checked.has_rows:
            count.with_rows += 1
            count.shown.update(checked.fired if checked.differed or checked.two_legs else ())

    def _record_finding(self, asked: Prepared, checked: CheckResult, random: Random, count: Count) -> Classification:
        """Write a finding to disk at once, and remove its file if it turns out to be none."""
        if self._is_known(asked, checked):
            return Classification("finding", "seen before")
        first = self._failure(checked, checked.fired if is_loss(checked) else (), confirmed=is_loss(checked))
        file = self.store.write(first)
        if is_loss(checked):  # it costs an engine each time
            return self._kept(asked, checked, first, file, count)
        second = self.guard.attempt(checked.case, lambda: self._confirmed(asked, checked, random), None)
        if second is None:
            return self._kept(asked, checked, first, file, count)
        again, found, unconfirmed = second
        if not unconfirmed:
            checked = again
        if unconfirmed or found.name == "finding":
            found = self.guard.attempt(checked.case, lambda: self._excused(checked), Classification("finding"))
        if found.name != "finding":
            self.store.discard(first)
            return found
        if unconfirmed:
            return self._kept(asked, checked, first, file, count)
        small = self.guard.attempt(checked.case, lambda: self._minimized(asked, checked, random), None)
        failure, file = small or (first, file)
        self.store.retire(first, failure.fingerprint)
        return self._kept(asked, checked, failure, file, count)

    def _confirmed(
        self, asked: Prepared, checked: CheckResult, random: Random
    ) -> tuple[CheckResult, Classification, bool]:
        """Check a finding again on the plain path; it is no finding if its rows don't determine the answer.

        The last value tells whether it is unconfirmed: the second check is right, or a leg is late. Nothing says then
        that the answer may vary: it does with the rules on.
        """
        again = self._on_plain_path(checked)
        found = classification(again)
        unconfirmed = found.name in ("all", "spark") or any(map(is_timeout, again.legs.values()))
        if not unconfirmed and found.name != "finding":
            return again, found, False
        if why := nondeterminism(self.harness, asked, checked if unconfirmed else again, random):
            return again, Classification("unjudged", why), False
        return again, found, unconfirmed

    def _excused(self, checked: CheckResult) -> Classification:
        """The class of a finding: 'known' if a known divergence explains it."""
        again, _ = judged(self.harness, checked, self.divergences)
        entry = next((each for each in self.divergences if each.id == again.verdict.divergence), None)
        if entry is None:
            return Classification("finding", checked.verdict.reason)
        return Classification("known", f"{entry.id}: {one_line(entry.reason)} {entry.url}".strip())

    def _kept(
        self, asked: Prepared, checked: CheckResult, failure: Failure, file: Path, count: Count
    ) -> Classification:
        # Without guilty rules it is known of all that were off.
        of_engines = checked.verdict.kind == FindingKind.ENGINE
        rules = failure.rules if failure.rules or of_engines else checked.off
        self._known.add((asked.query.name, checked.verdict.kind, frozenset(rules)))
        count.files.append(file)
        self.told(failure, file)
        return Classification("finding")

    def _is_known(self, asked: Prepared, checked: CheckResult) -> bool:
        off = set(checked.off)
        same = (asked.query.name, checked.verdict.kind)
        return any((name, kind) == same and rules <= off for name, kind, rules in self._known)

    def _on_plain_path(self, checked: CheckResult) -> CheckResult:
        off = fixed(map(self.harness.catalogue.rule, checked.off))
        paths = Paths(self.harness, checked.fast, lambda _: False)
        again = paths.check(checked.case, off, self.subject.settings)
        assert again is not None  # nothing was asked of the plan
        return again

    def _minimized(self, asked: Prepared, checked: CheckResult, random: Random) -> tuple[Failure, Path]:
        """Minimize ``checked``: only the guilty rules are off, with as few rows as show it; write its file."""
        guilty = guilty_rules(self.harness, checked)
        off = fixed([self.harness.catalogue.rule(name) for name in guilty or checked.off])
        alone = checked.memory_alone
        wanted = (checked.verdict.kind, _conditions(checked))

        def look(case: Case) -> CheckResult | None:
            again = self.harness.check(case, off, self.subject.settings, fast=alone, in_driver=False)
            if (again.verdict.kind, _conditions(again)) != wanted or classification(again).name != "finding":
                return None
            return None if nondeterminism(self.harness, asked, again, random) else again

        steps = (default_settings, rows)
        small = reduce(
            checked.case, lambda case: look(case) is not None, deadline_seconds=self.minimize_seconds, steps=steps
        )
        again = look(small.case)
        least = (
            replace(again, fast=checked.fast, memory_alone=alone) if again else narrowed(self.harness, checked, guilty)
        )
        failure = self._failure(least, guilty, confirmed=again is not None)
        failure = replace(failure, plans=self.harness.plans_around(least, guilty))
        return self.store.file(failure, self.harness, ask=failure.confirmed)

    def _failure(self, checked: CheckResult, rules: tuple[str, ...], *, confirmed: bool) -> Failure:
        versions = {"spark": self.harness.spark.version, "duckdb": self.harness.duckdb.version}
        query = checked.case.query
        sql = {"spark": getattr(query, "spark", ""), "duckdb": getattr(query, "duckdb", "")}
        failure = failure_of(
            checked, rules, subject=self.subject, versions=versions, sql=sql, seed=self.seed, confirmed=confirmed
        )
        return replace(failure, fast=checked.memory_alone)


_LEADS = {"spark": "by Spark alone: ", "unjudged": "not judged: ", "known": "known: ", "all": ""}


def _conditions(checked: CheckResult) -> tuple[tuple[str, str], ...]:
    return tuple((leg, end.condition) for leg, end in sorted(checked.legs.items()) if isinstance(end, Raised))
