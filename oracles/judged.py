"""A check with its guilty rules, excused where a known divergence accounts for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timezone

from oracles.bisect import blamed_on_rules, guilty_rules, narrowed
from oracles.check import Checked, Laboratory, LegSettings, fixed
from oracles.divergences import Divergence, excusing
from oracles.rules.switch import switch_off
from oracles.verdict import excuse


def judged(
    laboratory: Laboratory, checked: Checked, divergences: Sequence[Divergence]
) -> tuple[Checked, tuple[str, ...]]:
    """``checked`` as that of its guilty rules alone, and these; an excused one's verdict names what excuses it."""
    if checked.verdict.name != "finding":
        return checked, ()
    checked = blamed_on_rules(laboratory, checked)
    rules = guilty_rules(laboratory, checked)
    entry = excused_by(laboratory, checked, rules, divergences)
    if entry is not None:
        return replace(checked, verdict=excuse(checked.verdict, entry.id)), rules
    return narrowed(laboratory, checked, rules), rules


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
    rules = {other: laboratory.catalogue.rule(other) for other in guilty}
    others = [rule.switch for other, rule in rules.items() if other != name and rule.switch]
    both = LegSettings(switch_off(others, checked.settings.on), switch_off(others, checked.settings.off))
    alone = laboratory.check(checked.case, fixed([rules[name]]), both, fast=checked.fast)
    return excused_by(laboratory, alone, [name], divergences) if alone.verdict.name == "finding" else None
