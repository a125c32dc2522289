"""The search for mutants: what all searches share, and the search for one mutant on cases of its rule's shape."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from hypothesis import strategies as st

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.finding import Finding
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.mutant_kills import Kill, is_excused_kill, is_kill
from assay.fuzz.policy import Policy, draw_fixed
from assay.fuzz.record import Recorder
from assay.fuzz.steering import STEERED
from assay.fuzz.supervision import Guard, Supervised, unsupervised
from assay.session.mutant_sources import Mutant
from assay.session.options import DATABASES
from oracles.checks.check import Harness
from oracles.checks.result import CheckResult, LegSettings
from oracles.failures.failure import Subject
from oracles.triage.divergences import Divergence, load
from strategies.ir import Case

SHAPE_EXAMPLES = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantFuzzer:
    """Searches for mutants with the engines and settings of one run.

    :param subject: what a replay of the run's findings has to load again, beside the mutant.
    :param steered: the percentage of edits among the queries of a rule's own stream.
    """

    harness: Harness
    recorder: Recorder
    failures: Path
    run_seed: int
    subject: Subject = field(default_factory=Subject)
    shrink_seconds: float = 60.0
    databases: int = DATABASES
    steered: int = STEERED
    divergences: Sequence[Divergence] = field(default_factory=load)
    supervised: Supervised = unsupervised

    def by_shape(self, mutant: Mutant, cases: st.SearchStrategy[Case], *, count: int = SHAPE_EXAMPLES) -> Kill:
        """Search for ``mutant`` with at most ``count`` of ``cases``, which are of the rule's own shape."""
        started, excused = time.monotonic(), 0

        def is_target(checked: CheckResult, rules: Sequence[str]) -> bool:
            nonlocal excused
            excused += is_excused_kill(checked, rules, mutant.name)
            return is_kill(checked, rules, mutant.name)

        fuzzer = self._fuzzer(mutant)
        fuzzer.policy = replace(fuzzer.policy, predicate=is_target)
        found = fuzzer.run(cases, f"mutant/{mutant.name}", count, stop_at_first=True)
        first = found[0] if found else None
        examples = first.examples if first else count
        return self.recorded(
            Kill(
                mutant=mutant,
                by="shape",
                finding=first,
                examples=examples,
                seconds=time.monotonic() - started,
                excused=excused,
            )
        )

    def killed(self, mutant: Mutant, checked: CheckResult) -> Finding:
        """Minimize a kill of a stream, in a third of the time limit, because one stream has many kills."""
        fuzzer = self._fuzzer(mutant)
        fuzzer.policy = replace(fuzzer.policy, shrink_seconds=self.shrink_seconds / 3)
        return fuzzer.minimized(fuzzer.keep(checked, (mutant.name,)))

    def settings(self, mutant: Mutant) -> LegSettings:
        """The settings of both legs in the search for ``mutant``."""
        return mutant.settings(self.harness.catalogue)

    def judged(self, mutant: Mutant, checked: CheckResult) -> tuple[CheckResult, tuple[str, ...]]:
        """``checked`` after attribution, with the known divergences of the mutant's original rule; its guilty rules."""
        fuzzer = self._fuzzer(mutant)
        judged, rules = fuzzer.attributed(checked)
        fuzzer.store.unjudged.release(settled=True)
        return judged, rules

    def _fuzzer(self, mutant: Mutant) -> Fuzzer:
        subject = replace(self.subject, mutant=mutant.name, settings=self.settings(mutant))
        rule = self.harness.catalogue.rule(mutant.name)
        store = FailureStore(folder=self.failures / "mutants", guard=self.guard(mutant))
        policy = Policy(
            draw_off=draw_fixed([rule]),
            divergences=self.divergences,
            predicate=partial(is_kill, mutant=mutant.name),
            target_rule=rule,
            stands_for={mutant.name: mutant.rule},
            fast=not self.harness.spark.on_cluster,
            databases=self.databases,
            on_record=False,
            shrink_seconds=self.shrink_seconds,
            drawn_smaller=False,
        )
        return Fuzzer(
            harness=self.harness,
            subject=subject,
            recorder=self.recorder,
            store=store,
            policy=policy,
            run_seed=self.run_seed,
        )

    def guard(self, mutant: Mutant) -> Guard:
        """The supervision of the checks of ``mutant``."""
        return self.supervised([self.harness.catalogue.rule(mutant.name)], self.settings(mutant))

    def recorded(self, kill: Kill) -> Kill:
        """Write ``kill`` to the record, and return it."""
        self.recorder.kill(kill.entry())
        return kill
