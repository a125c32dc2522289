"""The result of a check, and the settings of its legs: values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from oracles.answers.outcome import Outcome, has_rows
from oracles.checks.extra_databases import ExtraResults
from oracles.checks.verdict import Verdict
from strategies.ir import Case


@dataclass(frozen=True, slots=True)
class LegSettings:
    """Session settings of the two Spark legs beyond the case's own, before any rule is turned off."""

    on: Mapping[str, str] = field(default_factory=dict)
    off: Mapping[str, str] = field(default_factory=dict)


NO_SETTINGS = LegSettings()
"""No settings beyond the case's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of a check.

    A check has no off leg if a rule in ``off`` can't be turned off, or if the off leg may have done the rule's work all
    the same. DuckDB alone then judges the on leg.

    :param off: the rules that the off leg turned off; without an off leg, the rules that were to be turned off.
    :param fired: the rules in ``off`` that changed the on leg's plan, while neither they nor a rule that calls them
        changed the off leg's plan; without an off leg, the rules in ``off`` that changed the on leg's plan.
    :param differed: whether the executed plans of both legs differ; false without an off leg.
    :param legs: outcomes by leg: on, off (absent without an off leg), parts and duckdb_unoptimized (only if they ran),
        duckdb.
    :param settings: the session settings of the Spark legs beyond the case's own.
    :param changed_plan: all rules that changed the on leg's plan, switchable or not.
    :param fast: the result was found on the fast path; with ``memory_alone``, not on the plain path.
    :param misbehaviour: the misbehaviour on the on leg of the rules in ``off``, if it was watched.
    :param optimizer_failed: DuckDB's optimizer raised, and DuckDB's answer is the unoptimized one.
    :param unlimited: the legs have the whole input of a LIMIT without an order, because Spark and DuckDB differ in it.
    :param plan: 16 hex digits for the operators of the on leg's executed plan, '' if there is none.
    :param executors: the executors of a cluster that ended tasks for a Spark leg.
    :param changed_only_off: the rules that changed only the off leg's plan.
    :param kept: the rules that changed the on leg's plan and whose work the off leg may have done.
    :param beside: results over extra databases.
    """

    case: Case
    off: tuple[str, ...]
    fired: tuple[str, ...]
    differed: bool
    verdict: Verdict
    legs: Mapping[str, Outcome]
    settings: LegSettings = NO_SETTINGS
    changed_plan: tuple[str, ...] = ()
    fast: bool = False
    memory_alone: bool = False
    misbehaviour: tuple[str, ...] = ()
    optimizer_failed: bool = False
    unlimited: bool = False
    plan: str = ""
    executors: tuple[str, ...] = ()
    changed_only_off: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    beside: ExtraResults = field(default_factory=ExtraResults)

    @property
    def two_legs(self) -> bool:
        """Whether DuckDB alone judged the on leg."""
        return "off" not in self.legs and "duckdb" in self.legs

    @property
    def has_rows(self) -> bool:
        """Whether the answer has at least one row."""
        return has_rows(self.legs["on"])
