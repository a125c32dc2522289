"""The evaluation of one rule: searches for a query that the rule makes wrong, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from assay.coverage.own_rule import OwnProbes, RuleCoverage
from assay.evaluation.acquittal import EvaluationOutcome, EvaluationStats, outcome
from assay.evaluation.rule_fuzzer import RuleFuzzer
from assay.evaluation.timing import Timing
from assay.fuzz.aim import aim_of
from assay.fuzz.case_mix import forms_of
from assay.fuzz.failure_store import FailureStore
from assay.fuzz.finding import Finding
from assay.fuzz.policy import Policy, draw_fixed
from assay.fuzz.record import Recorder
from assay.fuzz.spread import suited
from assay.fuzz.steering import Watch
from assay.fuzz.supervision import Guard, Supervised, unsupervised
from assay.session.options import DATABASES
from assay.verify.verification import Verification
from oracles.checks.check import Harness
from oracles.checks.evidence import LEAST
from oracles.checks.misbehaviour import WATCHED
from oracles.checks.result import LegSettings
from oracles.engines.protocol import PlansSeen, RuleNames
from oracles.engines.spark.engine import SparkEngine
from oracles.failures.failure import Subject
from oracles.failures.scripts.confirm import StockSpark
from oracles.rules.rule import Rule
from oracles.rules.switch import switch_off
from oracles.triage.dedup import Known
from oracles.triage.divergences import Divergence, load
from strategies.edits.aims import aimed_cases
from strategies.ir import Case

SETTINGS = LegSettings(on=WATCHED, off=WATCHED)
"""The settings of both legs during an evaluation."""


def unwatched(settings: LegSettings) -> LegSettings:
    """``settings`` without those that watch the rule during an evaluation, because watching takes time."""
    on, off = ({key: value for key, value in leg.items() if key not in WATCHED} for leg in (settings.on, settings.off))
    return LegSettings(on, off)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEvaluation:
    """The result of the evaluation of one rule.

    ``point`` is the extension point of the rule, '' for a rule of Spark's own. ``operators`` are the operators that the
    rule's class names, ``plans_seen`` the plans that the rule was given, ``analyzed`` the plans that the analyzer made.
    ``rows`` is the size of the tables for comparing times, 0 if times are not compared. ``coverage`` is the code
    coverage of an injected rule, None if it is not known. ``verification`` is the result of the small queries that come
    before the draws, None without them. ``beside`` names the other rules on trial.
    """

    rule: str
    point: str
    stats: EvaluationStats
    findings: Sequence[Finding] = ()
    counterexamples: Sequence[str] = ()
    operators: Sequence[str] = ()
    plans_seen: PlansSeen = field(default_factory=PlansSeen)
    analyzed: PlansSeen = field(default_factory=PlansSeen)
    timings: Sequence[Timing] = ()
    rows: int = 0
    coverage: RuleCoverage | None = None
    verification: Verification | None = None
    beside: Sequence[str] = ()

    @property
    def outcome(self) -> EvaluationOutcome:
        """The verdict on the rule."""
        small = self.verification
        fired = small is not None and small.finder.fired > 0
        in_doubt = small is not None and bool(small.excused or small.unexplained or small.endless)
        return outcome(self.stats, convicted=bool(self.findings), fired=fired, in_doubt=in_doubt)

    def summary(self) -> dict[str, Any]:
        """The evaluation as ``--summary-json`` has it."""
        stats = self.stats
        return {
            "verdict": self.outcome,
            "point": self.point,
            "queries": stats.queries,
            "checked": stats.count.checked,
            "fired": stats.count.fired,
            "differed": stats.count.differed,
            "agreed": stats.agreed,
            "other_databases": stats.databases,
            "evidence": stats.evidence,
            "needed": LEAST,
            "excused": dict(sorted(stats.excused.items())),
            "unexplained": dict(sorted(stats.unexplained.items())),
            "restless": stats.restless,
            "verdicts": dict(sorted(stats.verdicts.items())),
            "others": dict(sorted(stats.others.items())),
            "files": [str(file) for file in stats.files],
            "operators": {name: self.plans_seen.nodes.get(name, 0) for name in self.operators},
            "findings": [finding.failure.summary(finding.file) for finding in self.findings],
            "time": [
                {"sql": each.sql, "rows": each.rows, "on": each.on, "off": each.off, "ratio": round(each.ratio, 2)}
                for each in self.timings
            ],
            "coverage": self.coverage.summary() if self.coverage else None,
            "verification": self.verification.summary() if self.verification else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEvaluator:
    """Evaluates the rules of a run, one by one, with the same engines and settings.

    ``steered`` is the percentage of edits among the queries, once there are cases to edit. ``databases`` is how many
    databases the plans of one query run over on the fast path; the first queries of each kind get more.
    ``told`` is called with the statistics after each query. ``stock`` is passed to the fuzzer's store, ``stands_for``
    to its policy, and ``watch`` watches it.
    """

    harness: Harness
    subject: Subject
    folder: Path
    failures: Path
    run_seed: int
    shrink_seconds: float = 60.0
    fast: bool = True
    databases: int = DATABASES
    steered: int = 0
    told: Callable[[EvaluationStats], None] = lambda stats: None
    watch: Watch = field(default_factory=Watch)
    stock: StockSpark | None = None
    stands_for: Mapping[str, str] = field(default_factory=dict)
    supervised: Supervised = unsupervised
    probes: OwnProbes = field(default_factory=lambda: OwnProbes(classes={}))
    divergences: Sequence[Divergence] = field(default_factory=load)

    def guard(self, rule: Rule) -> Guard:
        """The supervision of the evaluation of ``rule``."""
        return self.supervised([rule], self.subject.settings)

    def without(self, rule: Rule) -> RuleEvaluator:
        """A copy of this evaluator that turns ``rule`` off in both legs."""
        settings = self.subject.settings
        switches = [rule.switch] if rule.switch else []
        both = LegSettings(switch_off(switches, settings.on), switch_off(switches, settings.off))
        return replace(self, subject=replace(self.subject, settings=both))

    def evaluate(
        self,
        rule: Rule,
        cases: st.SearchStrategy[Case],
        count: int,
        *,
        keep_going: bool = False,
        aimed: bool = False,
        earlier: Sequence[Finding] = (),
    ) -> RuleEvaluation:
        """Evaluate ``rule`` on ``count`` of ``cases``; stop at the first conviction unless ``keep_going``.

        Queries on which the rule does not fire are only planned.

        :param keep_going: findings whose queries have other operators are several mistakes of the rule.
        :param aimed: half of the queries get operators and expressions that the rule's class mentions.
        :param earlier: findings that are not reported again.
        """
        known = Known(by_operators=keep_going)
        for finding in earlier:
            known.add(finding.failure, finding.file)
        recorder, spark = Recorder(self.folder / f"{rule.name}.jsonl"), self._spark
        fuzzer = self._fuzzer(rule, recorder, known)
        fuzzer.guard.attempt(None, lambda: self.probes.begin(spark), None)
        class_name = spark.injected.get(rule.name, rule.rule_name)
        names = fuzzer.guard.attempt(None, lambda: spark.names_of(class_name), RuleNames())
        if aimed:
            cases = aimed_cases(cases, aim_of(names), forms_of=forms_of)
        cases = suited(cases, spark.points.get(rule.rule_name, ""))
        try:
            findings = fuzzer.run(cases, f"check-rule/{rule.name}", count, stop_at_first=not keep_going)
        finally:
            recorder.close()
        return self._evaluation(rule, fuzzer, names, findings)

    @property
    def _spark(self) -> SparkEngine:
        assert isinstance(self.harness.spark, SparkEngine)  # no other keeps what rules were given
        return self.harness.spark

    def _fuzzer(self, rule: Rule, recorder: Recorder, known: Known) -> RuleFuzzer:
        """The fuzzer of the evaluation of ``rule``, which takes findings in ``known`` for duplicates."""
        policy = Policy(
            draw_off=draw_fixed([rule]),
            divergences=self.divergences,
            target_rule=rule,
            stands_for=self.stands_for,
            fast=self.fast,
            databases=self.databases,
            shrink_seconds=self.shrink_seconds,
        )
        return RuleFuzzer(
            harness=self.harness,
            subject=self.subject,
            recorder=recorder,
            store=FailureStore(folder=self.failures, guard=self.guard(rule), stock=self.stock, known=known),
            policy=policy,
            run_seed=self.run_seed,
            watch=self.watch,
            told=self.told,
            steered=self.steered,
            is_new=lambda: bool(self.probes.new(self.harness.spark)),
        )

    def _evaluation(
        self, rule: Rule, fuzzer: RuleFuzzer, names: RuleNames, findings: Sequence[Finding]
    ) -> RuleEvaluation:
        """The result of the evaluation of ``rule`` by ``fuzzer``, which has run."""
        unmeasured: RuleCoverage | None = None
        nothing: Mapping[str, PlansSeen] = {}
        spark, fired = self._spark, fuzzer.stats.count.fired > 0
        coverage = fuzzer.guard.attempt(None, lambda: self.probes.of(rule.name, spark, fired=fired), unmeasured)
        texts = [fuzzer.text(finding) for finding in findings]
        plans_seen = fuzzer.guard.attempt(None, spark.plans_seen, nothing)
        return RuleEvaluation(
            rule=rule.name,
            point=spark.points.get(rule.rule_name, ""),
            stats=fuzzer.stats,
            findings=findings,
            counterexamples=texts,
            operators=names.operators,
            plans_seen=plans_seen.get(rule.rule_name, PlansSeen()),
            analyzed=plans_seen.get("", PlansSeen()),
            coverage=coverage,
        )
