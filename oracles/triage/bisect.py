"""Which of the rules that were off is guilty: the smallest set that still shows the difference."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from oracles.answers.outcome import Raised
from oracles.checks.check import Checked, Laboratory, all_effective, fixed
from oracles.rules.catalogue import can_go_off
from oracles.rules.rule import Rule
from oracles.rules.switch import switch_off
from strategies.ir import AnyLimit, Case, partitioned


def minimal_subset(items: Sequence[str], fails: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    """A subset of ``items`` that fails while no set with one item less does; ``items`` itself must fail.

    Single items are tried first (most findings have one culprit), then the set is thinned out item by item, round
    and round until none can go: an item may have been needed only because of one that went after it.
    """
    for item in items:
        if len(items) > 1 and fails((item,)):
            return (item,)
    kept, needed = tuple(items), 0
    queue = deque(items)
    while needed < len(queue) and len(kept) > 2:
        item = queue.popleft()
        rest = tuple(other for other in kept if other != item)
        if fails(rest):
            kept, needed = rest, 0
        else:
            queue.append(item)
            needed += 1
    return kept


def blamed_on_rules(laboratory: Laboratory, checked: Checked) -> Checked:
    """A finding that both legs show, as that of the rule that was on in both, where one is at fault.

    Both legs are wrong alike under a wrong rule that neither turned off; with everything that fired turned off,
    the off leg agrees with DuckDB; so are those that take up their work. Where it fails then, or is wrong in another
    way, they are turned off one by one.
    A rule whose plan is refused, or that raises, hasn't fired: it is turned off where
    the error names it, and where the error is another one then, so is what that names. Of a LIMIT without an order,
    whose rows may be right where its input's are wrong, the input is looked at; where the query's three parts fail,
    and only the on leg was asked for them, they are the query.
    """
    kind = checked.verdict.kind
    if failing_parts := _failing_parts(checked):
        off = [laboratory.catalogue.rule(name) for name in checked.off]
        again = laboratory.check(failing_parts, fixed(off), checked.settings, fast=checked.fast)
        return blamed_on_rules(laboratory, again) if again.verdict.name == "finding" else checked
    if kind == "engine":
        for case in (checked.case, *_input(checked.case)):
            again = _without_all(laboratory, case, checked)
            for alone in chain((again,), _one_by_one(laboratory, again)):
                if (alone.verdict.kind, alone.verdict.blame) == ("rule", "on"):
                    return alone
        return checked
    if kind not in ("internal", "invalid-plan") or checked.verdict.blame != "unknown":
        return checked
    again, named = checked, list[Rule]()
    while more := [rule for rule in _named_by_errors(laboratory, again) if rule not in named]:
        named += more
        again = laboratory.check(checked.case, fixed(named), checked.settings, fast=checked.fast)
        if (again.verdict.kind, again.verdict.blame) == (kind, "on"):
            return again
    return checked


def _without_all(laboratory: Laboratory, case: Case, checked: Checked) -> Checked:
    """``case`` without the rules that act on it, nor those that act only without these: they may do the same wrong."""
    again = laboratory.check(case, all_effective, checked.settings, fast=checked.fast)
    while again.verdict.kind == "engine" and (more := _emerged(laboratory, again)):
        off = [*map(laboratory.catalogue.rule, again.off), *more]
        again = laboratory.check(case, fixed(off), checked.settings, fast=checked.fast)
    return again


def _emerged(laboratory: Laboratory, checked: Checked) -> list[Rule]:
    names = [laboratory.catalogue.rule(name).rule_name for name in checked.emerged]
    return [rule for rule in laboratory.catalogue.offered(names) if rule.name not in checked.off]


def _one_by_one(laboratory: Laboratory, without_all: Checked) -> Iterator[Checked]:
    """The same query without each of the rules that were off together, where these kept another bug from showing."""
    if without_all.verdict.kind == "engine" or len(without_all.off) < 2:
        return
    for rule in map(laboratory.catalogue.rule, without_all.off):
        yield laboratory.check(without_all.case, fixed([rule]), without_all.settings, fast=without_all.fast)


def _failing_parts(checked: Checked) -> Case | None:
    """The three parts as a query of their own, where it is these that ended in an error of Spark's own."""
    case, failed = checked.case, checked.verdict.kind in ("internal", "invalid-plan")
    if case.partition is None or not failed or not isinstance(checked.legs.get("parts"), Raised):
        return None
    return replace(case, query=partitioned(case.query, case.partition), partition=None)


def _input(case: Case) -> list[Case]:
    """What a LIMIT without an order is taken from; without the partition, which is for the whole query."""
    return [replace(case, query=case.query.child, partition=None)] if isinstance(case.query, AnyLimit) else []


def _named_by_errors(laboratory: Laboratory, checked: Checked) -> list[Rule]:
    """The rules that the legs' errors name and that can be turned off."""
    messages = " ".join(end.message for end in checked.legs.values() if isinstance(end, Raised))
    return [rule for rule in laboratory.catalogue.switchable() if f"{rule.rule_name} " in messages]


def guilty_rules(laboratory: Laboratory, checked: Checked) -> tuple[str, ...]:
    """Names of the rules without which ``checked``'s finding is not there: a minimal subset of its ``off``.

    Empty where the finding doesn't depend on them (an engine finding, an error of both legs). A query that
    contradicts its own parts does so on the on leg: there they are turned off.
    """
    if checked.verdict.kind == "metamorphic":
        return _guilty_of_parts(laboratory, checked)
    if checked.verdict.kind is not None and checked.verdict.kind.misbehaviour:
        return checked.off
    if checked.verdict.kind not in ("rule", "error", "internal", "invalid-plan") or not checked.off:
        return ()
    if checked.verdict.blame == "unknown" and checked.verdict.kind != "rule":
        return ()

    def same_finding(names: tuple[str, ...]) -> bool:
        rules = [laboratory.catalogue.rule(name) for name in names]
        again = laboratory.check(checked.case, fixed(rules), checked.settings, fast=checked.fast)
        return again.verdict.name == "finding" and (again.verdict.kind, again.verdict.blame) == (
            checked.verdict.kind,
            checked.verdict.blame,
        )

    return minimal_subset(checked.off, same_finding)


def culprit(suspects: Sequence[str], acting_without: Mapping[str, Collection[str]]) -> str:
    """Of rules without each of which a failure is gone, the one that others only prepare plans for: it doesn't act
    without them, they act without it. ``acting_without`` has the rules that act where a suspect is off.
    """
    return max(suspects, key=lambda name: sum(name not in acting_without[other] for other in suspects if other != name))


def _guilty_of_parts(laboratory: Laboratory, checked: Checked) -> tuple[str, ...]:
    @cache
    def without(names: tuple[str, ...]) -> Checked:
        switches = [rule.switch for rule in map(laboratory.catalogue.rule, names) if rule.switch]
        settings = replace(checked.settings, on=switch_off(switches, checked.settings.on))
        return laboratory.check(checked.case, fixed(()), settings, fast=checked.fast)

    def gone(names: tuple[str, ...]) -> bool:
        return without(names).verdict.name != "finding"

    able = tuple(name for name in checked.effective if can_go_off(laboratory.catalogue.rule(name)))
    if not able or not gone(able):
        return ()
    if alone := [name for name in able if gone((name,))]:
        return (culprit(alone, {name: without((name,)).effective for name in alone}),)
    return minimal_subset(able, gone)


def narrowed(laboratory: Laboratory, checked: Checked, guilty: tuple[str, ...]) -> Checked:
    """``checked`` again with just the guilty rules off, so that its failure shows them alone: in jobs."""
    if not guilty or guilty == checked.off or checked.verdict.kind == "metamorphic":
        return checked
    rules = [laboratory.catalogue.rule(name) for name in guilty]
    alone = checked.memory_alone
    again = laboratory.check(checked.case, fixed(rules), checked.settings, fast=alone, in_driver=False)
    return replace(again, fast=checked.fast, memory_alone=alone) if again.verdict.name == "finding" else checked
