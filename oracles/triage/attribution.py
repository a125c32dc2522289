"""Attribute a finding to the rules that cause it, and excuse it if a known divergence explains it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from types import MappingProxyType

from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.result import CheckResult
from oracles.checks.verdict import excuse
from oracles.rules.switch import Injected
from oracles.triage.bisect import blamed_on_rules, guilty_rules, narrowed
from oracles.triage.divergences import Divergence, fitting
from oracles.triage.explanation import clearer, explained, off_on_both, without_on_both

NOBODY: Mapping[str, str] = MappingProxyType({})


def judged(
    harness: Harness,
    checked: CheckResult,
    divergences: Sequence[Divergence],
    stands_for: Mapping[str, str] = NOBODY,
) -> tuple[CheckResult, tuple[str, ...]]:
    """Attribute ``checked`` to its guilty rules: the check with only these off, perhaps excused, and their names.

    If Spark is right with a rule and wrong without it, the rule hides another rule's finding, which is returned
    instead.

    :param stands_for: by a rule's name, the rule that it replaces, whose entries apply to it.
    """
    if checked.verdict.name != "finding":
        return checked, ()
    checked = blamed_on_rules(harness, checked)
    rules = guilty_rules(harness, checked)
    # First: an entry about the rules that hide a finding says nothing of the rule that they hide.
    if (hidden := _hidden_by(harness, checked, rules)) is not None:
        return judged(harness, hidden, divergences, stands_for)
    entry = excused_by(harness, checked, rules, divergences, stands_for)
    if entry is not None:
        return replace(checked, verdict=excuse(checked.verdict, entry.id, entry.engine)), rules
    return narrowed(harness, checked, rules), rules


def _hidden_by(harness: Harness, checked: CheckResult, rules: Sequence[str]) -> CheckResult | None:
    """The finding that ``rules`` hide, if Spark is right only with them on: checked with them off on both legs."""
    if (checked.verdict.kind, checked.verdict.blame) != ("rule", "off"):
        return None
    again = without_on_both(harness, checked, rules)
    return again if (again.verdict.kind, again.verdict.blame) == ("rule", "on") else None


def excused_by(
    harness: Harness,
    checked: CheckResult,
    rules: Iterable[str],
    divergences: Sequence[Divergence],
    stands_for: Mapping[str, str] = NOBODY,
) -> Divergence | None:
    """The entry that excuses ``checked``, whose guilty rules are ``rules``, today, on the running release.

    Several guilty rules may show several bugs in one query: then each rule needs an entry that excuses the finding left
    when the other rules are off on both legs. The first rule's entry is returned.
    """
    found = tuple(rules)
    guilty = {stands_for.get(name) or harness.catalogue.whole(name) for name in found}
    for entry in _fitting(harness, checked, guilty, divergences, stands_for):
        others = [other for other in divergences if other is not entry]

        def rest(again: CheckResult, left: Sequence[str], others: Sequence[Divergence] = others) -> bool:
            return excused_by(harness, again, left, others, stands_for) is not None

        if explained(harness, checked, found, entry, rest):
            return entry
    if (other := clearer(harness, checked, found, divergences)) is not None:
        return excused_by(harness, other, found, divergences, stands_for)
    if len(guilty) < 2:
        return None
    each = [_of_one_alone(harness, checked, name, found, divergences, stands_for) for name in found]
    return None if None in each else each[0]


def _fitting(
    harness: Harness,
    checked: CheckResult,
    guilty: Iterable[str],
    divergences: Sequence[Divergence],
    stands_for: Mapping[str, str],
) -> list[Divergence]:
    today = datetime.now(tz=timezone.utc).date()
    injected = {rule.name for rule in harness.catalogue.rules if isinstance(rule.switch, Injected)}
    own = injected - set(stands_for)
    return fitting(divergences, checked, guilty, harness.spark.version, today, own=own)


def _of_one_alone(
    harness: Harness,
    checked: CheckResult,
    name: str,
    guilty: Sequence[str],
    divergences: Sequence[Divergence],
    stands_for: Mapping[str, str],
) -> Divergence | None:
    both = off_on_both(harness, checked.settings, [other for other in guilty if other != name])
    alone = harness.check(checked.case, fixed([harness.catalogue.rule(name)]), both, fast=checked.fast)
    if alone.verdict.name != "finding":
        return None
    return excused_by(harness, alone, [name], divergences, stands_for)
