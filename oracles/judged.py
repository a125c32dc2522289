"""A check with its guilty rules, excused where a known divergence accounts for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timezone

from oracles.bisect import blamed_on_rules, guilty_rules, narrowed
from oracles.check import Checked, Laboratory
from oracles.divergences import Divergence, excusing
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
    """The entry that excuses ``checked``, whose guilty rules are ``rules``, today, on the running release."""
    today = datetime.now(tz=timezone.utc).date()
    guilty = {laboratory.catalogue.whole(name) for name in rules}
    return excusing(divergences, checked, guilty, laboratory.spark.version, today)
