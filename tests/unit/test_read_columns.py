"""Columns that a query reads in a derived table: nothing above it sees a map, or a text under a collation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from oracles.sql import DuckdbCompiler, SparkCompiler
from strategies.draw.cases import questions
from strategies.draw.draws import without_mutation
from strategies.draw.queries import queries
from strategies.draw.read_columns import Question, Reads, collated, mapped
from strategies.ir import (
    COLLATIONS,
    INT,
    STRING,
    And,
    Array,
    Call,
    Cast,
    Col,
    Collated,
    Column,
    Compare,
    Database,
    Filter,
    Lit,
    Map,
    MapRead,
    Relation,
    Scan,
    SqlType,
    Table,
    has_collation,
    scans,
    walk,
)
from tests.unit.sample_tables import ONE, YES
from tests.unit.strategy_asserts import assert_all_examples, find_any, minimal

_COLUMNS = (Column("a", INT), Column("b", Array(STRING)), Column("c", STRING))
_TABLE = Table("t0", _COLUMNS)
_SCHEMA = Database((_TABLE, Table("t1", _COLUMNS)))
_SCAN = Scan("t0", _COLUMNS)
_OF_TEXTS = Map(STRING, Array(STRING))
_LCASE = Collated("UTF8_LCASE")


@st.composite
def _mapped(draw: DrawFn) -> Reads:
    return mapped(draw, _TABLE)


@st.composite
def _collated(draw: DrawFn) -> Reads:
    return collated(draw, _TABLE)


@st.composite
def _drawn(draw: DrawFn, reads: SearchStrategy[Reads]) -> Question:
    return draw(reads).in_place((_SCHEMA, draw(queries(_SCHEMA, max_operators=3).filter(scans))))


def _kinds(reads: Reads) -> list[SqlType]:
    return [column.type for column in reads.table.columns]


def _is_hidden(kind: SqlType) -> bool:
    return isinstance(kind, Map) or has_collation(kind)


@pytest.mark.parametrize("reads", [_mapped(), _collated()], ids=["maps", "texts"])
def test_nothing_above_the_derived_table_sees_them(reads: SearchStrategy[Reads]) -> None:
    def holds(question: Question) -> bool:
        schema, query = question
        tables = {table.name: table.columns for table in schema.tables}
        parts = [part for part in walk(query) if isinstance(part, Relation)]
        above = [part for part in parts if not isinstance(getattr(part, "child", part), Scan)]
        shown = [field.type for part in above if not isinstance(part, Scan) for field in part.fields]
        return all(tables[scan.table] == scan.columns for scan in scans(query)) and not any(map(_is_hidden, shown))

    assert_all_examples(_drawn(reads), holds)


_C = Col("c", _LCASE)
_MAP = Reads(Table("t0", (Column("a", Map(INT, INT)), _COLUMNS[1])), {"a": MapRead(Col("a", Map(INT, INT)), ONE)})
_TEXT = Reads(
    Table("t0", (Column("a", INT), Column("c", _LCASE))),
    {"c": Cast(_C, STRING)},
    And(
        Compare("=", Col("c", _LCASE), Lit(_LCASE, "A")), Compare("=", Cast(Col("c", _LCASE), STRING), Lit(STRING, "a"))
    ),
)
TEXTS = {
    "a map": (
        _MAP,
        "SELECT * FROM (SELECT (`a`)[1] AS `a`, `b` FROM `t0`) AS `t0` WHERE (`a` = 1)",
        'SELECT * FROM (SELECT ("a")[CAST(1 AS INT)] AS "a", "b" FROM "t0") AS "t0" WHERE ("a" = CAST(1 AS INT))',
    ),
    "a text": (
        _TEXT,
        "SELECT * FROM (SELECT `a`, CAST(`c` AS STRING) AS `c` FROM `t0` WHERE ((`c` = ('A' COLLATE UTF8_LCASE)) AND "
        "(CAST(`c` AS STRING) = 'a'))) AS `t0` WHERE (`a` = 1)",
        'SELECT * FROM (SELECT "a", "c" AS "c" FROM "t0" WHERE ((lower("c") = lower(\'A\')) AND ("c" = \'a\'))) '
        'AS "t0" WHERE ("a" = CAST(1 AS INT))',
    ),
}


@pytest.mark.parametrize(("reads", "spark", "duckdb"), TEXTS.values(), ids=TEXTS)
def test_each_scan_of_the_table_is_a_derived_table_of_its_name(reads: Reads, spark: str, duckdb: str) -> None:
    schema, query = reads.in_place((_SCHEMA, Filter(_SCAN, YES)))
    assert schema.tables == (reads.table, _SCHEMA.tables[1])
    assert SparkCompiler().compile(query) == spark
    assert DuckdbCompiler().compile(query) == duckdb


def _asks(condition: object, kind: type) -> bool:
    return any(isinstance(node, kind) for node in walk(condition))  # type: ignore[arg-type]


MAPPED: dict[str, Callable[[Reads], object]] = {
    "a key that is never there": lambda reads: any(
        isinstance(read, MapRead) and read.key in (Lit(INT, -1), Lit(STRING, "A")) for read in reads.values.values()
    ),
    "texts as keys, arrays as values": lambda reads: _OF_TEXTS in _kinds(reads),
    "two columns": lambda reads: len(reads.values) == 2,
}
COLLATED: dict[str, Callable[[Reads], object]] = {
    **{kind.collation: lambda reads, kind=kind: kind in _kinds(reads) for kind in map(Collated, COLLATIONS)},
    "an equality beside another condition": lambda reads: (
        isinstance(reads.condition, And)
        and isinstance(reads.condition.left, Compare)
        and _asks(reads.condition.right, Cast)
    ),
    "a search": lambda reads: isinstance(reads.condition, Call),
}


@pytest.mark.parametrize("reached", MAPPED.values(), ids=MAPPED)
def test_maps_reached(reached: Callable[[Reads], object]) -> None:
    find_any(_mapped(), reached)


@pytest.mark.parametrize("reached", COLLATED.values(), ids=COLLATED)
def test_texts_reached(reached: Callable[[Reads], object]) -> None:
    find_any(_collated(), reached)


def test_shrinks_to_a_map_of_the_first_column() -> None:
    kind = Map(INT, INT)
    table = Table("t0", (Column("a", kind), *_COLUMNS[1:]))
    assert minimal(_mapped()) == Reads(table, {"a": MapRead(Col("a", kind), Lit(INT, 0))})


def test_shrinks_to_texts_without_case_and_without_a_filter() -> None:
    table = Table("t0", (*_COLUMNS[:2], Column("c", _LCASE)))
    assert minimal(_collated()) == Reads(table, {"c": Cast(Col("c", _LCASE), STRING)})


@pytest.mark.parametrize("is_read", [lambda kind: isinstance(kind, Map), has_collation], ids=["maps", "texts"])
def test_questions_have_them(is_read: Callable[[SqlType], bool]) -> None:
    def has(question: Question) -> bool:
        return any(is_read(column.type) for table in question[0].tables for column in table.columns)

    find_any(without_mutation(questions()), has, within=5_000)
    assert_all_examples(
        questions(max_operators=1), lambda question: not question[1].is_statement or not has(question), count=200
    )
