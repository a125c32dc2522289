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
"""The loss of a JVM: killed because it didn't answer in time, ended without memory, ended otherwise, or still running
but unreachable.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegReport:
    """One leg's outcome and evidence.

    ``outcome``: None for a leg that was only planned, or whose plan was known. ``changed_plan``: Spark's names of the
    rules that changed this query's plan, and names of injected rules that did. ``plan``: the executed plan, or its
    fingerprint, with renumbered expression ids: equal for equal plans, '' if planning raised. ``shape``: the same of
    its operators alone. ``in_driver``: the rows were computed without Spark jobs. ``executors``: the number of tasks by
    executor of a cluster; empty if the driver did all. ``others``: the rows of the same plan over each extra
    database, None if the driver can't run it there; empty if the leg ran as jobs. ``misbehaviour``: the misbehaviour of
    injected rules by name, if it was watched (see :mod:`oracles.checks.misbehaviour`). ``written``: for rows written to
    files, their number as ``rows``, and which of Spark's mechanisms for large data the plan used (the jar's Exercise).
    """

    outcome: Outcome | None
    changed_plan: frozenset[str]
    plan: str
    in_driver: bool = False
    misbehaviour: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shape: str = ""
    written: Mapping[str, int] = field(default_factory=dict)
    executors: Mapping[str, int] = field(default_factory=dict)
    others: Sequence[Rows | None] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleNames:
    """The names of Spark's that a rule's class mentions: logical ``operators``, ``extractors`` that take plans apart,
    ``expressions``, SQL ``functions`` that are such expressions, types of ``joins``, ``types`` of values, ``literals``
    (extractors of constants), and ``conf``, the keys of the configuration that it reads, or that rules of Spark's read
    that it applies.
    """

    operators: tuple[str, ...] = ()
    extractors: tuple[str, ...] = ()
    expressions: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    conf: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlansSeen:
    """The plans that Spark gave to one rule: the number of legs, and by type of node the number of legs with it.

    ``shapes``: the most frequent forms of a leg's first plan, with the number of legs, the most frequent one first.
    """

    legs: int = 0
    nodes: Mapping[str, int] = field(default_factory=dict)
    shapes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Described:
    """Spark's description of a query's text: the parsed plan (or the text itself), names and types of the columns."""

    plan: str
    fields: Sequence[tuple[str, str]]


class Leg(Protocol):
    """A query under one leg's settings, planned at most once, and run at most once."""

    def plan(self) -> LegReport:
        """Parse, analyze, optimize and plan, without running anything."""

    def run(self, *, known: str = "", databases: int = 1) -> LegReport:
        """Plan and execute; if the plan is the ``known`` one, it isn't executed, and there is no outcome.

        :param databases: the number of loaded databases to run the plan over.
        """

    def pairs_all(self) -> bool:
        """Whether its plan has a join without keys, which pairs each row of one input with each row of the other."""

    def around(self, rule_name: str) -> tuple[str, str] | None:
        """The plan right before and after ``rule_name`` first changed it; None if it didn't, or if that is unknown."""

    def changes(self, rule_name: str) -> Sequence[tuple[PlanNode, PlanNode]]:
        """The plan right before and after each change by a rule of the optimizer; none if that is unknown."""


class Engine(Protocol):
    """A Spark session, started when first used, that loads tables and runs legs over them."""

    time_limit: float
    """Seconds that a leg may run by default."""

    @property
    def session(self) -> Any:
        """The session; raises SparkUnusable, with one line, if there can't be one."""

    @property
    def version(self) -> str:
        """Spark's own version text."""

    @property
    def on_cluster(self) -> bool:
        """Whether tasks run in other processes than the driver, without access to its memory."""

    @property
    def injected(self) -> Mapping[str, str]:
        """The classes of the rules that the switch extension loads, by name."""

    @property
    def points(self) -> Mapping[str, str]:
        """The extension points of the switched rules, by name; of a rule at several points, the first one."""

    @property
    def brought(self) -> Sequence[str]:
        """Names of the switched rules that extensions inject."""

    @property
    def analyzing(self) -> frozenset[str]:
        """Names of the loaded rules that run before the optimizer."""

    def discovered(self) -> Sequence[Discovered]:
        """Every rule that the running optimizers list, in order, repeats included."""

    def loaded(
        self, database: Database, source: Source, *, statistics: bool = False, partitions: int = 1
    ) -> AbstractContextManager[None]:
        """Load ``database`` as the session's views, or as analyzed tables, while the context lasts."""

    def stage(
        self,
        database: Database,
        settings: Settings,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
    ) -> AbstractContextManager[Stage]:
        """Load ``database`` from the source in ``settings``, or into memory, while the context lasts."""

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
        """A leg of ``query`` under ``settings`` and ``conf``, which are undone at the end of the context.

        :param timeout_seconds: how long it may run; None for ``time_limit``.
        :param in_driver: compute rows without jobs if the plan allows it.
        :param like: a leg of the same query whose settings differ only in settings of the optimizer.
        """

    @property
    def spark_errors(self) -> tuple[type[Exception], ...]:
        """The exceptions for an error of Spark itself."""

    @property
    def jvm_errors(self) -> tuple[type[Exception], ...]:
        """The exceptions for a lost JVM, and for some mistakes: :meth:`lost` tells them apart."""

    def described(self, text: str) -> Described:
        """Describe ``text``, which has to be a query, over the loaded views."""

    def raised(self, error: Exception) -> Raised:
        """``error``, one of ``spark_errors``, as an outcome."""

    def lost(self, error: BaseException | None = None) -> Loss | None:
        """The kind of the JVM's loss, after ``error`` was raised; None if it runs, or if that is unknown."""

    @property
    def pid(self) -> int | None:
        """The process id of its JVM, which is started for this; None if the JVM isn't a process of Assay's."""

    def sample_memory(self) -> None:
        """Record the JVM's memory, if there is a JVM, for :meth:`last_words`."""

    def last_words(self) -> LastWords | None:
        """The traces of a lost JVM, before it is closed; None if there are none."""

    def kill(self) -> None:
        """Kill the JVM, if Assay has started one."""

    def abandon(self) -> None:
        """Kill the JVM, if Assay has started one, for a process that is about to end; callable from any thread."""

    def lost_executors(self) -> Sequence[str]:
        """A line for each executor that ended since the last call, and why."""

    def close(self) -> None:
        """End the session and its processes, if it was started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Loaded tables, in memory perhaps with the rows of several databases, and how legs over them run."""

    engine: Engine
    settings: Settings
    in_memory: bool
    in_driver: bool
    databases: int = 1

    def leg(self, query: Relation, conf: Mapping[str, str], *, like: Leg | None = None) -> AbstractContextManager[Leg]:
        """A leg of ``query`` under ``conf`` and the case's settings, as :meth:`Engine.leg` makes it."""
        return self.engine.leg(query, self.settings, conf, in_driver=self.in_driver, like=like)
