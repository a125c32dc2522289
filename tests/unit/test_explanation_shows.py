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
    STRING,
    Agg,
    AnyLimit,
    Arith,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    GroupingSets,
    Item,
    Lit,
    Project,
    RaisingCast,
    Relation,
    Scan,
    SetOp,
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


A = Col("a", INT)
OF_A = (Item("a", Arith("+", A, Lit(INT, 1))),)
T = Scan("t", COLUMNS)
NAMED = {
    "the condition finds the computed column": (Filter(T, Compare("=", A, Lit(INT, 2))), ((1,), (2,)), True),
    "it takes the same rows away": (Filter(T, Compare("<", A, Lit(INT, 9))), ((1,), (2,)), False),
    "no rows": (Filter(T, Compare("=", A, Lit(INT, 2))), (), False),
}


@pytest.mark.parametrize(("right", "rows", "shown"), NAMED.values(), ids=NAMED)
def test_a_bug_that_is_put_in_says_where_it_shows(
    duckdb: DuckdbEngine, right: Relation, rows: tuple[tuple[int], ...], shown: bool
) -> None:
    """SPARK-58383."""
    (entry,) = (entry for entry in load() if entry.id == "SPARK-58383")
    asked = case(SetOp("except", Project(T, OF_A), Project(right, OF_A)), rows)
    assert entry.fits(asked)
    assert shows(entry, asked, duckdb) == shown


def test_what_raises_with_the_cause_and_without_it_shows_nothing(duckdb: DuckdbEngine) -> None:
    raising = Filter(TOTALS, Compare("=", RaisingCast(Lit(STRING, "x"), INT), Lit(INT, 1)))
    asked = case(raising, rows=((1,),))
    assert isinstance(duckdb.run(asked.query, asked.database), Raised)
    assert not shows(ENTRY, asked, duckdb)
    # Over no rows it is the grand total alone that raises.
    assert shows(ENTRY, case(raising), duckdb)


def test_a_bug_that_cant_be_put_in_may_show_everywhere(duckdb: DuckdbEngine) -> None:
    """The condition finds a column of another type."""
    (entry,) = (entry for entry in load() if entry.id == "SPARK-58383")
    other = (Item("a", Lit(STRING, "x")),)
    asked = case(SetOp("except", Project(T, other), Project(Filter(T, Compare("=", A, Lit(INT, 2))), other)), ())
    assert entry.fits(asked)
    assert shows(entry, asked, duckdb)


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
