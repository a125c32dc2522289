"""The fuzzer: draw cases with Hypothesis, check and record each one, and keep and minimize what is found.

A finding is written to disk before anything else happens to it. Hypothesis then shrinks it, the reducer continues from
the smallest case, and the result runs once more. A finding that does not reproduce stays, marked as not confirmed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import partial

from hypothesis import strategies as st

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.finding import Finding, signature
from assay.fuzz.policy import Policy
from assay.fuzz.record import Recording
from assay.fuzz.search import Search
from assay.fuzz.spread import suited
from assay.fuzz.steering import Watch
from assay.fuzz.supervision import Guard
from oracles.answers.atomic import write_json
from oracles.answers.outcome import Rows
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.paths import Paths, PathsDiffer
from oracles.checks.result import CheckResult
from oracles.failures.failure import Failure, Subject, failure_of, to_json, write_failure
from oracles.failures.loss import is_loss
from oracles.failures.text import render
from oracles.reductions.reducer import reduce
from oracles.sql import DuckdbCompiler, spark_text
from oracles.triage.attribution import excused_by, judged
from oracles.triage.divergences import as_run
from oracles.triage.explanation import shows
from oracles.triage.silent import silent_fits
from oracles.triage.third_opinion import third_opinion, versions_of
from strategies.ir import Case

SHARD = 100
"""The number of checks in a shard: large beside Hypothesis's trivial first examples, small enough to share out."""

_NOTHING_FIRED = ("excused", "raised", "same-error", "order-open")
"""Verdicts of checks that give no evidence about target rules that did not fire."""

_IDLE_ROUNDS = 5
"""The number of rounds without a new case after which a strategy counts as exhausted."""

QUERIES_A_CHECK = 20
"""The limit of distinct queries that a run about named rules plans for each requested check."""


def shards(count: int) -> list[int]:
    """The number of checks of each shard in a run of ``count`` checks."""
    full, rest = divmod(count, SHARD)
    return [SHARD] * full + ([rest] if rest else [])


def shard_seed(run_seed: int, *parts: object) -> int:
    """The seed of one part of a run: the same for any number of workers, different for every part."""
    text = "/".join(map(str, (run_seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


@dataclass(slots=True, kw_only=True)
class Fuzzer:
    """Fuzz one thing in one process: a run, a mutant, or the round of a campaign.

    :param harness: the engines and the catalogue of rules.
    :param subject: the part of every failure file that describes the run: the injected rules and the settings.
    :param recorder: where checks and findings are counted.
    :param store: where findings go.
    :param policy: the target rules, the predicate, and the limits of the search.
    :param run_seed: the seed of the run.
    :param watch: watches each check.
    """

    harness: Harness
    subject: Subject
    recorder: Recording
    store: FailureStore
    policy: Policy
    run_seed: int
    watch: Watch = field(default_factory=Watch)
    _judged: tuple[CheckResult, tuple[CheckResult, tuple[str, ...]]] | None = field(init=False, default=None)
    _unattributed: CheckResult | None = field(init=False, default=None)
    _unminimized: list[Finding] = field(init=False, default_factory=list)
    _stop_at_first: bool = field(init=False, default=False)
    _batch: int | None = None

    @property
    def guard(self) -> Guard:
        """The supervision of each check."""
        return self.store.guard

    def run(
        self, cases: st.SearchStrategy[Case], name: str, count: int, *, stop_at_first: bool = False
    ) -> list[Finding]:
        """Make ``count`` distinct checks of ``cases``, and return the new findings, minimized.

        The run's seed and ``name`` seed the draws. Findings that lose an engine at each run, and findings whose
        attribution failed, are not minimized. With ``stop_at_first`` the first finding ends the run. With ``targets``,
        the run ends after QUERIES_A_CHECK times ``count`` queries even if fewer than ``count`` of them became checks.
        """
        seen: set[str] = set()
        findings: list[Finding] = []
        self._unminimized, self._stop_at_first = [], stop_at_first
        rounds = idle = unchecked = 0
        if self.policy.targets:
            points = self.harness.spark.points
            cases = suited(cases, *(points.get(rule.rule_name, "") for rule in self.policy.targets))
        most = count * (QUERIES_A_CHECK if self.policy.targets else 1)
        while (queries := min(count + unchecked, most)) > len(seen) and idle < _IDLE_ROUNDS and not self.is_over():
            before = len(seen)
            part = Search(self, seen, min(queries, before + (self._batch or queries)))
            part.run(self.drawn_from(cases), shard_seed(self.run_seed, name, rounds))
            if self.policy.targets:
                unchecked += len(seen) - before - part.checks
            if part.finding is not None:
                part.finding.examples = len(seen)
                findings.append(self.minimized(part.finding))
                if stop_at_first:
                    break
            idle = idle + 1 if len(seen) == before else 0
            rounds += 1
        return [*findings, *self._unminimized]

    def drawn_from(self, cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
        """The strategy of the next search, given that of the run; a subclass may know better by then."""
        return cases

    def is_over(self) -> bool:
        """Whether the fuzzer must check no more examples."""
        return self.guard.stopped() or (self._stop_at_first and bool(self._unminimized))

    def check_case(self, case: Case, data: st.DataObject) -> CheckResult | None:
        """Check ``case``; None if the target rule, or each of the targets, does not fire.

        Raises PathsDiffer if the fast path and the plain path disagree, after writing both results to disk.
        """
        choose, paths = partial(self.policy.draw_off, data), self.paths(case)
        targets = [self.policy.target_rule] if self.policy.target_rule else self.policy.targets

        def check() -> CheckResult | None:
            try:
                return paths.check(case, choose, self.subject.settings, if_fired=targets)
            except PathsDiffer as differ:
                self._keep_both(differ)
                raise

        self.guard.attempt(None, self.watch.begin, None)
        checked = self.guard.check(case, check)
        self.guard.attempt(None, lambda: self.watch.end(case), None)
        # Rules of adaptive execution, and rules that are parts of others, are known to have fired only after the check.
        idle = self.policy.targets and checked is not None and checked.verdict.name == "vacuous"
        return None if idle else checked

    def paths(self, case: Case) -> Paths:
        """The fast path and the plain path of the check of ``case``."""
        return Paths(self.harness, self.policy.fast, self._is_excused, self.databases)

    @property
    def databases(self) -> int:
        """The number of databases that the plans of the next check run over on the fast path."""
        return self.policy.databases

    def _keep_both(self, differ: PathsDiffer) -> None:
        fast = replace(self.failure(differ.fast, (), confirmed=False), fast=True)
        file = write_failure(self.store.folder / "paths", fast)
        write_json(file.with_suffix(".plain.json"), to_json(self.failure(differ.plain, (), confirmed=False)))
        differ.add_note(f"both results, the first one for replay: {file}, {file.with_suffix('.plain.json').name}")

    def _is_excused(self, checked: CheckResult) -> bool:
        self._hold(checked)
        return self.guard.attempt(checked.case, lambda: self.judged(checked)[0].verdict.name == "excused", False)

    def _hold(self, checked: CheckResult) -> None:
        if checked.verdict.name == "finding":
            self.guard.persist(lambda: self.store.unjudged.hold(self.failure(checked)))

    def attributed(self, checked: CheckResult) -> tuple[CheckResult, tuple[str, ...]]:
        """Attribute ``checked`` to its guilty rules while its finding is on disk; unchanged if attribution fails.

        The caller must release the ``unjudged`` finding once it is recorded, excused or dismissed.
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
            self._judged = checked, judged(self.harness, checked, self.policy.divergences, self.policy.stands_for)
        return self._judged[1]

    def fits(self, checked: CheckResult) -> tuple[str, ...]:
        """The silent entries that fit the case of ``checked``."""
        today = datetime.now(tz=timezone.utc).date()
        return silent_fits(
            self.policy.divergences,
            as_run(checked),
            self.harness.spark.version,
            today,
            shows=lambda entry: shows(entry, checked.case, self.harness.duckdb, checked.legs.get("duckdb")),
        )

    def is_about_others(self, first: CheckResult, checked: CheckResult, rules: tuple[str, ...]) -> bool:
        """Whether ``first`` raised or is excused, and no target rule fired or is guilty.

        ``checked`` and ``rules`` are ``first`` after attribution, and its guilty rules.

        For example, RewriteExceptAll makes some queries raise before any later rule runs.
        """
        return are_others_alone([target.name for target in self.policy.targets], first, checked, rules)

    def is_target(self, checked: CheckResult, rules: tuple[str, ...]) -> bool:
        """Whether ``checked``, whose guilty rules are ``rules``, is a finding for this fuzzer."""
        return self.policy.predicate(checked, rules)

    def record_finding(self, checked: CheckResult, rules: tuple[str, ...]) -> Finding | None:
        """Keep a new finding that is to be minimized; None for a duplicate, and for one that must not run again."""
        if checked is self._unattributed:
            self._unminimized.append(self.keep(checked, rules))
            return None
        earlier = self.store.known.earlier(self.failure(checked, rules))
        if earlier is not None:
            if self.policy.on_record:
                self.recorder.finding(earlier.failure.summary(earlier.file))
            return None
        finding = self.keep(checked, rules)
        if not is_loss(checked):
            return finding
        self._unminimized.append(finding)
        self.store.known.add(finding.failure, finding.file)
        return None

    def keep(self, checked: CheckResult, rules: tuple[str, ...]) -> Finding:
        """Write a finding to disk and into the record."""
        failure, file = self.store.file(self.failure(checked, rules, confirmed=is_loss(checked)), self.harness)
        if self.policy.on_record:
            self.recorder.finding(failure.summary(file))
        return Finding(
            checked=checked,
            rules=rules,
            signature=signature(checked),
            file=file,
            fingerprint=failure.fingerprint,
            failure=failure,
            recorded=checked,
            fast=checked.fast,
        )

    def still_fails(self, finding: Finding, case: Case, *, fast: bool = False) -> CheckResult | None:
        """Check ``case`` with the finding's rules off; the result if it is the same finding and not excused, else None.

        Unless ``fast``, the case runs as Spark jobs: over files, or over tables in memory if the finding needs these.
        """
        return self.guard.attempt(case, lambda: self._failing(finding, case, fast), None)

    def _failing(self, finding: Finding, case: Case, fast: bool) -> CheckResult | None:
        off = [self.harness.catalogue.rule(name) for name in finding.checked.off]
        harness, alone = self.harness, finding.recorded.memory_alone
        # No rule is to blame where none fires, or makes a difference. The plans of some findings only look the same.
        check = partial(harness.check_if_fired, differing=finding.checked.differed)
        look = check if finding.signature.kind == "rule" else harness.check
        checked = look(case, fixed(off), finding.checked.settings, fast=fast or alone, in_driver=fast)
        checked = replace(checked, memory_alone=alone) if checked else None
        if checked is None or signature(checked) != finding.signature or checked.verdict.name != "finding":
            return None
        # Of a rule with two mistakes, a smaller case may show the other one alone, which was told before.
        known = self.store.known
        if known.by_operators and known.earlier(self.failure(checked, finding.rules)) is not None:
            return None
        return checked if self._is_the_same(finding, checked) else None

    def _is_the_same(self, finding: Finding, checked: CheckResult) -> bool:
        if len(finding.rules) == 1:
            entry = excused_by(self.harness, checked, finding.rules, self.policy.divergences, self.policy.stands_for)
            return entry is None
        # Where two bugs meet, or none is to blame, a smaller case may show one bug alone, which has a culprit.
        again, rules = self.judged(checked)
        same = signature(again) == finding.signature and again.verdict.name == "finding"
        return same and sorted(rules) == sorted(finding.rules)

    def minimized(self, finding: Finding) -> Finding:
        """Minimize ``finding``; if Assay itself fails at that, keep the finding unchanged, and deduplicate by it."""
        self.watch.found()
        small = self.guard.attempt(finding.recorded.case, lambda: self.minimize(finding), None)
        if small is None:  # else each query that shows it again would be made smaller, too
            self.store.known.add(finding.failure, finding.file)
        return small or finding

    def minimize(self, finding: Finding) -> Finding:
        """Reduce ``finding``, rerun it on the plain path, and replace its file; not confirmed if the rerun passes.

        If another finding of the same bug was minimized before, its file stays.
        """
        case = self._reduced(finding, finding.checked.case, fast=finding.fast)
        again = self.still_fails(finding, case)
        if again is None and finding.fast:
            case = self._reduced(finding, finding.recorded.case, fast=False)
            again = self.still_fails(finding, case)
        if again is None:
            self._restart()
            again = self.still_fails(finding, case)
        smallest = self._with_third_opinion(again or finding.recorded)
        smaller = self.failure(smallest, finding.rules, confirmed=again is not None)
        smaller = replace(smaller, plans=self._plans(smallest, finding.rules))
        earlier = self.store.known.earlier(smaller)
        smaller, file = (earlier.failure, earlier.file) if earlier else self.store.file(smaller, self.harness, ask=True)
        if self.policy.on_record:
            self.recorder.finding(smaller.summary(file), replaces=finding.fingerprint)
        self.store.retire(finding.failure, smaller.fingerprint)
        self.store.known.add(smaller, file)
        return replace(finding, checked=smallest, file=file, fingerprint=smaller.fingerprint, failure=smaller)

    def _with_third_opinion(self, checked: CheckResult) -> CheckResult:
        return self.guard.attempt(checked.case, lambda: third_opinion(self.harness, checked), checked)

    def _plans(self, checked: CheckResult, rules: tuple[str, ...]) -> dict[str, tuple[str, str]]:
        if is_loss(checked):  # they can't be had
            return {}
        return self.guard.attempt(checked.case, lambda: self.harness.plans_around(checked, rules), {})

    def _reduced(self, finding: Finding, start: Case, *, fast: bool) -> Case:
        reduction = reduce(
            start,
            lambda case: not self.guard.stopped() and self.still_fails(finding, case, fast=fast) is not None,
            deadline_seconds=self.policy.shrink_seconds / 2,
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
            "spark": spark_text(checked.case.query, checked.case.settings),
            "duckdb": DuckdbCompiler().compile(checked.case.query),
        }
        subject = replace(self.subject, settings=checked.settings)
        failure = failure_of(
            checked, rules, subject=subject, versions=versions, sql=sql, seed=self.run_seed, confirmed=confirmed
        )
        return replace(failure, fast=checked.memory_alone)


def are_others_alone(
    targets: Collection[str], first: CheckResult, checked: CheckResult, rules: Collection[str]
) -> bool:
    """Whether a check says nothing of the rules ``targets``, for none of them fired or is among the guilty ``rules``.

    A leg that raises while it plans has no fired rules, so a check counts where one of Spark's legs alone raises.
    """
    if not targets or first.fired or first.two_legs or checked.verdict.name not in _NOTHING_FIRED:
        return False
    ends = [isinstance(first.legs.get(leg), Rows) for leg in ("on", "off")]
    if checked.verdict.name == "order-open" and ends[0] != ends[1]:
        return False
    return not set(targets) & set(rules)
