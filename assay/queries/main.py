"""``tox run -e queries -- --schema my.sql --queries DIR``: do rules change the answers of your queries?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.progress import Progress

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.incident_log import IncidentLog, printed_on
from assay.fuzz.spread import spread
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.queries.catalog import PREFIX, read_catalog
from assay.queries.connection import Connection, connection, require_stock
from assay.queries.fuzzer import Count, QueryFuzzer
from assay.queries.literals import wanted_values
from assay.queries.prepared import Prepared, prepared
from assay.queries.schema import Schema, read_schema
from assay.queries.stored import stored_rows
from assay.queries.table import ended, print_table, summary
from assay.queries.texts import QueryText, read_queries
from assay.session.console import console as console_of
from assay.session.ending import BadInput
from assay.session.options import Options, caller_folder
from assay.session.session import Setup, check_names, prepare, prepare_java
from oracles.answers.atomic import write_json
from oracles.checks.check import Harness
from oracles.engines.spark.jvm import SparkLost
from oracles.failures.failure import Failure
from oracles.failures.text import render
from strategies.draw.own_tables import OwnTables, hostile
from strategies.ir import Case, Database, Settings

_OTHERWISE: tuple[dict[str, Any], ...] = (
    {"aqe": True, "codegen": True, "partitions": 2, "table_partitions": 2},
    {"aqe": True, "codegen": True, "partitions": 3},
    {"codegen": True},
    {"statistics": True},
    {"join": "merge", "partitions": 3},
    {"join": "hash", "aqe": True},
    {"source": "cached"},
    {"source": "orc", "vectorized": False},
)
_ONE_IN = 4
"""One database in so many is read and run in one of these ways, two of them a stock session's; the others by the fast
path, over tables of one partition, two or three in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The request of the user: tables to draw (``schema`` or ``catalog``) or files to read (``data``), and queries."""

    options: Options
    schema: Path | None
    data: Path | None
    queries: Sequence[QueryText]
    without_duckdb: frozenset[str]
    connect: str | None = None
    catalog: str | None = None


def asked_of(
    options: Options,
    *,
    schema: str | None,
    data: Path | None,
    queries: Path | None,
    without_duckdb: Sequence[str],
    connect: str | None,
) -> Asked:
    """A run over the texts in ``queries``; BadInput where an option is missing, or names a query that isn't there."""
    if queries is None or not (schema or data):
        raise BadInput("queries: needs --queries DIR, and --schema or --data with the tables that they read")
    texts = read_queries(queries)
    names = [query.name for query in texts]
    for pattern in without_duckdb:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise BadInput(f"--without-duckdb {pattern}: there is no such query: {', '.join(names)[:120]}")
    alone = frozenset(name for name in names if any(fnmatchcase(name, pattern) for pattern in without_duckdb))
    catalog = schema.removeprefix(PREFIX) if schema and schema.startswith(PREFIX) else None
    drawn = (caller_folder() / schema).absolute() if schema and catalog is None else None
    if connect:
        require_stock(options)
    return Asked(
        options=options, schema=drawn, data=data, queries=texts, without_duckdb=alone, connect=connect, catalog=catalog
    )


def run(asked: Asked) -> int:
    """Ask each query over each database; see :mod:`assay.session.ending` for the exit code."""
    started = time.monotonic()
    prepare_java()
    console = console_of()
    drawn = read_schema(asked.schema) if asked.schema else None
    stored = read_schema(asked.data) if asked.data else None
    rows = stored_rows(asked.data, stored) if asked.data and stored else None
    setup = connection(asked.connect, asked.options) if asked.connect else prepare(asked.options)
    counts = {query.name: Count() for query in asked.queries}

    def told(failure: Failure, file: Path) -> None:
        console.print(render(failure, file, failure.plans), markup=False, highlight=False, soft_wrap=True)
        console.print()

    log = IncidentLog(asked.options.failures, printed_on(console))
    with (
        TemporaryDirectory(prefix="assay-queries-") as folder,
        setup.supervised() if isinstance(setup, Setup) else setup.harness() as harness,
        _progress() as progress,
    ):
        if asked.catalog is not None:
            drawn = read_catalog(harness.spark.session, asked.catalog)
        for schema in (drawn, stored):
            for line in schema.mapped if schema else ():
                console.print(f"drawn otherwise: {line}", soft_wrap=True, highlight=False)
        rules = check_names(harness, asked.options.rules)
        for line in setup.limits(harness, rules) if isinstance(setup, Connection) else ():
            console.print(line, soft_wrap=True, highlight=False)
        fast = not harness.spark.on_cluster
        options = asked.options
        hand = current_case(Path(folder), "main")
        guard = supervisor_of(harness, rules, setup.subject.settings, hand=hand, tell=log.tell)
        fuzzer = QueryFuzzer(
            harness=harness,
            subject=setup.subject,
            store=FailureStore(folder=options.failures, guard=guard),
            seed=options.seed,
            rules=rules,
            fast=fast,
            told=told,
        )
        for tables, cases in _grounds(asked, drawn, stored, rows):
            _all_asked(asked, harness, fuzzer, tables, cases, counts, progress)
        versions = {"spark": harness.spark.version, "duckdb": harness.duckdb.version}
    seconds = round(time.monotonic() - started, 1)
    print_table(console, counts, seconds)
    end = ended(counts, [rule.name for rule in rules])
    code = log.close(console, end, f"--hypothesis-seed {asked.options.seed}")
    if asked.options.summary_json is not None:
        head = {"format": 1, **versions, "seed": asked.options.seed, "seconds": seconds, "exit": int(code)}
        write_json(asked.options.summary_json, {**head, "queries": summary(counts), "incidents": log.incidents})
    return code


Cases = Callable[[Prepared], Iterator[Case]]


def _grounds(
    asked: Asked, drawn: Schema | None, stored: Schema | None, rows: Database | None
) -> Iterator[tuple[Database, Cases]]:
    """The schemas of the tables to check over, drawn or stored, each with the cases of a query over them."""
    if drawn is not None:
        yield drawn.database, lambda query: _drawn(query, drawn, asked.options)
    if stored is not None and rows is not None:
        yield stored.database, lambda query: iter([_of_files(query, rows)])


def _drawn(asked: Prepared, schema: Schema, options: Options) -> Iterator[Case]:
    wanted = wanted_values([asked.query], schema.database)
    tables = OwnTables(schema.database, schema.required, wanted).only(asked.reads)
    for number in range(options.max_examples):
        random = Random(f"{options.seed}/{asked.query.name}/{number}")
        settings = settings_of(number, random)
        yield Case(asked.verbatim, hostile(tables, random), settings)


def settings_of(number: int, random: Random) -> Settings:
    """The settings of a query's database ``number``, counted from 0."""
    turn = number % _ONE_IN
    return Settings(**random.choice(_OTHERWISE) if turn == _ONE_IN - 1 else {"table_partitions": turn + 1})


def _of_files(asked: Prepared, rows: Database) -> Case:
    read = tuple(table for table in rows.tables if table.name in asked.reads)
    # So many rows are for jobs and files.
    return Case(asked.verbatim, Database(read), Settings(codegen=True))


def _all_asked(
    asked: Asked,
    harness: Harness,
    fuzzer: QueryFuzzer,
    schema: Database,
    cases: Cases,
    counts: dict[str, Count],
    progress: Progress,
) -> None:
    ready = prepared(harness.spark, asked.queries, schema, without_duckdb=asked.without_duckdb)
    task = progress.add_task("queries", total=len(ready))
    for query in ready:
        progress.update(task, description=query.query.name)
        try:
            drawn = map(spread, cases(query)) if harness.spark.on_cluster else cases(query)
            fuzzer.ask(query, drawn, counts[query.query.name])
        except harness.spark.jvm_errors as error:
            if how := harness.spark.lost(error):
                raise SparkLost(f"query {query.query.name}: the JVM was lost: {how}") from error
            raise
        progress.advance(task)


def _progress() -> Progress:
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)
