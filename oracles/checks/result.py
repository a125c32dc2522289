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

    ``off``: the rules that the off leg turned off. ``fired``: those of them that changed the on leg's plan, and neither
    they nor a rule that calls them changed the off leg's. ``differed``: the executed plans of both legs differ.
    Without an off leg, ``off`` holds rules that can't be turned off, or whose work the off leg may have done all the
    same, ``fired`` those of them that changed the on leg's plan, and ``differed`` is false. ``kept``: the rules that
    changed the on leg's plan and whose work the off leg may have done. ``changed_plan``: all rules that changed the on
    leg's plan, switchable or not. ``changed_only_off``: the rules that changed only the off leg's plan. ``legs``:
    outcomes by leg: on, off (absent with two legs), parts and duckdb_unoptimized (only if they ran), duckdb. ``fast``:
    found on the fast path; with ``memory_alone``, not on the plain path. ``misbehaviour``: the misbehaviour on the on
    leg of the rules in ``off``, if it was watched. ``optimizer_failed``: DuckDB's optimizer raised, and DuckDB's answer
    is the unoptimized one. ``unlimited``: the legs have the whole input of a LIMIT without an order, because Spark and
    DuckDB differ in it. ``plan``: 16 hex digits for the operators of the on leg's executed plan, '' if there is none.
    ``executors``: the executors of a cluster that ended tasks for a Spark leg. ``beside``: results over extra
    databases.
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
