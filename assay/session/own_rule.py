"""The example rules in ``jars/src/examples``, in their sound version and in the unsound one that was written first.

They are entries of a catalogue of their own, since no release of Spark has them: a session has those that it loads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oracles.checks.result import LegSettings
from oracles.engines.spark.start import InjectedRule
from oracles.rules.points import Point
from oracles.rules.rule import Rule
from oracles.rules.switch import ByConf, Injected, switched_on

AS_WRITTEN = "AsWritten"
"""The suffix of the name of a rule's unsound version."""
_FIRST = ByConf("spark.sql.optimizer.replaceExceptWithFilter", "false")


@dataclass(frozen=True, slots=True)
class OwnRule:
    """An example rule: what is known of it, its class in the jar of examples, and where it is injected.

    ``needs`` are settings of both legs without which a rule of Spark's leaves it nothing to do.
    """

    rule: Rule
    class_name: str
    point: str
    needs: Mapping[str, str]

    @property
    def name(self) -> str:
        """The rule's name in the session."""
        return self.rule.name

    def injected(self) -> InjectedRule:
        """The rule as the switch extension loads it: present, but off."""
        return InjectedRule(self.name, self.class_name, self.point, on=False)

    def settings(self, base: Mapping[str, str]) -> LegSettings:
        """``base`` and the rule's needed settings on both legs; the rule is on only on the on leg."""
        both = {**base, **self.needs}
        return LegSettings(on={**both, **switched_on(self.name)}, off=both)


def _own(name: str, point: str, law: str, *conditions: str, wrong: tuple[str, ...]) -> tuple[OwnRule, OwnRule]:
    """The sound version of a rule, and the unsound one, which has none of the conditions."""

    def entry(called: str, package: str, meant: str, holds: tuple[str, ...]) -> OwnRule:
        rule = Rule(
            name=called,
            rule_name=called,
            batch="injected",
            switch=Injected(called),
            law=meant,
            conditions=holds,
            seeds=("000",),
        )
        return OwnRule(rule, f"{package}.{name}", point, _FIRST.settings())

    return (
        entry(name, "assay.examples", law, conditions),
        entry(name + AS_WRITTEN, "assay.examples.aswritten", "; ".join(wrong), ()),
    )


_SAME_BASE = "L is B, or B under a filter of its own"
_BY_POSITION = "c's columns are L's in the same places, whatever they are called"
_PLAIN = "c, L and B are deterministic, and c holds no subquery"
_EXACT = "rows that compare as equal are equal to c: none of its columns is a float or has a collation"

OWN: tuple[OwnRule, ...] = (
    *_own(
        "ReplaceExceptWithNotFilter",
        Point.PLAN_NORMALIZATION,
        "L EXCEPT Filter(c, B) = Distinct(Filter(NOT coalesce(c, false), L))",
        _SAME_BASE,
        _BY_POSITION,
        _PLAIN,
        _EXACT,
        wrong=("a row goes where c is NULL", "c's columns are found by name"),
    ),
    *_own(
        "ReplaceAntiJoinWithNotFilter",
        Point.EXPERIMENTAL,
        "L LEFT ANTI JOIN Filter(c, B) ON l1 <=> b1 AND ... = Filter(NOT coalesce(c, false), L)",
        "the join compares each column with the one in its place, null-safely, and nothing else",
        _SAME_BASE,
        _BY_POSITION,
        _PLAIN,
        _EXACT,
        wrong=("what is joined by is not looked at", "a row goes where c is NULL", "c's columns are found by name"),
    ),
)


def own_rule(name: str) -> OwnRule:
    """The example called ``name``; KeyError where there is none."""
    return {own.name: own for own in OWN}[name]
