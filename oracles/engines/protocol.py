"""The engine under test as a check uses it: an engine loads tables, its legs run queries, and a leg reports.

A Spark session of our own, a Spark Connect server and the naive harness of the bench implement :class:`Engine` and
:class:`Leg`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.engines.spark.last_words import LastWords
from oracles.rules.catalogue import Discovered
from oracles.rules.plans import PlanNode
from strategies.ir import Database, Relation, Settings, Source

Loss = Literal["hung", "out of memory", "died", "cut off"]
"""How a JVM is lost: it was killed because it didn't answer in time, it ended for want of memory, or otherwise; or it
is there, and can't be talked to.
"""


@dataclass(frozen=True, slots=True)
class LegReport:
    """One leg's outcome and evidence.

    ``outcome`` is None for a leg that was only planned, or whose plan was known. ``effective`` are Spark's names of
    the rules that changed this query's plan, and the names of injected rules that did; ``plan`` is the executed plan
    with expression ids renumbered, equal for equal plans, and '' where planning raised; ``shape`` is one of its
    operators alone.
    ``in_driver``: no job was run for the rows.
    ``executors``: of a cluster, those that ended tasks for it, with how many; none where the driver did all.
    ``others`` are the outcomes of the same plan over the other databases that it was to be run over, None for one over
    which the driver can't run it; none where it ran elsewhere.
    ``conduct`` holds what injected rules did wrong beside the answer, by name, where that was watched (see
    :mod:`oracles.checks.misbehaviour`). ``written`` is about rows that went into files: how many ``rows``, and what of
    Spark's machinery for many the plan that ran has used (the jar's Exercise).
    """

    outcome: Outcome | None
    effective: frozenset[str]
    plan: str
    in_driver: bool = False
    conduct: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shape: str = ""
    written: Mapping[str, int] = field(default_factory=dict)
    executors: Mapping[str, int] = field(default_factory=dict)
    others: Sequence[Rows | None] = ()


@dataclass(frozen=True, slots=True)
class PlansSeen:
    """The plans that one rule was given: in how many legs, and in how many of these each type of node.

    ``shapes`` are the most frequent forms of a leg's first plan, the most frequent one first.
    """

    legs: int = 0
    nodes: Mapping[str, int] = field(default_factory=dict)
    shapes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Described:
    """What Spark says of a query's text: its plan as parsed (or the text itself), names and types of its columns."""

    plan: str
    fields: Sequence[tuple[str, str]]


class Leg(Protocol):
    """A query under one leg's settings, planned at most once, and run at most once."""

    def plan(self) -> LegReport:
        """Parse, analyze, optimize and plan, without running anything."""

    def run(self, *, known: str = "", databases: int = 1) -> LegReport:
        """Plan and execute; nothing is executed, and there is no outcome, where the plan is the ``known`` one.

        :param databases: how many of the loaded databases the plan is run over.
        """

    def pairs_all(self) -> bool:
        """Whether its plan pairs each row of one input with each of another: a join without keys."""

    def around(self, rule_name: str) -> tuple[str, str] | None:
        """The plan right before and after ``rule_name`` first changed it, or None if it didn't, or nobody can say."""

    def changes(self, rule_name: str) -> Sequence[tuple[PlanNode, PlanNode]]:
        """The plan right before and after each change that a rule of the optimizer made; none where nobody can say."""


class Engine(Protocol):
    """A session of Spark's, started when first used: tables in, legs over them out."""

    time_limit: float
    """Seconds that a leg may run unless it says otherwise."""

    @property
    def session(self) -> Any:
        """The session; SparkUnusable in one line where it can't be had."""

    @property
    def version(self) -> str:
        """Spark's own version text."""

    @property
    def on_cluster(self) -> bool:
        """Whether tasks run in processes of their own, which see nothing of the driver's memory."""

    @property
    def injected(self) -> Mapping[str, str]:
        """The classes of the rules that the switch extension loads, by name."""

    @property
    def points(self) -> Mapping[str, str]:
        """Where the switched rules stand, by name: those of extensions too, each at its first point."""

    @property
    def brought(self) -> Sequence[str]:
        """Names of the switched rules that extensions brought."""

    @property
    def analyzing(self) -> frozenset[str]:
        """Names of the loaded rules that have a say before the optimizer does."""

    def discovered(self) -> Sequence[Discovered]:
        """Every rule that the running optimizers list, in order, repeats included."""

    def loaded(self, database: Database, source: Source, *, statistics: bool = False) -> AbstractContextManager[None]:
        """``database`` as the session's views, or analyzed tables, while the context lasts."""

    def stage(
        self,
        database: Database,
        settings: Settings,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
    ) -> AbstractContextManager[Stage]:
        """``database`` where ``settings`` say, while the context lasts."""

    def leg(
        self,
        query: Relation,
        settings: Settings,
        conf: Mapping[str, str],
        *,
        timeout_seconds: float | None = None,
        in_driver: bool = False,
        like: Leg | None = None,
    ) -> AbstractContextManager[Leg]:
        """``query`` under ``settings`` and ``conf``, which are undone at the end of the context.

        :param timeout_seconds: how long it may run; None stands for ``time_limit``.
        :param in_driver: rows are computed without jobs where the plan lets them.
        :param like: a leg of the same query whose settings differ only in what the optimizer reads.
        """

    @property
    def spark_errors(self) -> tuple[type[Exception], ...]:
        """What is raised for an error of Spark itself."""

    @property
    def jvm_errors(self) -> tuple[type[Exception], ...]:
        """What is raised when the JVM is gone, and else by mistakes: ask :meth:`lost`."""

    def described(self, text: str) -> Described:
        """What Spark says of ``text``, which has to be a query, over the loaded views."""

    def raised(self, error: Exception) -> Raised:
        """``error``, one of ``spark_errors``, as an outcome."""

    def lost(self, error: BaseException | None = None) -> Loss | None:
        """How the JVM was lost, once ``error`` was raised; None where it is there, or nobody can say."""

    @property
    def pid(self) -> int | None:
        """The process of its JVM, which is started for this; None where it is somebody else's."""

    def sample_memory(self) -> None:
        """Note what memory the JVM has, if there is one: for its last words."""

    def last_words(self) -> LastWords | None:
        """What is left of the JVM, to be asked before it is closed; None where there is nothing."""

    def kill(self) -> None:
        """End the JVM, if there is one of ours, without asking it."""

    def abandon(self) -> None:
        """Kill the JVM, if there is one of ours, for a process that is about to end; for any thread."""

    def lost_executors(self) -> Sequence[str]:
        """What became of executors that ended since this was asked last, a line each."""

    def close(self) -> None:
        """End the session, and what was started for it; nothing happens if it never started."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Tables that are loaded, in memory perhaps as several databases have them, and how legs over them run."""

    engine: Engine
    settings: Settings
    in_memory: bool
    in_driver: bool
    databases: int = 1

    def leg(self, query: Relation, conf: Mapping[str, str], *, like: Leg | None = None) -> AbstractContextManager[Leg]:
        """``query`` under ``conf`` and the settings, as :meth:`Engine.leg` has it."""
        return self.engine.leg(query, self.settings, conf, in_driver=self.in_driver, like=like)
