"""Find the rules that fire on a query by its plans alone: a rule fires if the plan without it is another.

Spark's tracker, which reports what each rule did, is in the server's memory, and no Connect message contains it. A rule
stays undetected if another rule does its work when it is off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from oracles.rules.plans import renumbered
from oracles.rules.rule import Rule
from oracles.rules.switch import Reference, Switch, switch_off

_OPTIMIZED = re.compile(r"== Optimized Logical Plan ==\n(.*?)(?=\n== |\Z)", re.DOTALL)


def acting(rules: Sequence[Rule], plan: Callable[[Mapping[str, str]], str]) -> list[Rule]:
    """The rules among ``rules`` without which the query has another plan, by binary search: few fire on one query.

    :param plan: the query's plan under settings, as text that is equal for equal plans; '' if there is none.
    """
    everything = plan({})

    def among(some: Sequence[Rule]) -> list[Rule]:
        if not some or plan(switch_off([rule.switch for rule in some if rule.switch])) == everything:
            return []
        if len(some) == 1:
            return list(some)
        middle = len(some) // 2
        return [*among(some[:middle]), *among(some[middle:])]

    return among([rule for rule in rules if can_be_asked(rule.switch)]) if everything else []


def can_be_asked(switch: Switch | None) -> bool:
    """Whether a server without Assay's jar knows the switch: a setting or list of Spark's, no reference operator."""
    return switch is not None and not isinstance(switch, Reference)


def optimized(explained: str) -> str:
    """The optimized plan in the text of an extended ``explain``, with renumbered expressions; '' if there is none."""
    found = _OPTIMIZED.search(explained)
    return renumbered(found[1]) if found else ""
