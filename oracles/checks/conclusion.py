"""Conclude from a run's counts what the run has proven, and whether it is green. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracles.answers.plural import number
from oracles.checks.evidence import Evidence, differs, is_known, least_of, thin
from oracles.checks.tally import Tally, ceilings_broken


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion that a run's report begins with.

    :param sentence: the proven facts, in one line without a full stop.
    :param proof: the run has no finding, breaks no ceiling and has enough evidence; only such a run is green.
    :param broken: a line for each broken ceiling.
    :param thin: a line for each named rule with too little evidence.
    """

    sentence: str
    proof: bool
    broken: tuple[str, ...] = ()
    thin: tuple[str, ...] = ()

    @property
    def red(self) -> list[str]:
        """The reasons beside findings why the run is red, one per line."""
        return [f"red: {line}" for line in (*self.broken, *self.thin)]


def conclude(tally: Tally, evidence: Evidence, findings: int) -> Conclusion:
    """Conclude a run with the checks in ``tally`` and this number of ``findings``."""
    broken, unknown = tuple(ceilings_broken(tally, evidence)), tuple(thin(evidence, tally.checks))
    proof = not (findings or broken or unknown)
    return Conclusion(_sentence(tally, evidence, findings, proof=proof), proof, broken, unknown)


def _sentence(tally: Tally, evidence: Evidence, findings: int, *, proof: bool) -> str:
    agreed, fired = number(tally.nonempty, "agreement"), number(len(evidence.fired), "rule")
    shown, checks = f"{agreed} with rows over {fired} that fired", number(tally.checks, "check")
    if findings:
        return f"{number(findings, 'finding')}; {shown}"
    if proof:
        return f"{shown}, no finding"
    if not max(tally.checks, evidence.queries):
        return "nothing was checked: nothing is known"
    if unknown := [name for name in evidence.named if not is_known(evidence, name)]:
        return _nothing_known(unknown, tally, evidence)
    if not evidence.fired:
        return f"no rule fired in {checks}: nothing is known about any rule"
    return f"too little is proven: {shown}, in {checks}"


def _nothing_known(rules: Sequence[str], tally: Tally, evidence: Evidence) -> str:
    queries = evidence.queries > tally.checks
    of = f"{evidence.queries:,} queries" if queries else number(tally.checks, "check")
    often = [_often(rule, evidence) for rule in rules]
    if len(evidence.named) > 1:
        often = [f"{rule} {told}" for rule, told in zip(rules, often, strict=True)]
    return f"{', '.join(often)} of {of}: nothing is known about {'this rule' if len(rules) == 1 else 'these rules'}"


def _often(rule: str, evidence: Evidence) -> str:
    count = evidence.count(rule)
    least, shown = least_of(evidence.asked), ""
    if count.fired >= least and not differs(count, least):
        shown = f" and changed the plan that ran in {count.differed:,}"
    elif count.fired >= least > count.agreed:
        shown = f" and agreed with rows in {count.agreed:,}"
    return f"fired in {count.fired:,}{shown}"
