"""A case: one query, its tables, and the settings of its legs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from strategies.ir.cte import free_ctes
from strategies.ir.data import Database
from strategies.ir.expressions import Expr
from strategies.ir.partition import partitioned
from strategies.ir.raising import suits_mode
from strategies.ir.references import outers_of
from strategies.ir.relations import Relation, scans
from strategies.ir.types import InvalidQuery
from strategies.ir.writes import OverwritePartitions, suits_files

Source = Literal["parquet", "orc", "csv", "cached", "local", "partitioned", "v2", "variant", "memory"]
SOURCES: tuple[Source, ...] = ("parquet", "orc", "csv", "cached", "local", "partitioned", "v2", "variant")
"""The sources that a case may have; the fast path replaces all but "v2" by "memory"."""
PARQUET: tuple[Source, ...] = ("parquet", "partitioned")
"""The sources that are Parquet files."""
Form = Literal["sql", "dataframe"]
FORMS: tuple[Form, ...] = ("sql", "dataframe")
JoinStrategy = Literal["auto", "broadcast", "merge", "hash", "left hash"]
JOIN_STRATEGIES: tuple[JoinStrategy, ...] = ("auto", "broadcast", "merge", "hash", "left hash")
Literals = Literal["plain", "cast"]
Clauses = Literal["nested", "merged", "piped"]
Capability = Literal[
    "columns",
    "filters",
    "weak filters",
    "aggregates",
    "weak aggregates",
    "limits",
    "weak limits",
    "top n",
    "weak top n",
    "offsets",
    "runtime filters",
    "identity",
    "two keys",
    "buckets",
    "other buckets",
    "some tables",
    "splits",
    "ordering",
    "joins",
    "deletes",
]
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)
"""The capabilities that tables of the source "v2" may have; the jar has the same words."""
Conf = tuple[tuple[str, str], ...]
"""Entries of Spark's configuration: keys with their values."""
UTC = "UTC"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of both Spark legs, none of which may change an answer. Shrinking ends at the defaults.

    ``source`` is where the tables are read from, ``form`` whether the query is SQL text or a DataFrame program
    (only where :data:`strategies.ir` nodes have one), ``aqe`` adaptive execution, ``codegen`` whole-stage code
    generation, ``partitions`` the number of shuffle partitions, ``ansi`` whether errors raise or are NULL,
    ``join`` which kind of join the planner prefers ("left hash": with a hash table of the left side, where the kind of
    join allows that), ``vectorized`` whether files and cached tables are read by columns, ``statistics`` whether the
    tables are analyzed and the cost-based optimizer uses what that found,
    ``table_partitions`` the number of partitions of each table: its rows are dealt out to them in turn, so that
    some are empty if there are fewer rows. ``literals`` is how constants are written: as users write them (``1``), or
    as casts (``CAST(1 AS INT)``), which rules don't take for literals before constants are folded. ``clauses`` is how
    SQL text is written: with a SELECT for each operator, with "merged" ones (:mod:`oracles.sql.clauses`), or as a chain
    of "piped" operators (:mod:`oracles.sql.pipes`). ``conf`` are more entries of Spark's configuration. ``time_zone``
    is the session's time zone of all legs, DuckDB's too: constants of the type TIMESTAMP in the query are local times
    there, the tables' values instants.

    The source "partitioned" is a Parquet table partitioned by a column (:mod:`oracles.engines.spark.sources`),
    "variant" one whose columns are fields of a single VARIANT (:mod:`oracles.engines.spark.variants`). The source "v2"
    is a data source of Spark's second API that the jar has, in memory on both paths; ``capabilities`` are the parts of
    a query that its tables accept. Those that it accepts weakly are applied within each split, or to whole splits, and
    Spark does them once more. "identity", "two keys" and "buckets" partition a table by its first columns, with "some
    tables" only every other table; "other buckets" gives every other table twice as many. "splits" reads the rows of
    one key in two tasks, "ordering" sorts each split. With "joins" Spark is set to offer joins, from 4.1 on.
    With "deletes" a table deletes rows by conditions itself.
    Other sources ignore them. With ``siblings`` each leg also plans the query in two threads at once, which share its
    expressions, and raises an error where these plans compute other rows.
    """

    source: Source = "parquet"
    form: Form = "sql"
    aqe: bool = False
    codegen: bool = False
    partitions: int = 1
    ansi: bool = True
    join: JoinStrategy = "auto"
    vectorized: bool = True
    statistics: bool = False
    table_partitions: int = 1
    literals: Literals = "plain"
    clauses: Clauses = "nested"
    conf: Conf = ()
    time_zone: str = UTC
    capabilities: tuple[Capability, ...] = ()
    siblings: bool = False

    def __post_init__(self) -> None:
        if unknown := set(self.capabilities).difference(CAPABILITIES):
            raise InvalidQuery(f"Settings: no source has the capabilities {sorted(unknown)}")

    @property
    def is_quick(self) -> bool:
        """Whether the fast path may run the case: no setting needs files, jobs or generated code."""
        return self == self.quickened()

    def quickened(self) -> Settings:
        """These settings, with the defaults for all that the fast path doesn't have."""
        source: Source = "v2" if self.source == "v2" else "parquet"
        return Settings(
            source=source,
            form=self.form,
            ansi=self.ansi,
            partitions=self.partitions,
            join=self.join,
            table_partitions=self.table_partitions,
            literals=self.literals,
            clauses=self.clauses,
            conf=self.conf,
            time_zone=self.time_zone,
            capabilities=self.capabilities,
        )

    @property
    def plans_by_rows(self) -> bool:
        """Whether plans depend on the rows of the tables: then no plan may run over several databases."""
        return self.source == "v2"

    @property
    def is_stock(self) -> bool:
        """Whether the legs run as in a session with Spark's own defaults: files, adaptive execution, generated code,
        more than one shuffle partition. Spark has 200 of them, which adaptive execution puts together to a few.
        """
        stock = Settings(form=self.form, aqe=True, codegen=True, partitions=self.partitions)
        free = replace(stock, table_partitions=self.table_partitions, literals=self.literals, clauses=self.clauses)
        return self.partitions > 1 and self == free


@dataclass(frozen=True, slots=True)
class Case:
    """``query`` over ``database``, which has every table that it scans, with the same columns.

    ``query`` must be complete, without outer columns or common table expressions of a query around it. Expressions that
    may raise must be written for the ANSI mode of ``settings``. A statement needs tables of the source "v2", or of
    "partitioned" or "cached" if it suits tables in files.
    ``partition`` is an optional predicate by which Spark computes the query once more, in three parts
    (see :mod:`strategies.ir.partition`).
    """

    query: Relation
    database: Database
    settings: Settings = Settings()
    partition: Expr | None = None

    def __post_init__(self) -> None:
        if self.partition is not None:
            partitioned(self.query, self.partition)
        tables = {table.name: table.columns for table in self.database.tables}
        for scan in scans(self.query):
            if tables.get(scan.table) != scan.columns:
                raise InvalidQuery(f"Case: the database has no table {scan.table} with the columns {scan.columns}")
        if self.query.is_statement:
            self._require_written()
        if not suits_mode(self.query, ansi=self.settings.ansi):
            raise InvalidQuery("Case: the query has expressions of the other ANSI mode")
        for outer in outers_of(self.query):
            raise InvalidQuery(f"Case: nothing around the query has {outer!r}")
        if free := free_ctes(self.query):
            raise InvalidQuery(f"Case: no definition of {sorted(free)}")

    def _require_written(self) -> None:
        """Refuse a statement that the tables' source can't be changed by."""
        source = self.settings.source
        if source not in ("v2", "partitioned", "cached"):
            raise InvalidQuery("Case: only tables of the sources v2, partitioned and cached can be changed")
        if source != "v2" and not suits_files(self.query):
            raise InvalidQuery("Case: only tables of the source v2 can be changed in this way")
        if source != "partitioned" and isinstance(self.query, OverwritePartitions):
            raise InvalidQuery(f"Case: tables of the source {source} have no partitions to overwrite")
