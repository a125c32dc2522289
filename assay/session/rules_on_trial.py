"""The rules on trial in one session, and the classes of those that are not Spark's."""

from __future__ import annotations

from rich.console import Console

from assay.session.ending import BadInput
from assay.session.options import Options
from assay.session.session import check_names
from assay.session.touched_rules import Touched
from oracles.checks.check import Harness
from oracles.rules.rule import Rule


def has_own_rules(options: Options) -> bool:
    """Whether rules that are not Spark's are on trial: these alone have probes."""
    return bool(options.extensions) or any(rule.class_name for rule in options.rules)


def _known(harness: Harness, touched: Touched, console: Console) -> list[Rule]:
    """The rules of this Spark's optimizers among ``touched``; a line for the others, BadInput if there are none."""
    listed = [name for name in touched.rules if name in harness.catalogue.by_name]
    if note := touched.note():
        console.print(note, soft_wrap=True)
    if others := [name for name in touched.rules if name not in listed]:
        console.print(f"touched, but no rule that this Spark's optimizers list: {', '.join(others)}", soft_wrap=True)
    if not listed:
        raise BadInput("--since: the change touches no rule that this Spark's optimizers list")
    console.print(f"touched, on trial one by one: {', '.join(listed)}", soft_wrap=True)
    return [harness.catalogue.rule(name) for name in listed]


def rules_on_trial(options: Options, harness: Harness, console: Console, touched: Touched | None = None) -> list[Rule]:
    """The rules named by options, or ``touched``, or else those that extensions inject; BadInput if there are none."""
    named = check_names(harness, options.rules)
    if touched is not None:
        named += _known(harness, touched, console)
    if named:
        return named
    points = harness.spark.points
    brought = [harness.catalogue.rule(name) for name in harness.spark.brought]
    for rule in brought:
        if points[rule.rule_name] == "check":
            console.print(f"{rule.name}@check: not tried: a check changes no plan, so there is no answer to compare")
    rules = [rule for rule in brought if points[rule.rule_name] != "check"]
    if not rules:
        raise BadInput(f"--extensions {', '.join(options.extensions)}: injects no rule that could change a plan")
    console.print(
        f"on trial, one by one: {', '.join(f'{r.name}@{points[r.rule_name]}' for r in rules)}", soft_wrap=True
    )
    return rules


def classes_of(harness: Harness) -> dict[str, str]:
    """The classes of the rules that are not Spark's, by name."""
    brought = {harness.catalogue.rule(name).name: name for name in harness.spark.brought}
    return {**brought, **harness.spark.injected}
