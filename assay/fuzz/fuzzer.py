"""The fuzzer: draw cases with Hypothesis, check and record each one, and keep and minimize what is found.

A finding is written to disk before anything else happens to it. Hypothesis then shrinks it, the reducer continues from
the smallest case, and the result runs once more. A finding that does not reproduce stays, marked as not confirmed.
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
from oracles.checks.check import Harness
from oracles.checks.choices import fixed, with_their_callers
from oracles.checks.paths import Paths, PathsDiffer
from oracles.checks.result import CheckResult
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

_NOTHING_FIRED = ("excused", "raised", "same-error", "order-open")
"""Verdicts of checks that say nothing about target rules that didn't fire."""

_IDLE_ROUNDS = 5
"""Rounds without a new case after which a strategy is taken to have no more."""

QUERIES_A_CHECK = 20
"""Distinct queries that a hunt about named rules plans, at the most, for each check that it was asked for."""

DrawOff = Callable[[st.DataObject, Sequence[Rule]], Sequence[Rule]]
"""Draws which rules the off leg turns off, given those that changed the on leg's plan and can be turned off."""


def draw_mixed(data: st.DataObject, changed_plan: Sequence[Rule]) -> Sequence[Rule]:
    """All rules that changed the plan half of the time, else a subset of them that shrinks to one."""
    return changed_plan if data.draw(st.booleans(), label="all off") else draw_subset(data, changed_plan)


def draw_subset(data: st.DataObject, changed_plan: Sequence[Rule]) -> Sequence[Rule]:
    """A non-empty subset of the rules that changed the plan, with those that do its rules' work; () if there are
    none.
    """
    if not changed_plan:
        return ()
    chosen = data.draw(st.sets(st.sampled_from(range(len(changed_plan))), min_size=1), label="off")
    return with_callers([changed_plan[index] for index in sorted(chosen)], changed_plan)


def draw_fixed(rules: Sequence[Rule]) -> DrawOff:
    """Always these, with those of the rules that changed the plan that do their work."""
    chosen = tuple(rules)
    return lambda data, changed_plan: with_callers(chosen, changed_plan)


def shards(count: int) -> list[int]:
    """How many checks each shard of a run of ``count`` checks makes."""
    full, rest = divmod(count, SHARD)
    return [SHARD] * full + ([rest] if rest else [])


def shard_seed(run_seed: int, *parts: object) -> int:
    """The seed of one part of a run: the same for any number of workers, different for every part."""
    text = "/".join(map(str, (run_seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


@dataclass(slots=True)
class Fuzzer:
    """Fuzz one thing in one process: a run, a mutant, or the round of a campaign.

    :param harness: the engines and the catalogue of rules.
    :param subject: what every failure file says of the run: the rules that were brought, the settings.
    :param recorder: where checks and findings are counted; with ``on_record`` false they are not (mutants).
    :param failures: the folder of failure files.
    :param divergences: the known divergences that may excuse a finding.
    :param draw_off: draws the rules to switch off.
    :param run_seed: the seed of the run.
    :param shrink_seconds: the time limit of minimizing one finding; Hypothesis and the reducer have half of it each.
    :param predicate: which checks count as findings.
    :param target_rule: the one rule to fuzz; a case on which it does not fire is planned, and not checked.
    :param fast: whether cases may take the fast path (:mod:`oracles.checks.paths`).
    :param guard: the supervision of each check.
    :param originals: the folder that gets findings as they were before they were minimized; None: they are dropped.
    :param stock: writes a script for each finding, and runs it on stock Spark once the finding is minimized.
    :param known: the findings so far; a duplicate is counted, and leaves no file.
    :param drawn_smaller: whether Hypothesis shrinks before the reducer does. Without, minimizing takes half as
        many checks, and the case has a row or two more at times.
    :param databases: how many databases the plans of one check run over on the fast path.
    :param targets: the rules that a run is about; a case on which none of them fires does not count as a check.
    :param stands_for: by the name of an injected rule, the rule whose place it takes: entries about that rule apply.
    """

    harness: Harness
    subject: Subject
    recorder: Recording
    failures: Path
    divergences: Sequence[Divergence]
    draw_off: DrawOff
    run_seed: int
    shrink_seconds: float = 60.0
    on_record: bool = True
    predicate: Callable[[CheckResult], bool] = is_finding
    target_rule: Rule | None = None
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
    _judged: tuple[CheckResult, tuple[CheckResult, tuple[str, ...]]] | None = None
    _unattributed: CheckResult | None = None
    _unminimized: list[Finding] = field(default_factory=list)
    _stop_at_first: bool = False

    def __post_init__(self) -> None:
        self.unjudged = Unjudged(self.failures)

    def run(
        self, cases: st.SearchStrategy[Case], name: str, count: int, *, stop_at_first: bool = False
    ) -> list[Finding]:
        """Make ``count`` distinct checks of ``cases``, and return the new findings, minimized.

        The run's seed and ``name`` seed the draws. Findings that cost an engine each time, and those that could not be
        judged, are not minimized. With ``stop_at_first`` the first finding ends the run. With ``targets``, it ends
        after QUERIES_A_CHECK times as many queries even if fewer of them became checks.
        """
        seen: set[str] = set()
        findings: list[Finding] = []
        self._unminimized, self._stop_at_first = [], stop_at_first
        rounds = idle = unchecked = 0
        if self.targets:
            points = self.harness.spark.points
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
        """Whether the fuzzer must check no more examples."""
        return self.guard.stopped() or (self._stop_at_first and bool(self._unminimized))

    def check_case(self, case: Case, data: st.DataObject) -> CheckResult | None:
        """Check ``case``; None if the target rule, or each of the targets, does not fire.

        Raises PathsDiffer when both paths' results are on disk.
        """
        target = with_their_callers([self.target_rule]) if self.target_rule else None
        choose = target or (lambda changed_plan: self.draw_off(data, changed_plan))
        paths = Paths(self.harness, self.fast, self._is_excused, self.databases)
        acting = [self.target_rule] if self.target_rule else self.targets

        def check() -> CheckResult | None:
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

    def _is_excused(self, checked: CheckResult) -> bool:
        self._hold(checked)
        return self.guard.attempt(checked.case, lambda: self.judged(checked)[0].verdict.name == "excused", False)

    def _hold(self, checked: CheckResult) -> None:
        if checked.verdict.name == "finding":
            self.guard.persist(lambda: self.unjudged.hold(self.failure(checked)))

    def attributed(self, checked: CheckResult) -> tuple[CheckResult, tuple[str, ...]]:
        """Attribute ``checked`` to its guilty rules while its finding is on disk; unchanged if attribution fails.

        The caller releases the ``unjudged`` finding when it is settled.
        """
        if checked.verdict.name != "finding":
            return checked, ()
        self._hold(checked)
        done = self.guard.attempt(checked.case, lambda: self.judged(checked), None)
        self._unattributed = checked if done is None else None
        return done or (checked, ())

    def judged(self, checked: CheckResult) -> tuple[CheckResult, tuple[str, ...]]:
        """``checked`` with its guilty rules; its verdict is excused where a known divergence fits."""
        if is_loss(checked):
            return checked, checked.fired
        # A finding of the fast path is judged there, and once more by whoever looked: that takes a leg for each rule.
        if self._judged is None or self._judged[0] is not checked:
            self._judged = checked, judged(self.harness, checked, self.divergences, self.stands_for)
        return self._judged[1]

    def fits(self, checked: CheckResult) -> tuple[str, ...]:
        """The silent entries that fit the case of ``checked``."""
        today = datetime.now(tz=timezone.utc).date()
        return silent_fits(
            self.divergences,
            as_run(checked),
            self.harness.spark.version,
            today,
            shows=lambda entry: shows(entry, checked.case, self.harness.duckdb, checked.legs.get("duckdb")),
        )

    def is_about_others(self, first: CheckResult, checked: CheckResult, rules: tuple[str, ...]) -> bool:
        """Whether ``first``, judged as ``checked``, raises, or is a known bug, and no target fired or has a part in it.

        RewriteExceptAll, for one, ends some queries before any rule that comes after it runs.
        """
        if not self.targets or first.fired or first.two_legs or checked.verdict.name not in _NOTHING_FIRED:
            return False
        return not {target.name for target in self.targets} & set(rules)

    def is_target(self, checked: CheckResult, rules: tuple[str, ...]) -> bool:
        """Whether ``checked``, whose guilty rules are ``rules``, is a finding for this fuzzer."""
        return self.predicate(checked)

    def record_finding(self, checked: CheckResult, rules: tuple[str, ...]) -> Finding | None:
        """Keep a new finding that is to be minimized; None for a duplicate, and for one that must not run again."""
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

    def keep(self, checked: CheckResult, rules: tuple[str, ...]) -> Finding:
        """Write a finding to disk and into the record."""
        failure, file = self._filed(self.failure(checked, rules, confirmed=is_loss(checked)))
        if self.on_record:
            self.recorder.finding(failure.summary(file))
        return Finding(checked, rules, signature(checked), file, failure.fingerprint, failure, checked, checked.fast)

    def still_fails(self, finding: Finding, case: Case, *, fast: bool = False) -> CheckResult | None:
        """``case`` checked with the finding's guilty rules off, if that shows the same finding, unexcused.

        Not ``fast``, it is run in jobs: over files, or over tables in memory if the finding shows on these alone.
        """
        return self.guard.attempt(case, lambda: self._failing(finding, case, fast), None)

    def _failing(self, finding: Finding, case: Case, fast: bool) -> CheckResult | None:
        off = [self.harness.catalogue.rule(name) for name in finding.checked.off]
        harness, alone = self.harness, finding.sure.memory_alone
        # No rule is to blame where none acts, or makes a difference.
        check = partial(harness.check_where_acting, differing=True)
        look = check if finding.signature.kind == "rule" else harness.check
        checked = look(case, fixed(off), finding.checked.settings, fast=fast or alone, in_driver=fast)
        checked = replace(checked, memory_alone=alone) if checked else None
        if checked is None or signature(checked) != finding.signature or checked.verdict.name != "finding":
            return None
        return checked if self._is_the_same(finding, checked) else None

    def _is_the_same(self, finding: Finding, checked: CheckResult) -> bool:
        if len(finding.rules) == 1:
            entry = excused_by(self.harness, checked, finding.rules, self.divergences, self.stands_for)
            return entry is None
        # Where two bugs meet, or none is to blame, a smaller case may show one bug alone, which has a culprit.
        again, rules = self.judged(checked)
        same = signature(again) == finding.signature and again.verdict.name == "finding"
        return same and sorted(rules) == sorted(finding.rules)

    def minimized(self, finding: Finding) -> Finding:
        """Minimize ``finding``; if Assay itself fails at that, keep it as it is, and deduplicate by it."""
        small = self.guard.attempt(finding.sure.case, lambda: self.minimize(finding), None)
        if small is None:  # else each query that shows it again would be made smaller, too
            self.known.add(finding.failure, finding.file)
        return small or finding

    def minimize(self, finding: Finding) -> Finding:
        """Reduce ``finding``, run it once more on the plain path, and replace its file; not confirmed if that passes.

        If another worker has minimized the same bug before, its case stays.
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

    def _with_third_opinion(self, checked: CheckResult) -> CheckResult:
        return self.guard.attempt(checked.case, lambda: third_opinion(self.harness, checked), checked)

    def _plans(self, checked: CheckResult, rules: tuple[str, ...]) -> dict[str, tuple[str, str]]:
        if is_loss(checked):  # they can't be had
            return {}
        return self.guard.attempt(checked.case, lambda: self.harness.plans_around(checked, rules), {})

    def _filed(self, failure: Failure, *, ask: bool = False) -> tuple[Failure, Path]:
        rules = [self.harness.catalogue.rule(name) for name in failure.rules]
        return filed(self.failures, failure, rules, self.guard, self.stock, ask=ask)

    def _reduced(self, finding: Finding, start: Case, *, fast: bool) -> Case:
        reduction = reduce(
            start,
            lambda case: not self.guard.stopped() and self.still_fails(finding, case, fast=fast) is not None,
            deadline_seconds=self.shrink_seconds / 2,
        )
        return reduction.case

    def _restart(self) -> None:
        """Start a fresh session, for a second try to reproduce a finding."""
        self.harness.spark.close()

    def text(self, finding: Finding) -> str:
        """Render the failure, with the plans before and after each guilty rule as the legs make them now."""
        return render(finding.failure, finding.file, self._plans(finding.checked, finding.rules))

    def failure(self, checked: CheckResult, rules: tuple[str, ...] = (), *, confirmed: bool = False) -> Failure:
        """Make the content of a failure file from ``checked``, whatever its verdict."""
        versions = versions_of(self.harness, checked)
        sql = {
            "spark": spark_text(checked.case.query, checked.case.settings.form),
            "duckdb": DuckdbCompiler().compile(checked.case.query),
        }
        subject = replace(self.subject, settings=checked.settings)
        failure = failure_of(
            checked, rules, subject=subject, versions=versions, sql=sql, seed=self.run_seed, confirmed=confirmed
        )
        return replace(failure, fast=checked.memory_alone)
