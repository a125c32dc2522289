"""DuckDB as the oracle: one connection, set to Spark's semantics; each query's tables live in a transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from types import TracebackType

import duckdb
import pyarrow as pa

from oracles.answers.outcome import Outcome, Raised, outcome_of
from oracles.engines.arrow import arrow_table, in_utc, with_intervals, without_intervals
from oracles.engines.deadline import Deadline
from oracles.sql import DuckdbCompiler, UnsupportedNode
from strategies.ir import UTC, Database, Relation, SqlType, Table, has_an_order, keys_of_order

SETTINGS = (
    f"SET TimeZone = '{UTC}'",
    "SET default_null_order = 'nulls_first_on_asc_last_on_desc'",
    "SET ieee_floating_point_ops = false",  # with the next: x / 0 is NULL, on doubles too
    "SET error_on_division_by_zero = false",
    "SET order_by_non_integer_literal = true",  # an aggregate may be ordered by a constant text
    "SET python_enable_replacements = false",  # a table's name never means a Python variable
    "SET threads = 1",  # doubles are summed in the order of the rows
    "SET memory_limit = '1GB'",  # a query that needs more fails, and not the machine
    "SET temp_directory = ''",  # no files in the working directory
)
"""Settings under which DuckDB answers as Spark does, as far as settings can."""

_BROKEN = (duckdb.InternalException, duckdb.FatalException)


class DuckdbEngine:
    """Runs queries on DuckDB, in memory; a context manager.

    :param time_limit: seconds of wall time after which a query is interrupted.
    """

    def __init__(self, *, time_limit: float = 60.0) -> None:
        self.time_limit = time_limit
        self._compiler = DuckdbCompiler()
        self._connection, self._time_zone = _connect(), UTC
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="duckdb")
        self._in_use = Lock()
        self._deadline = Deadline(self._interrupt)

    def __enter__(self) -> DuckdbEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def version(self) -> str:
        """DuckDB's own version text."""
        return duckdb.__version__

    def close(self) -> None:
        """Close the connection; the engine can't be used any more."""
        self._aside.shutdown()
        self._deadline.close()
        self._connection.close()

    def run(self, query: Relation, database: Database, *, optimize: bool = True, time_zone: str = UTC) -> Outcome:
        """The answer of ``query`` over ``database``; its order counts if ``query`` ends in a Limit.

        DuckDB's errors are returned, not raised: ``condition`` is the exception's class. ``Raised`` has the kind
        'timeout' for a query that runs longer than the limit, and 'unsupported' for a query without DuckDB SQL or an
        answer with a type that can't be compared (ENUM, UNION, fixed-size lists).

        :param optimize: whether DuckDB's own optimizer may rewrite the query.
        :param time_zone: the session's time zone (:attr:`strategies.ir.Settings.time_zone`).
        """
        return self.run_many(query, [database], optimize=optimize, time_zone=time_zone)[0]

    def run_many(
        self, query: Relation, databases: Sequence[Database], *, optimize: bool = True, time_zone: str = UTC
    ) -> list[Outcome]:
        """The answers of :meth:`run` over each of several databases."""
        return self._answers(query, databases, optimize, time_zone)

    def begin(
        self, query: Relation, databases: Sequence[Database], *, time_zone: str = UTC
    ) -> Callable[[], list[Outcome]]:
        """Start :meth:`run_many` in a thread of its own; the returned function waits for the answers."""
        return self._aside.submit(self._answers, query, databases, True, time_zone).result

    def _answers(self, query: Relation, databases: Sequence[Database], optimize: bool, time_zone: str) -> list[Outcome]:
        try:
            with self._in_use:  # a compiler has state while it compiles
                sql = self._compiler.compile(query)
        except UnsupportedNode as error:
            return [Raised("UnsupportedNode", None, str(error), "unsupported")] * len(databases)
        ordered, keys, kinds = has_an_order(query), keys_of_order(query), [field.type for field in query.fields]
        return [
            self.run_sql(sql, database, kinds, ordered=ordered, keys=keys, optimize=optimize, time_zone=time_zone)
            for database in databases
        ]

    def run_sql(
        self,
        sql: str,
        database: Database,
        kinds: Sequence[SqlType] = (),
        *,
        ordered: bool = False,
        keys: tuple[int, ...] = (),
        optimize: bool = True,
        time_zone: str = UTC,
    ) -> Outcome:
        """The answer of a SELECT given as text, as :meth:`run` returns it.

        :param kinds: the types of its columns, if integers may stand for intervals in it.
        """
        is_late: Callable[[], bool] = bool

        def read() -> pa.Table:
            nonlocal is_late
            self._use(time_zone)
            with self._transaction(database, optimize), self._deadline.within(self.time_limit) as is_late:
                answer = self._connection.sql(sql)
                if answer is None:
                    raise duckdb.InvalidInputException("the text has no query")
                return with_intervals(in_utc(answer.to_arrow_table()), kinds)

        with self._in_use:
            try:
                return outcome_of(read, ordered=ordered, keys=keys)
            except _BROKEN as error:
                return Raised(type(error).__name__, None, str(error), "internal")
            except duckdb.Error as error:
                return Raised(type(error).__name__, None, str(error), "timeout" if is_late() else "user")

    def _use(self, time_zone: str) -> None:
        if time_zone != self._time_zone:
            self._connection.execute(f"SET TimeZone = '{time_zone}'")
            self._time_zone = time_zone

    @contextmanager
    def _transaction(self, database: Database, optimize: bool) -> Iterator[None]:
        """The tables of ``database`` in a transaction, which is rolled back at the end of the context."""
        self._connection.execute(f"PRAGMA {'enable' if optimize else 'disable'}_optimizer")
        self._connection.execute("BEGIN")
        broken = False
        try:
            for table in database.tables:
                self._load(table)
            yield
        except _BROKEN:
            broken = True
            raise
        finally:
            if broken:
                self.reconnect()  # after such an error even ROLLBACK fails
            else:
                self._connection.execute("ROLLBACK")

    def _load(self, table: Table) -> None:
        # A real table: filters pushed into an Arrow scan would compare NaN by Arrow's rules.
        name = self._compiler.quote(table.name)
        columns = ", ".join(f"{self._compiler.quote(c.name)} {self._compiler.type_name(c.type)}" for c in table.columns)
        self._connection.execute(f"CREATE TEMP TABLE {name} ({columns})")
        if table.rows:
            self._connection.from_arrow(arrow_table(without_intervals(table))).insert_into(name)

    def _interrupt(self) -> None:
        self._connection.interrupt()

    def reconnect(self) -> None:
        """Replace the connection by a fresh one."""
        self._connection.close()
        self._connection, self._time_zone = _connect(), UTC


def _connect() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for setting in SETTINGS:
        connection.execute(setting)
    return connection
