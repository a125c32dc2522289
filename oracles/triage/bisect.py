"""Find the guilty rules of a finding: a minimal set of rules to turn off that still shows the difference."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from oracles.answers.outcome import Raised
from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed, fixed
from oracles.checks.result import CheckResult
from oracles.rules.catalogue import can_go_off
from oracles.rules.rule import Rule
from oracles.rules.switch import Injected, switch_off
from strategies.ir import AnyLimit, Case, partitioned


def minimal_subset(items: Sequence[str], fails: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    """A subset of ``items`` that fails while no set with one item less does; ``items`` itself must fail.

    Single items are tried first, because most findings have one guilty rule. Then items are removed one by one, in
    rounds, until no item can be removed: an item may be needed only as long as another one is there.
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


def blamed_on_rules(harness: Harness, checked: CheckResult) -> CheckResult:
    """Turn a finding that both legs show into the finding of a rule that was on in both, if a rule is at fault.

    If both legs have the same wrong rows, all rules that fire are turned off, and so are rules that fire only without
    these: the off leg then agrees with DuckDB. If it raises, or is wrong in another way, the rules are turned off one
    by one. A rule that raises, or whose plan is refused, hasn't fired: it is turned off if the error names it, and so
    is each rule that the next error names; without an off leg, the error may name another rule than was asked for. A
    LIMIT without an order may have right rows over a wrong input, so its input is checked, too. If the query in three
    parts fails, which only the on leg runs, the parts are checked.
    """
    kind = checked.verdict.kind
    if failing_parts := _failing_parts(checked):
        off = [harness.catalogue.rule(name) for name in checked.off]
        again = harness.check(failing_parts, fixed(off), checked.settings, fast=checked.fast)
        return blamed_on_rules(harness, again) if again.verdict.name == "finding" else checked
    if kind == "engine":
        for case in (checked.case, *_input(checked.case)):
            again = _without_all(harness, case, checked)
            for alone in chain((again,), _one_by_one(harness, again)):
                if (alone.verdict.kind, alone.verdict.blame) == ("rule", "on"):
                    return alone
        return checked
    if kind not in ("internal", "invalid-plan") or (checked.verdict.blame != "unknown" and "off" in checked.legs):
        return checked
    again, named = checked, list[Rule]()
    while more := [rule for rule in _named_by_errors(harness, again) if rule not in named]:
        named += more
        again = harness.check(checked.case, fixed(named), checked.settings, fast=checked.fast)
        if (again.verdict.kind, again.verdict.blame) == (kind, "on"):
            return again
    return checked


def _without_all(harness: Harness, case: Case, checked: CheckResult) -> CheckResult:
    """Check ``case`` with all rules off that fire, then those that fire only without them: they may share the bug."""
    again = harness.check(case, all_that_changed, checked.settings, fast=checked.fast)
    while again.verdict.kind == "engine" and (more := _emerged(harness, again)):
        off = [*map(harness.catalogue.rule, again.off), *more]
        again = harness.check(case, fixed(off), checked.settings, fast=checked.fast)
    return again


def _emerged(harness: Harness, checked: CheckResult) -> list[Rule]:
    names = [harness.catalogue.rule(name).rule_name for name in checked.changed_only_off]
    return [rule for rule in harness.catalogue.offered(names) if rule.name not in checked.off]


def _one_by_one(harness: Harness, without_all: CheckResult) -> Iterator[CheckResult]:
    """Check the case with each single rule off, if all of them off let another bug show."""
    if without_all.verdict.kind == "engine" or len(without_all.off) < 2:
        return
    for rule in map(harness.catalogue.rule, without_all.off):
        yield harness.check(without_all.case, fixed([rule]), without_all.settings, fast=without_all.fast)


def _failing_parts(checked: CheckResult) -> Case | None:
    """The three parts as a query of their own, if they ended in an internal error or an invalid plan."""
    case, failed = checked.case, checked.verdict.kind in ("internal", "invalid-plan")
    if case.partition is None or not failed or not isinstance(checked.legs.get("parts"), Raised):
        return None
    return replace(case, query=partitioned(case.query, case.partition), partition=None)


def _input(case: Case) -> list[Case]:
    """The input of a LIMIT without an order, without the partition, which belongs to the whole query; else nothing."""
    return [replace(case, query=case.query.child, partition=None)] if isinstance(case.query, AnyLimit) else []


def _named_by_errors(harness: Harness, checked: CheckResult) -> list[Rule]:
    """The switchable rules that the legs' errors name."""
    messages = " ".join(end.message for end in checked.legs.values() if isinstance(end, Raised))
    return [rule for rule in harness.catalogue.switchable() if f"{rule.rule_name} " in messages]


def guilty_rules(harness: Harness, checked: CheckResult) -> tuple[str, ...]:
    """Names of the guilty rules of ``checked``: a minimal subset of its ``off`` that still shows the finding.

    Empty if the finding doesn't depend on rules (an engine finding, an error of both legs). For a metamorphic finding,
    rules are turned off on the on leg, which alone runs the three parts, until the finding is gone.
    """
    if checked.verdict.kind == "metamorphic":
        return _guilty_of_parts(harness, checked)
    if checked.verdict.kind is not None and checked.verdict.kind.misbehaviour:
        return checked.off
    if checked.verdict.kind not in ("rule", "error", "internal", "invalid-plan") or not checked.off:
        return ()
    if checked.verdict.blame == "unknown" and checked.verdict.kind != "rule":
        return ()

    def same_finding(names: tuple[str, ...]) -> bool:
        rules = [harness.catalogue.rule(name) for name in names]
        again = harness.check(checked.case, fixed(rules), checked.settings, fast=checked.fast)
        return again.verdict.name == "finding" and (again.verdict.kind, again.verdict.blame) == (
            checked.verdict.kind,
            checked.verdict.blame,
        )

    # A user's rule before those of Spark's without which it would find nothing to do.
    return minimal_subset(sorted(checked.off, key=lambda name: not _is_own(harness, name)), same_finding)


def _is_own(harness: Harness, name: str) -> bool:
    return isinstance(harness.catalogue.rule(name).switch, Injected)


def culprit(suspects: Sequence[str], fired_without: Mapping[str, Collection[str]]) -> str:
    """The suspect for which the others only prepare plans: it doesn't fire without them, and they fire without it.

    Turning off any one of ``suspects`` makes the failure go away. ``fired_without``: by suspect, the rules that fire
    when it is off.
    """
    return max(suspects, key=lambda name: sum(name not in fired_without[other] for other in suspects if other != name))


def _guilty_of_parts(harness: Harness, checked: CheckResult) -> tuple[str, ...]:
    @cache
    def without(names: tuple[str, ...]) -> CheckResult:
        switches = [rule.switch for rule in map(harness.catalogue.rule, names) if rule.switch]
        settings = replace(checked.settings, on=switch_off(switches, checked.settings.on))
        return harness.check(checked.case, fixed(()), settings, fast=checked.fast)

    def gone(names: tuple[str, ...]) -> bool:
        return without(names).verdict.name != "finding"

    able = tuple(name for name in checked.changed_plan if can_go_off(harness.catalogue.rule(name)))
    if not able or not gone(able):
        return ()
    if alone := [name for name in able if gone((name,))]:
        return (culprit(alone, {name: without((name,)).changed_plan for name in alone}),)
    return minimal_subset(able, gone)


def narrowed(harness: Harness, checked: CheckResult, guilty: tuple[str, ...]) -> CheckResult:
    """Check again, as Spark jobs, with only the guilty rules off; ``checked`` itself if the finding is gone then."""
    if not guilty or guilty == checked.off or checked.verdict.kind == "metamorphic":
        return checked
    rules = [harness.catalogue.rule(name) for name in guilty]
    alone = checked.memory_alone
    again = harness.check(checked.case, fixed(rules), checked.settings, fast=alone, in_driver=False)
    return replace(again, fast=checked.fast, memory_alone=alone) if again.verdict.name == "finding" else checked
