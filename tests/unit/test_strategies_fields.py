"""Reads of fields: what all of them are, what they reach, and what they shrink to."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.cases import cases_of
from strategies.draw.field_reads import field_reads, fields_of, has_fields, or_field
from strategies.draw.generates import generated
from strategies.draw.partial_reads import read_by_fields
from strategies.draw.scopes import scope
from strategies.draw.values import COLUMN_TYPES, NESTED_TYPES, PAIR
from strategies.ir import (
    BIGINT,
    INT,
    Aggregate,
    Array,
    Call,
    Col,
    Column,
    Database,
    Expr,
    FieldOfEach,
    Generate,
    GetField,
    Lit,
    Project,
    Relation,
    Scan,
    SqlType,
    Struct,
    Table,
    columns_of,
    type_text,
)
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

NESTING = Struct((("n", PAIR), ("r", BIGINT)))
A, S, N, E = Col("a", INT), Col("s", PAIR), Col("n", NESTING), Col("e", Array(PAIR))
COLUMNS = tuple(Column(column.name, column.type) for column in (A, S, N, E))
TABLE = Scan("t0", COLUMNS)
PLAIN = Scan("t0", COLUMNS[:1])
FIRST = Call("array_get", (E, Lit(INT, 0)))
STRUCTS = [kind for kind in NESTED_TYPES if has_fields(kind)]


def test_the_fields_of_a_struct_are_those_of_its_structs_too() -> None:
    inner = GetField(N, "n")
    assert fields_of(N) == (inner, GetField(inner, "p"), GetField(inner, "q"), GetField(N, "r"))


def test_the_fields_of_an_array_of_structs_are_those_of_all_elements_and_of_one() -> None:
    assert {FieldOfEach(E, "p"), FieldOfEach(E, "q"), GetField(FIRST, "p"), GetField(FIRST, "q")} < set(fields_of(E))


@pytest.mark.parametrize("kind", [*COLUMN_TYPES, Array(INT)], ids=type_text)
def test_other_types_have_no_fields(kind: SqlType) -> None:
    assert not has_fields(kind)
    assert fields_of(Col("a", kind)) == ()


@pytest.mark.parametrize("kind", STRUCTS, ids=type_text)
def test_every_read_is_of_the_column(kind: SqlType) -> None:
    column = Col("a", kind)
    assert [list(columns_of(read)) for read in fields_of(column)] == [[column]] * len(fields_of(column)) != []


def test_reads_are_found_by_their_type() -> None:
    fields = scope(TABLE.fields)
    assert field_reads(fields, BIGINT) == (GetField(N, "r"),)
    assert field_reads(fields, PAIR) == (GetField(N, "n"),)
    assert field_reads(PLAIN.fields, INT) == ()


@st.composite
def _or_fields(draw: DrawFn, column: Expr) -> Expr:
    return or_field(draw, column)


@pytest.mark.parametrize("column", [S, N, E], ids=["struct", "nesting", "array"])
def test_a_column_or_any_of_its_fields_is_drawn_and_shrinks_to_the_column(column: Expr) -> None:
    assert minimal(_or_fields(column)) == column
    assert [find_any(_or_fields(column), lambda found, read=read: found == read) for read in fields_of(column)]
    assert_all_examples(_or_fields(column), lambda found: found == column or found in fields_of(column))


def test_a_column_without_fields_is_drawn_itself() -> None:
    assert_all_examples(_or_fields(A), lambda found: found == A)


@st.composite
def _read(draw: DrawFn, child: Relation, room: int) -> Relation:
    return read_by_fields(draw, child, room)


def reads_whole_columns(relation: Relation) -> bool:
    """Whether a projection has a column with fields, as a whole."""
    return isinstance(relation, Project) and any(
        isinstance(item.value, Col) and has_fields(item.value.type) for item in relation.items
    )


@pytest.mark.parametrize("room", [1, 2])
def test_a_read_by_fields_is_the_relation_or_has_no_whole_column_with_fields(room: int) -> None:
    found = _read(TABLE, room)
    assert_all_examples(found, lambda one: one == TABLE or not reads_whole_columns(one))
    assert minimal(found) == TABLE
    least = minimal(found, lambda one: isinstance(one, Project))
    assert isinstance(least, Project)
    assert [item.value for item in least.items] == [A, GetField(S, "p"), GetField(N, "n"), FieldOfEach(E, "p")]


def test_a_read_by_fields_with_room_reaches_fields_of_elements_and_their_number() -> None:
    found = _read(TABLE, 2)
    exploded = find_any(found, lambda one: isinstance(one, Project) and isinstance(one.child, Generate))
    assert not reads_whole_columns(exploded)
    assert find_any(found, lambda one: isinstance(one, Aggregate) and isinstance(one.child, Generate))
    assert_all_examples(_read(TABLE, 1), lambda one: one == TABLE or (isinstance(one, Project) and one.child == TABLE))


def test_elements_under_the_name_of_their_array_are_read_as_they_are() -> None:
    alone = Scan("t0", (Column("a", Array(PAIR)),))
    found = find_any(_read(alone, 2), lambda one: isinstance(one, Generate))
    assert isinstance(found, Generate)
    assert len({field.name for field in found.fields}) == 1


def test_a_relation_without_such_columns_is_read_as_it_is() -> None:
    assert_all_examples(_read(PLAIN, 2), lambda found: found == PLAIN)


@st.composite
def _generated(draw: DrawFn) -> Relation:
    return read_by_fields(draw, generated(draw, TABLE))


def test_fields_of_a_generated_element_are_read() -> None:
    def reads_element(found: Relation) -> bool:
        return isinstance(found, Project) and any(
            isinstance(item.value, GetField) and item.value.operand == Col("b", PAIR) for item in found.items
        )

    assert find_any(_generated(), reads_element)


def read_files(child: Scan, source: str) -> int:
    """How many of 400 cases of ``child`` read files of ``source`` as a stock session does."""
    cases = drawn(cases_of(st.just((Database((Table("t0", child.columns),)), child))), count=400)
    return sum(case.settings.source == source and case.settings.aqe and case.settings.codegen for case in cases)


@pytest.mark.parametrize("source", ["parquet", "orc"])
def test_columns_with_fields_are_read_from_files_more_often(source: str) -> None:
    assert read_files(TABLE, source) > read_files(PLAIN, source) + 4
