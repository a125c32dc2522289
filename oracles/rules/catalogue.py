"""The catalogue of a run: the rules of the running Spark, with what is known of them, and those injected.

Every rule of the release is in it by discovery; ``oracles.rules.entries.known`` adds what discovery can't tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType

from oracles.rules.calls import callers_of, calls_in
from oracles.rules.entries.known import KNOWN
from oracles.rules.releases import is_among
from oracles.rules.rule import Rule
from oracles.rules.switch import Excluded, Injected


class UnknownRule(ValueError):
    """A name that the running Spark has no rule for."""


class MissingRule(ValueError):
    """A rule that the running Spark should have, by its release, and has not."""


_KEEP = {
    "ConstantFolding": "without it LIMIT 1 + 1 and ROWS n PRECEDING end in INTERNAL_ERROR",
    "EliminateOffsets": "without it OFFSET 0 ends in INTERNAL_ERROR",
    "RewriteWithExpression": "without it BETWEEN ends in INTERNAL_ERROR; only 4.0 and 4.1 let it be excluded",
    "CheckCartesianProducts": "a check that rewrites nothing",
}
# Adaptive execution has variants of its own, with names of their own, that go with the optimizer's rule.
_AQE_PARTNERS = {"PropagateEmptyRelation": ("org.apache.spark.sql.execution.adaptive.AQEPropagateEmptyRelation",)}


@dataclass(frozen=True, slots=True)
class Discovered:
    """A rule as the running optimizer lists it."""

    batch: str
    rule_name: str
    excludable: bool


def short_name(rule_name: str) -> str:
    """``EliminateOuterJoin`` of ``org.apache…optimizer.EliminateOuterJoin``; ``Optimizer$FinishAnalysis`` stays so."""
    return rule_name.rsplit(".", 1)[-1]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every rule that this run can name: the release's and those injected."""

    rules: tuple[Rule, ...]
    by_name: Mapping[str, Rule] = field(init=False, repr=False, compare=False)
    by_rule_name: Mapping[str, Rule] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {rule.name: rule for rule in self.rules})
        object.__setattr__(self, "by_rule_name", {rule.rule_name: rule for rule in self.rules})

    @classmethod
    def of_release(
        cls,
        discovered: Iterable[Discovered],
        injected: Mapping[str, str] = MappingProxyType({}),
        *,
        release: str,
        entries: Sequence[Rule] = KNOWN,
        brought: Iterable[str] = (),
    ) -> Catalogue:
        """The catalogue of Spark ``release``, whose optimizer lists ``discovered``.

        ``injected`` are own rules' classes by name; the optimizer lists these too, under their classes' names, and
        they are counted once. ``brought`` are those of extensions, named by their classes: they are called by its last
        part where that is free. An entry for other releases is left out; a rule that is neither known nor excludable
        has no switch. MissingRule where the release lacks a rule that it should have.
        """
        known = {rule.rule_name: rule for rule in entries if in_release(rule, release)}
        brought = list(brought)
        own_names = {*injected.values(), *brought}
        partners = {name for names in _AQE_PARTNERS.values() for name in names}
        rules: dict[str, Rule] = {}
        for found in discovered:
            if found.rule_name in rules or found.rule_name in partners or found.rule_name in own_names:
                continue
            rules[found.rule_name] = _joined(found, known.get(found.rule_name))
        parts = {rule.rule_name: rule for rule in known.values() if not rule.batch and rule.tracked_as in rules}
        rules |= parts
        if missing := sorted(rule.name for name, rule in known.items() if name not in rules):
            raise MissingRule(f"Spark {release} should have {', '.join(missing)}, and has not")
        own = [Rule(name, name, "injected", Injected(name)) for name in injected]
        taken = [*injected, *(rule.name for rule in rules.values()), *map(short_name, brought)]
        for name in brought:
            short = short_name(name)
            called = short if short.isidentifier() and taken.count(short) == 1 else name
            own.append(Rule(called, name, "injected", Injected(name)))
        return cls((*_with_their_callers(rules.values(), release), *own))

    def rule(self, name: str) -> Rule:
        """The rule called ``name`` (its short name or Spark's full one); UnknownRule where there is none."""
        rule = self.by_name.get(name) or self.by_rule_name.get(name)
        if rule is None:
            close = get_close_matches(name, self.by_name) or sorted(self.by_name)[:3]
            raise UnknownRule(f"no rule called {name!r} in this Spark; it has {', '.join(close)}, ...")
        return rule

    def whole(self, name: str) -> str:
        """The name of the rule that ``name`` is a part of, or itself: under it a known difference is entered."""
        return self.rule(self.rule(name).carrier).name

    def named(self, rule_names: Iterable[str]) -> list[Rule]:
        """The catalogue's rules among ``rule_names`` (as the tracker gives them), in the catalogue's order.

        A part is among them where a batch of its own lists it; of what its carrier does the tracker tells nothing.
        """
        present = set(rule_names)
        return [rule for rule in self.rules if rule.rule_name in present]

    def offered(self, rule_names: Iterable[str]) -> list[Rule]:
        """The rules to turn off so that those of ``rule_names`` are off that a run may turn off unasked.

        For a part that is its carrier: they go off together, and a finding has one name.
        """
        present = {rule.carrier for rule in self.named(rule_names)}
        return [rule for rule in self.switchable() if rule.rule_name in present]

    def switchable(self) -> list[Rule]:
        """Rules that ``--off all`` turns off; parts go with their carriers."""
        return [rule for rule in self.rules if can_go_off(rule) and not rule.tracked_as]


def can_go_off(rule: Rule) -> bool:
    """Whether a run may turn ``rule`` off without being asked to."""
    return rule.switch is not None and not rule.keep


def in_release(rule: Rule, release: str) -> bool:
    """Whether Spark ``release`` has ``rule``; a build such as 4.4.0-SNAPSHOT counts as the release that it becomes."""
    return is_among(release, rule.releases)


def _with_their_callers(rules: Iterable[Rule], release: str) -> list[Rule]:
    """``rules``, each with all that do its work or a part of it, but for those that its own switch turns off."""
    listed, calls = list(rules), calls_in(release)

    def callers(rule: Rule) -> frozenset[str]:
        parts = (part.rule_name for part in listed if part.tracked_as == rule.rule_name)
        return callers_of((rule.rule_name, *parts), calls) - rule.turned_off

    return [replace(rule, callers=found) if (found := callers(rule)) else rule for rule in listed]


def _joined(found: Discovered, known: Rule | None) -> Rule:
    """What is known of a rule, with what its release says."""
    name = short_name(found.rule_name)
    names = (found.rule_name, *_AQE_PARTNERS.get(name, ()))
    excluded = Excluded(names) if found.excludable else None
    if known is None:
        return Rule(name, found.rule_name, found.batch, excluded, keep=_KEEP.get(name, ""))
    return known if known.switch is not None else replace(known, switch=excluded, keep=_KEEP.get(name, known.keep))
