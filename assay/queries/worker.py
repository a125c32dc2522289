"""Check queries in one process, with a Spark of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.incident_log import IncidentLog, printed_on
from assay.fuzz.spread import spread
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.queries.cases import Cases, datasets
from assay.queries.catalog import read_catalog
from assay.queries.connection import Connection, connection
from assay.queries.fuzzer import Count, QueryFuzzer
from assay.queries.given import with_rows
from assay.queries.prepared import Refused, prepared
from assay.queries.progress import QueryProgress
from assay.queries.refusal import refusal
from assay.queries.schema import Schema, read_schema
from assay.queries.stored import stored_rows
from assay.queries.texts import QueryText, over_schema
from assay.queries.typed_columns import types_of
from assay.session.known import known_divergences
from assay.session.options import Options
from assay.session.session import Setup, check_names, prepare
from assay.session.stock import stock_spark
from oracles.checks.check import Harness
from oracles.engines.spark.jvm import SparkLost
from oracles.failures.failure import Failure
from oracles.failures.scripts.confirm import StockSpark
from oracles.failures.text import render


@dataclass(frozen=True, slots=True, kw_only=True)
class QueriesRequest:
    """The request of the user: tables to draw (``schema`` or ``catalog``) or files to read (``data``), and queries.

    :param loud: print what the schema is read as; of several processes, one does.
    """

    options: Options
    schema: Path | None
    data: Path | None
    queries: Sequence[QueryText]
    without_duckdb: frozenset[str]
    connect: str | None = None
    catalog: str | None = None
    loud: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The results of one process: by query, its counts; names of the rules that the user named; versions."""

    counts: dict[str, Count]
    rules: tuple[str, ...]
    versions: Mapping[str, str]
    incidents: list[Mapping[str, Any]] = field(default_factory=list)


def check_queries(request: QueriesRequest, console: Console, progress: QueryProgress) -> Answered:
    """Check each query over each database, and print findings as they come; BadInput for an unreadable schema."""
    if request.schema:
        read_schema(request.schema)  # what is wrong with it is said before Spark starts
    stored = read_schema(request.data) if request.data else None
    rows = stored_rows(request.data, stored) if request.data and stored else None
    setup = connection(request.connect, request.options) if request.connect else prepare(request.options)
    counts = {query.name: Count() for query in request.queries}
    log = IncidentLog(request.options.failures, printed_on(console))
    with (
        TemporaryDirectory(prefix="assay-queries-") as folder,
        setup.supervised() if isinstance(setup, Setup) else setup.harness() as harness,
    ):
        drawn = _drawn(request, harness)
        rules = check_names(harness, request.options.rules)
        limits = setup.limits(harness, rules) if isinstance(setup, Connection) else []
        mapped = [f"drawn otherwise: {line}" for schema in (drawn, stored) if schema for line in schema.mapped]
        for line in (*mapped, *limits) if request.loud else ():
            console.print(line, markup=False, soft_wrap=True, highlight=False)
        case_file = current_case(Path(folder), "main")
        guard = supervisor_of(harness, rules, setup.subject.settings, case_file=case_file, tell=log.tell)
        fuzzer = QueryFuzzer(
            harness=harness,
            subject=setup.subject,
            store=FailureStore(folder=request.options.failures, guard=guard, stock=_stock(request)),
            seed=request.options.seed,
            rules=rules,
            fast=not harness.spark.on_cluster,
            told=_printer(console),
            divergences=known_divergences(request.options.known),
        )
        for schema, cases in datasets(request.options, drawn, stored, rows):
            _check_over(schema, cases, request, fuzzer, counts, progress)
        versions = {"spark": harness.spark.version, "duckdb": harness.duckdb.version}
    return Answered(
        counts=counts, rules=tuple(rule.name for rule in rules), versions=versions, incidents=list(log.incidents)
    )


def _drawn(request: QueriesRequest, harness: Harness) -> Schema | None:
    """The schema of the tables to draw, as the running Spark reads it; None if no tables are to be drawn."""
    if request.catalog is not None:
        return with_rows(read_catalog(harness.spark.session, request.catalog), harness.spark)
    if request.schema is not None:
        return with_rows(read_schema(request.schema, partial(refusal, harness.spark)), harness.spark)
    return None


def _check_over(
    schema: Schema,
    cases: Cases,
    request: QueriesRequest,
    fuzzer: QueryFuzzer,
    counts: Mapping[str, Count],
    progress: QueryProgress,
) -> None:
    """Check each query over the databases of ``schema``, and add to its counts."""
    harness, types = fuzzer.harness, types_of(schema.database)
    queries = [over_schema(query, schema.views, schema.names, types) for query in request.queries]
    for query in prepared(harness.spark, queries, schema.database, without_duckdb=request.without_duckdb):
        name = query.query.name
        progress.at(name, sum(count.checks for count in counts.values()))
        if isinstance(query, Refused):
            counts[name].refused, counts[name].command = query.why, query.command
        else:
            spread_out = map(spread, cases(query)) if harness.spark.on_cluster else cases(query)
            _surviving(harness, name, partial(fuzzer.ask, query, spread_out, counts[name]))
        progress.done()


def _stock(request: QueriesRequest) -> StockSpark | None:
    """The stock Spark that confirms findings; none beside a server, which may be of any release."""
    return None if request.connect else stock_spark(request.options)


def _printer(console: Console) -> Callable[[Failure, Path], None]:
    def told(failure: Failure, file: Path) -> None:
        console.print(render(failure, file, failure.plans) + "\n", markup=False, highlight=False, soft_wrap=True)

    return told


def _surviving(harness: Harness, name: str, ask: Callable[[], None]) -> None:
    try:
        ask()
    except harness.spark.jvm_errors as error:
        if how := harness.spark.lost(error):
            raise SparkLost(f"query {name}: the JVM was lost: {how}") from error
        raise
