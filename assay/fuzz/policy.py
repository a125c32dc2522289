"""The policy of a fuzzer: what it looks for, which rules the off leg turns off, and how long it minimizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from assay.fuzz.finding import is_finding
from oracles.checks.choices import with_their_callers
from oracles.checks.result import CheckResult
from oracles.rules.catalogue import can_go_off
from oracles.rules.rule import Rule, with_callers
from oracles.triage.divergences import Divergence

DrawOff = Callable[[st.DataObject, Sequence[Rule]], Sequence[Rule]]
"""Draws which rules the off leg turns off, given those that changed the on leg's plan and can be turned off."""


def draw_mixed(data: st.DataObject, changed_plan: Sequence[Rule]) -> Sequence[Rule]:
    """Draw all rules that changed the plan half of the time, else a subset of them that shrinks to one rule."""
    return changed_plan if data.draw(st.booleans(), label="all off") else draw_subset(data, changed_plan)


def draw_subset(data: st.DataObject, changed_plan: Sequence[Rule]) -> Sequence[Rule]:
    """Draw a non-empty subset of the rules that changed the plan, with the rules that do their work; () without any."""
    if not changed_plan:
        return ()
    chosen = data.draw(st.sets(st.sampled_from(range(len(changed_plan))), min_size=1), label="off")
    return subset_of(chosen, changed_plan)


def subset_of(places: Iterable[int], changed_plan: Sequence[Rule]) -> Sequence[Rule]:
    """The rules at ``places`` among those that changed the plan, with the rules that do their work."""
    return with_callers([changed_plan[place] for place in sorted(places)], changed_plan)


def draw_fixed(rules: Sequence[Rule]) -> DrawOff:
    """Always choose ``rules``, and those rules among the ones that changed the plan that do their work."""
    choose = with_their_callers(rules)
    return lambda data, changed_plan: choose(changed_plan)


def draw_one(rules: Sequence[Rule]) -> DrawOff:
    """Draw one of ``rules``, with those rules among the ones that changed the plan that do its work.

    It is one that changed the plan, if there is any. With several off, what one did would be evidence about another.
    """

    def draw(data: st.DataObject, changed_plan: Sequence[Rule]) -> Sequence[Rule]:
        changed = {rule.rule_name for rule in changed_plan}
        # Of rules that no run turns off unless they are named, `changed_plan` says nothing.
        acting = [rule for rule in rules if rule.carrier in changed or not can_go_off(rule)] or rules
        place = data.draw(st.sampled_from(range(len(acting))), label="off") if len(acting) > 1 else 0
        return with_callers([acting[place]], changed_plan)

    return draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The policy of a fuzzer.

    :param draw_off: draws the rules to switch off.
    :param divergences: the known divergences that may excuse a finding.
    :param predicate: which checks count as findings, by the result after attribution and its guilty rules.
    :param target_rule: the one rule to fuzz, which ``draw_off`` switches off; a case on which it does not fire is
        planned, and not checked.
    :param targets: the rules that a run is about; a case on which none of them fires does not count as a check.
    :param stands_for: by the name of an injected rule, the rule whose place it takes: entries about that rule apply.
    :param fast: whether cases may take the fast path (:mod:`oracles.checks.paths`).
    :param databases: how many databases the plans of one check run over on the fast path.
    :param on_record: whether the recorder counts checks and findings; not those about mutants.
    :param shrink_seconds: the time limit of minimizing one finding; Hypothesis and the reducer have half of it each.
    :param drawn_smaller: whether Hypothesis shrinks before the reducer does. Without, minimizing takes half as
        many checks, and the case has a row or two more at times.
    """

    draw_off: DrawOff
    divergences: Sequence[Divergence] = ()
    predicate: Callable[[CheckResult, Sequence[str]], bool] = is_finding
    target_rule: Rule | None = None
    targets: Sequence[Rule] = ()
    stands_for: Mapping[str, str] = field(default_factory=dict)
    fast: bool = True
    databases: int = 1
    on_record: bool = True
    shrink_seconds: float = 60.0
    drawn_smaller: bool = True
