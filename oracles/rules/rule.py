"""What is known of one rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from oracles.rules.plans import PlanNode
from oracles.rules.switch import Excluded, Switch

OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer."
"""The package of most rules."""
OPERATOR_OPTIMIZATION = "Operator Optimization before Inferring Filters"
"""The batch of most of them."""

Evidence = Callable[[PlanNode, PlanNode], bool]
"""Whether a part of a rule shows in one change that the rule made: the plan before it, and after."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: ``rule_name`` is what Spark's tracker and exclusion lists call it; no ``switch``, no off leg.

    ``law`` is what it does to a plan, ``conditions`` when it may. ``seeds`` are the numbers of the articles that it
    comes from, ``releases`` a version specifier of the Sparks that have it. ``keep`` is the reason why a run turns
    the rule off only when it is named.

    A part is called by another rule, and ``tracked_as`` the full name of that carrier: it goes off with it, and has
    fired when ``evidence`` holds for one of the carrier's changes. Where a batch lists a part as well, it is tracked
    under its own name there; otherwise its ``batch`` is ''.

    ``callers`` are the full names of the rules that do its work themselves (see :mod:`oracles.rules.calls`): its off
    leg lacks that work only where they are off, too, or don't fire. The catalogue of a release adds them.

    ``unshaped`` is the reason why no queries are drawn for it: it has an entry, and nothing to tell it by.
    """

    name: str
    rule_name: str
    batch: str
    switch: Switch | None
    law: str = ""
    keep: str = ""
    conditions: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    releases: str = ">=3.5"
    tracked_as: str = ""
    evidence: Evidence | None = None
    unshaped: str = ""
    callers: frozenset[str] = frozenset()

    @property
    def carrier(self) -> str:
        """The name under which Spark tracks all that it does, or most of it."""
        return self.tracked_as or self.rule_name

    @property
    def turned_off(self) -> frozenset[str]:
        """Full names that must not be at work once ``switch`` is off: its own, its carrier's, the switch's others."""
        others = self.switch.rule_names if isinstance(self.switch, Excluded) else ()
        return frozenset((self.rule_name, self.carrier, *others))


def with_callers(rules: Iterable[Rule], among: Iterable[Rule]) -> list[Rule]:
    """``rules``, and those ``among`` that do the work of one of them: these have to go off with it."""
    chosen = list(rules)
    callers = frozenset[str]().union(*(rule.callers for rule in chosen))
    return [*chosen, *(rule for rule in among if rule.rule_name in callers and rule not in chosen)]
