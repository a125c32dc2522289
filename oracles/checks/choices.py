"""Choices of the rules that an off leg turns off, given the rules that changed the on leg's plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from oracles.rules.rule import Rule, with_callers

ChooseOff = Callable[[Sequence[Rule]], Iterable[Rule]]
"""Choose the rules that the off leg turns off, given the switchable rules that changed the on leg's plan."""

Choices = Callable[[Sequence[Rule]], Iterable[Sequence[Rule]]]
"""Choose the rules to turn off for several off legs over one on leg."""


def fixed(rules: Iterable[Rule]) -> ChooseOff:
    """Turn off exactly ``rules``, whichever rules fired."""
    chosen = tuple(rules)
    return lambda _: chosen


def with_their_callers(rules: Iterable[Rule]) -> Callable[[Sequence[Rule]], Sequence[Rule]]:
    """Turn off ``rules`` and, of the rules that call them, those that fired."""
    chosen = tuple(rules)
    return lambda changed_plan: with_callers(chosen, changed_plan)


def all_that_changed(rules: Sequence[Rule]) -> Iterable[Rule]:
    """Turn off every rule that changed the on leg's plan."""
    return rules
