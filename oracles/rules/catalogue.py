"""The catalogue of a run: the rules of the running Spark with their entries, and the injected rules.

The catalogue discovers every rule of the release; ``oracles.rules.entries.known`` adds laws, switches and evidence.
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
    """The running Spark has no rule of this name."""


class MissingRule(ValueError):
    """The running Spark lacks a rule that its release should have."""


_KEEP = {
    "ConstantFolding": "without it LIMIT 1 + 1 and ROWS n PRECEDING end in INTERNAL_ERROR",
    "EliminateOffsets": "without it OFFSET 0 ends in INTERNAL_ERROR",
    "RewriteWithExpression": "without it BETWEEN ends in INTERNAL_ERROR; only 4.0 and 4.1 let it be excluded",
    "CheckCartesianProducts": "a check that rewrites nothing",
}
# Variants of optimizer rules in adaptive execution, which are turned off with the optimizer's rule.
_AQE_PARTNERS = {"PropagateEmptyRelation": ("org.apache.spark.sql.execution.adaptive.AQEPropagateEmptyRelation",)}


@dataclass(frozen=True, slots=True)
class Discovered:
    """A rule in the running optimizer's list."""

    batch: str
    rule_name: str
    excludable: bool


def short_name(rule_name: str) -> str:
    """``EliminateOuterJoin`` for ``org.apache…optimizer.EliminateOuterJoin``; nested ``Optimizer$FinishAnalysis``."""
    return rule_name.rsplit(".", 1)[-1]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every rule that this run can name: those of the release, and the injected ones."""

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

        ``injected`` are the user's rules, classes by name; the optimizer lists them, too, by class name, and they count
        once. ``brought`` are the class names of extensions' rules, whose names are the last parts of these, if free. An
        entry for other releases is left out; a rule without entry that isn't excludable has no switch.

        :raises MissingRule: the release lacks a rule that it should have.
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
        own = [Rule(name=name, rule_name=name, batch="injected", switch=Injected(name)) for name in injected]
        taken = [*injected, *(rule.name for rule in rules.values()), *map(short_name, brought)]
        for name in brought:
            short = short_name(name)
            called = short if short.isidentifier() and taken.count(short) == 1 else name
            own.append(Rule(name=called, rule_name=name, batch="injected", switch=Injected(name)))
        return cls((*_with_their_callers(rules.values(), release), *own))

    def rule(self, name: str) -> Rule:
        """The rule called ``name`` (its short name or Spark's full one); raises UnknownRule if there is none."""
        rule = self.by_name.get(name) or self.by_rule_name.get(name)
        if rule is None:
            close = get_close_matches(name, self.by_name) or sorted(self.by_name)[:3]
            raise UnknownRule(f"no rule called {name!r} in this Spark; it has {', '.join(close)}, ...")
        return rule

    def whole(self, name: str) -> str:
        """The name of the rule that ``name`` is a part of, or ``name`` itself: known divergences use this name."""
        return self.rule(self.rule(name).carrier).name

    def named(self, rule_names: Iterable[str]) -> list[Rule]:
        """The catalogue's rules among ``rule_names`` (full names from the tracker), in the catalogue's order.

        The tracker reports a part only if a batch lists it by itself, not when its carrier calls it.
        """
        present = set(rule_names)
        return [rule for rule in self.rules if rule.rule_name in present]

    def offered(self, rule_names: Iterable[str]) -> list[Rule]:
        """Rules to switch off so that every switchable rule in ``rule_names`` is off.

        A part is replaced by its carrier: they are turned off together, and a finding has one name.
        """
        present = {rule.carrier for rule in self.named(rule_names)}
        return [rule for rule in self.switchable() if rule.rule_name in present]

    def switchable(self) -> list[Rule]:
        """The rules that ``--off all`` turns off; parts are turned off with their carriers."""
        return [rule for rule in self.rules if can_go_off(rule) and not rule.tracked_as]


def can_go_off(rule: Rule) -> bool:
    """Whether a run may turn ``rule`` off without naming it."""
    return rule.switch is not None and not rule.keep


def in_release(rule: Rule, release: str) -> bool:
    """Whether Spark ``release`` has ``rule``; a build such as 4.4.0-SNAPSHOT counts as the release that it becomes."""
    return is_among(release, rule.releases)


def _with_their_callers(rules: Iterable[Rule], release: str) -> list[Rule]:
    """``rules``, each with its callers and those of its parts, except the rules that its own switch turns off."""
    listed, calls, scratch = list(rules), calls_in(release), {called for _, called in calls_in(release, scratch=True)}

    def with_callers(rule: Rule) -> Rule:
        parts = (part.rule_name for part in listed if part.tracked_as == rule.rule_name)
        found = callers_of((rule.rule_name, *parts), calls) - rule.turned_off
        on_scratch = rule.rule_name in scratch
        return replace(rule, callers=found, scratch=on_scratch) if found or on_scratch else rule

    return [with_callers(rule) for rule in listed]


def _joined(found: Discovered, known: Rule | None) -> Rule:
    """The rule of a discovered rule and its entry, if there is one."""
    name = short_name(found.rule_name)
    names = (found.rule_name, *_AQE_PARTNERS.get(name, ()))
    excluded = Excluded(names) if found.excludable and not (known and known.needed) else None
    if known is None:
        return Rule(name=name, rule_name=found.rule_name, batch=found.batch, switch=excluded, keep=_KEEP.get(name, ""))
    return known if known.switch is not None else replace(known, switch=excluded, keep=_KEEP.get(name, known.keep))
