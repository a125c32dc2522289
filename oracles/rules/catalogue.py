"""The catalogue: what Assay knows of each rule, and which rules the running Spark has.

Every excludable rule of the release is in it by discovery; the entries below add what discovery can't tell
(a law, another switch, a reason never to turn the rule off unasked).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

from oracles.rules.switch import ByConf, Excluded, Injected, Reference, Switch

_OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer."
REPLACE_OPERATORS = "Replace Operators"


class UnknownRule(ValueError):
    """A name that the running Spark has no rule for."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: ``rule_name`` is what Spark's tracker and exclusion lists call it; no ``switch``, no off leg.

    ``keep`` is the reason why a run turns the rule off only when it is named.
    """

    name: str
    rule_name: str
    batch: str
    switch: Switch | None
    law: str = ""
    keep: str = ""


def _replace_operators(name: str, switch: Switch, law: str) -> Rule:
    return Rule(name, _OPTIMIZER + name, REPLACE_OPERATORS, switch, law)


KNOWN: tuple[Rule, ...] = (
    _replace_operators(
        "ReplaceExceptWithFilter",
        ByConf("spark.sql.optimizer.replaceExceptWithFilter", "false"),
        "L EXCEPT Filter(c, L) = Distinct(Filter(NOT coalesce(c, false), L)), c deterministic, without subquery",
    ),
    _replace_operators(
        "ReplaceExceptWithAntiJoin",
        Reference(("Except",)),
        "L EXCEPT R = Distinct(L LEFT ANTI JOIN R ON l1 <=> r1 AND ...)",
    ),
    _replace_operators(
        "ReplaceIntersectWithSemiJoin",
        Reference(("Intersect",)),
        "L INTERSECT R = Distinct(L LEFT SEMI JOIN R ON l1 <=> r1 AND ...)",
    ),
    _replace_operators(
        # EXCEPT and INTERSECT become a Distinct first, so that they have to be out of its way as well.
        "ReplaceDistinctWithAggregate",
        Reference(("Distinct", "Except", "Intersect")),
        "Distinct(L) = L grouped by all its columns",
    ),
    _replace_operators(
        "ReplaceDeduplicateWithAggregate",
        Reference(("Deduplicate",)),
        "dropDuplicates(keys) = L grouped by the keys, the first of the other columns",
    ),
    _replace_operators(
        "RewriteExceptAll",
        Reference(("ExceptAll",)),
        "each row max(0, l - r) times: +1 and -1 summed over the union, then replicated",
    ),
    _replace_operators(
        "RewriteIntersectAll",
        Reference(("IntersectAll",)),
        "each row min(l, r) times: rows of either side counted over the union, both counts >= 1",
    ),
)

_KEEP = {
    "ConstantFolding": "without it LIMIT 1 + 1 and ROWS n PRECEDING end in INTERNAL_ERROR",
    "EliminateOffsets": "without it OFFSET 0 ends in INTERNAL_ERROR",
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
        cls, discovered: Iterable[Discovered], injected: Mapping[str, str] = MappingProxyType({})
    ) -> Catalogue:
        """The catalogue of a Spark whose optimizer lists ``discovered``; ``injected`` are own rules' classes by name.

        The optimizer lists these too, under their classes' names; they are counted once.

        A known entry that the release has not is left out; a rule that is neither known nor excludable has no switch.
        """
        known = {rule.rule_name: rule for rule in KNOWN}
        rules: dict[str, Rule] = {}
        for found in discovered:
            if found.rule_name in rules or found.rule_name in injected.values() or found.batch.startswith("AQE"):
                continue
            rules[found.rule_name] = known.get(found.rule_name) or _from_discovery(found)
        own = [Rule(name, name, "injected", Injected(name)) for name in injected]
        return cls((*rules.values(), *own))

    def rule(self, name: str) -> Rule:
        """The rule called ``name`` (its short name or Spark's full one); UnknownRule where there is none."""
        rule = self.by_name.get(name) or self.by_rule_name.get(name)
        if rule is None:
            close = get_close_matches(name, self.by_name) or sorted(self.by_name)[:3]
            raise UnknownRule(f"no rule called {name!r} in this Spark; it has {', '.join(close)}, ...")
        return rule

    def named(self, rule_names: Iterable[str]) -> list[Rule]:
        """The catalogue's rules among ``rule_names`` (as the tracker gives them), in the catalogue's order."""
        present = set(rule_names)
        return [rule for rule in self.rules if rule.rule_name in present]

    def switchable(self) -> list[Rule]:
        """Rules that ``--off all`` turns off."""
        return [rule for rule in self.rules if can_go_off(rule)]


def can_go_off(rule: Rule) -> bool:
    """Whether a run may turn ``rule`` off without being asked to."""
    return rule.switch is not None and not rule.keep


def _from_discovery(found: Discovered) -> Rule:
    name = short_name(found.rule_name)
    names = (found.rule_name, *_AQE_PARTNERS.get(name, ()))
    switch = Excluded(names) if found.excludable else None
    return Rule(name, found.rule_name, found.batch, switch, keep=_KEEP.get(name, ""))
