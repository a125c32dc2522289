"""The hunt: Hypothesis draws cases, each is checked and recorded, and a finding is made small and kept.

A finding is on disk before anything else happens to it. Then Hypothesis shrinks it, the reducer goes on from the
smallest case seen, and the result is run once more; what doesn't fail again stays, marked unconfirmed.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, HypothesisException

from oracles.atomic import write_json
from oracles.bisect import blamed_on_rules, guilty_rules, narrowed
from oracles.check import Checked, Laboratory, fixed
from oracles.divergences import Divergence, excusing
from oracles.failure_text import render
from oracles.outcome import Raised
from oracles.paths import Paths, PathsDiffer
from oracles.reduce import reduce, size
from oracles.repro import Failure, Subject, discard_failure, failure_of, to_json, write_failure
from oracles.rules.rule import Rule
from oracles.run.record import Recorder
from oracles.sql import DuckdbCompiler, spark_text
from oracles.verdict import excuse
from strategies.ir import Case

SHARD = 100
"""Checks in a shard: enough that the trivial first examples of each hardly count, few enough to share out."""

_LEAST = 10
"""Examples asked of Hypothesis at the least: its first ones are trivial, and seen before."""
_IDLE_ROUNDS = 5
"""Rounds without a new case after which a strategy is taken to have no more."""

DrawOff = Callable[[st.DataObject, Sequence[Rule]], Sequence[Rule]]
"""Draws which rules the off leg turns off, given those that changed the on leg's plan and can be turned off."""


def draw_mixed(data: st.DataObject, effective: Sequence[Rule]) -> Sequence[Rule]:
    """All of the effective rules half of the time, else a subset of them that shrinks to one."""
    return effective if data.draw(st.booleans(), label="all off") else draw_subset(data, effective)


def draw_subset(data: st.DataObject, effective: Sequence[Rule]) -> Sequence[Rule]:
    """A non-empty subset of the effective rules; none where there are none."""
    if not effective:
        return ()
    chosen = data.draw(st.sets(st.sampled_from(range(len(effective))), min_size=1), label="off")
    return [effective[index] for index in sorted(chosen)]


def draw_fixed(rules: Sequence[Rule]) -> DrawOff:
    """Always just these."""
    chosen = tuple(rules)
    return lambda data, effective: chosen


def shards(count: int) -> list[int]:
    """How many checks each shard of a run of ``count`` checks makes."""
    full, rest = divmod(count, SHARD)
    return [SHARD] * full + ([rest] if rest else [])


def shard_seed(run_seed: int, *parts: object) -> int:
    """The seed of one part of a run: the same for any number of workers, different for every part."""
    text = "/".join(map(str, (run_seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def digest(case: Case) -> str:
    """16 hex digits that tell cases apart."""
    return hashlib.sha256(repr(case).encode()).hexdigest()[:16]


class Found(Exception):
    """Raised in a drawn example to have Hypothesis shrink it; never leaves this module."""


class _Stop(BaseException):
    """Carries a fault of the suite past Hypothesis, which would shrink an ordinary exception."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What shrinking must not let go of: the finding's kind, whom it blames, and the conditions that legs raised."""

    kind: str | None
    blame: str | None
    conditions: tuple[tuple[str, str], ...]


def signature(checked: Checked) -> Signature:
    """The signature of ``checked``'s finding."""
    conditions = tuple((leg, end.condition) for leg, end in sorted(checked.legs.items()) if isinstance(end, Raised))
    return Signature(checked.verdict.kind, checked.verdict.blame, conditions)


@dataclass(slots=True)
class Finding:
    """A finding on its way to being small: the smallest failing check so far, and where it is on disk.

    ``sure`` is the check that it was kept with. ``fast``: it shows on the fast path too, so that shrinking can take
    that one; then ``checked`` may be a case that no other path has seen.
    """

    checked: Checked
    rules: tuple[str, ...]
    signature: Signature
    file: Path
    fingerprint: str
    failure: Failure
    sure: Checked
    fast: bool = False
    examples: int = 0


def is_finding(checked: Checked) -> bool:
    """The usual prey: every finding that no known divergence excuses."""
    return checked.verdict.name == "finding"


@dataclass(slots=True)
class Hunt:
    """One worker's hunting: the laboratory, what the run is about, and where things are kept.

    Checks and findings count as the run's own unless ``on_record`` is false (mutants are hunted so). With ``quarry``,
    a hunt for that rule alone, examples on which it doesn't act are only planned. ``fast``: see :mod:`oracles.paths`.
    """

    laboratory: Laboratory
    subject: Subject
    recorder: Recorder
    failures: Path
    divergences: Sequence[Divergence]
    draw_off: DrawOff
    run_seed: int
    shrink_seconds: float = 60.0
    on_record: bool = True
    prey: Callable[[Checked], bool] = is_finding
    quarry: Rule | None = None
    fast: bool = True
    shrunk: set[tuple[Signature, tuple[str, ...]]] = field(default_factory=set)

    def run(
        self, cases: st.SearchStrategy[Case], name: str, count: int, *, stop_at_first: bool = False
    ) -> list[Finding]:
        """``count`` distinct checks of ``cases``, seeded by the run's seed and ``name``; the findings, made small.

        With ``stop_at_first``, a hunt for one thing: it ends with the first finding.
        """
        seen: set[str] = set()
        known: set[tuple[Signature, tuple[str, ...]]] = set()
        findings: list[Finding] = []
        rounds = idle = 0
        while len(seen) < count and idle < _IDLE_ROUNDS:
            before = len(seen)
            part = _Round(self, seen, known, count)
            part.search(cases, shard_seed(self.run_seed, name, rounds))
            if part.finding is not None:
                part.finding.examples = len(seen)
                findings.append(self.made_small(part.finding))
                if stop_at_first:
                    break
            idle = idle + 1 if len(seen) == before else 0
            rounds += 1
        return findings

    def looked_at(self, case: Case, data: st.DataObject) -> Checked | None:
        """A check of ``case``; None where it is about the quarry, which doesn't act.

        Raises PathsDiffer when both paths' results are on disk.
        """
        choose = fixed([self.quarry]) if self.quarry else lambda effective: self.draw_off(data, effective)
        paths = Paths(self.laboratory, self.fast, lambda checked: self.judged(checked)[0].verdict.name == "excused")
        try:
            return paths.check(case, choose, self.subject.settings, where_acting=self.quarry is not None)
        except PathsDiffer as differ:
            fast = replace(self.failure(differ.fast, (), confirmed=False), fast=True)
            file = write_failure(self.failures / "paths", fast)
            write_json(file.with_suffix(".plain.json"), to_json(self.failure(differ.plain, (), confirmed=False)))
            differ.add_note(f"both results, the first one for replay: {file}, {file.with_suffix('.plain.json').name}")
            raise

    def judged(self, checked: Checked) -> tuple[Checked, tuple[str, ...]]:
        """``checked`` with its guilty rules; its verdict is excused where a known divergence fits."""
        if checked.verdict.name != "finding":
            return checked, ()
        checked = blamed_on_rules(self.laboratory, checked)
        rules = guilty_rules(self.laboratory, checked)
        entry = self._excusing(checked, rules)
        if entry is not None:
            return replace(checked, verdict=excuse(checked.verdict, entry.id)), rules
        return narrowed(self.laboratory, checked, rules), rules

    def keep(self, checked: Checked, rules: tuple[str, ...]) -> Finding:
        """Put a finding on disk and on record."""
        failure = self.failure(checked, rules, confirmed=False)
        file = write_failure(self.failures, failure)
        if self.on_record:
            self.recorder.finding(failure.summary(file))
        return Finding(checked, rules, signature(checked), file, failure.fingerprint, failure, checked, checked.fast)

    def still_fails(self, finding: Finding, case: Case, *, fast: bool = False) -> Checked | None:
        """``case`` checked with the finding's guilty rules off, if that shows the same finding, unexcused.

        Not ``fast``, it is run in jobs: over files, or over tables in memory if the finding shows on these alone.
        """
        off = [self.laboratory.catalogue.rule(name) for name in finding.checked.off]
        # No rule is to blame where none acts.
        check = self.laboratory.check_where_acting if finding.signature.kind == "rule" else self.laboratory.check
        alone = finding.sure.memory_alone
        checked = check(case, fixed(off), self.subject.settings, fast=fast or alone, in_driver=fast)
        checked = replace(checked, memory_alone=alone) if checked else None
        if checked is None or signature(checked) != finding.signature or checked.verdict.name != "finding":
            return None
        return None if self._excusing(checked, finding.rules) else checked

    def made_small(self, finding: Finding) -> Finding:
        """``finding`` reduced, run once more plainly, and its file replaced; unconfirmed where it fails no more."""
        if (finding.signature, finding.rules) in self.shrunk:
            return finding
        self.shrunk.add((finding.signature, finding.rules))
        case = self._reduced(finding, finding.checked.case, fast=finding.fast)
        again = self.still_fails(finding, case)
        if again is None and finding.fast:
            case = self._reduced(finding, finding.sure.case, fast=False)
            again = self.still_fails(finding, case)
        if again is None:
            self._restart()
            again = self.still_fails(finding, case)
        smallest = again or finding.sure
        smaller = self.failure(smallest, finding.rules, confirmed=again is not None)
        file = write_failure(self.failures, smaller)
        if self.on_record:
            self.recorder.finding(smaller.summary(file), replaces=finding.fingerprint)
        if smaller.fingerprint != finding.fingerprint:
            discard_failure(self.failures, finding.failure)
        return replace(finding, checked=smallest, file=file, fingerprint=smaller.fingerprint, failure=smaller)

    def _reduced(self, finding: Finding, start: Case, *, fast: bool) -> Case:
        reduction = reduce(
            start,
            lambda case: self.still_fails(finding, case, fast=fast) is not None,
            deadline_seconds=self.shrink_seconds / 2,
        )
        return reduction.case

    def _restart(self) -> None:
        """A fresh session for the second try of what didn't fail again."""
        self.laboratory.spark.close()

    def text(self, finding: Finding) -> str:
        """What the failure prints, with the plans around each guilty rule, as the legs make them now."""
        return render(finding.failure, finding.file, self.laboratory.plans_around(finding.checked, finding.rules))

    def failure(self, checked: Checked, rules: tuple[str, ...] = (), *, confirmed: bool = False) -> Failure:
        """What a failure file holds of ``checked``, whatever its verdict."""
        versions = {"spark": self.laboratory.spark.version, "duckdb": self.laboratory.duckdb.version}
        sql = {
            "spark": spark_text(checked.case.query, checked.case.settings.form),
            "duckdb": DuckdbCompiler().compile(checked.case.query),
        }
        failure = failure_of(
            checked, rules, subject=self.subject, versions=versions, sql=sql, seed=self.run_seed, confirmed=confirmed
        )
        return replace(failure, fast=checked.memory_alone)

    def _excusing(self, checked: Checked, rules: tuple[str, ...]) -> Divergence | None:
        today = datetime.now(tz=timezone.utc).date()
        guilty = {self.laboratory.catalogue.whole(name) for name in rules}
        return excusing(self.divergences, checked, guilty, self.laboratory.spark.version, today)


class _Round:
    """One call of Hypothesis: examples are checked until a finding is raised, then the same call shrinks it."""

    def __init__(self, hunt: Hunt, seen: set[str], known: set[tuple[Signature, tuple[str, ...]]], count: int) -> None:
        self.hunt = hunt
        self.seen = seen
        self.known = known
        self.count = count
        self.finding: Finding | None = None
        self._tried: dict[str, bool] = {}
        self._deadline = 0.0

    def search(self, cases: st.SearchStrategy[Case], round_seed: int) -> None:
        @seed(round_seed)
        @settings(
            settings.get_profile("default"),
            max_examples=max(_LEAST, self.count - len(self.seen)),
            phases=(Phase.generate, Phase.shrink),
            database=None,
            deadline=None,
            derandomize=False,
            report_multiple_bugs=False,
        )
        @given(case=cases, data=st.data())
        def examples(case: Case, data: st.DataObject) -> None:
            try:
                self._example(case, data)
            except (Found, HypothesisException):
                raise
            except Exception as fault:
                raise _Stop from fault

        try:
            examples()
        except (Found, Flaky):
            pass
        except _Stop as stop:
            fault = stop.__cause__
            assert fault is not None  # raised from one above
            raise fault from None

    def _example(self, case: Case, data: st.DataObject) -> None:
        if self.finding is not None:
            self._shrink(self.finding, case)
            return
        mark = digest(case)
        if mark in self.seen or len(self.seen) >= self.count:
            return
        checked = self.hunt.looked_at(case, data)
        self.seen.add(mark)
        if checked is None:
            return
        checked, rules = self.hunt.judged(checked)
        if self.hunt.on_record:
            self.hunt.recorder.check(checked, checked.verdict, mark)
        if not self.hunt.prey(checked):
            return
        finding = self.hunt.keep(checked, rules)
        key = (finding.signature, rules)
        if key in self.known:
            return
        self.known.add(key)
        self.finding = finding
        spend = 0.0 if key in self.hunt.shrunk else self.hunt.shrink_seconds / 2
        self._deadline = time.monotonic() + spend
        self._tried[mark] = True
        raise Found

    def _shrink(self, finding: Finding, case: Case) -> None:
        mark = digest(case)
        if mark not in self._tried:
            if time.monotonic() > self._deadline:
                return
            smaller = self.hunt.still_fails(finding, case, fast=finding.fast)
            self._tried[mark] = smaller is not None
            if smaller is not None and size(case) < size(finding.checked.case):
                finding.checked = smaller
        if self._tried[mark]:
            raise Found
