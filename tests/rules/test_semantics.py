"""Both engines give one answer, value for value and type for type, to everything that the query algebra can say.

A failure here is a fault of a rendering, not of an optimizer's rule.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

import pytest

from oracles.check import Laboratory
from oracles.engines.arrow import arrow_type
from oracles.outcome import Outcome, Rows, rows_from_arrow, type_text
from oracles.rows import diff, same
from oracles.sql import DataFrameCompiler, SparkCompiler
from strategies.ir import BOOLEAN, Aggregate, Database, Filter, Item, Lit, Project, Relation, Settings
from tests.rules.semantic_queries import QUERIES
from tests.rules.semantic_samples import (
    AGGREGATES,
    DISTINCT_AGGREGATES,
    GROUP,
    HOSTILE_DATABASE,
    ID,
    PAIRS,
    SCALARS,
    items,
)

Answers: TypeAlias = dict[str, Outcome]
Columns: TypeAlias = dict[str, object]
SQL, GENERATED, PROGRAM = Settings(), Settings(codegen=True), Settings(form="dataframe")
COMPILERS = {"sql": SparkCompiler(), "dataframe": DataFrameCompiler()}


def answers(laboratory: Laboratory, query: Relation, database: Database, *ways: Settings) -> Answers:
    """The outcome of ``query`` in DuckDB, with its optimizer and without, and in Spark each of the ``ways`` that
    has words for it.
    """
    outcomes: Answers = {}
    with laboratory.spark.loaded(database, "parquet"):
        for settings in (way for way in ways if COMPILERS[way.form].supports(query)):
            with laboratory.spark.leg(query, settings, {}) as leg:
                outcomes[repr(settings)] = leg.run().outcome
    outcomes["duckdb"] = laboratory.duckdb.run(query, database)
    outcomes["duckdb as written"] = laboratory.duckdb.run(query, database, optimize=False)
    return outcomes


def differences(outcomes: Answers) -> dict[str, object]:
    """The outcomes that aren't DuckDB's rows: surplus rows by how they were got; nothing when all agree."""
    expected = outcomes["duckdb"]
    assert isinstance(expected, Rows), expected
    return {
        way: diff(outcome, expected) or outcome if isinstance(outcome, Rows) else outcome
        for way, outcome in outcomes.items()
        if not isinstance(outcome, Rows) or not same(outcome, expected)
    }


def columns(outcome: Outcome, keys: int, names: Collection[str]) -> Columns:
    """Each named column's type, and its cells by the first ``keys`` cells of their rows."""
    assert isinstance(outcome, Rows), outcome
    return {
        name: (outcome.schema[position], {row[:keys]: row[position] for row in outcome.rows})
        for position, name in enumerate(names, start=keys)
    }


# Scalar expressions: all of them in one query, compared one by one.


@pytest.fixture(scope="module")
def scalars(laboratory: Laboratory) -> list[Columns]:
    query = Project(PAIRS, (Item("id", ID), *items(SCALARS)))
    outcomes = answers(laboratory, query, HOSTILE_DATABASE, SQL, GENERATED)
    return [columns(outcome, 1, SCALARS) for outcome in outcomes.values()]


@pytest.mark.parametrize("name", SCALARS, ids=ascii)
def test_an_expression_has_one_value_on_every_row(scalars: list[Columns], name: str) -> None:
    spark, generated, duckdb, as_written = (each[name] for each in scalars)
    assert duckdb == spark
    assert generated == spark
    assert as_written == duckdb


@pytest.mark.parametrize("name", SCALARS, ids=ascii)
def test_an_expression_has_the_type_that_the_algebra_says(scalars: list[Columns], name: str) -> None:
    kind, _ = scalars[0][name]
    assert kind == type_text(arrow_type(SCALARS[name].type))


# Aggregates: over groups, all rows, and no rows.

_NO_ROWS = Filter(PAIRS, Lit(BOOLEAN, False))
_KEY = (Item("g", GROUP),)
INPUTS: dict[str, tuple[Relation, tuple[Item, ...]]] = {
    "groups": (PAIRS, _KEY),
    "one group": (PAIRS, ()),
    "no groups": (_NO_ROWS, _KEY),
    "no rows": (_NO_ROWS, ()),
}


@pytest.fixture(scope="module", params=INPUTS)
def aggregates(laboratory: Laboratory, request: pytest.FixtureRequest) -> list[Columns]:
    child, keys = INPUTS[request.param]
    plain, distinct = (
        answers(laboratory, Aggregate(child, keys, items(named)), HOSTILE_DATABASE, SQL).values()
        for named in (AGGREGATES, DISTINCT_AGGREGATES)
    )
    return [
        columns(one, len(keys), AGGREGATES) | columns(two, len(keys), DISTINCT_AGGREGATES)
        for one, two in zip(plain, distinct, strict=True)
    ]


@pytest.mark.parametrize("name", [*AGGREGATES, *DISTINCT_AGGREGATES])
def test_an_aggregate_has_one_value_in_every_group(aggregates: list[Columns], name: str) -> None:
    spark, duckdb, as_written = (each[name] for each in aggregates)
    assert duckdb == spark
    assert as_written == duckdb


# Relations.


@pytest.mark.parametrize(("query", "database"), QUERIES.values(), ids=QUERIES)
def test_a_query_has_one_answer_in_the_types_of_the_algebra(
    laboratory: Laboratory, query: Relation, database: Database
) -> None:
    outcomes = answers(laboratory, query, database, SQL, PROGRAM)
    assert differences(outcomes) == {}
    assert outcomes["duckdb"].schema == tuple(type_text(arrow_type(field.type)) for field in query.fields)


# What the renderings are for: the obvious texts differ.


@pytest.mark.parametrize(
    ("spark_text", "duckdb_text"),
    [
        ("concat('a', CAST(NULL AS STRING))", "concat('a', CAST(NULL AS VARCHAR))"),
        ("length('é')", "length('é')"),
        ("isnan(CAST(NULL AS DOUBLE))", "isnan(CAST(NULL AS DOUBLE))"),
        ("dayofweek(DATE '2024-02-29')", "CAST(dayofweek(DATE '2024-02-29') AS INT)"),
        ("sum(CAST(1 AS INT))", "sum(CAST(1 AS INT))"),
        ("sum(CAST(1 AS DECIMAL(5,2)))", "sum(CAST(1 AS DECIMAL(5,2)))"),
        ("CAST(CAST(0.5 AS DECIMAL(1,1)) AS STRING)", "CAST(CAST(0.5 AS DECIMAL(1,1)) AS VARCHAR)"),
        ("trunc(DATE '2024-02-29', 'MM')", "date_trunc('month', DATE '2024-02-29')"),
        (r"'\\'", r"'\\'"),
    ],
    ids=lambda text: text,
)
def test_the_obvious_words_differ(laboratory: Laboratory, spark_text: str, duckdb_text: str) -> None:
    spark = rows_from_arrow(laboratory.spark.session.sql(f"SELECT {spark_text}").toArrow())
    duckdb = laboratory.duckdb.run_sql(f"SELECT {duckdb_text}", Database(()))
    assert isinstance(duckdb, Rows)
    assert not same(spark, duckdb)
