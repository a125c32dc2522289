"""A finding as a witness: what a plain session runs, and whose other answer shows that the bug is still there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from oracles.divergences import Witness
from oracles.engines.duckdb import SETTINGS as DUCKDB_SETTINGS
from oracles.outcome import Cell, Outcome, Rows
from oracles.repro import Failure
from oracles.rows import from_plain
from oracles.rules.rule import Rule
from oracles.scripts.script import NoScript, found_under, meaning, require_stock, switched_off
from oracles.scripts.tables import duckdb_statements, spark_statements
from oracles.sql import DuckdbCompiler, SparkCompiler
from oracles.sql.spark import quote_string
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    STRING,
    AnyLimit,
    Array,
    Relation,
    SqlType,
    Struct,
    partitioned,
)

_EPOCH = datetime(1970, 1, 1)


def witness_of(failure: Failure, rules: Sequence[Rule], *, as_found: bool) -> Witness:
    """A witness of ``failure``, whose guilty rules are ``rules``; ``as_found``, under the settings that it had.

    Raises NoScript where there can be none.
    """
    require_stock(failure, rules)
    if failure.fast:
        raise NoScript("it shows over tables in the JVM's memory alone, which a plain session hasn't got")
    if isinstance(failure.case.query, AnyLimit):
        raise NoScript("a LIMIT without an order has several right answers, which a witness can't tell apart")
    legs = {name: from_plain(leg) for name, leg in failure.legs.items()}
    if failure.verdict.blame == "duckdb":
        return _on_duckdb(failure)
    case, schema = failure.case, f"w{failure.fingerprint}"
    conf = {**meaning(failure), **(found_under(failure) if as_found else {})}
    # One catalog serves all witnesses, and a session each.
    own = (f"CREATE SCHEMA {schema}", f"USE {schema}", *(f"SET {key}={value}" for key, value in conf.items()))
    setup = (*own, *spark_statements(case.database, case.settings))
    text = _sql(case.query)
    if failure.verdict.kind == "metamorphic" and case.partition is not None:
        return Witness(setup, text, {}, _sql(partitioned(case.query, case.partition)))
    if without := switched_off(failure, rules):
        return Witness(setup, text, without)
    return Witness(setup, text, {}, _right_rows(failure, legs))


def _on_duckdb(failure: Failure) -> Witness:
    # What limits a run has no part in what an answer is.
    settings = tuple(each for each in DUCKDB_SETTINGS if "temp_directory" not in each and "memory_limit" not in each)
    query = DuckdbCompiler().compile(failure.case.query)
    return Witness((*settings, *duckdb_statements(failure.case.database)), query, {"disable_optimizer": ""})


def _sql(query: Relation) -> str:
    compiler = SparkCompiler()
    if not compiler.supports(query):
        raise NoScript("SQL has no words for the query")
    return compiler.compile(query)


def _right_rows(failure: Failure, legs: Mapping[str, Outcome]) -> str:
    """A query that gives the right answer outright: DuckDB's, or else that of the leg which isn't to blame."""
    right = legs.get("duckdb")
    if not isinstance(right, Rows) and failure.verdict.blame == "on":
        right = legs.get("off")
    if not isinstance(right, Rows):
        raise NoScript("nothing turns the bug off on stock Spark, and no leg has the right answer")
    kinds = [field.type for field in failure.case.query.fields]
    selects = (f"SELECT {', '.join(map(_literal, row, kinds))}" for row in right.rows)
    nothing = f"SELECT {', '.join(_literal(None, kind) for kind in kinds)} WHERE false"
    return " UNION ALL ".join(selects) or nothing


def _literal(cell: Cell, kind: SqlType) -> str:
    """A value of an answer, as Spark's SQL has it."""
    compiler = SparkCompiler()
    name = compiler.type_name(kind)
    if cell is None:
        return f"CAST(NULL AS {name})"
    _, payload = cell
    if isinstance(kind, Array) and isinstance(payload, tuple):
        return compiler.array(kind.element, [_literal(item, kind.element) for item in payload])
    if isinstance(kind, Struct) and isinstance(payload, tuple):
        values = [_literal(item, field) for item, (_, field) in zip(payload, kind.fields, strict=True)]
        return compiler.struct([field for field, _ in kind.fields], values)
    if isinstance(payload, bytes):
        return f"X'{payload.hex()}'" if kind == BINARY else f"CAST(X'{payload.hex()}' AS {name})"
    if kind == STRING:
        return quote_string(str(payload))
    if kind == DOUBLE:
        return f"CAST('{float.fromhex(str(payload))!r}' AS DOUBLE)"
    if isinstance(payload, int) and not isinstance(payload, bool) and name.startswith("TIMESTAMP"):
        return f"CAST('{(_EPOCH + timedelta(microseconds=payload)).isoformat(sep=' ')}' AS {name})"
    if isinstance(payload, int) and kind == DATE:
        return f"CAST('{(_EPOCH + timedelta(days=payload)).date().isoformat()}' AS DATE)"
    return str(payload).lower() if kind == BOOLEAN else f"CAST('{payload}' AS {name})"
