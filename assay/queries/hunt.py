"""One query at a time: over each database with its rules on, each of those that fired off, and all of them off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

from assay.fuzz.supervision import Guard
from assay.queries.doubts import doubt
from assay.queries.prepared import Prepared
from assay.queries.standing import Standing, standing
from oracles.answers.outcome import Raised
from oracles.checks.check import Checked, Laboratory, fixed
from oracles.checks.paths import Paths
from oracles.failures.failure import Failure, Subject, discard_failure, failure_of, write_failure
from oracles.failures.loss import is_loss
from oracles.reductions.reducer import reduce
from oracles.reductions.rows import rows
from oracles.reductions.settings import default_settings
from oracles.rules.rule import Rule, with_callers
from oracles.triage.bisect import guilty_rules, narrowed
from strategies.ir import Case

SMALLER_SECONDS = 60.0
"""Seconds that minimizing a finding's tables may take."""
_FIND_KEYS = ("PushDownPredicates", "ReorderJoin", "BooleanSimplification")
"""Without these, tables that are joined by commas may be paired row by row."""

_MANY = 500
"""Rows from which on it isn't tried to pair each with each, for a query that has no need of that."""


@dataclass(slots=True)
class Count:
    """What came of one query's checks. ``fired``: by rule, the checks in which it was off and had fired; ``with_rows``:
    agreements (by all, or by Spark alone) with at least one row; ``reasons``: why checks weren't judged, or not by
    DuckDB.
    """

    standings: Counter[str] = field(default_factory=Counter)
    fired: Counter[str] = field(default_factory=Counter)
    with_rows: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    files: list[Path] = field(default_factory=list)

    @property
    def checks(self) -> int:
        """All of them."""
        return self.standings.total()

    @property
    def judged(self) -> int:
        """Those that ended in an agreement or a finding."""
        return self.checks - self.standings["unjudged"]


@dataclass(slots=True)
class QueryHunt:
    """What all queries have in common. ``rules``: those that are to be turned off, each alone; where there are none, it
    is what fired, each alone and all together. ``fast``: see :mod:`oracles.checks.paths`. ``told`` gets each new
    finding.
    """

    laboratory: Laboratory
    subject: Subject
    failures: Path
    seed: int
    rules: Sequence[Rule]
    fast: bool
    told: Callable[[Failure, Path], None]
    smaller_seconds: float = SMALLER_SECONDS
    guard: Guard = field(default_factory=Guard)
    _known: set[tuple[str, str | None, frozenset[str]]] = field(default_factory=set)

    def ask(self, asked: Prepared, cases: Iterable[Case], count: Count) -> None:
        """Check each of ``cases`` of one query, and add what comes of it to ``count``.

        Raises PathsDiffer, and what Laboratory.check raises.
        """
        for number, case in enumerate(cases):
            random = Random(f"{self.seed}/{asked.query.name}/{number}/doubts")
            for checked in self.guard.look_each(case, partial(self._checks, case)):
                self._counted(asked, checked, random, count)

    def _checks(self, case: Case) -> list[Checked]:
        fast, many = self.fast and case.settings.is_quick, case.database.row_count > _MANY
        with self.laboratory.spark.stage(case.database, case.settings, fast=fast) as stage:
            choices = partial(self._choices, many=many)
            checks = self.laboratory.check_each(case, choices, self.subject.settings, stage=stage, sparing=many)
            return [replace(checked, fast=stage.in_memory) for checked in checks]

    def _choices(self, fired: Sequence[Rule], *, many: bool) -> list[tuple[Rule, ...]]:
        """What is turned off, each rule with those that do its work; of ``many`` rows all together once more without
        the rules that find a join its keys.
        """
        if self.rules:
            return [tuple(with_callers([rule], fired)) for rule in self.rules]
        others = tuple(rule for rule in fired if rule.name not in _FIND_KEYS)
        together = (tuple(fired), others) if many and others else (tuple(fired),)
        return [*dict.fromkeys([*(tuple(with_callers([rule], fired)) for rule in fired), *together])]

    def _counted(self, asked: Prepared, checked: Checked, random: Random, count: Count) -> None:
        stands = standing(checked)
        if stands.name == "finding":
            stands = self._met(asked, checked, random, count)
        count.standings[stands.name] += 1
        count.fired.update(checked.fired)
        if stands.reason and stands.name != "finding":
            count.reasons[f"{_LEADS[stands.name]}{stands.reason}"] += 1
        count.with_rows += stands.name in ("all", "spark") and checked.has_rows

    def _met(self, asked: Prepared, checked: Checked, random: Random, count: Count) -> Standing:
        """A finding goes to disk at once, and away again where it turns out to be none."""
        if self._is_known(asked, checked):
            return Standing("finding", "seen before")
        first = self._failure(checked, checked.fired if is_loss(checked) else (), confirmed=is_loss(checked))
        file = self.guard.persist(lambda: write_failure(self.failures, first))
        if is_loss(checked):  # it costs an engine each time
            return self._kept(asked, checked, first, file, count)
        sure = self.guard.attempt(checked.case, lambda: self._sure(asked, checked, random), None)
        if sure is None:
            return self._kept(asked, checked, first, file, count)
        checked, stands = sure
        if stands.name != "finding":
            discard_failure(self.failures, first)
            return stands
        small = self.guard.attempt(checked.case, lambda: self._made_small(asked, checked, random), None)
        failure, file = small or (first, file)
        if failure.fingerprint != first.fingerprint:
            discard_failure(self.failures, first)
        return self._kept(asked, checked, failure, file, count)

    def _sure(self, asked: Prepared, checked: Checked, random: Random) -> tuple[Checked, Standing]:
        """A finding on the plain path, and whether it is one: not where its rows don't determine the answer."""
        checked = self._on_plain_path(checked)
        stands = standing(checked)
        if stands.name == "finding" and (why := doubt(self.laboratory, asked, checked, random)):
            stands = Standing("unjudged", why)
        return checked, stands

    def _kept(self, asked: Prepared, checked: Checked, failure: Failure, file: Path, count: Count) -> Standing:
        self._known.add((asked.query.name, checked.verdict.kind, frozenset(failure.rules)))
        count.files.append(file)
        self.told(failure, file)
        return Standing("finding")

    def _is_known(self, asked: Prepared, checked: Checked) -> bool:
        off = set(checked.off)
        same = (asked.query.name, checked.verdict.kind)
        return any((name, kind) == same and rules <= off for name, kind, rules in self._known)

    def _on_plain_path(self, checked: Checked) -> Checked:
        off = fixed(map(self.laboratory.catalogue.rule, checked.off))
        paths = Paths(self.laboratory, checked.fast, lambda _: False)
        again = paths.check(checked.case, off, self.subject.settings)
        assert again is not None  # nothing was asked of the plan
        return again

    def _made_small(self, asked: Prepared, checked: Checked, random: Random) -> tuple[Failure, Path]:
        """``checked`` with the guilty rules off and as few rows as show it; the file is replaced by a smaller one."""
        guilty = guilty_rules(self.laboratory, checked)
        off = fixed([self.laboratory.catalogue.rule(name) for name in guilty or checked.off])
        alone = checked.memory_alone
        wanted = (checked.verdict.kind, _conditions(checked))

        def look(case: Case) -> Checked | None:
            again = self.laboratory.check(case, off, self.subject.settings, fast=alone, in_driver=False)
            if (again.verdict.kind, _conditions(again)) != wanted or standing(again).name != "finding":
                return None
            return None if doubt(self.laboratory, asked, again, random) else again

        steps = (default_settings, rows)
        small = reduce(
            checked.case, lambda case: look(case) is not None, deadline_seconds=self.smaller_seconds, steps=steps
        )
        again = look(small.case)
        least = (
            replace(again, fast=checked.fast, memory_alone=alone)
            if again
            else narrowed(self.laboratory, checked, guilty)
        )
        failure = self._failure(least, guilty, confirmed=again is not None)
        failure = replace(failure, plans=self.laboratory.plans_around(least, guilty))
        return failure, write_failure(self.failures, failure)

    def _failure(self, checked: Checked, rules: tuple[str, ...], *, confirmed: bool) -> Failure:
        versions = {"spark": self.laboratory.spark.version, "duckdb": self.laboratory.duckdb.version}
        query = checked.case.query
        sql = {"spark": getattr(query, "spark", ""), "duckdb": getattr(query, "duckdb", "")}
        failure = failure_of(
            checked, rules, subject=self.subject, versions=versions, sql=sql, seed=self.seed, confirmed=confirmed
        )
        return replace(failure, fast=checked.memory_alone)


_LEADS = {"spark": "by Spark alone: ", "unjudged": "not judged: ", "all": ""}


def _conditions(checked: Checked) -> tuple[tuple[str, str], ...]:
    return tuple((leg, end.condition) for leg, end in sorted(checked.legs.items()) if isinstance(end, Raised))
