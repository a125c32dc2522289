"""A statement leaves the rows of the query of its table afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.answers.outcome import Raised, Rows
from oracles.answers.rows import same
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.sqlite.engine import SqliteEngine
from strategies.draw.statements import statements
from strategies.draw.tables import rows_for, schemas
from strategies.ir import Database, Merge, MergeClause, Statement, Table, afterwards
from tests.unit.write_samples import COLUMNS, INSERTED, SAME, STATEMENTS, TABLES, UPDATED, S, T

EACH = pytest.mark.parametrize(("statement", "rows"), STATEMENTS.values(), ids=STATEMENTS)
MET_TWICE = Database((TABLES.tables[0], Table("u", COLUMNS, ((1, 10), (1, 11)))))


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as engine:
        yield engine


@EACH
@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_the_query_has_the_rows_of_the_table_afterwards(
    duckdb: DuckdbEngine, engine: str, statement: Statement, rows: list[tuple[int | None, int | None]]
) -> None:
    asked = afterwards(statement)
    outcome = duckdb.run(asked, TABLES) if engine == "duckdb" else SqliteEngine().run(asked, TABLES)
    assert isinstance(outcome, Rows), outcome
    found = [tuple(value and value[1] for value in row) for row in outcome.rows]
    assert sorted(found, key=repr) == sorted(rows, key=repr)


@st.composite
def changes(draw: st.DrawFn) -> tuple[Database, Statement]:
    """Tables, and a statement that changes one of them."""
    schema = draw(schemas())
    statement = draw(statements(schema, max_operators=2))
    assert isinstance(statement, Statement)
    return draw(rows_for(schema)), statement


@settings(max_examples=300)
@given(changes())
def test_a_drawn_statement_leaves_what_the_query_has_on_duckdb(
    duckdb: DuckdbEngine, change: tuple[Database, Statement]
) -> None:
    database, statement = change
    changed, asked = (duckdb.run(query, database) for query in (statement, afterwards(statement)))
    if isinstance(changed, Rows):
        assert isinstance(asked, Rows), asked
        assert same(changed, asked)


@pytest.mark.parametrize("clause", [UPDATED, replace(UPDATED, condition=INSERTED.condition)], ids=["all", "some"])
def test_sqlite_has_no_answer_where_a_merge_raises(clause: MergeClause) -> None:
    merge = Merge(T, S, SAME, (clause,))
    assert isinstance(SqliteEngine().run(merge, TABLES), Rows)
    raised = SqliteEngine().run(merge, MET_TWICE)
    assert isinstance(raised, Raised)
    assert raised.kind == "unsupported"


@pytest.mark.parametrize("clause", [MergeClause("matched", "delete"), INSERTED], ids=["deleted", "not changed"])
def test_a_row_that_is_met_twice_is_there_once_or_not_at_all(duckdb: DuckdbEngine, clause: MergeClause) -> None:
    merge = Merge(T, S, SAME, (clause,))
    changed, asked = duckdb.run(merge, MET_TWICE), SqliteEngine().run(merge, MET_TWICE)
    assert isinstance(changed, Rows)
    assert isinstance(asked, Rows)
    assert same(changed, asked)
