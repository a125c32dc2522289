"""A check with its guilty rules, excused where a known divergence accounts for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timezone

from oracles.bisect import blamed_on_rules, guilty_rules, narrowed
from oracles.check import Checked, Laboratory, LegSettings, all_effective, fixed
from oracles.divergences import Divergence, excusing
from oracles.rules.switch import switch_off
from oracles.verdict import excuse


def judged(
    laboratory: Laboratory, checked: Checked, divergences: Sequence[Divergence]
) -> tuple[Checked, tuple[str, ...]]:
    """``checked`` as that of its guilty rules alone, and these; an excused one's verdict names what excuses it.

    A rule under which Spark is right, and wrong without, is not guilty: what it hides is looked for.
    """
    if checked.verdict.name != "finding":
        return checked, ()
    checked = blamed_on_rules(laboratory, checked)
    rules = guilty_rules(laboratory, checked)
    entry = excused_by(laboratory, checked, rules, divergences)
    if entry is not None:
        return replace(checked, verdict=excuse(checked.verdict, entry.id)), rules
    if (hidden := _hidden_by(laboratory, checked, rules)) is not None:
        return judged(laboratory, hidden, divergences)
    return narrowed(laboratory, checked, rules), rules


def _hidden_by(laboratory: Laboratory, checked: Checked, rules: Sequence[str]) -> Checked | None:
    """Where Spark is right only with ``rules`` on: another rule's finding, which shows where both legs lack these."""
    if (checked.verdict.kind, checked.verdict.blame) != ("rule", "off"):
        return None
    both = _off_on_both(laboratory, checked.settings, rules)
    again = laboratory.check(checked.case, all_effective, both, fast=checked.fast)
    return again if (again.verdict.kind, again.verdict.blame) == ("rule", "on") else None


def _off_on_both(laboratory: Laboratory, settings: LegSettings, names: Iterable[str]) -> LegSettings:
    switches = [rule.switch for rule in map(laboratory.catalogue.rule, names) if rule.switch]
    return LegSettings(switch_off(switches, settings.on), switch_off(switches, settings.off))


def excused_by(
    laboratory: Laboratory, checked: Checked, rules: Iterable[str], divergences: Sequence[Divergence]
) -> Divergence | None:
    """The entry that excuses ``checked``, whose guilty rules are ``rules``, today, on the running release.

    Of several rules each may have an entry of its own that excuses what is left with the others off on both legs: two
    bugs that meet in one query. It is the first rule's that is named then.
    """
    today = datetime.now(tz=timezone.utc).date()
    found = tuple(rules)
    guilty = {laboratory.catalogue.whole(name) for name in found}
    entry = excusing(divergences, checked, guilty, laboratory.spark.version, today)
    if entry is not None or len(guilty) < 2:
        return entry
    each = [_of_one_alone(laboratory, checked, name, found, divergences) for name in found]
    return None if None in each else each[0]


def _of_one_alone(
    laboratory: Laboratory, checked: Checked, name: str, guilty: Sequence[str], divergences: Sequence[Divergence]
) -> Divergence | None:
    both = _off_on_both(laboratory, checked.settings, [other for other in guilty if other != name])
    alone = laboratory.check(checked.case, fixed([laboratory.catalogue.rule(name)]), both, fast=checked.fast)
    return excused_by(laboratory, alone, [name], divergences) if alone.verdict.name == "finding" else None
