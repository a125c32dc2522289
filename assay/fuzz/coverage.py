"""Rule coverage of a run: the release's rules that changed a plan, the pairs of them, and the rules that never did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from oracles.rules.catalogue import Catalogue, short_name
from oracles.rules.entries.known import KNOWN
from oracles.rules.entries.unreached import UNREACHED

_CARRIERS = {rule.name: short_name(rule.tracked_as) for rule in KNOWN if rule.tracked_as}
"""For a rule that is a part of another rule: the rule that runs it. The part rarely changes a plan on its own."""


class Listed(NamedTuple):
    """A rule of the running Spark: its batch, whether it can be turned off, and whether Assay knows it."""

    batch: str
    switchable: bool
    known: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """The rule coverage of a number of checks.

    ``release`` has the running Spark's rules by name. ``changed`` counts, by rule, the checks in which the rule changed
    the on leg's plan. ``pairs`` counts, by two names in ascending order, the checks in which both rules did.
    """

    release: Mapping[str, Listed] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(
            {**self.release, **other.release},
            dict(Counter(self.changed) + Counter(other.changed)),
            dict(Counter(self.pairs) + Counter(other.pairs)),
        )

    @property
    def never(self) -> Mapping[str, str]:
        """The release's rules that changed no plan, each with the known reason for that, or ''."""
        return {name: self._why(name) for name in self.release if name not in self.changed}

    def _why(self, name: str) -> str:
        carrier = _CARRIERS.get(name)
        return f"a part of {carrier}, counted there" if carrier in self.changed else UNREACHED.get(name, "")

    def summary(self) -> dict[str, Any]:
        """The coverage in ``--summary-json``: checks by rule, rules that never fired, unknown rules, pairs."""
        return {
            "changed": dict(sorted(self.changed.items())),
            "never": dict(sorted(self.never.items())),
            "unknown": sorted(name for name, rule in self.release.items() if not rule.known),
            "pairs": len(self.pairs),
        }


def listed(catalogue: Catalogue) -> dict[str, Listed]:
    """The rules of a catalogue as a record stores them, without parts of rules that no batch lists."""
    known = {rule.name for rule in KNOWN}
    return {
        rule.name: Listed(rule.batch, rule.switch is not None, rule.name in known)
        for rule in catalogue.rules
        if rule.batch
    }


def covered(release: Mapping[str, Listed], changed_plan: Iterable[Sequence[str]]) -> Coverage:
    """The coverage of checks, each given by the names of the rules that changed its on leg's plan."""
    changed: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for names in changed_plan:
        changed.update(names)
        pairs.update(combinations(sorted(names), 2))
    return Coverage(release, dict(changed), dict(pairs))
