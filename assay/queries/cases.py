"""The cases of a query: its text over drawn tables, or over the user's own rows, and how each one runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from assay.queries.literals import wanted_values
from assay.queries.prepared import Prepared
from assay.queries.schema import Schema
from assay.session.options import Options
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

Cases = Callable[[Prepared], Iterator[Case]]


def grounds(
    options: Options, drawn: Schema | None, stored: Schema | None, rows: Database | None
) -> Iterator[tuple[Database, Cases]]:
    """The schemas of the tables to check over, drawn or stored, each with the cases of a query over them."""
    if drawn is not None:
        yield drawn.database, lambda query: _drawn(query, drawn, options)
    if stored is not None and rows is not None:
        yield stored.database, lambda query: iter([_of_files(query, rows)])


def _drawn(asked: Prepared, schema: Schema, options: Options) -> Iterator[Case]:
    wanted = wanted_values([asked.query], schema.database)
    tables = OwnTables(schema.database, schema.required, wanted).only(asked.reads)
    for number in range(options.max_examples):
        random = Random(f"{options.seed}/{asked.query.name}/{number}")
        settings = settings_of(number, random, count=options.max_examples)
        yield Case(asked.verbatim, hostile(tables, random), settings)


def settings_of(number: int, random: Random, *, count: int) -> Settings:
    """The settings of a query's database ``number`` of ``count``, counted from 0.

    Of fewer than four databases each one is drawn to run in one of the other ways as often as the fourth one is.
    """
    turn = number % _ONE_IN
    otherwise = turn == _ONE_IN - 1 if count >= _ONE_IN else random.randrange(_ONE_IN) == 0
    return Settings(**random.choice(_OTHERWISE) if otherwise else {"table_partitions": turn + 1})


def _of_files(asked: Prepared, rows: Database) -> Case:
    read = tuple(table for table in rows.tables if table.name in asked.reads)
    # So many rows are for jobs and files.
    return Case(asked.verbatim, Database(read), Settings(codegen=True))
