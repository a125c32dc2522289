"""What a check asks of legs beside the on leg's answer: the off leg, inputs of limits, parts, evidence for parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.engines.protocol import Leg, LegReport, Stage
from oracles.rules.plans import PlanNode
from oracles.rules.rule import Rule
from strategies.ir import AnyLimit, Case, partitioned

PAIRS_ALL = Raised("PAIRS_ALL", None, "it would pair each row with each: too many to run", "unsupported")
"""What stands for the answer of a leg that is spared."""

Changes = Mapping[str, Sequence[tuple[PlanNode, PlanNode]]]
"""By a rule's full name: the plan before and after each of its changes."""


def without_stumbling(raised: Raised, ask_again: Callable[[], Outcome]) -> Outcome:
    """DuckDB's answer without its optimizer, if it has one: this stumbles over queries that have answers.

    ``l >= [] AND l <= [1]`` is one: it makes a BETWEEN of that, which lists have not.
    """
    if raised.kind not in ("user", "internal"):
        return raised
    plain = ask_again()
    return plain if isinstance(plain, Rows) else raised


def run_off(
    stage: Stage, case: Case, conf: Mapping[str, str], on: LegReport, analyzed: Leg | None, spare: bool
) -> LegReport:
    """The off leg; with ``spare`` one that would pair each row with each isn't run, unless it is the on leg's plan."""
    with stage.leg(case.query, conf, like=analyzed) as leg:
        # Adaptive execution goes on changing the plan while it runs, under rules that may be off: no short cut.
        known = "" if case.settings.aqe else on.plan
        if spare and leg.pairs_all():
            planned = leg.plan()
            if not known or planned.plan != known:
                return replace(planned, outcome=PAIRS_ALL)
        off = leg.run(known=known, databases=1 + len(on.others))
        return replace(off, outcome=on.outcome, others=on.others) if off.outcome is None else off


def same_rows(on: LegReport, off: LegReport) -> bool:
    """Whether both legs have rows, and the same."""
    return isinstance(on.outcome, Rows) and isinstance(off.outcome, Rows) and same(on.outcome, off.outcome)


def changes_of(stage: Stage, case: Case, conf: Mapping[str, str], off_rules: Sequence[Rule], on: LegReport) -> Changes:
    """What the carriers of those rules did that are parts of others: planned once more, for these alone."""
    carriers = {rule.carrier for rule in off_rules if rule.tracked_as and rule.carrier in on.effective}
    if not carriers:
        return {}
    with stage.leg(case.query, conf) as leg:
        return {carrier: leg.changes(carrier) for carrier in sorted(carriers)}


def parts_of(stage: Stage, case: Case, conf: Mapping[str, str], on: LegReport) -> LegReport | None:
    """The on leg's answer to the query in three parts, where the case has a predicate for them."""
    if case.partition is None or not isinstance(on.outcome, Rows):
        return None
    with stage.leg(partitioned(case.query, case.partition), conf) as leg:
        return leg.run()


def unlimited_of(stage: Stage, case: Case, conf: Mapping[str, str]) -> Outcome | None:
    """What a LIMIT without an order is taken from, under ``conf``; None where the query is none."""
    if not isinstance(case.query, AnyLimit):
        return None
    with stage.leg(case.query.child, conf) as leg:
        return leg.run().outcome


@dataclass(frozen=True, slots=True)
class Fired:
    """Which of the rules to be off fired, by name.

    ``undone`` changed the on leg's plan, and nothing on the off leg did their work; without an off leg, all that
    changed the on leg's plan. ``kept`` didn't change the off leg's plan either, but a rule did that calls them: the off
    leg may have their work all the same, and proves nothing about them.
    """

    undone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def fired_of(rules: Sequence[Rule], on: LegReport, off: LegReport | None, changes: Changes) -> Fired:
    """Which of ``rules``, which were to be off, fired; None: there is no off leg."""
    still_on = off.effective if off else frozenset[str]()
    fired = [rule for rule in rules if has_fired(rule, on.effective - still_on, changes)]
    kept = [rule for rule in fired if rule.callers & still_on]
    return Fired(tuple(rule.name for rule in fired if rule not in kept), tuple(rule.name for rule in kept))


def plans_differ(on: LegReport, off: LegReport | None) -> bool:
    """Whether the legs' executed plans differ; where there is no off leg, nothing was compared, and they don't."""
    return off is not None and on.plan != off.plan


def has_fired(rule: Rule, undone: Set[str], changes: Changes) -> bool:
    """Whether ``rule`` is among what was ``undone``: under its own name, or as a part in what its carrier did."""
    if rule.rule_name in undone or rule.evidence is None or rule.carrier not in undone:
        return rule.rule_name in undone
    return any(rule.evidence(*change) for change in changes.get(rule.carrier, ()))
