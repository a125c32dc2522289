"""The engine for Spark behind a Connect server: tables in, outcomes and evidence from plans out."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any
from zipfile import ZipFile

from jars.build import find_spark_jars
from oracles.answers.outcome import Raised
from oracles.engines.arrow import arrow_table
from oracles.engines.connect.acting import acting, can_be_asked, optimized
from oracles.engines.connect.leg import ConnectLeg, raised_of
from oracles.engines.connect.session import connected
from oracles.engines.protocol import Leg, Loss
from oracles.engines.spark.jvm import SparkLost
from oracles.engines.spark.leg_conf import stock_conf
from oracles.engines.spark.sources import ddl, dealt, effective_source
from oracles.engines.stock import StockEngine
from oracles.rules.catalogue import Catalogue, Discovered, in_release
from oracles.rules.entries.known import KNOWN
from oracles.rules.rule import OPTIMIZER
from oracles.sql.spark import SparkCompiler
from strategies.ir import Database, Relation, Settings, Source, is_plain

_RULE = re.compile(OPTIMIZER.replace(".", "/") + r"([A-Z]\w*)\.class")


class ConnectEngine(StockEngine):
    """A session with the server at ``url``, started when first used; its tables are in a database of its own there.

    The server lacks Assay's jar: it has no reference operators, no switch for injected rules, and no join hints.

    :param own: classes of rules that the server was started with; Spark's lists of excluded rules turn them off, too.
    """

    def __init__(self, url: str, conf: Mapping[str, str], own: Sequence[str] = ()) -> None:
        self.time_limit = 60.0
        self._url = url
        self._given = conf
        self._own = own
        self._acting: dict[tuple[str, tuple[tuple[str, str], ...]], frozenset[str]] = {}
        self._database = f"assay_{secrets.token_hex(4)}"
        self._checks = 0

    @cached_property
    def version(self) -> str:
        """The version text of the server's Spark."""
        return str(self.session.version)

    @cached_property
    def _session(self) -> Any:
        session = connected(self._url, self._given)
        session.sql(f"CREATE DATABASE {self._database}").collect()
        return session

    @property
    def session(self) -> Any:
        """The session; raises SparkUnusable, with one line, if there can't be one."""
        return self._session

    @property
    def on_cluster(self) -> bool:
        """True: the server can't read this process's memory."""
        return True

    def lost_executors(self) -> list[str]:
        """None: the server doesn't report them."""
        return []

    @cached_property
    def spark_errors(self) -> tuple[type[Exception], ...]:
        """The client's exceptions for an error of the server's Spark, or of the connection."""
        from pyspark.errors import PySparkException

        return (PySparkException,)

    @cached_property
    def jvm_errors(self) -> tuple[type[Exception], ...]:
        """The exceptions for a server that is gone."""
        return (SparkLost,)

    def lost(self, error: BaseException | None = None) -> Loss | None:
        """None: the server isn't a process of Assay's."""
        return None

    @property
    def pid(self) -> None:
        """None: the server isn't a process of Assay's."""
        return None

    def sample_memory(self) -> None:
        """Do nothing: the server's memory is unknown."""

    def last_words(self) -> None:
        """None: the server's files are not here."""
        return

    def kill(self) -> None:
        """Do nothing: the server isn't a process of Assay's."""

    def abandon(self) -> None:
        """Do nothing, as :meth:`kill`."""

    def discovered(self) -> list[Discovered]:
        """Candidates for rules: those with an entry, the classes of the installed release's optimizer package, and
        the server's own rules. To exclude a name that the server doesn't know changes no plan, so it never fires.
        """
        known = [rule.rule_name for rule in KNOWN if rule.batch and in_release(rule, self.version)]
        names = dict.fromkeys([*known, *(OPTIMIZER + name for name in optimizer_classes()), *self._own])
        return [Discovered("", name, excludable=True) for name in names]

    @cached_property
    def _catalogue(self) -> Catalogue:
        return Catalogue.of_release(self.discovered(), release=self.version)

    def unswitched(self) -> list[str]:
        """Names of the rules with an entry that can't be turned off on the server."""
        return [rule.name for rule in self._catalogue.rules if rule.law and not can_be_asked(rule.switch)]

    def acting_on(self, text: str, conf: Mapping[str, str]) -> frozenset[str]:
        """Full names of the rules that fire on ``text``; none if ``conf`` turns off a rule."""
        if any("excludedRules" in key for key in conf) or self._turned_off(conf):
            return frozenset()
        key = (text, tuple(sorted(conf.items())))
        if key not in self._acting:
            found = acting(self._catalogue.switchable(), partial(self._optimized, text))
            self._acting[key] = frozenset(rule.rule_name for rule in found)
        return self._acting[key]

    def _turned_off(self, conf: Mapping[str, str]) -> bool:
        settings = [rule.switch.settings() for rule in self._catalogue.rules if rule.switch]
        return any(conf.get(key) == value for each in settings for key, value in each.items())

    def _optimized(self, text: str, conf: Mapping[str, str]) -> str:
        try:
            with self._under(conf):
                return optimized(self.explained(text, "extended"))
        except self.spark_errors:
            return ""

    def explained(self, text: str, mode: str) -> str:
        """The text of ``explain`` for ``text`` in one of its modes."""
        frame = self.session.sql(text)
        told: str = frame._explain_string(extended=mode)
        return told

    @contextmanager
    def _under(self, conf: Mapping[str, str]) -> Iterator[None]:
        own = self.session.conf
        before = {key: own.get(key, None) for key in conf}
        try:
            for key, value in conf.items():
                own.set(key, value)
            yield
        finally:
            for key, was in before.items():
                if was is None:
                    own.unset(key)
                else:
                    own.set(key, was)

    @contextmanager
    def loaded(
        self, database: Database, source: Source, *, statistics: bool = False, partitions: int = 1
    ) -> Iterator[None]:
        """Load ``database`` as the session's views over tables that the server writes, while the context lasts.

        :param partitions: the number of files of each table, unless it has fewer rows.
        """
        session = self.session
        with ExitStack() as stack:
            for place, table in enumerate(database.tables):
                self._checks += 1
                kind = "orc" if effective_source(table, source) == "orc" else "parquet"
                name = f"{self._database}.{table.name}_{self._checks}"
                stack.callback(session.sql, f"DROP TABLE IF EXISTS {name}")  # a command runs without collect()
                session.sql(f"CREATE TABLE {name} ({ddl(table)}) USING {kind}")
                for rows in filter(None, dealt(table.rows, partitions, place)):
                    session.createDataFrame(arrow_table(replace(table, rows=rows))).write.insertInto(name)
                if statistics:
                    columns = ", ".join(f"`{each.name}`" for each in table.columns if is_plain(each.type))
                    told = f"FOR COLUMNS {columns}" if columns else ""
                    session.sql(f"ANALYZE TABLE {name} COMPUTE STATISTICS {told}").collect()
                frame = session.table(name)
                if source == "cached":
                    frame.persist().count()
                    stack.callback(frame.unpersist)
                frame.createOrReplaceTempView(table.name)
                stack.callback(session.catalog.dropTempView, table.name)
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
        """A leg of ``query`` under ``settings`` and ``conf``, which are undone at the end of the context."""
        limit = self.time_limit if timeout_seconds is None else timeout_seconds
        with self._under({**stock_conf(settings), **conf}):
            yield ConnectLeg(self, SparkCompiler.under(settings).compile(query), dict(conf), timeout_seconds=limit)

    def raised(self, error: Exception) -> Raised:
        """``error`` as an outcome."""
        return raised_of(error)

    def close(self) -> None:
        """Drop Assay's tables, and end the session, if one was started."""
        session = self.__dict__.pop("_session", None)
        if session is not None:
            with suppress(*self.spark_errors):
                session.sql(f"DROP DATABASE IF EXISTS {self._database} CASCADE").collect()
            session.stop()


def optimizer_classes() -> list[str]:
    """Names of the classes in the installed release's optimizer package, among them the rules."""
    (jar,) = find_spark_jars(None).glob("spark-catalyst_*.jar")
    with ZipFile(jar) as archive:
        return sorted({found[1].rstrip("$") for name in archive.namelist() if (found := _RULE.fullmatch(name))})
