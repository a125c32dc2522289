"""A round's counts while it is under way: what a hunt tells its recorder, added up in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from typing import Any

from assay.fuzz.record import merge_finding
from assay.ledger.rounds import Ended, Round, RoundId, RuleSeen, Work
from oracles.checks.evidence import legs_of
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict


@dataclass(slots=True)
class Counting:
    """Takes what a Recorder takes; findings are files before they come here. ``told`` hears of each at once.

    ``unfired`` counts the queries that were planned and not checked.
    """

    checks: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    nonempty: int = 0
    optimizer_failures: int = 0
    legs: Counter[str] = field(default_factory=Counter)
    unfired: int = 0
    rules: dict[str, RuleSeen] = field(default_factory=dict)
    pairs: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    plans: dict[str, tuple[int, int]] = field(default_factory=dict)
    cases: set[str] = field(default_factory=set)
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)
    fits: Counter[str] = field(default_factory=Counter)
    fitting: int = 0
    told: Callable[[Mapping[str, Any], str | None], None] = lambda summary, replaces: None

    def check(self, checked: CheckResult, verdict: Verdict, digest: str, fits: Sequence[str] = ()) -> None:
        """One completed check, with the verdict after known divergences were looked up.

        :param fits: the silent entries that fit its case.
        """
        self.checks += 1
        self.verdicts[verdict.name] += 1
        if verdict.divergence is not None:
            self.excused[verdict.divergence] += 1
        self.nonempty += verdict.name == "agree" and checked.has_rows
        self.optimizer_failures += checked.optimizer_failed
        self.legs.update(legs_of(checked))
        self.cases.add(digest)
        self.fits.update(fits)
        self.fitting += bool(fits)
        fired, changed_plan = set(checked.fired), set(checked.changed_plan)
        for name in {*checked.off, *changed_plan}:
            seen, off = self.rules.get(name, RuleSeen()), name in checked.off
            acted = off and name in fired
            self.rules[name] = RuleSeen(
                seen.changed + (name in changed_plan),
                seen.checked + off,
                seen.fired + acted,
                seen.differed + (acted and checked.differed),
                seen.two_legs + (acted and checked.two_legs),
            )
        for one, other in combinations(sorted(changed_plan), 2):
            count, first = self.pairs.get((one, other), (0, self.checks))
            self.pairs[one, other] = (count + 1, first)
        if checked.plan:
            count, first = self.plans.get(checked.plan, (0, self.checks))
            self.plans[checked.plan] = (count + 1, first)

    def not_fired(self, digest: str) -> None:
        """A query that was planned and not checked: no rule that the campaign is about fired."""
        self.unfired += 1

    def finding(self, summary: Mapping[str, Any], replaces: str | None = None) -> None:
        """A finding as a summary lists it; ``replaces`` is the fingerprint that it was told under before."""
        merge_finding(self.findings, summary, replaces)
        self.told(summary, replaces)

    def round(
        self,
        identity: RoundId,
        work: Work,
        *,
        run_seed: int,
        worker: int,
        started: datetime,
        seconds: float,
        ended: Ended,
        versions: Mapping[str, str],
    ) -> Round:
        """All that was counted, as the round that it was."""
        return Round(
            identity,
            work,
            run_seed,
            worker,
            started,
            seconds,
            ended,
            dict(versions),
            len(self.cases),
            self.nonempty,
            self.optimizer_failures,
            dict(self.verdicts),
            dict(self.excused),
            dict(sorted(self.rules.items())),
            dict(self.pairs),
            dict(self.plans),
            tuple(self.findings.values()),
            dict(sorted(self.fits.items())),
            self.fitting,
            self.checks + self.unfired,
            dict(sorted(self.legs.items())),
        )
