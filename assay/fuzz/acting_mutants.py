"""The mutants that fire on a query, found by planning it with the mutants of many rules at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import chain, groupby
from operator import attrgetter
from random import Random

from assay.fuzz.finding import digest
from assay.session.mutant_sources import Mutant, trying
from oracles.checks.check import Harness
from oracles.engines.protocol import Stage
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.leg import SparkLeg
from oracles.engines.spark.plan_pairs import firing
from oracles.rules.points import Point
from strategies.ir import Case

TOGETHER = 8
"""The number of rules whose mutants are tried in one plan: each of these rules is off there."""


def by_rule(mutants: Sequence[Mutant]) -> list[tuple[str, list[Mutant]]]:
    """``mutants`` by the rule that they replace."""
    rule = attrgetter("rule")
    return [(name, list(group)) for name, group in groupby(sorted(mutants, key=rule), key=rule)]


def acting_on(
    case: Case,
    mutants: Sequence[Mutant],
    stage: Stage,
    analyzed: SparkLeg | None,
    harness: Harness,
    *,
    together: int = TOGETHER,
) -> list[Mutant]:
    """Those of ``mutants`` that fire on the query of ``case``.

    The mutants of ``together`` rules are tried in one plan; the rules that fire there are planned by themselves. A
    mutant that needs the work of another rule may be missed where that rule is off, too, so each query has its own
    groups. Rules have a run of their own if some of their mutants see plans only while the query runs.

    :param analyzed: a leg of the query on ``stage``; None for a statement, whose scan no other plan may read.
    """
    groups = [group for _, group in by_rule(mutants)]
    Random(digest(case)).shuffle(groups)
    running = [group for group in groups if _while_running(case, group)]
    acting: set[str] = set()
    for physical in (False, True):

        def fired(tried: Sequence[Sequence[Mutant]], physical: bool = physical) -> list[Set[str]]:
            confs = [trying(each, harness.catalogue) for each in tried]
            if analyzed is None:
                return [_planned(case, stage, conf) for conf in confs]
            assert isinstance(harness.spark, SparkEngine)  # no other has mutants
            return list(firing(harness.spark, analyzed, stage.settings, confs, physical=physical))

        planned = [group for group in groups if group not in running and _physical(group) == physical]
        acting |= _firing(planned, fired, together)
    for group in running:
        with stage.leg(case.query, trying(group, harness.catalogue), like=analyzed) as leg:
            acting |= leg.run().changed_plan
    return [mutant for mutant in mutants if mutant.name in acting]


def _planned(case: Case, stage: Stage, conf: Mapping[str, str]) -> Set[str]:
    """The rules that change the plan of a query under ``conf``, in a leg of its own."""
    with stage.leg(case.query, conf) as leg:
        return leg.plan().changed_plan


def _firing(
    groups: Sequence[Sequence[Mutant]], fired: Callable[[Sequence[Sequence[Mutant]]], Sequence[Set[str]]], together: int
) -> Set[str]:
    """The rules that fire in plans of ``groups``, each of the mutants of one rule.

    :param fired: the rules that fire in one plan for each of the given mutants.
    """
    trials = [groups[first : first + together] for first in range(0, len(groups), together)]
    told = list(zip(trials, fired([[*chain(*trial)] for trial in trials]), strict=True))
    doubted = [
        group
        for trial, names in told
        if len(trial) > 1
        for group in trial
        if not names.isdisjoint(mutant.name for mutant in group)
    ]
    certain = [names for trial, names in told if len(trial) == 1]
    return frozenset().union(*certain, *fired(doubted))


def _while_running(case: Case, mutants: Sequence[Mutant]) -> bool:
    """Whether one of ``mutants`` sees plans of this query only while it runs."""
    return case.settings.aqe and any(Point(mutant.point).running for mutant in mutants)


def _physical(mutants: Sequence[Mutant]) -> bool:
    return any(Point(mutant.point).physical for mutant in mutants)
