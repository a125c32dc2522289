"""Typed Datasets: what is drawn, how often, in which form, and what all shrink to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import strategies as st

from assay.fuzz.case_mix import forms_of
from oracles.sql import DataFrameCompiler, SparkCompiler
from strategies.draw.cases import cases, questions
from strategies.draw.exactness import field_bits
from strategies.draw.lengths import field_lengths
from strategies.draw.typed import known_changes, known_tests, typed_query
from strategies.ir import (
    INT,
    ROW_CHANGES,
    ROW_TESTS,
    STRING,
    Alias,
    Array,
    Column,
    Database,
    Exists,
    Filter,
    GetField,
    MakeArray,
    Project,
    Relation,
    Scan,
    Struct,
    Table,
    Typed,
    TypedCount,
    TypedFilter,
    TypedMap,
    operators,
    walk,
)
from tests.unit.strategy_asserts import Sample, find_any, minimal

PAIR = Struct((("p", INT), ("q", STRING)))
COLUMNS = (Column("a", INT), Column("s", STRING), Column("r", PAIR), Column("l", Array(INT)))
SCHEMA = Database((Table("t0", COLUMNS), Table("t1", COLUMNS)))
T0 = Scan("t0", COLUMNS)


@st.composite
def _drawn(draw, most: int = 4) -> Relation:
    return typed_query(draw, SCHEMA, most)


SAMPLE = Sample(_drawn())


def operations(query: Relation) -> list[Typed]:
    return [node for node in walk(query) if isinstance(node, Typed)]


def above(upper: type[Typed], lower: type[Typed]) -> Callable[[Relation], bool]:
    return lambda query: any(isinstance(node, upper) and isinstance(node.child, lower) for node in operations(query))


REACHED: dict[str, Callable[[Relation], bool]] = {
    **{
        f"{function} of {kind.__name__}": lambda query, kind=kind, function=function: any(
            isinstance(node, kind) and node.function == function for node in operations(query)
        )
        for kind, functions in ((TypedFilter, ROW_TESTS), (TypedMap, ROW_CHANGES))
        for function in functions
    },
    "a map of a map": above(TypedMap, TypedMap),
    "a map of a filter": above(TypedMap, TypedFilter),
    "a filter of a map": above(TypedFilter, TypedMap),
    "a filter of a filter": above(TypedFilter, TypedFilter),
    "a count of a map": above(TypedCount, TypedMap),
    "some columns of a map": lambda query: isinstance(query, Project) and isinstance(query.child, TypedMap),
    "a field of a map": lambda query: any(isinstance(node, GetField) for node in walk(query)),
    "arrays": lambda query: any(
        isinstance(node.child, Project) and isinstance(node.child.items[0].value, MakeArray)
        for node in operations(query)
    ),
    "an operator above": lambda query: not isinstance(query, (Typed, Project)),
}


@pytest.mark.parametrize("what", REACHED)
def test_typed_queries_reach(what: str) -> None:
    assert SAMPLE.find_any(REACHED[what], within=3_000)


def test_a_typed_query_shrinks_to_a_filter_of_a_table() -> None:
    assert minimal(_drawn(), lambda query: True) == TypedFilter(T0, "a", "is_known")


def test_a_typed_query_shrinks_to_a_map_of_a_table() -> None:
    least = minimal(_drawn(), lambda query: any(isinstance(node, TypedMap) for node in walk(query)))
    assert least == TypedMap(T0, "a", "same")


def test_cases_have_typed_datasets_about_once_in_seventy_draws() -> None:
    drawn = [query for _, query in islice(Sample(questions()), 2_000)]
    assert 10 <= sum(bool(operations(query)) for query in drawn) <= 90


def test_drawn_cases_run_typed_datasets_as_dataframe_programs() -> None:
    find_any(
        cases(forms_of=forms_of),
        lambda case: operations(case.query) and case.settings.form == "dataframe",
        within=4_000,
    )


def test_functions_are_those_that_take_the_type() -> None:
    assert set(known_tests(INT)) == {"is_known", "is_null", "is_even"}
    assert set(known_changes(STRING)) == {"same", "null", "mark"}
    assert set(known_changes(PAIR)) == {"same", "null"}


TYPED = TypedMap(TypedFilter(T0, "a", "is_even"), "s", "mark")


def test_a_typed_query_is_a_dataframe_program_if_it_can() -> None:
    assert forms_of(TYPED) == ("dataframe", "sql")
    assert forms_of(Filter(TYPED, Exists(Alias(T0, "other")))) == ("sql",)
    assert DataFrameCompiler().compile(TYPED) == (
        "typed('map', typed('filter', t0.alias('t0'), 'is_even', 0), 'mark', 1)"
    )


def test_in_sql_an_operation_is_what_it_means() -> None:
    assert SparkCompiler().compile(TypedMap(T0, "s", "mark")) == SparkCompiler().compile(
        TypedMap(T0, "s", "mark").meaning
    )


def test_what_is_known_of_the_columns_is_known_above() -> None:
    assert field_lengths(TypedMap(T0, "a", "same")) == field_lengths(T0)
    assert field_bits(TypedFilter(T0, "a", "is_even")) == field_bits(T0)


def test_an_operation_counts_as_one_operator() -> None:
    assert operators(TYPED) == 2
