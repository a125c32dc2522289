"""The engine for a local or clustered Spark session: tables in, outcomes and evidence out.

Each process has one session, started when first used. A leg runs a query under session settings of its own; the jar's
LegRunner plans and runs it in one call, and reads the evidence from the same run.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from oracles.engines.protocol import Described, Leg, PlansSeen, RuleNames, Stage
from oracles.engines.spark.cluster import cancelled_after
from oracles.engines.spark.frames import SparkFrames
from oracles.engines.spark.leg import SparkLeg
from oracles.engines.spark.leg_conf import leg_conf
from oracles.engines.spark.master import EXECUTORS
from oracles.engines.spark.memory import streams
from oracles.engines.spark.sources import loaded
from oracles.engines.spark.start import SparkOptions
from oracles.engines.spark.stored import statement_conf, stored
from oracles.engines.spark.watchdog import Watchdog
from oracles.engines.timer import Timer, timed
from oracles.rules.catalogue import Discovered
from strategies.ir import Database, Relation, Settings, Source, Statement


class SparkEngine(SparkFrames):
    """Loads tables and runs legs in one Spark session."""

    def __init__(self, options: SparkOptions, *, watchdog: Watchdog | None = None, timer: Timer | None = None) -> None:
        super().__init__(options, watchdog=watchdog, timer=timer)
        self._checks = 0
        self._folder: Path | None = None

    def discovered(self) -> list[Discovered]:
        """Every rule that the running optimizers list, in order, repeats included."""
        lines = (line.split("|") for line in self.runner.rules(self.session._jsparkSession).splitlines())
        return [Discovered(batch, rule_name, excludable == "true") for batch, rule_name, excludable in lines]

    def loaded(
        self, database: Database, source: Source, *, statistics: bool = False, partitions: int = 1
    ) -> AbstractContextManager[None]:
        """Load ``database`` as the session's views, or as analyzed tables, while the context lasts.

        :param partitions: the number of partitions of each table, at least one for each executor of a cluster.
        """
        return timed(self._timer, "register", self._loaded(database, source, statistics, partitions))

    @contextmanager
    def _loaded(self, database: Database, source: Source, statistics: bool, partitions: int) -> Iterator[None]:
        session = self.session
        self._checks += 1
        folder = self._started.folder / f"tables-{self._checks}"
        folder.mkdir()
        self._folder = folder
        try:
            with ExitStack() as stack:
                with self._watched(self.time_limit):
                    files = max(partitions, EXECUTORS) if self.on_cluster else partitions
                    limited = cancelled_after(session, self.time_limit) if self.on_cluster else nullcontext()
                    views = loaded(session, database, source, folder, statistics=statistics, files=files)
                    try:
                        with limited:
                            stack.enter_context(views)
                    except self.spark_errors:
                        self._require_executors()
                        raise
                yield
        finally:
            self._folder = None
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def stage(
        self,
        database: Database,
        settings: Settings,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
    ) -> Iterator[Stage]:
        """Load ``database`` from the source in ``settings``, or into memory, while the context lasts.

        :param fast: load into memory if ``settings`` allow it, but not on a cluster, whose executors can't read it.
        :param in_driver: with ``fast``, run plans in the driver.
        :param others: extra databases with the same tables, loaded only for plans that run in the driver, and don't
            depend on rows.
        """
        if settings.source == "v2" and not self.on_cluster:
            in_driver = fast and in_driver and settings.is_quick
            with self.in_source(database, settings):
                yield Stage(engine=self, settings=settings, in_memory=fast, in_driver=in_driver)
            return
        if fast and settings.is_quick and not self.on_cluster:
            databases = [database, *others] if in_driver else [database]
            with self.in_memory(databases, partitions=settings.table_partitions):
                yield Stage(
                    engine=self, settings=settings, in_memory=True, in_driver=in_driver, databases=len(databases)
                )
            return
        files = self.loaded(
            database, settings.source, statistics=settings.statistics, partitions=settings.table_partitions
        )
        with files:
            yield Stage(engine=self, settings=settings, in_memory=False, in_driver=False)

    def in_memory(self, databases: Sequence[Database], *, partitions: int = 1) -> AbstractContextManager[None]:
        """Load the first of ``databases`` as views over rows in the JVM, opaque to all rules, while the context lasts.

        The other databases have the same tables, and a leg can run over them, too.

        :param partitions: the number of partitions of each table.
        :raises ValueError: on a cluster, whose executors would silently read these tables as empty.
        """
        return timed(self._timer, "register", self._in_memory(databases, partitions))

    def in_source(self, database: Database, settings: Settings) -> AbstractContextManager[None]:
        """Load ``database`` as views over tables of the jar's data source, while the context lasts: they are in the
        driver's memory, and have the capabilities in ``settings``.
        """
        capabilities = "\n".join(settings.capabilities)

        def load(session: Any, names: str) -> None:
            tables = streams([table] for table in database.tables)
            self.runner.loadSource(session, names, tables, settings.table_partitions, capabilities)

        return timed(self._timer, "register", self._in_jvm(database, load))

    def _in_memory(self, databases: Sequence[Database], partitions: int) -> AbstractContextManager[None]:
        if self.on_cluster:
            raise ValueError(f"{self._options.master}: executors see nothing of tables in the driver's memory")
        versions = zip(*(database.tables for database in databases), strict=True)
        return self._in_jvm(
            databases[0], lambda session, names: self.runner.load(session, names, streams(versions), partitions)
        )

    @contextmanager
    def _in_jvm(self, database: Database, load: Callable[[Any, str], None]) -> Iterator[None]:
        names = "\n".join(table.name for table in database.tables)
        jsession = self.session._jsparkSession
        try:
            with self._watched(self.time_limit):
                self.calling(lambda: load(jsession, names))
            yield
        finally:
            self.calling(lambda: self.runner.unload(jsession, names))

    @contextmanager
    def leg(
        self,
        query: Relation,
        settings: Settings,
        conf: Mapping[str, str],
        *,
        timeout_seconds: float | None = None,
        in_driver: bool = False,
        like: Leg | None = None,
    ) -> Iterator[SparkLeg]:
        """A leg of ``query`` under ``settings`` and ``conf``, which are undone at the end of the context.

        :param timeout_seconds: how long it may run; by default the engine's ``time_limit``.
        :param in_driver: compute rows without jobs if the plan allows it, as over tables in memory.
        :param like: a leg of the same query with the same analyzed plan: only settings of the optimizer differ.
        """
        jsession = self.session._jsparkSession
        everything = {**leg_conf(settings), **statement_conf(query), **conf}
        limit = self.time_limit if timeout_seconds is None else timeout_seconds
        with self._watched(limit), self._changed(query, settings):
            self.calling(lambda: self.runner.configure(jsession, json.dumps(everything)))
            try:
                yield SparkLeg(self, query, settings, timeout_seconds=limit, in_driver=in_driver, like=like)
            finally:
                self.calling(lambda: self.runner.restore(jsession))

    def _changed(self, query: Relation, settings: Settings) -> AbstractContextManager[None]:
        """The table in files that ``query`` changes, as a leg's own."""
        if not isinstance(query, Statement) or settings.source == "v2":
            return nullcontext()
        assert self._folder is not None  # the tables have been loaded
        return stored(self.session, query.target, self._folder, settings)

    def described(self, text: str) -> Described:
        """Describe ``text`` over the loaded views; it has to be a query: a command would run at once."""
        jsession = self.session._jsparkSession
        plan = jsession.sessionState().sqlParser().parseQuery(text)
        fields = self.runner.frame(jsession, text).schema().fields()
        named = [(str(field.name()), str(field.dataType().catalogString())) for field in fields]
        return Described(str(plan.toString()), named)

    def plans_seen(self, most_shapes: int = 10) -> dict[str, PlansSeen]:
        """The plans given to each switched rule while misbehaviour was watched, by name; '' stands for the analyzer."""
        told = json.loads(self.calling(lambda: self.runner.plansSeen(self.session._jsparkSession, most_shapes)))
        return {name: PlansSeen(**plans) for name, plans in told.items()}

    def planning_seconds(self, text: str, on: Mapping[str, str], off: Mapping[str, str]) -> float | None:
        """Seconds that Spark takes to parse and analyze ``text``, and to optimize and plan it under both confs; None if
        it raises.
        """
        jsession = self.session._jsparkSession
        taken: float = self.calling(lambda: self.runner.planning(jsession, text, json.dumps(on), json.dumps(off)))
        return None if taken < 0 else taken

    def names_of(self, class_name: str) -> RuleNames:
        """The names that a rule's class file mentions; none if the file can't be read."""
        jsession = self.session._jsparkSession
        names = json.loads(self.calling(lambda: self.runner.referencesOf(jsession, class_name)))
        return RuleNames(**{kind: tuple(found) for kind, found in names.items()})
