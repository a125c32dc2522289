"""Whether an entry's cause makes a difference over a case's rows: DuckDB's outcome is taken where it is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.engines.duckdb import DuckdbEngine
from oracles.triage.divergences import load
from oracles.triage.explanation import shows
from strategies.ir import (
    INT,
    Agg,
    AnyLimit,
    Case,
    Col,
    Column,
    Database,
    GroupingSets,
    Item,
    Relation,
    Scan,
    Table,
)

(ENTRY,) = (entry for entry in load() if entry.id == "grand-total-of-no-rows")
COLUMNS = (Column("a", INT),)
TOTALS = GroupingSets(Scan("t", COLUMNS), "rollup", (Item("a", Col("a", INT)),), (Item("n", Agg("count")),))
NO_TOTAL = Rows(("int32", "int64"), ())
RAISED = Raised("UNKNOWN", None, "no answer", "user")


def case(query: Relation = TOTALS, rows: tuple[tuple[int], ...] = ()) -> Case:
    return Case(query, Database((Table("t", COLUMNS, rows),)))


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as engine:
        yield engine


@pytest.mark.parametrize(("rows", "shown"), [((), True), (((1,),), False)], ids=["no rows", "a row"])
def test_a_known_outcome_says_what_asking_says(duckdb: DuckdbEngine, rows: tuple[tuple[int], ...], shown: bool) -> None:
    asked = case(rows=rows)
    assert shows(ENTRY, asked, duckdb) == shown
    assert shows(ENTRY, asked, duckdb, duckdb.run(asked.query, asked.database)) == shown


def test_what_is_known_is_not_asked_again(duckdb: DuckdbEngine) -> None:
    """The outcome here is one that DuckDB doesn't have: that of a cause which shows nothing."""
    assert not shows(ENTRY, case(), duckdb, NO_TOTAL)


@pytest.mark.parametrize(
    ("query", "known"),
    [(AnyLimit(TOTALS, 1), NO_TOTAL), (TOTALS, RAISED), (TOTALS, None)],
    ids=["some rows alone", "no rows at all", "nothing"],
)
def test_an_outcome_without_all_rows_is_not_taken(duckdb: DuckdbEngine, query: Relation, known: Outcome | None) -> None:
    assert shows(ENTRY, case(query), duckdb, known)
