"""``tox run -e queries -- --schema my.sql --queries DIR``: do rules change the answers of your queries?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rich.console import Console

from assay.fuzz.incident_log import IncidentLog
from assay.queries.catalog import PREFIX
from assay.queries.connection import require_stock
from assay.queries.progress import QueryProgress
from assay.queries.table import ended, print_table, summary
from assay.queries.texts import read_queries
from assay.queries.worker import Answered, QueriesRequest, check_queries
from assay.session.console import console as console_of
from assay.session.ending import BadInput
from assay.session.options import Options, options_from_plain, options_to_plain
from assay.session.session import prepare, prepare_java
from assay.session.workers import worker_processes
from oracles.answers.atomic import write_json
from oracles.failures.caller import caller_folder


def request_of(
    options: Options,
    *,
    schema: str | None,
    data: Path | None,
    queries: Path | None,
    without_duckdb: Sequence[str],
    connect: str | None,
) -> QueriesRequest:
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
    for option, place in (("--schema", drawn), ("--data", data)):
        if place is not None and not place.exists():
            raise BadInput(f"{option} {place}: no such file or folder")
    if connect:
        require_stock(options)
    return QueriesRequest(
        options=options, schema=drawn, data=data, queries=texts, without_duckdb=alone, connect=connect, catalog=catalog
    )


def run(request: QueriesRequest, place: Path, *, workers: int = 1) -> int:
    """Ask each query over each database; see :mod:`assay.session.ending` for the exit code.

    :param place: the file or folder of the queries.
    :param workers: processes, each with a Spark of its own, that share the queries.
    """
    started = time.monotonic()
    prepare_java()
    console = console_of()
    shares = [names for at in range(workers) if (names := [query.name for query in request.queries[at::workers]])]
    passes = bool(request.schema or request.catalog) + bool(request.data)
    with QueryProgress(len(request.queries) * passes) as progress:
        if len(shares) > 1:
            parts = list(_in_workers(request, place, shares, progress))
        else:
            parts = [check_queries(request, console, progress)]
    found = {name: count for part in parts for name, count in part.counts.items()}
    counts = {query.name: found[query.name] for query in request.queries}
    seconds = round(time.monotonic() - started, 1)
    print_table(console, counts, seconds)
    end = ended(counts, parts[0].rules)
    incidents = [incident for part in parts for incident in part.incidents]
    log = IncidentLog(request.options.failures, lambda _: None, incidents)
    code = log.close(console, end, f"--hypothesis-seed {request.options.seed}")
    if request.options.summary_json is not None:
        head = {"format": 1, **parts[0].versions, "seed": request.options.seed, "seconds": seconds, "exit": int(code)}
        write_json(request.options.summary_json, {**head, "queries": summary(counts), "incidents": incidents})
    return code


def _in_workers(
    request: QueriesRequest, place: Path, shares: Sequence[Sequence[str]], progress: QueryProgress
) -> Iterator[Answered]:
    """Share the queries among processes, each with a Spark of its own."""
    if not request.connect:
        prepare(request.options)  # the jars are built once
    plain = options_to_plain(request.options)
    rest = {name: getattr(request, name) for name in ("schema", "data", "without_duckdb", "connect", "catalog")}
    with worker_processes(len(shares)) as pool:
        futures = [pool.submit(_worker, plain, rest, place, share, at == 0) for at, share in enumerate(shares)]
        for future in as_completed(futures):
            part = future.result()
            progress.done(len(part.counts))
            yield part


def _worker(plain: dict[str, Any], rest: dict[str, Any], place: Path, names: Sequence[str], loud: bool) -> Answered:
    queries = [query for query in read_queries(place) if query.name in set(names)]
    request = QueriesRequest(options=options_from_plain(plain), queries=queries, loud=loud, **rest)
    # Several processes' bars would overwrite each other: each prints lines.
    with QueryProgress(len(queries), console=Console(stderr=True, force_terminal=False)) as progress:
        return check_queries(request, console_of(), progress)
