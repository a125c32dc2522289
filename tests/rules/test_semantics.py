"""Both engines give one answer, value for value and type for type, to everything that the query algebra can say.

A failure here is a fault of a rendering, not of an optimizer's rule.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib.metadata import version
from itertools import product
from typing import TypeAlias, TypeVar

import pyarrow as pa
import pytest

from oracles.answers.outcome import Outcome, Rows, rows_from_arrow, type_text
from oracles.answers.rows import diff, same
from oracles.checks.check import Harness
from oracles.engines.arrow import arrow_type
from oracles.patterns.causes import groups_of_some_rows, in_as_flags
from oracles.patterns.unsupported import runs
from oracles.sql import DataFrameCompiler, SparkCompiler
from strategies.edits.shown import keeps_signs
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    Agg,
    Aggregate,
    Call,
    Case,
    Database,
    Expr,
    Filter,
    Item,
    Lit,
    Project,
    Relation,
    Settings,
)
from tests.rules.semantic_groups import GROUP_QUERIES
from tests.rules.semantic_queries import QUERIES
from tests.rules.semantic_samples import (
    AGGREGATES,
    GROUP,
    HOSTILE_DATABASE,
    HOSTILE_TABLE,
    ID,
    PAIRS,
    SCALARS,
    items,
)

Answers: TypeAlias = dict[str, Outcome]
E = TypeVar("E", Expr, Agg)
SQL, GENERATED = Settings(), Settings(codegen=True)
RELEASE = version("pyspark")
COMPILERS = {"sql": SparkCompiler(), "dataframe": DataFrameCompiler()}


def answers(harness: Harness, query: Relation, database: Database, *ways: Settings) -> Answers:
    """The outcome of ``query`` in DuckDB, with its optimizer and without, and in Spark each of the ``ways`` that
    has words for it.
    """
    outcomes: Answers = {}
    with harness.spark.loaded(database, "parquet"):
        for settings in (way for way in ways if COMPILERS[way.form].supports(query)):
            with harness.spark.leg(query, settings, {}) as leg:
                outcomes[repr(settings)] = leg.run().outcome
    outcomes["duckdb"] = harness.duckdb.run(query, database)
    outcomes["duckdb as written"] = harness.duckdb.run(query, database, optimize=False)
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


def differing_columns(outcomes: Answers, keys: int, names: Collection[str]) -> dict[str, list[object]]:
    """The named columns, which follow ``keys`` others, that aren't DuckDB's in all outcomes: [how it was got, the
    row's key, its cell, DuckDB's cell], and the types where these differ.
    """
    assert all(isinstance(outcome, Rows) for outcome in outcomes.values()), outcomes
    expected = {row[:keys]: row for row in outcomes["duckdb"].rows}
    found: dict[str, list[object]] = {}
    for (way, outcome), (position, name) in product(outcomes.items(), enumerate(names, start=keys)):
        pairs = [("type", outcome.schema[position], outcomes["duckdb"].schema[position])]
        pairs += [(row[:keys], row[position], expected[row[:keys]][position]) for row in outcome.rows]
        if differing := [(way, *pair) for pair in pairs if pair[1] != pair[2]]:
            found.setdefault(name, []).extend(differing)
    return found


def algebra_types(relation: Relation) -> tuple[str, ...]:
    """The types that the query algebra says the columns have, as outcomes name them."""
    return tuple(type_text(arrow_type(field.type)) for field in relation.fields)


def asked(groups: Mapping[str, Mapping[str, E]]) -> dict[str, dict[str, E]]:
    """Of each group what the installed Spark runs; no group without anything."""

    def is_run(value: Expr | Agg) -> bool:
        query = (
            Aggregate(PAIRS, (), (Item("x", value),)) if isinstance(value, Agg) else Project(PAIRS, items({"x": value}))
        )
        return runs(RELEASE, Case(query, HOSTILE_DATABASE))

    kept = {group: {name: value for name, value in named.items() if is_run(value)} for group, named in groups.items()}
    return {group: named for group, named in kept.items() if named}


SCALARS_HERE, AGGREGATES_HERE = asked(SCALARS), asked(AGGREGATES)


@pytest.mark.parametrize("named", SCALARS_HERE.values(), ids=SCALARS_HERE)
def test_expressions_have_one_value_on_every_row(harness: Harness, named: dict[str, Expr]) -> None:
    query = Project(PAIRS, (Item("id", ID), *items(named)))
    outcomes = answers(harness, query, HOSTILE_DATABASE, SQL, GENERATED)
    assert differing_columns(outcomes, 1, named) == {}
    assert outcomes["duckdb"].schema == algebra_types(query)
    assert len(outcomes["duckdb"].rows) == len(HOSTILE_TABLE.rows)


def signs(named: Mapping[str, Expr], *, exact: bool) -> dict[str, Expr]:
    """The texts of the zeros among the doubles ``named``, of those whose signs are the same in all engines, or of the
    others.
    """
    doubles = {name: value for name, value in named.items() if value.type == DOUBLE}
    kept = {name: value for name, value in doubles.items() if keeps_signs(value) == exact}
    return {name: Call("zero_text", (value,)) for name, value in kept.items()}


SIGNED = {group: texts for group, named in SCALARS_HERE.items() if (texts := signs(named, exact=True))}


@pytest.mark.parametrize("named", SIGNED.values(), ids=SIGNED)
def test_zeros_have_one_sign(harness: Harness, named: dict[str, Expr]) -> None:
    query = Project(PAIRS, (Item("id", ID), *items(named)))
    assert differing_columns(answers(harness, query, HOSTILE_DATABASE, SQL, GENERATED), 1, named) == {}


def test_zeros_of_other_functions_may_differ_in_their_sign(harness: Harness) -> None:
    named = signs(SCALARS_HERE["functions of numbers"], exact=False)
    query = Project(PAIRS, (Item("id", ID), *items(named)))
    differing = differing_columns(answers(harness, query, HOSTILE_DATABASE, SQL), 1, named)
    assert {name.split()[0] for name in differing} >= {"round", "sign"}


_NO_ROWS = Filter(PAIRS, Lit(BOOLEAN, False))
_KEY = (Item("g", GROUP),)
INPUTS: dict[str, tuple[Relation, tuple[Item, ...], int]] = {
    "groups": (PAIRS, _KEY, 4),
    "one group": (PAIRS, (), 1),
    "no groups": (_NO_ROWS, _KEY, 0),
    "no rows": (_NO_ROWS, (), 1),
}


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("child", "keys", "groups"), INPUTS.values(), ids=INPUTS)
@pytest.mark.parametrize("named", AGGREGATES_HERE.values(), ids=AGGREGATES_HERE)
def test_aggregates_have_one_value_in_every_group(
    harness: Harness, child: Relation, keys: tuple[Item, ...], groups: int, named: dict[str, Agg]
) -> None:
    query = Aggregate(child, keys, items(named))
    outcomes = answers(harness, query, HOSTILE_DATABASE, SQL)
    assert differing_columns(outcomes, len(keys), named) == {}
    assert outcomes["duckdb"].schema == algebra_types(query)
    assert len(outcomes["duckdb"].rows) == groups


_DEVIATIONS = (in_as_flags, groups_of_some_rows)
"""The queries on which Spark deviates from the standard: known divergences."""


def without_deviations(case: Case) -> Case:
    """``case`` as Spark takes it where it deviates from the standard, and says so itself."""
    for rewrite in _DEVIATIONS:
        case = rewrite(case) or case
    return case


_QUERIES = {
    name: (query, database, ways)
    for name, (query, database, ways) in {**QUERIES, **GROUP_QUERIES}.items()
    if runs(RELEASE, Case(query, database))
}


_DEVIATING = {
    name: (query, standard, database, ways)
    for name, (query, database, ways) in _QUERIES.items()
    for standard in [without_deviations(Case(query, database)).query]
    if standard != query
}
_STANDARD = {name: entry for name, entry in _QUERIES.items() if name not in _DEVIATING}


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("query", "database", "ways"), _STANDARD.values(), ids=_STANDARD)
def test_a_query_has_one_answer(
    harness: Harness, query: Relation, database: Database, ways: tuple[Settings, ...]
) -> None:
    outcomes = answers(harness, query, database, *ways)
    assert differences(outcomes) == {}
    assert outcomes["duckdb"].schema == algebra_types(query)


@pytest.mark.parametrize(("query", "deviating", "database", "ways"), _DEVIATING.values(), ids=_DEVIATING)
def test_where_spark_deviates_from_the_standard_its_answer_is_that_of_another_query(
    harness: Harness, query: Relation, deviating: Relation, database: Database, ways: tuple[Settings, ...]
) -> None:
    """The query that says the deviation has one answer; where DuckDB's is the standard's, Spark has that, too."""
    outcomes, others = (answers(harness, each, database, *ways) for each in (query, deviating))
    assert differences(others) == {}
    assert (differences(outcomes) == {}) == same(outcomes["duckdb"], others["duckdb"])
    assert outcomes["duckdb"].schema == algebra_types(query)


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
def test_the_obvious_words_differ(harness: Harness, spark_text: str, duckdb_text: str) -> None:
    frame = harness.spark.session.sql(f"SELECT {spark_text}")
    stream = harness.spark.runner.run(frame._jdf, 60_000).arrow()
    spark = rows_from_arrow(pa.ipc.open_stream(stream).read_all())
    duckdb = harness.duckdb.run_sql(f"SELECT {duckdb_text}", Database(()))
    assert isinstance(duckdb, Rows)
    assert not same(spark, duckdb)
