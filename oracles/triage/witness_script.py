"""Turn a finding into a witness: statements for a plain session that show whether the bug still exists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from functools import partial
from zoneinfo import ZoneInfo

from oracles.answers.outcome import Cell, Outcome, Rows
from oracles.answers.rows import from_plain, same
from oracles.engines.duckdb import SETTINGS as DUCKDB_SETTINGS
from oracles.failures.failure import Failure
from oracles.failures.scripts.script import NoScript, found_under, meaning, require_stock, switched_off
from oracles.failures.scripts.tables import duckdb_statements, spark_statements
from oracles.rules.rule import Rule
from oracles.sql import Compiler, DuckdbCompiler, SparkCompiler, compiler_of
from oracles.triage.divergences import Witness
from strategies.ir import (
    DATE,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    AnyLimit,
    Array,
    Lit,
    Relation,
    Settings,
    SqlType,
    Struct,
    Typed,
    UserCall,
    Value,
    is_in_python,
    partitioned,
    walk,
)

_EPOCH = datetime(1970, 1, 1)


def witness_of(failure: Failure, rules: Sequence[Rule], *, as_found: bool) -> Witness:
    """A witness of ``failure``, whose guilty rules are ``rules``.

    :param as_found: under all settings of the finding.
    :raises NoScript: there can't be a witness.
    """
    require_stock(failure, rules)
    if failure.fast:
        raise NoScript("it shows over tables in the JVM's memory alone, which a plain session hasn't got")
    if isinstance(failure.case.query, AnyLimit):
        raise NoScript("a LIMIT without an order has several right answers, which a witness can't tell apart")
    if any(isinstance(node, (UserCall, Typed)) or is_in_python(node) for node in walk(failure.case.query)):
        raise NoScript("it calls a function of users, which a plain session hasn't got")
    legs = {name: from_plain(leg) for name, leg in failure.legs.items()}
    if failure.verdict.blame == "duckdb":
        return _on_duckdb(failure, legs)
    case, schema = failure.case, f"w{failure.fingerprint}"
    conf = {**meaning(failure), **(found_under(failure) if as_found else {})}
    # All witnesses share one catalog; each has its own session.
    own = (f"CREATE SCHEMA {schema}", f"USE {schema}", *(f"SET {key}={value}" for key, value in conf.items()))
    setup = (*own, *spark_statements(case.database, case.settings))
    text = _sql(case.query, case.settings)
    if failure.verdict.kind == "metamorphic" and case.partition is not None:
        return Witness(setup, text, {}, _sql(partitioned(case.query, case.partition), case.settings))
    if without := switched_off(failure, rules):
        return Witness(setup, text, without)
    return Witness(setup, text, {}, _right_rows(failure, legs))


def _on_duckdb(failure: Failure, legs: Mapping[str, Outcome]) -> Witness:
    """A witness on DuckDB, compared with DuckDB without its optimizer, or else with Spark's rows."""
    zone = failure.case.settings.time_zone
    # Resource limits don't change an answer.
    settings = tuple(each for each in DUCKDB_SETTINGS if "temp_directory" not in each and "memory_limit" not in each)
    setup, compiler = (*settings, *duckdb_statements(failure.case.database, zone)), DuckdbCompiler()
    query, right = compiler.compile(failure.case.query), legs["on"]
    duckdb, plain = legs["duckdb"], legs.get("duckdb_unoptimized")
    if isinstance(duckdb, Rows) and isinstance(plain, Rows) and not same(duckdb, plain):
        return Witness(setup, query, {"disable_optimizer": ""})
    if not isinstance(right, Rows):
        raise NoScript("no leg has the right answer")
    return Witness(setup, query, {}, _rows_as_query(right, failure.case.query, compiler, zone))


def _sql(query: Relation, settings: Settings) -> str:
    compiler = compiler_of(settings)
    if not compiler.supports(query):
        raise NoScript("SQL has no words for the query")
    return compiler.compile(query)


def _right_rows(failure: Failure, legs: Mapping[str, Outcome]) -> str:
    """A query of constants with the right answer: DuckDB's, or else that of the leg that isn't to blame."""
    right = legs.get("duckdb")
    if not isinstance(right, Rows) and failure.verdict.blame == "on":
        right = legs.get("off")
    if not isinstance(right, Rows):
        raise NoScript("nothing turns the bug off on stock Spark, and no leg has the right answer")
    return _rows_as_query(right, failure.case.query, SparkCompiler("cast"), failure.case.settings.time_zone)


def _rows_as_query(rows: Rows, query: Relation, compiler: Compiler, time_zone: str) -> str:
    """``rows``, an answer to ``query``, as constants of a session in ``time_zone``."""
    kinds = [field.type for field in query.fields]
    selects = (
        f"SELECT {', '.join(map(compiler.visit, map(partial(_constant, ZoneInfo(time_zone)), row, kinds)))}"
        for row in rows.rows
    )
    nothing = f"SELECT {', '.join(compiler.visit(Lit(kind, None)) for kind in kinds)} WHERE false"
    return " UNION ALL ".join(selects) or nothing


def _constant(zone: ZoneInfo, cell: Cell, kind: SqlType) -> Lit:
    return Lit(kind, _value(zone, cell, kind))


def _value(zone: ZoneInfo, cell: Cell, kind: SqlType) -> Value:
    """A value of an answer as a value of the query algebra."""
    if cell is None:
        return None
    _, payload = cell
    if isinstance(kind, Array) and isinstance(payload, tuple):
        return tuple(_value(zone, item, kind.element) for item in payload)
    if isinstance(kind, Struct) and isinstance(payload, tuple):
        return tuple(_value(zone, item, field) for item, (_, field) in zip(payload, kind.fields, strict=True))
    if isinstance(payload, bytes):
        if kind == STRING:
            raise NoScript("the right answer has a text that isn't UTF-8")
        return payload.hex()
    if isinstance(payload, int) and kind in (TIMESTAMP, TIMESTAMP_NTZ):
        moment = _EPOCH + timedelta(microseconds=payload)
        if kind == TIMESTAMP:
            moment = moment.replace(tzinfo=timezone.utc).astimezone(zone).replace(tzinfo=None)
        return moment.isoformat(sep=" ", timespec="microseconds")
    if isinstance(payload, int) and kind == DATE:
        return (_EPOCH + timedelta(days=payload)).date().isoformat()
    assert not isinstance(payload, tuple)  # a plain type has a plain value
    return payload
