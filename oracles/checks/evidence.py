"""Evidence of a run beside its verdicts: legs that gave answers, rules that fired, number of checks asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from oracles.answers.outcome import Rows
from oracles.answers.plural import number

if TYPE_CHECKING:
    from oracles.checks.result import CheckResult

LEAST = 30
"""Checks in which a named rule has to fire, the executed plans to differ, and all legs to agree with rows, for enough
evidence about it.
"""

BREADTH = 20
"""The least number of rules that fire in a run over the whole catalogue; below 80 checks, one rule for four checks."""

TWO_LEGS = "two legs"
"""Counts checks without an off leg: the rule under test can't be turned off, or the off leg may have done its work."""

STOCK = "stock"
"""Counts checks whose legs ran as in a session with Spark's own defaults."""

LEGS: Mapping[str, str] = {
    "on": "the tracker reported a changed plan in none of {} checks, so nothing shows that any rule ran: "
    "tox run -e rules -- -k test_check says whether this Spark's tracker can still be read",
    "off": "it had rows in none of {} checks, so nothing was compared with rules off: "
    "--record DIR keeps why each check ended as it did",
    "duckdb": "DuckDB had rows in none of {} checks, so Spark was compared with itself alone: "
    "--record DIR keeps why each check ended as it did",
}
"""By leg, the message for a run in which the leg never gave evidence: its meaning, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCount:
    """Counts of checks with one rule.

    :param checked: it was off.
    :param fired: it was off, and had fired.
    :param differed: it had fired, and the executed plans differed.
    :param two_legs: it had fired, and there were two legs: no plans to compare.
    :param agreed: one of these two, and all legs had the same rows, at least one.
    :param changed: it changed the on leg's plan, off or not.
    """

    checked: int = 0
    fired: int = 0
    differed: int = 0
    two_legs: int = 0
    agreed: int = 0
    changed: int = 0

    def __add__(self, other: RuleCount) -> RuleCount:
        return RuleCount(
            checked=self.checked + other.checked,
            fired=self.fired + other.fired,
            differed=self.differed + other.differed,
            two_legs=self.two_legs + other.two_legs,
            agreed=self.agreed + other.agreed,
            changed=self.changed + other.changed,
        )

    def summary(self) -> dict[str, int]:
        """The rule in ``--summary-json``."""
        counts = asdict(self)
        del counts["changed"]
        return counts


def differed_text(count: RuleCount) -> str:
    """Format ``differed`` for a table: a dash if every check in which the rule fired had two legs."""
    return "-" if count.fired and count.two_legs == count.fired else str(count.differed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Evidence of a run beside its verdicts.

    :param legs: by leg, the number of checks in which it gave evidence (see :func:`legs_of`).
    :param rules: by rule, the counts of checks in which it was off.
    :param named: the rules that the run is about; none for a run over the whole catalogue.
    :param asked: the number of checks that the user asked for; None if the user asked for a time.
    :param queries: the number of distinct planned queries, unchecked ones (no named rule fired) included.
    """

    legs: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, RuleCount] = field(default_factory=dict)
    named: Sequence[str] = ()
    asked: int | None = None
    queries: int = 0

    @property
    def fired(self) -> list[str]:
        """The rules that fired in at least one check."""
        return sorted(name for name, count in self.rules.items() if count.fired)

    def count(self, rule: str) -> RuleCount:
        """The counts of ``rule``."""
        return self.rules.get(rule, RuleCount())


def legs_of(checked: CheckResult) -> list[str]:
    """The legs that gave evidence in one check.

    The on leg gives evidence if the tracker reports a rule that changed its plan, the other legs if they have rows. A
    check without an off leg has TWO_LEGS instead. A check whose on leg had rows as in a stock session, in jobs over
    files, has STOCK as well.
    """
    ends = checked.legs
    stock = checked.case.settings.is_stock and not checked.fast and isinstance(ends["on"], Rows)
    legs = [STOCK] if stock else []
    if checked.changed_plan:
        legs.append("on")
    if isinstance(ends.get("off"), Rows):
        legs.append("off")
    elif checked.two_legs:
        legs.append(TWO_LEGS)
    return [*legs, "duckdb"] if isinstance(ends.get("duckdb"), Rows) else legs


def two_legs_lines(legs: Mapping[str, int]) -> list[str]:
    """The line of a run's report on checks without an off leg, if there are any."""
    count = legs.get(TWO_LEGS, 0)
    why = "the rules under test can't go off, or the off leg kept their work"
    return [f"two legs in {count:,} checks, which DuckDB alone judged: {why}"] if count else []


def stock_lines(legs: Mapping[str, int], checks: int) -> list[str]:
    """The line of a run's report on checks that ran as in a stock session; none for a run without checks."""
    count = legs.get(STOCK, 0)
    how = "files, adaptive execution, generated code, several partitions"
    return [f"as a stock session: {count:,} checks, {100 * count / checks:.1f} % ({how})"] if checks else []


def missing(evidence: Evidence, checks: int) -> list[str]:
    """A line for each kind of evidence of which a run of ``checks`` checks has none."""
    without_off = evidence.named and evidence.legs.get(TWO_LEGS, 0) == checks
    asked = [leg for leg in LEGS if leg != "off" or not without_off]
    lines = [f"{leg} leg: {LEGS[leg].format(f'{checks:,}')}" for leg in asked if not evidence.legs.get(leg)]
    fired, least = len(evidence.fired), min(BREADTH, -(-checks // 4))
    if fired < least and not evidence.named:
        lines.append(
            f"fired: {_only(fired)} fired in {number(checks, 'check')}, fewer than {least}: "
            "the closing table says which changed a plan; do all queries look alike?"
        )
    return lines


def _only(rules: int) -> str:
    return f"only {number(rules, 'rule')}" if rules else "no rule"


def is_known(evidence: Evidence, rule: str) -> bool:
    """Whether a run has enough evidence about a named rule: it fired, the executed plans differed, and all legs agreed
    with rows, each often enough.

    If all checks in which it fired had two legs, no plans need to differ.
    """
    least = least_of(evidence.asked)
    count = evidence.count(rule)
    return min(count.fired, count.agreed) >= least and differs(count, least)


def differs(count: RuleCount, least: int) -> bool:
    """Whether the executed plans differed in at least so many checks; no plans can where all checks had two legs."""
    return count.differed >= least or count.two_legs == count.fired


def thin(evidence: Evidence, checks: int) -> list[str]:
    """A line for each named rule with too little evidence after ``checks`` checks: the counts, and what to do."""
    return [line for name in evidence.named if (line := _thin_rule(evidence, name, checks))]


def _thin_rule(evidence: Evidence, rule: str, checks: int) -> str:
    fired, queries = evidence.count(rule).fired, max(evidence.queries, checks)
    if not fired:
        return f"{rule} never fired in {queries:,} queries: check-rule shows the plans that it was given"
    told, least = f"{rule} fired in {fired:,} of {queries:,} queries", least_of(evidence.asked)
    if fired < least:
        return f"{told}, fewer than {least}: {_MORE}"
    count = evidence.count(rule)
    if not differs(count, least):
        return f"{told}, and the plans that ran differed in {count.differed:,}, fewer than {least}: {_MORE}"
    if not is_known(evidence, rule):
        return f"{told}, and of these all legs agreed with rows in {count.agreed:,}, fewer than {least}: {_MORE}"
    if evidence.asked is not None and checks < evidence.asked:
        return f"{told}, and {evidence.asked:,} checks were asked for: {_MORE}"
    return ""


_MORE = "check-rule --shapes takes queries that suit it"


def least_of(asked: int | None) -> int:
    """The number of checks that is enough for a named rule: LEAST, or a quarter of those asked for if that is less."""
    return LEAST if asked is None else min(LEAST, -(-asked // 4))
