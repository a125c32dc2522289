"""Prepare queries for checks: Spark analyzes their output columns, and DuckDB's text gets Spark's types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assay.queries.commands import command_of
from assay.queries.lines import one_line, spark_line
from assay.queries.texts import QueryText
from oracles.engines.protocol import Engine
from strategies.ir import Database, Settings, Verbatim

_READ = re.compile(r"UnresolvedRelation \[([^\]]+)\]")
_HAS_ONE_ORDER = re.compile(r"(?i)boolean|(tiny|small|big)?int|decimal\(.*\)|string|binary|date|timestamp(_ntz)?")
_SPARK_ALONE = {
    "interval": "DuckDB has one type of intervals where Spark has three",
    "variant": "VARIANT is Spark's own: DuckDB's JSON keeps the order of fields, which VARIANT sorts",
    "collate": "DuckDB has not got Spark's collations",
    "geo": "DuckDB has not got Spark's geometry",
}
"""By a part of a type's name, why an answer of this type is judged by Spark alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A query over the user's tables.

    ``reads`` are the tables that it reads; ``columns`` its output's names; ``all_rows`` is the query without its LIMIT,
    None if it has none.
    """

    query: QueryText
    verbatim: Verbatim
    columns: tuple[str, ...]
    reads: frozenset[str]
    all_rows: Verbatim | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A text that isn't checked; ``why`` is one line. A command of Spark is no query, so nothing is missing."""

    query: QueryText
    why: str
    command: bool = False


def prepared(
    spark: Engine, queries: Sequence[QueryText], schema: Database, *, without_duckdb: frozenset[str]
) -> list[Prepared | Refused]:
    """Each of ``queries`` analyzed by Spark over empty tables, or the reason why it is no query over them."""
    with spark.stage(schema, Settings(), fast=True):
        return [_prepared(spark, query, schema, query.name in without_duckdb) for query in queries]


def _prepared(spark: Engine, query: QueryText, schema: Database, alone: bool) -> Prepared | Refused:
    if not query.text:  # its file can't be read
        return Refused(query, query.why_not)
    if word := command_of(query.text):
        return Refused(query, f"{word} is a command: only queries are checked", command=True)
    try:
        described = spark.described(query.text)
    except spark.spark_errors as error:
        line = spark_line(spark.raised(error).message, 240, place=not query.rewritten)
        return Refused(query, f"Spark can't take it: {line}")
    why_not = "DuckDB was not to be asked" if alone else query.why_not
    names, types = [name for name, _ in described.fields], [kind for _, kind in described.fields]
    duckdb, why_not = ("", why_not) if why_not else _typed(query.duckdb, types)
    named = _relations(described.plan, query, schema)
    all_rows = Verbatim(query.limited.all_rows, why_not="it serves Spark alone") if query.limited else None
    verbatim = Verbatim(query.text, duckdb, why_not, _first_keys(positions(query.keys, names), types))
    return Prepared(
        query=query,
        verbatim=verbatim,
        columns=tuple(names),
        reads=frozenset(named),
        all_rows=all_rows,
    )


def positions(keys: Sequence[str | int | None], columns: Sequence[str]) -> list[int | None]:
    """The place of each key of an ORDER BY among the output ``columns``, from 0; None if that is not sure."""
    folded = [column.casefold() for column in columns]

    def position(key: str | int | None) -> int | None:
        if isinstance(key, int):
            return key - 1 if 0 < key <= len(columns) else None
        return folded.index(key.casefold()) if key and folded.count(key.casefold()) == 1 else None

    return list(map(position, keys))


def _first_keys(places: Sequence[int | None], types: Sequence[str]) -> tuple[int, ...]:
    """The columns that come first in the order, as long as each is an output column whose order is one in all engines.

    Floating point numbers may differ in their last figures; nested values and collated texts are ordered otherwise.
    """
    found: list[int] = []
    for place in places:
        if place is None or not _HAS_ONE_ORDER.fullmatch(types[place]):
            break
        found.append(place)
    return tuple(found)


def _relations(plan: str, query: QueryText, schema: Database) -> frozenset[str]:
    """The tables that the query reads by its parsed plan, or by its words if there is no plan (over Connect)."""
    if plan == query.text:
        read = {word.casefold() for word in re.findall(r"\w+", plan)}
    else:
        read = {name.rpartition(".")[2].strip().casefold() for name in _READ.findall(plan)}
    return frozenset(table.name for table in schema.tables if table.name.casefold() in read)


def _typed(duckdb: str, types: Sequence[str]) -> tuple[str, str]:
    """DuckDB's query with casts to the types of Spark's answer, and ''; or '' and the reason why there is none."""
    for kind in types:
        for word, reason in _SPARK_ALONE.items():
            if word in kind.casefold():
                return "", reason
    try:
        names = [exp.DataType.build(kind, dialect="spark").sql("duckdb") for kind in types]
    except SqlglotError as error:
        return "", f"sqlglot has no words for its types: {one_line(error, 120)}"
    if not names or "NULL" in names:
        return "", "a column of its answer has no type"
    casts = ", ".join(f"CAST(c{at} AS {name}) AS c{at}" for at, name in enumerate(names))
    columns = ", ".join(f"c{at}" for at in range(len(names)))
    return f"SELECT {casts} FROM ({duckdb}) AS answer({columns})", ""
