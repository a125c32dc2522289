"""Run the legs of a check beside the on leg (off leg, unlimited input, three parts), and tell which rules fired."""

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
"""The outcome of a leg that isn't run because its plan has a cross join."""

Changes = Mapping[str, Sequence[tuple[PlanNode, PlanNode]]]
"""The plans before and after each change that a rule made, by the rule's full name."""


def without_optimizer(raised: Raised, ask_again: Callable[[], Outcome]) -> Outcome:
    """DuckDB's unoptimized answer if it has rows, else ``raised``: DuckDB's optimizer fails on some valid queries.

    It casts before it groups in ``HAVING count(*) > 1 AND CAST(s AS INT) = 1``, for example, what the count leaves out.
    """
    if raised.kind not in ("user", "internal"):
        return raised
    plain = ask_again()
    return plain if isinstance(plain, Rows) else raised


def run_off(
    stage: Stage,
    case: Case,
    conf: Mapping[str, str],
    on: LegReport,
    analyzed: Leg | None,
    *,
    skip_cross_joins: bool,
    anyway: bool = False,
) -> LegReport:
    """Run the off leg. With ``skip_cross_joins``, a plan with a cross join isn't run unless it is the on leg's plan.

    :param anyway: run it although its plan is the on leg's, in place of taking the on leg's outcome.
    """
    with stage.leg(case.query, conf, like=analyzed) as leg:
        known = on.plan if plans_tell(case) and not anyway else ""
        if skip_cross_joins and leg.pairs_all():
            planned = leg.plan()
            if not known or planned.plan != known:
                return replace(planned, outcome=PAIRS_ALL)
        off = leg.run(known=known, databases=1 + len(on.others))
        return replace(off, outcome=on.outcome, others=on.others) if off.outcome is None else off


def plans_tell(case: Case) -> bool:
    """Whether two legs of ``case`` with equal plans end alike.

    Adaptive execution changes the plan at run time, by rules that may be off: equal plans may end differently. Nor does
    a plan that one thread made tell anything about those that two threads make at once, nor one of a statement what it
    writes.
    """
    return not (case.settings.aqe or case.settings.siblings or case.query.is_statement)


def same_rows(on: LegReport, off: LegReport) -> bool:
    """Whether both legs have rows, and these are equal."""
    return isinstance(on.outcome, Rows) and isinstance(off.outcome, Rows) and same(on.outcome, off.outcome)


def changes_of(stage: Stage, case: Case, conf: Mapping[str, str], off_rules: Sequence[Rule], on: LegReport) -> Changes:
    """Plan the on leg again for the changes made by carriers of those ``off_rules`` that are parts of other rules."""
    carriers = {rule.carrier for rule in off_rules if rule.tracked_as and rule.carrier in on.changed_plan}
    if not carriers:
        return {}
    with stage.leg(case.query, conf) as leg:
        return {carrier: leg.changes(carrier) for carrier in sorted(carriers)}


def parts_of(stage: Stage, case: Case, conf: Mapping[str, str], on: LegReport) -> LegReport | None:
    """The on leg's answer to the query in three parts, if the case has a predicate for them."""
    if case.partition is None or not isinstance(on.outcome, Rows):
        return None
    with stage.leg(partitioned(case.query, case.partition), conf) as leg:
        return leg.run()


def unlimited_of(stage: Stage, case: Case, conf: Mapping[str, str]) -> Outcome | None:
    """The outcome under ``conf`` of the input of a LIMIT without an order; None for other queries."""
    if not isinstance(case.query, AnyLimit):
        return None
    with stage.leg(case.query.child, conf) as leg:
        return leg.run().outcome


@dataclass(frozen=True, slots=True)
class Fired:
    """Names of the fired rules among those to turn off.

    ``undone`` rules changed the on leg's plan, and no rule did their work on the off leg; without an off leg, all rules
    that changed the on leg's plan. ``kept`` rules didn't change the off leg's plan either, but a rule that calls them
    did: the off leg may have done their work, and proves nothing about them.
    """

    undone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def fired_of(rules: Sequence[Rule], on: LegReport, off: LegReport | None, changes: Changes) -> Fired:
    """The fired rules among ``rules``, the rules to turn off; ``off`` is None if there is no off leg."""
    still_on = off.changed_plan if off else frozenset[str]()
    fired = [rule for rule in rules if has_fired(rule, on.changed_plan - still_on, changes)]
    kept = [rule for rule in fired if rule.callers & still_on]
    return Fired(tuple(rule.name for rule in fired if rule not in kept), tuple(rule.name for rule in kept))


def plans_differ(on: LegReport, off: LegReport | None) -> bool:
    """Whether the legs' executed plans differ; false if there is no off leg."""
    return off is not None and on.plan != off.plan


def has_fired(rule: Rule, undone: Set[str], changes: Changes) -> bool:
    """Whether ``rule`` is among the ``undone`` rules, by its own name or as a part in a change of its carrier."""
    if rule.rule_name in undone or rule.evidence is None or rule.carrier not in undone:
        return rule.rule_name in undone
    return any(rule.evidence(*change) for change in changes.get(rule.carrier, ()))
