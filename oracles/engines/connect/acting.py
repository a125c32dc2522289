"""Which rules act on a query, told by its plan alone: the plan without the rule is another.

Spark's tracker, which says what each rule did, is in the server's memory, and no message of Connect has it. What this
can't see: a rule whose work another one does where it is off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from oracles.rules.rule import Rule
from oracles.rules.switch import Reference, Switch, switch_off

_ID = re.compile(r"#(\d+)(?=L?\b)|\bplan_id=(\d+)")
_OPTIMIZED = re.compile(r"== Optimized Logical Plan ==\n(.*?)(?=\n== |\Z)", re.DOTALL)


def acting(rules: Sequence[Rule], plan: Callable[[Mapping[str, str]], str]) -> list[Rule]:
    """Those of ``rules`` without which the query has another plan, found by halves: few act on any one query.

    :param plan: the query's plan under settings, as text that is equal for equal plans; '' where there is none.
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
    """Whether a server without our jar knows the switch: Spark's own settings and lists, and no operator of ours."""
    return switch is not None and not isinstance(switch, Reference)


def optimized(explained: str) -> str:
    """The optimized plan in what ``explain`` says at length, expressions numbered anew; '' without one."""
    found = _OPTIMIZED.search(explained)
    return renumbered(found[1]) if found else ""


def renumbered(plan: str) -> str:
    """``plan`` with the numbers of expressions and of its parts in the order in which they occur."""
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        text = found[1] or found[2]
        return f"#{numbers.setdefault(text, len(numbers))}"

    return _ID.sub(number, plan)
