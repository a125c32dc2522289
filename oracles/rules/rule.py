"""A rule of the optimizer: its names, law, conditions, switch, and evidence that it fired."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from oracles.rules.plans import PlanNode
from oracles.rules.switch import Excluded, Switch

OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer."
"""The package of most rules."""
OPERATOR_OPTIMIZATION = "Operator Optimization before Inferring Filters"
"""The batch of most rules."""

Evidence = Callable[[PlanNode, PlanNode], bool]
"""Tells, by the plans before and after one change of a rule, whether a certain part of that rule fired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule: ``rule_name`` is its name in Spark's tracker and exclusion lists; without ``switch``, no off leg.

    ``law``: its rewrite. ``conditions``: the side conditions of the law. ``seeds``: the numbers of the articles that it
    comes from. ``releases``: a version specifier of the Spark releases that have it. ``keep``: the reason why a run
    turns the rule off only when it is named.

    A part is a rule that another rule, its carrier, calls; ``tracked_as`` is the carrier's full name. A part is turned
    off with its carrier, and has fired if ``evidence`` holds for one of the carrier's changes. If a batch lists the
    part as well, it is tracked under its own name there; otherwise its ``batch`` is ''.

    ``callers``: the full names of the rules that do its work by calling it (see :mod:`oracles.rules.calls`): its off
    leg lacks that work only if they are off, too, or don't fire. The catalogue of a release adds them.

    ``scratch``: Spark also runs it on plans that it throws away, so the tracker may show it although it is off. The
    catalogue of a release adds this, too.

    ``needed``: some plans can't run without it, so it has no switch, though the release says that it may be excluded.

    ``unshaped``: the reason why the rule has an entry but no shape.
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
    needed: bool = False
    unshaped: str = ""
    callers: frozenset[str] = frozenset()
    scratch: bool = False

    @property
    def carrier(self) -> str:
        """The name under which Spark tracks its work, or most of it: that of its carrier, if it has one."""
        return self.tracked_as or self.rule_name

    @property
    def turned_off(self) -> frozenset[str]:
        """Full names of the rules that must not fire once ``switch`` is off: it, its carrier, others of the switch."""
        others = self.switch.rule_names if isinstance(self.switch, Excluded) else ()
        return frozenset((self.rule_name, self.carrier, *others))


def excludable(name: str, batch: str, law: str, *conditions: str, seeds: tuple[str, ...] = ()) -> Rule:
    """A rule of the optimizer's package that Spark's lists of excluded rules turn off, where they may name it."""
    return Rule(
        name=name, rule_name=OPTIMIZER + name, batch=batch, switch=None, law=law, conditions=conditions, seeds=seeds
    )


def with_callers(rules: Iterable[Rule], among: Iterable[Rule]) -> list[Rule]:
    """``rules``, and the rules in ``among`` that call one of them and so have to be turned off with it."""
    chosen = list(rules)
    callers = frozenset[str]().union(*(rule.callers for rule in chosen))
    return [*chosen, *(rule for rule in among if rule.rule_name in callers and rule not in chosen)]
