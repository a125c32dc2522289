"""The hunt: Hypothesis draws cases, each is checked and recorded, and a finding is made small and kept.

A finding is on disk before anything else happens to it. Then Hypothesis shrinks it, the reducer goes on from the
smallest case seen, and the result is run once more; what doesn't fail again stays, marked unconfirmed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from hypothesis import strategies as st

from assay.fuzz.failure_store import filed
from assay.fuzz.finding import Finding, is_finding, signature
from assay.fuzz.record import Recording
from assay.fuzz.search import Search
from assay.fuzz.spread import suited
from assay.fuzz.supervision import Guard
from assay.fuzz.unjudged import Unjudged
from oracles.answers.atomic import write_json
from oracles.checks.check import Checked, Laboratory, fixed, with_their_callers
from oracles.checks.paths import Paths, PathsDiffer
from oracles.failures.failure import Failure, Subject, discard_failure, failure_of, to_json, write_failure
from oracles.failures.loss import is_loss
from oracles.failures.scripts.confirm import StockSpark
from oracles.failures.text import render
from oracles.reductions.reducer import reduce
from oracles.rules.rule import Rule, with_callers
from oracles.sql import DuckdbCompiler, spark_text
from oracles.triage.attribution import excused_by, judged
from oracles.triage.dedup import Known
from oracles.triage.divergences import Divergence, as_run
from oracles.triage.explanation import shows
from oracles.triage.silent import silent_fits
from oracles.triage.third_opinion import third_opinion, versions_of
from strategies.ir import Case

SHARD = 100
"""Checks in a shard: enough that the trivial first examples of each hardly count, few enough to share out."""

_IDLE_ROUNDS = 5
"""Rounds without a new case after which a strategy is taken to have no more."""

QUERIES_A_CHECK = 20
"""Distinct queries that a hunt about named rules plans, at the most, for each check that it was asked for."""

DrawOff = Callable[[st.DataObject, Sequence[Rule]], Sequence[Rule]]
"""Draws which rules the off leg turns off, given those that changed the on leg's plan and can be turned off."""


def draw_mixed(data: st.DataObject, effective: Sequence[Rule]) -> Sequence[Rule]:
    """All of the effective rules half of the time, else a subset of them that shrinks to one."""
    return effective if data.draw(st.booleans(), label="all off") else draw_subset(data, effective)


def draw_subset(data: st.DataObject, effective: Sequence[Rule]) -> Sequence[Rule]:
    """A non-empty subset of the effective rules, with those that do its rules' work; none where there are none."""
    if not effective:
        return ()
    chosen = data.draw(st.sets(st.sampled_from(range(len(effective))), min_size=1), label="off")
    return with_callers([effective[index] for index in sorted(chosen)], effective)


def draw_fixed(rules: Sequence[Rule]) -> DrawOff:
    """Always these, with those of the effective rules that do their work."""
    chosen = tuple(rules)
    return lambda data, effective: with_callers(chosen, effective)


def shards(count: int) -> list[int]:
    """How many checks each shard of a run of ``count`` checks makes."""
    full, rest = divmod(count, SHARD)
    return [SHARD] * full + ([rest] if rest else [])


def shard_seed(run_seed: int, *parts: object) -> int:
    """The seed of one part of a run: the same for any number of workers, different for every part."""
    text = "/".join(map(str, (run_seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


@dataclass(slots=True)
class Hunt:
    """One worker's hunting: the laboratory, what the run is about, and where things are kept.

    Checks and findings count as the run's own unless ``on_record`` is false (mutants are hunted so). With ``quarry``,
    a hunt for that rule alone, examples on which it doesn't act are only planned. With ``targets``, a run about these
    rules, queries on which none of them fires are no checks, and mostly planned alone. ``fast``:
    :mod:`oracles.checks.paths`. What a finding was before it was made smaller goes to ``originals``, if anywhere. With
    ``stock``, a finding gets a script, which once it is small is run there. A finding that is ``known`` is counted, and
    leaves no file. Without ``drawn_smaller`` the reducer alone makes it small, not Hypothesis before: in half as many
    checks, and at times with a row or two more. A pair of plans is run over so many ``databases`` on the fast path.
    Rules that have the place of others (``stands_for``, by name) are judged as these.
    """

    laboratory: Laboratory
    subject: Subject
    recorder: Recording
    failures: Path
    divergences: Sequence[Divergence]
    draw_off: DrawOff
    run_seed: int
    shrink_seconds: float = 60.0
    on_record: bool = True
    prey: Callable[[Checked], bool] = is_finding
    quarry: Rule | None = None
    fast: bool = True
    guard: Guard = field(default_factory=Guard)
    originals: Path | None = None
    stock: StockSpark | None = None
    known: Known = field(default_factory=Known)
    drawn_smaller: bool = True
    databases: int = 1
    targets: Sequence[Rule] = ()
    stands_for: Mapping[str, str] = field(default_factory=dict)
    unjudged: Unjudged = field(init=False)
    _judged: tuple[Checked, tuple[Checked, tuple[str, ...]]] | None = None
    _unattributed: Checked | None = None
    _unminimized: list[Finding] = field(default_factory=list)
    _stop_at_first: bool = False

    def __post_init__(self) -> None:
        self.unjudged = Unjudged(self.failures)

    def run(
        self, cases: st.SearchStrategy[Case], name: str, count: int, *, stop_at_first: bool = False
    ) -> list[Finding]:
        """``count`` distinct checks of ``cases``, seeded by the run's seed and ``name``; the new findings, made small.

        Those that cost an engine each time, or that couldn't be judged, stay as they are. With ``stop_at_first``, a
        hunt for one thing: it ends with the first finding. With ``targets``, it ends without so many checks when it has
        planned QUERIES_A_CHECK times as many queries.
        """
        seen: set[str] = set()
        findings: list[Finding] = []
        self._unminimized, self._stop_at_first = [], stop_at_first
        rounds = idle = unchecked = 0
        if self.targets:
            points = self.laboratory.spark.points
            cases = suited(cases, *(points.get(rule.rule_name, "") for rule in self.targets))
        most = count * (QUERIES_A_CHECK if self.targets else 1)
        while (queries := min(count + unchecked, most)) > len(seen) and idle < _IDLE_ROUNDS and not self.is_over():
            before = len(seen)
            part = Search(self, seen, queries)
            part.run(cases, shard_seed(self.run_seed, name, rounds))
            if self.targets:
                unchecked += len(seen) - before - part.checks
            if part.finding is not None:
                part.finding.examples = len(seen)
                findings.append(self.minimized(part.finding))
                if stop_at_first:
                    break
            idle = idle + 1 if len(seen) == before else 0
            rounds += 1
        return [*findings, *self._unminimized]

    def is_over(self) -> bool:
        """Whether no more examples are to be checked."""
        return self.guard.stopped() or (self._stop_at_first and bool(self._unminimized))

    def looked_at(self, case: Case, data: st.DataObject) -> Checked | None:
        """A check of ``case``; None where it is about the quarry, which doesn't act, or no target fires.

        Raises PathsDiffer when both paths' results are on disk.
        """
        target = with_their_callers([self.quarry]) if self.quarry else None
        choose = target or (lambda effective: self.draw_off(data, effective))
        paths = Paths(self.laboratory, self.fast, self._is_excused, self.databases)
        acting = [self.quarry] if self.quarry else self.targets

        def check() -> Checked | None:
            try:
                return paths.check(case, choose, self.subject.settings, where_acting=acting)
            except PathsDiffer as differ:
                self._keep_both(differ)
                raise

        checked = self.guard.look(case, check)
        # What adaptive execution, or a rule that is a part of another, has done is known afterwards.
        idle = self.targets and checked is not None and checked.verdict.name == "vacuous"
        return None if idle else checked

    def _keep_both(self, differ: PathsDiffer) -> None:
        fast = replace(self.failure(differ.fast, (), confirmed=False), fast=True)
        file = write_failure(self.failures / "paths", fast)
        write_json(file.with_suffix(".plain.json"), to_json(self.failure(differ.plain, (), confirmed=False)))
        differ.add_note(f"both results, the first one for replay: {file}, {file.with_suffix('.plain.json').name}")

    def _is_excused(self, checked: Checked) -> bool:
        self._hold(checked)
        return self.guard.attempt(checked.case, lambda: self.judged(checked)[0].verdict.name == "excused", False)

    def _hold(self, checked: Checked) -> None:
        if checked.verdict.name == "finding":
            self.guard.persist(lambda: self.unjudged.hold(self.failure(checked)))

    def attributed(self, checked: Checked) -> tuple[Checked, tuple[str, ...]]:
        """``checked``, judged with its finding on disk; as it is, without guilty rules, where it can't be judged.

        Whoever asks releases the ``unjudged`` finding when it is settled.
        """
        if checked.verdict.name != "finding":
            return checked, ()
        self._hold(checked)
        done = self.guard.attempt(checked.case, lambda: self.judged(checked), None)
        self._unattributed = checked if done is None else None
        return done or (checked, ())

    def judged(self, checked: Checked) -> tuple[Checked, tuple[str, ...]]:
        """``checked`` with its guilty rules; its verdict is excused where a known divergence fits."""
        if is_loss(checked):
            return checked, checked.fired
        # A finding of the fast path is judged there, and once more by whoever looked: that takes a leg for each rule.
        if self._judged is None or self._judged[0] is not checked:
            self._judged = checked, judged(self.laboratory, checked, self.divergences, self.stands_for)
        return self._judged[1]

    def fits(self, checked: Checked) -> tuple[str, ...]:
        """The silent entries that fit the case of ``checked``."""
        today = datetime.now(tz=timezone.utc).date()
        return silent_fits(
            self.divergences,
            as_run(checked),
            self.laboratory.spark.version,
            today,
            shows=lambda entry: shows(entry, checked.case, self.laboratory.duckdb, checked.legs.get("duckdb")),
        )

    def is_about_others(self, first: Checked, checked: Checked, rules: tuple[str, ...]) -> bool:
        """Whether ``first``, judged as ``checked``, raises or is a known bug, and no target fired or has a part in it.

        RewriteExceptAll, for one, ends some queries before any rule that comes after it runs.
        """
        if not self.targets or first.fired or checked.verdict.name not in ("excused", "raised"):
            return False
        return not {target.name for target in self.targets} & set(rules)

    def wants(self, checked: Checked, rules: tuple[str, ...]) -> bool:
        """Whether ``checked``, whose guilty rules are ``rules``, is prey."""
        return self.prey(checked)

    def met(self, checked: Checked, rules: tuple[str, ...]) -> Finding | None:
        """A finding that is to be made small, on disk and on record; None for one that is known, or can't be."""
        if checked is self._unattributed:
            self._unminimized.append(self.keep(checked, rules))
            return None
        earlier = self.known.earlier(self.failure(checked, rules))
        if earlier is not None:
            if self.on_record:
                self.recorder.finding(earlier.failure.summary(earlier.file))
            return None
        finding = self.keep(checked, rules)
        if not is_loss(checked):
            return finding
        self._unminimized.append(finding)
        self.known.add(finding.failure, finding.file)
        return None

    def keep(self, checked: Checked, rules: tuple[str, ...]) -> Finding:
        """Put a finding on disk and on record."""
        failure, file = self._filed(self.failure(checked, rules, confirmed=is_loss(checked)))
        if self.on_record:
            self.recorder.finding(failure.summary(file))
        return Finding(checked, rules, signature(checked), file, failure.fingerprint, failure, checked, checked.fast)

    def still_fails(self, finding: Finding, case: Case, *, fast: bool = False) -> Checked | None:
        """``case`` checked with the finding's guilty rules off, if that shows the same finding, unexcused.

        Not ``fast``, it is run in jobs: over files, or over tables in memory if the finding shows on these alone.
        """
        return self.guard.attempt(case, lambda: self._failing(finding, case, fast), None)

    def _failing(self, finding: Finding, case: Case, fast: bool) -> Checked | None:
        off = [self.laboratory.catalogue.rule(name) for name in finding.checked.off]
        laboratory, alone = self.laboratory, finding.sure.memory_alone
        # No rule is to blame where none acts, or makes a difference.
        check = partial(laboratory.check_where_acting, differing=True)
        look = check if finding.signature.kind == "rule" else laboratory.check
        checked = look(case, fixed(off), finding.checked.settings, fast=fast or alone, in_driver=fast)
        checked = replace(checked, memory_alone=alone) if checked else None
        if checked is None or signature(checked) != finding.signature or checked.verdict.name != "finding":
            return None
        return checked if self._is_the_same(finding, checked) else None

    def _is_the_same(self, finding: Finding, checked: Checked) -> bool:
        if len(finding.rules) == 1:
            entry = excused_by(self.laboratory, checked, finding.rules, self.divergences, self.stands_for)
            return entry is None
        # Where two bugs meet, or none is to blame, a smaller case may show one bug alone, which has a culprit.
        again, rules = self.judged(checked)
        same = signature(again) == finding.signature and again.verdict.name == "finding"
        return same and sorted(rules) == sorted(finding.rules)

    def minimized(self, finding: Finding) -> Finding:
        """``finding`` made small; as it is, and known, where Assay failed over it."""
        small = self.guard.attempt(finding.sure.case, lambda: self.made_small(finding), None)
        if small is None:  # else each query that shows it again would be made smaller, too
            self.known.add(finding.failure, finding.file)
        return small or finding

    def made_small(self, finding: Finding) -> Finding:
        """``finding`` reduced, run once more plainly, and its file replaced; unconfirmed where it fails no more.

        Where another worker was quicker with the same bug, its case stays.
        """
        case = self._reduced(finding, finding.checked.case, fast=finding.fast)
        again = self.still_fails(finding, case)
        if again is None and finding.fast:
            case = self._reduced(finding, finding.sure.case, fast=False)
            again = self.still_fails(finding, case)
        if again is None:
            self._restart()
            again = self.still_fails(finding, case)
        smallest = self._with_third_opinion(again or finding.sure)
        smaller = self.failure(smallest, finding.rules, confirmed=again is not None)
        smaller = replace(smaller, plans=self._plans(smallest, finding.rules))
        earlier = self.known.earlier(smaller)
        smaller, file = (earlier.failure, earlier.file) if earlier else self._filed(smaller, ask=True)
        if self.on_record:
            self.recorder.finding(smaller.summary(file), replaces=finding.fingerprint)
        if smaller.fingerprint != finding.fingerprint:
            if self.originals is not None:
                originals = self.originals
                self.guard.persist(lambda: write_failure(originals, finding.failure))
            discard_failure(self.failures, finding.failure)
        self.known.add(smaller, file)
        return replace(finding, checked=smallest, file=file, fingerprint=smaller.fingerprint, failure=smaller)

    def _with_third_opinion(self, checked: Checked) -> Checked:
        return self.guard.attempt(checked.case, lambda: third_opinion(self.laboratory, checked), checked)

    def _plans(self, checked: Checked, rules: tuple[str, ...]) -> dict[str, tuple[str, str]]:
        if is_loss(checked):  # they can't be had
            return {}
        return self.guard.attempt(checked.case, lambda: self.laboratory.plans_around(checked, rules), {})

    def _filed(self, failure: Failure, *, ask: bool = False) -> tuple[Failure, Path]:
        rules = [self.laboratory.catalogue.rule(name) for name in failure.rules]
        return filed(self.failures, failure, rules, self.guard, self.stock, ask=ask)

    def _reduced(self, finding: Finding, start: Case, *, fast: bool) -> Case:
        reduction = reduce(
            start,
            lambda case: not self.guard.stopped() and self.still_fails(finding, case, fast=fast) is not None,
            deadline_seconds=self.shrink_seconds / 2,
        )
        return reduction.case

    def _restart(self) -> None:
        """A fresh session for the second try of what didn't fail again."""
        self.laboratory.spark.close()

    def text(self, finding: Finding) -> str:
        """What the failure prints, with the plans around each guilty rule, as the legs make them now."""
        return render(finding.failure, finding.file, self._plans(finding.checked, finding.rules))

    def failure(self, checked: Checked, rules: tuple[str, ...] = (), *, confirmed: bool = False) -> Failure:
        """What a failure file holds of ``checked``, whatever its verdict."""
        versions = versions_of(self.laboratory, checked)
        sql = {
            "spark": spark_text(checked.case.query, checked.case.settings.form),
            "duckdb": DuckdbCompiler().compile(checked.case.query),
        }
        subject = replace(self.subject, settings=checked.settings)
        failure = failure_of(
            checked, rules, subject=subject, versions=versions, sql=sql, seed=self.run_seed, confirmed=confirmed
        )
        return replace(failure, fast=checked.memory_alone)
