"""What a run's queries reached: the release's rules that changed a plan, which of them together, and which never."""

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
"""The rule in which a part does its work. A batch that lists the part as well seldom leaves it any."""


class Listed(NamedTuple):
    """A rule that the running Spark has: its batch, whether it can go off, and whether the catalogue has an entry."""

    batch: str
    switchable: bool
    known: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """``release``: the running Spark's rules by name. ``changed``: in how many checks a rule changed the on leg's plan.
    ``pairs``: in how many two rules did, the names of each pair in order.
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
        """The release's rules that changed no plan, with the reason where there is one that they can't, or hardly."""
        return {name: self._why(name) for name in self.release if name not in self.changed}

    def _why(self, name: str) -> str:
        carrier = _CARRIERS.get(name)
        return f"a part of {carrier}, counted there" if carrier in self.changed else UNREACHED.get(name, "")

    def summary(self) -> dict[str, Any]:
        """As the summary's JSON has it: the checks of each rule, the never fired with reasons, the number of pairs."""
        return {
            "changed": dict(sorted(self.changed.items())),
            "never": dict(sorted(self.never.items())),
            "unknown": sorted(name for name, rule in self.release.items() if not rule.known),
            "pairs": len(self.pairs),
        }


def listed(catalogue: Catalogue) -> dict[str, Listed]:
    """The rules of a catalogue as a record tells of them; parts that no batch lists are not rules of the release."""
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
