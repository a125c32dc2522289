"""The counts of a running round, added up in memory from the calls of the fuzzer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from typing import Any

from assay.fuzz.record import merge_finding
from assay.ledger.rounds import Round, RoundEnd, RoundId, Work
from oracles.checks.evidence import RuleCount
from oracles.checks.result import CheckResult
from oracles.checks.stats import Stats, check_line
from oracles.checks.verdict import Verdict


@dataclass(slots=True, kw_only=True)
class Counting(Stats):
    """Counts checks and findings in place of a Recorder; ``told`` is called with each finding at once."""

    pairs: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    plans: dict[str, tuple[int, int]] = field(default_factory=dict)
    blocks: Mapping[int, int] = field(default_factory=dict)
    cases: set[str] = field(default_factory=set)
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)
    told: Callable[[Mapping[str, Any], str | None], None] = lambda summary, replaces: None

    def check(self, checked: CheckResult, verdict: Verdict, digest: str, fits: Sequence[str] = ()) -> None:
        """Record one completed check, with the verdict after known divergences were looked up.

        :param fits: the silent entries that fit its case.
        """
        self.add(check_line(checked, verdict, digest, fits))
        self.cases.add(digest)
        for name in checked.changed_plan:
            self.add_rule(name, RuleCount(changed=1))
        for one, other in combinations(sorted(checked.changed_plan), 2):
            count, first = self.pairs.get((one, other), (0, self.checks))
            self.pairs[one, other] = (count + 1, first)
        if checked.plan:
            count, first = self.plans.get(checked.plan, (0, self.checks))
            self.plans[checked.plan] = (count + 1, first)

    def not_fired(self, digest: str) -> None:
        """Record a query that was planned and not checked: no rule that the campaign is about fired."""
        self.unfired += 1

    def finding(self, summary: Mapping[str, Any], replaces: str | None = None) -> None:
        """Record a finding as a summary lists it; ``replaces`` is the fingerprint of its earlier record, if any."""
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
        ended: RoundEnd,
        versions: Mapping[str, str],
    ) -> Round:
        """The finished round with all counts."""
        return Round(
            id=identity,
            work=work,
            run_seed=run_seed,
            worker=worker,
            started=started,
            seconds=seconds,
            ended=ended,
            versions=dict(versions),
            cases=len(self.cases),
            pairs=dict(self.pairs),
            plans=dict(self.plans),
            blocks={block: min(first, max(1, self.checks)) for block, first in self.blocks.items()},
            findings=tuple(self.findings.values()),
            **self.counts(),
        )
