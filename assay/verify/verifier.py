"""Verify one rule up to a bound, or until the time is up, or refute it by the smallest difference."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from assay.coverage.own_rule import OwnProbes, RuleCoverage
from assay.fuzz.conviction import convicts, has_part
from assay.fuzz.failure_store import FailureStore
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy, draw_fixed
from assay.fuzz.record import Recorder
from assay.fuzz.steering import Watch
from assay.fuzz.supervision import Guard
from assay.verify.bound import Bound
from assay.verify.pairs import Pair, PairFinder, database_of
from assay.verify.proofs import PAIR_SECONDS, Proofs, are_the_same, database_for
from assay.verify.shape_search import ShapeSearch
from assay.verify.sweeps import Difference, Sweep, Sweeper, Way
from assay.verify.verification import Verification
from oracles.answers.outcome import Rows
from oracles.checks.check import Harness
from oracles.checks.choices import with_their_callers
from oracles.checks.result import CheckResult
from oracles.engines.spark.engine import SparkEngine
from oracles.failures.failure import Subject
from oracles.failures.scripts.confirm import StockSpark
from oracles.rules.points import Point
from oracles.rules.rule import Rule
from oracles.triage.divergences import Divergence, load
from strategies.ir import Case, Database

QUICK_ROWS = 2
"""The rows in all of the databases that each pair is run over as soon as it is found."""
SHAPED = 0.3
"""The share of the time for queries of the rule's shape, if it has one; all that is left, if no small query changed the
plan in this share of the time."""
SHRINK_SECONDS = 20.0
"""The time to minimize a counterexample that is not the smallest by construction."""
FINDING = 0.5
"""The share of the time after which the pairs found so far are run over larger databases, before more are found."""


class NotConfirmed(RuntimeError):
    """The JVM, or the solver, saw two plans differ, and the ordinary check of the same case did not: the fault is
    Assay's own.
    """


def why_not(rule: Rule, harness: Harness) -> str:
    """The reason why ``rule`` can't be verified, or ''."""
    if rule.switch is None:
        return "can't be turned off, so that there are no two plans to compare"
    point = harness.spark.points.get(rule.rule_name, "")
    if point and Point(point).adaptive:
        return f"only adaptive execution has the point {point}, and plans are run without"
    return ""


@dataclass(slots=True, kw_only=True)
class Verifier:
    """Verifies the rules of a run, one by one, with the same engines.

    :param stands_for: by the name of a planted rule, the rule whose place it takes.
    :param told: called with the verification after each pair.
    :param watch: watches the checks of differences.
    :param shapes: the cases of a rule's shape, by the rule's name.
    :param prove: whether the pairs are put to the solver when they were enumerated, for as long again.
    """

    harness: Harness
    subject: Subject
    folder: Path
    failures: Path
    bound: Bound
    guard: Callable[[Rule], Guard]
    stock: StockSpark | None = None
    stands_for: dict[str, str]
    probes: OwnProbes
    divergences: Sequence[Divergence] = field(default_factory=load)
    told: Callable[[Verification], None] = lambda verification: None
    watch: Watch = field(default_factory=Watch)
    shapes: Mapping[str, SearchStrategy[Case]] = field(default_factory=dict)
    prove: bool = False

    def verify(self, rule: Rule) -> Verification:
        """Verify ``rule``, whose switch turns it off."""
        recorder = Recorder(self.folder / f"{rule.name}.jsonl")
        try:
            return _Run(self, rule, recorder).verified()
        finally:
            recorder.close()


class _Run:
    def __init__(self, verifier: Verifier, rule: Rule, recorder: Recorder) -> None:
        self.verifier, self.rule, self.harness = verifier, rule, verifier.harness
        self.bound, self.guard = verifier.bound, verifier.guard(rule)
        self.shape = verifier.shapes.get(verifier.stands_for.get(rule.name, rule.name))
        self.begun = time.monotonic()
        self.end = self.begun + self.bound.seconds * (1 if self.shape is None else 1 - SHAPED)
        spark = self.harness.spark
        assert isinstance(spark, SparkEngine)  # no other runs plans in the driver
        self.sweeper = Sweeper(spark=spark, bound=self.bound, left=self._left)
        finder = PairFinder(harness=self.harness, rule=rule, settings=verifier.subject.settings, bound=self.bound)
        point = spark.points.get(rule.rule_name, "")
        self.result = Verification(rule=rule.name, point=point, bound=self.bound, finder=finder)
        self.batches, self.more = finder.batches(), True
        self.fuzzer = Fuzzer(
            harness=self.harness,
            subject=verifier.subject,
            recorder=recorder,
            store=FailureStore(folder=verifier.failures, guard=self.guard, stock=verifier.stock),
            policy=Policy(
                draw_off=draw_fixed([rule]),
                divergences=verifier.divergences,
                target_rule=rule,
                stands_for=verifier.stands_for,
                shrink_seconds=0.0,
                drawn_smaller=False,
            ),
            run_seed=0,
            watch=verifier.watch,
        )

    def _left(self) -> float:
        return self.end - time.monotonic()

    def verified(self) -> Verification:
        started, result = time.monotonic(), self.result
        self.guard.attempt(None, lambda: self.verifier.probes.begin(self.harness.spark), None)
        self._search()
        if self.shape is not None and not result.findings:
            self.end = self.begun + self.bound.seconds
            self._search_shape(self.shape)
            self.shape = None
            if not result.findings:
                self._search()
        if self.verifier.prove:
            self._prove()
        unmeasured: RuleCoverage | None = None
        result.coverage = self.guard.attempt(
            None,
            lambda: self.verifier.probes.of(self.rule.name, self.harness.spark, fired=bool(result.sweeps)),
            unmeasured,
        )
        result.seconds = time.monotonic() - started
        return result

    def _search(self) -> None:
        """Find pairs for half of the time, run these over all databases, and go on with the next ones. Goes on where it
        was when it is called again.
        """
        result = self.result
        until, done = self._left() * (1 - FINDING), 0
        going_on = True
        while going_on and self._left() > 0:
            while self.more and self._left() > until and not self._is_hopeless():
                none: list[Pair] | None = None
                incidents = self.guard.incidents
                batch = self.guard.attempt(None, lambda: next(self.batches, None), none)
                if batch is None and self.guard.incidents > incidents:
                    result.cut_off = True
                    if self._checks_one_by_one(result.finder.planning):
                        return
                if batch and self._quickly(batch):
                    return
                self.more = batch is not None and len(result.sweeps) < self.bound.pairs
            if any(self._sampled(sweep) for sweep in result.sweeps[done:]):
                return
            for rows in range(QUICK_ROWS + 1, self.bound.rows * self.bound.tables + 1):
                if any(self._refuted(sweep, rows) for sweep in result.sweeps[done:]):
                    return
            # Over larger databases a plan may be the first time without rows.
            if any(self._sampled(sweep) for sweep in result.sweeps[done:]):
                return
            until, done = 0.0, len(result.sweeps)
            going_on = self.more and not self._is_hopeless()

    def _is_hopeless(self) -> bool:
        """Whether no small query changed a plan for so long that the rule's shape should be asked instead."""
        late = time.monotonic() - self.begun > SHAPED * self.bound.seconds
        return late and self.shape is not None and not self.result.sweeps

    def _search_shape(self, cases: SearchStrategy[Case]) -> None:
        """Run queries of the rule's shape over small databases, the smallest query first, up to a finding."""
        search = ShapeSearch(
            rule=self.rule,
            check=self._check_fired,
            speaks=self._speaks,
            left=self._left,
            rows=self.bound.rows,
        )
        self.result.shaped = search.shaped
        self.fuzzer.policy = replace(self.fuzzer.policy, shrink_seconds=SHRINK_SECONDS)
        search.run(cases)

    def _check_fired(self, case: Case, others: Sequence[Database]) -> CheckResult | None:
        """The check of ``case``, and of its plans over the ``others`` if the driver runs them; None if the rule does
        not fire.
        """
        choose, settings = with_their_callers([self.rule]), self.verifier.subject.settings
        return self.guard.check(
            case,
            lambda: self.harness.check_if_fired(case, choose, settings, fast=True, others=others, rules=[self.rule]),
        )

    def _checks_one_by_one(self, cases: Sequence[Case]) -> bool:
        """Check queries whose planning took the JVM, each by itself; whether one speaks against the rule."""
        for case in cases:
            if self._left() <= 0:
                return False
            checked = self._checked(case)
            if checked is not None and checked.verdict.name == "finding" and self._judged(checked):
                return True
        return False

    def _quickly(self, batch: Sequence[Pair]) -> bool:
        """Run new pairs over the smallest databases; whether one is refuted."""
        room = self.bound.pairs - len(self.result.sweeps)
        none: list[Sweep] | None = None
        sweeps = self.guard.attempt(None, lambda: self.sweeper.begin(batch[:room]), none)
        self.result.unbegun += len(batch[room:])
        if sweeps is None:
            self.result.lost += len(batch[:room])
            return False
        for place, sweep in enumerate(sweeps):
            if self._left() <= 0:
                self.result.unbegun += len(sweeps) - place
                return False
            self.result.sweeps.append(sweep)
            if self._refuted(sweep, QUICK_ROWS):
                return True
        return False

    def _refuted(self, sweep: Sweep, most_rows: int) -> bool:
        """Run ``sweep``; whether there is a difference that speaks against the rule."""
        incidents, nothing = self.guard.incidents, list[Difference]()
        while found := self.guard.attempt(None, lambda: self.sweeper.round(sweep, most_rows), nothing):
            for difference in found:
                case = Case(difference.pair.query, difference.database, difference.settings)
                if self.guard.attempt(case, partial(self._confirmed, case), False):
                    return True
        self.result.lost += self.guard.incidents > incidents
        self.verifier.told(self.result)
        return False

    def _confirmed(self, case: Case, seen: str = "two plans have other rows in the JVM") -> bool:
        checked = self._checked(case)
        if checked is None or checked.verdict.name not in ("finding", "excused"):
            ended = checked.verdict.name if checked else "nothing"
            raise NotConfirmed(f"{seen}, and the check of the case ends in {ended}")
        # A rule that is refuted has its counterexample.
        return bool(self.result.findings) or self._judged(checked, of_the_pair=True)

    def _prove(self) -> None:
        """Put each pair to the solver; its refutations have to show in the ordinary check."""
        proofs = self.result.proofs = Proofs(self.bound.rows)
        end = time.monotonic() + self.bound.seconds
        for sweep in self.result.sweeps:
            self._put_to_solver(sweep, proofs, min(PAIR_SECONDS, end - time.monotonic()))

    def _put_to_solver(self, sweep: Sweep, proofs: Proofs, seconds: float) -> None:
        from assay.proof import prove as solver  # z3 comes with an extra

        plans = sweep.ways[0].plans
        if plans is None:
            proofs.outside["a plan that can't be compared"] += 1
            return
        none: tuple[str, str] | None = None
        texts = self.guard.attempt(None, plans.optimized, none) if seconds > 0 else None
        if texts and are_the_same(*texts):
            # The rule changes what is executed, so its work is below what is proven.
            proofs.outside["the same optimized plan with the rule on and off"] += 1
            return
        undecided: solver.Verdict = solver.Undecided()
        verdict = (
            self.guard.attempt(None, partial(solver.prove, *texts, rows=proofs.rows, seconds=seconds), undecided)
            if texts
            else undecided
        )
        match verdict:
            case solver.Proven():
                proofs.proven += 1
            case solver.Outside(why):
                proofs.outside[why] += 1
            case solver.Undecided():
                proofs.undecided += 1
            case solver.Refuted(found):
                case = Case(sweep.pair.query, database_for(sweep.pair, found), sweep.ways[0].settings)
                seen = f"the solver has a database over which two plans have other rows: {found}"
                self.guard.attempt(case, partial(self._confirmed, case, seen), False)
                proofs.refuted += 1

    def _checked(self, case: Case) -> CheckResult | None:
        """The ordinary check of ``case``, confirmed on the plain path; None if the rule does not fire."""
        choose, settings = with_their_callers([self.rule]), self.verifier.subject.settings
        paths = self.fuzzer.paths(case)
        return self.guard.check(case, lambda: paths.check(case, choose, settings, if_fired=[self.rule]))

    def _judged(self, checked: CheckResult, *, of_the_pair: bool = False) -> bool:
        """Keep the finding of ``checked``; whether it speaks against the rule.

        :param of_the_pair: the plans with the rule and without it have other rows, so that it has a part.
        """
        result, rule = self.result, self.rule.name
        checked, rules = self.fuzzer.attributed(checked)
        verdict = checked.verdict
        concerned = of_the_pair or has_part(checked, rules, rule)
        if verdict.divergence is not None and concerned:
            result.excused[verdict.divergence] += 1
        convicted = convicts(verdict, rules, rule)
        if convicted:
            finding = self.fuzzer.minimized(self.fuzzer.keep(checked, rules))
            result.findings.append(finding)
            result.counterexamples.append(self.fuzzer.text(finding))
        elif verdict.name == "finding" and concerned:
            result.unexplained[f"{verdict.kind}, blame {verdict.blame}"] += 1
            result.files.append(self.fuzzer.keep(checked, rules).file)
        elif verdict.name == "finding":
            result.others[f"{verdict.kind}, blame {verdict.blame}"] += 1
            result.files.append(self.fuzzer.keep(checked, rules).file)
        self.fuzzer.store.unjudged.release(settled=True)
        return convicted

    def _sampled(self, sweep: Sweep) -> bool:
        """Check the pair over databases with new answers, DuckDB included; whether that speaks against the rule.

        Databases over which one plan or both have no rows in the driver are checked for themselves, by jobs.
        """
        for way in sweep.ways:
            fresh = way.fresh if way is sweep.ways[0] else way.fresh[:1]
            choices = [choice for choice in fresh if choice not in way.checked]
            by_jobs = [choice for choice in way.by_jobs if choice not in way.checked]
            way.checked.update(choices, by_jobs)
            if any(self._finds(sweep, way, [choice]) for choice in by_jobs):
                return True
            if choices and self._finds(sweep, way, choices):
                return True
        return False

    def _finds(self, sweep: Sweep, way: Way, choices: Sequence[tuple[int, ...]]) -> bool:
        pair, every = sweep.pair, self.sweeper.versions(sweep.pair.schema)
        first, *others = (database_of(pair.schema, choice, every) for choice in choices)
        case = Case(pair.query, first, way.settings)
        choose, settings = with_their_callers([self.rule]), self.verifier.subject.settings
        checked = self.guard.check(case, lambda: self.harness.check(case, choose, settings, fast=True, others=others))
        if checked is None:
            return False
        self.result.sampled += isinstance(checked.legs["duckdb"], Rows) + checked.beside.agreed
        return self._speaks(case, checked)

    def _speaks(self, case: Case, checked: CheckResult) -> bool:
        """Whether a finding of ``checked``, over its own database or over another one, speaks against the rule."""
        suspects = [checked.case] if checked.verdict.name == "finding" else []
        if checked.beside.elsewhere is not None:
            suspects.append(replace(case, database=checked.beside.elsewhere.database))
        for suspect in suspects:
            again = self._checked(suspect)
            if again is not None and again.verdict.name == "finding" and self._judged(again):
                return True
        return False
