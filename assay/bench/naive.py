"""The naive harness: a simple implementation, never optimized, so that Assay's speed can be compared over time."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from assay.bench.phases import Clock, TimedDuckdb, TimedHarness
from oracles.answers.outcome import Kind, Outcome, Raised, UnsupportedType, rows_from_arrow
from oracles.engines.arrow import arrow_value
from oracles.engines.protocol import Leg, LegReport
from oracles.engines.spark.frames import program
from oracles.engines.spark.java import java_environment
from oracles.engines.spark.jvm import SparkJvm
from oracles.engines.spark.last_words import OUTPUT, output_into
from oracles.engines.spark.leg_conf import TIME_ZONE
from oracles.engines.spark.sources import ddl
from oracles.engines.spark.start import SparkOptions, Started, quiet_query_errors
from oracles.engines.stock import StockEngine
from oracles.rules.catalogue import Catalogue, Discovered
from oracles.rules.plans import PlanNode
from oracles.sql import SparkCompiler, UnsupportedNode
from strategies.ir import UTC, Database, Limit, Relation, Settings, Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MASTER = "local[*]"
_SHARED = {
    TIME_ZONE: UTC,
    "spark.sql.legacy.sizeOfNull": "false",
    "spark.sql.selfJoinAutoResolveAmbiguity": "false",
    "spark.sql.planChangeValidation": "true",
}
"""The settings that answers depend on, and the validation of plans: as in Assay's own session."""


_CONDITION = re.compile(r"^: org\.apache\.spark\.SparkException: \[([A-Z0-9_.]+)\]", re.MULTILINE)
_WAITED = re.compile(r"^: org\.apache\.spark\.SparkException: Exception thrown in awaitResult", re.MULTILINE)
_CAUSE = re.compile(r"^Caused by: org\.apache\.spark\.\w+: \[([A-Z0-9_.]+)\]", re.MULTILINE)


class NaiveSpark(SparkJvm, StockEngine):
    """A stock session that creates every table, and collects every leg, anew."""

    def __init__(self, clock: Clock, master: str = MASTER) -> None:
        super().__init__(SparkOptions(jars=(), master=master))
        self.clock = clock

    def discovered(self) -> list[Discovered]:
        """None, since the naive harness does not inspect the running optimizers."""
        return []

    @cached_property
    def _started(self) -> Started:
        from pyspark.sql import SparkSession

        quiet_query_errors()
        os.environ.update(java_environment(), TZ="UTC")
        time.tzset()
        folder = Path(tempfile.mkdtemp(prefix="assay-naive-"))
        with output_into(folder / OUTPUT):
            session = SparkSession.builder.master(self._options.master).getOrCreate()
        for key, value in _SHARED.items():
            session.conf.set(key, value)
        return Started(session=session, folder=folder)

    @contextmanager
    def loaded(
        self, database: Database, source: Source, *, statistics: bool = False, partitions: int = 1
    ) -> Iterator[None]:
        """Every table by ``createDataFrame``, whatever ``source`` and ``partitions`` say."""
        with ExitStack() as stack:
            with self.clock("register"):
                for table in database.tables:
                    kinds = [column.type for column in table.columns]
                    rows = [tuple(map(arrow_value, kinds, row)) for row in table.rows]
                    self.session.createDataFrame(rows, schema=ddl(table)).createOrReplaceTempView(table.name)
                    stack.callback(self.session.catalog.dropTempView, table.name)
            yield

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
    ) -> Iterator[Leg]:
        """``query`` under ``conf``, with only those settings that the answer depends on."""
        wanted = {
            **conf,
            **({} if settings.ansi else {"spark.sql.ansi.enabled": "false"}),
            TIME_ZONE: settings.time_zone,
        }
        session = self.session
        try:
            for key, value in wanted.items():
                session.conf.set(key, value)
            yield NaiveLeg(self, query, settings)
        finally:
            for key in wanted:
                session.conf.unset(key)

    def frame(self, query: Relation, settings: Settings) -> DataFrame:
        """``query`` as a DataFrame of the session, over its views."""
        with self.clock("analyze"):
            if settings.form == "sql":
                return self.session.sql(SparkCompiler.under(settings).compile(query))
            return program(self.session, query, settings)

    def raised(self, error: Exception) -> Raised:
        """``error`` by its condition, or by that of its cause if a thread of Spark's only waited for what failed."""
        from pyspark.errors import PySparkException

        # Of a plain SparkException pyspark makes none of its own: its condition stands in its text alone, before those
        # of its causes.
        told = _CONDITION.search(str(error)) or (_WAITED.search(str(error)) and _CAUSE.search(str(error)))
        condition = error.getCondition() if isinstance(error, PySparkException) else told and told[1]
        state = error.getSqlState() if isinstance(error, PySparkException) else None
        internal = condition is None or condition.startswith("INTERNAL_ERROR")
        invalid = condition is not None and condition.startswith("PLAN_VALIDATION_FAILED")
        kind: Kind = "invalid-plan" if invalid else "internal" if internal else "user"
        return Raised(condition or type(error).__name__, state, str(error), kind)


class NaiveLeg:
    """A query that is parsed, planned and collected whenever it is run."""

    def __init__(self, engine: NaiveSpark, query: Relation, settings: Settings) -> None:
        self._naive = engine
        self._query = query
        self._settings = settings

    def plan(self) -> LegReport:
        """Nothing: plans aren't looked at."""
        return LegReport(outcome=None, changed_plan=frozenset(), plan="")

    def run(self, *, known: str = "", databases: int = 1) -> LegReport:
        """Plan the query first, so that planning is timed separately, and collect it."""
        return LegReport(outcome=self._outcome_of(), changed_plan=frozenset(), plan="")

    def pairs_all(self) -> bool:
        """Always false: the naive harness does not inspect plans."""
        return False

    def around(self, rule_name: str) -> None:
        """None: plans aren't looked at."""
        return

    def changes(self, rule_name: str) -> list[tuple[PlanNode, PlanNode]]:
        """None: plans aren't looked at."""
        return []

    def _outcome_of(self) -> Outcome:
        engine, clock = self._naive, self._naive.clock
        try:
            frame = engine.frame(self._query, self._settings)
            execution = frame._jdf.queryExecution()
            with clock("optimize"):
                execution.optimizedPlan()
            with clock("plan"):
                execution.executedPlan()
            with clock("execute"):
                table = collected(frame)
            return rows_from_arrow(table, ordered=isinstance(self._query, Limit))
        except UnsupportedNode as error:
            return Raised("UNSUPPORTED_NODE", None, str(error), "unsupported")
        except UnsupportedType as error:
            return Raised("UNSUPPORTED_TYPE", None, str(error), "unsupported")
        except engine.spark_errors as error:
            return engine.raised(error)


def collected(frame: DataFrame) -> pa.Table:
    """The rows of ``collect`` in the types of the frame's schema; fetched as Arrow if Python cannot hold a value."""
    from pyspark.sql.pandas.types import to_arrow_type

    try:
        rows = frame.collect()
        fields = frame.schema.fields
        kinds = [to_arrow_type(field.dataType, timezone="UTC") for field in fields]
        columns = [pa.array([plain(row[place]) for row in rows], kind) for place, kind in enumerate(kinds)]
        return pa.table(columns, names=[field.name for field in fields])
    except (ValueError, OverflowError, pa.ArrowInvalid):
        return frame.toArrow()


def plain(value: Any) -> Any:
    """Convert a collected value for Arrow: rows become dictionaries."""
    from pyspark.sql import Row

    if isinstance(value, Row):
        return {name: plain(each) for name, each in zip(value.__fields__, value, strict=True)}
    return [plain(each) for each in value] if isinstance(value, list) else value


class NaiveDuckdb(TimedDuckdb):
    """DuckDB with a fresh connection for each query, run when Spark has finished."""

    def begin(
        self, query: Relation, databases: Sequence[Database], *, time_zone: str = UTC
    ) -> Callable[[], list[Outcome]]:
        """Nothing begins ahead: DuckDB runs when it is asked for its answer."""
        return lambda: self.run_many(query, databases, time_zone=time_zone)

    def run_many(
        self, query: Relation, databases: Sequence[Database], *, optimize: bool = True, time_zone: str = UTC
    ) -> list[Outcome]:
        """Run on a fresh connection, in the phase ``duckdb``."""
        with self._clock("duckdb"):
            self.reconnect()
        return super().run_many(query, databases, optimize=optimize, time_zone=time_zone)


class NaiveHarness(TimedHarness):
    """The naive harness; it receives the names of the rules of this Spark, which a stock session cannot list."""

    def __init__(
        self,
        clock: Clock,
        discovered: Sequence[Discovered],
        release: str,
        *,
        injected: Mapping[str, str],
        master: str = MASTER,
    ) -> None:
        super().__init__(NaiveSpark(clock, master), NaiveDuckdb(clock), clock)
        self._names = Catalogue.of_release(discovered, injected, release=release)

    @property
    def catalogue(self) -> Catalogue:
        """Every rule of Spark's that can be named here."""
        return self._names
