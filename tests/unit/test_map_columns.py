"""Columns of maps: a query reads them by a key, and nothing above its derived table sees a map."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracles.sql import DuckdbCompiler, SparkCompiler
from strategies.draw.cases import questions
from strategies.draw.map_columns import of_maps, with_maps
from strategies.draw.queries import queries
from strategies.ir import (
    INT,
    STRING,
    Alias,
    Array,
    Col,
    Column,
    Database,
    Filter,
    Item,
    Lit,
    Map,
    MapRead,
    Project,
    Relation,
    Scan,
    SqlType,
    Table,
    scans,
    walk,
)
from tests.unit.sample_tables import ONE, YES
from tests.unit.strategy_asserts import assert_all_examples, find_any, minimal

_COLUMNS = (Column("a", INT), Column("b", Array(STRING)))
_SCHEMA = Database((Table("t0", _COLUMNS), Table("t1", _COLUMNS)))
_SCAN = Scan("t0", _COLUMNS)
_OF_INTS, _OF_TEXTS = Map(INT, INT), Map(STRING, Array(STRING))


@st.composite
def _of(draw: DrawFn, query: Relation) -> tuple[Database, Relation]:
    return with_maps(draw, _SCHEMA, query)


@st.composite
def _drawn(draw: DrawFn) -> tuple[Database, Relation]:
    return with_maps(draw, _SCHEMA, draw(queries(_SCHEMA, max_operators=3).filter(scans)))


def _maps(question: tuple[Database, Relation]) -> list[SqlType]:
    schema, _ = question
    return [column.type for table in schema.tables for column in table.columns if isinstance(column.type, Map)]


def _shows_no_map(relation: Relation) -> bool:
    return not any(isinstance(field.type, Map) for field in relation.fields)


def test_only_scans_below_a_projection_have_maps() -> None:
    def holds(question: tuple[Database, Relation]) -> bool:
        schema, query = question
        tables = {table.name: table.columns for table in schema.tables}
        read = all(tables[scan.table] == scan.columns for scan in scans(query))
        parts = [part for part in walk(query) if isinstance(part, Relation) and not isinstance(part, Scan)]
        return read and bool(_maps(question)) and all(map(_shows_no_map, parts))

    assert_all_examples(_drawn(), holds)


def test_each_scan_of_the_table_is_a_derived_table_of_its_name() -> None:
    columns = (Column("a", _OF_INTS), _COLUMNS[1])
    table = Table("t0", columns)
    _, query = of_maps(_SCHEMA, Filter(_SCAN, YES), table, {"a": ONE})
    assert query == Filter(_through(table, {"a": ONE}), YES)
    assert SparkCompiler().compile(query) == (
        "SELECT * FROM (SELECT (`a`)[1] AS `a`, `b` FROM `t0`) AS `t0` WHERE (`a` = 1)"
    )
    assert 'SELECT ("a")[CAST(1 AS INT)] AS "a", "b" FROM "t0"' in DuckdbCompiler().compile(query)


def _through(table: Table, reads: dict[str, Lit]) -> Alias:
    items = tuple(
        Item(
            column.name,
            MapRead(Col(column.name, column.type), reads[column.name])
            if column.name in reads
            else Col(column.name, column.type),
        )
        for column in table.columns
    )
    return Alias(Project(Scan(table.name, table.columns), items), table.name)


REACHED = {
    "a key that is never there": lambda question: any(
        isinstance(node, MapRead) and node.key in (Lit(INT, -1), Lit(STRING, "A")) for node in walk(question[1])
    ),
    "texts as keys": lambda question: any(isinstance(kind, Map) and kind.key == STRING for kind in _maps(question)),
    "arrays as values": lambda question: _OF_TEXTS in _maps(question),
    "two columns": lambda question: len(_maps(question)) == 2,
}


@pytest.mark.parametrize("reached", REACHED.values(), ids=REACHED)
def test_reached(reached) -> None:
    find_any(_of(_SCAN), reached)


def test_shrinks_to_a_map_of_the_first_column() -> None:
    schema, query = minimal(_of(_SCAN))
    table = Table("t0", (Column("a", _OF_INTS), _COLUMNS[1]))
    assert schema == Database((table, _SCHEMA.tables[1]))
    assert query == _through(table, {"a": Lit(INT, 0)})


def test_questions_have_them() -> None:
    find_any(questions(max_operators=2), lambda question: bool(_maps(question)))


def test_statements_have_none() -> None:
    assert_all_examples(
        questions(max_operators=1), lambda question: not question[1].is_statement or not _maps(question), count=400
    )
