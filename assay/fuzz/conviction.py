"""The findings that speak against a rule, and those in which it may have a part."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.answers.outcome import Raised, Rows
from oracles.answers.rows import same
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict


def convicts(verdict: Verdict, rules: Sequence[str], rule: str) -> bool:
    """Whether a finding with this ``verdict``, whose guilty rules are ``rules``, speaks against ``rule``.

    A finding with several guilty rules speaks against each of them: with the others off, each one makes the difference.
    A finding in which DuckDB returns the rows of the on leg does not count: Spark without the rule is wrong there.
    """
    if verdict.name != "finding" or verdict.kind is None or not verdict.kind.convicts or rule not in rules:
        return False
    return verdict.blame == "on" or (verdict.kind == "rule" and verdict.blame == "unknown")


def has_part(checked: CheckResult, rules: Sequence[str], rule: str) -> bool:
    """Whether ``rule`` may have a part in the finding of ``checked``, whose guilty rules are ``rules``.

    The rule has no part if it did not fire, if the plans that ran were the same, or if the off leg ends like the on
    leg, because the finding then exists without the rule. If there is no off leg, or if the off leg may have kept the
    rule's work, the answer is unknown and the result is true.
    """
    if rule in rules:
        return True
    if rule not in checked.fired:
        return rule in checked.kept
    return "off" not in checked.legs or (checked.differed and not _is_there_without(checked))


def _is_there_without(checked: CheckResult) -> bool:
    on, off = checked.legs["on"], checked.legs["off"]
    if isinstance(on, Raised) and isinstance(off, Raised):
        return on.condition == off.condition
    # Any other finding of legs that have rows is about the on leg alone: its parts, or how the rule behaves.
    return checked.verdict.kind == "engine" and isinstance(on, Rows) and isinstance(off, Rows) and same(on, off)
