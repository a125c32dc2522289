"""Recursive common table expressions are drawn: they end, make few rows, reach all forms, and shrink to repeats."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from oracles.answers.outcome import Rows
from oracles.engines.duckdb import DuckdbEngine
from oracles.sql import DataFrameCompiler, DuckdbCompiler, SparkCompiler, UnsupportedNode
from oracles.sql.sqlite.compiler import SqliteCompiler
from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.exactness import Bits, field_bits
from strategies.draw.queries import queries
from strategies.draw.recursion import recursive
from strategies.edits.bounds import is_bounded
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    INT,
    MAX_STEPS,
    STRING,
    Alias,
    Arith,
    Col,
    Column,
    Database,
    Distinct,
    InSubquery,
    Item,
    Join,
    Lit,
    Project,
    Recursive,
    Relation,
    Scan,
    Table,
    operators,
    walk,
)
from tests.unit.strategy_asserts import Sample, assert_all_examples, find_any, least_of, minimal

COLUMNS = (Column("a", INT), Column("b", INT), Column("s", STRING), Column("d", DOUBLE))
ROWS = ((1, None, "x", "nan"), (1, None, "x", "nan"), (None, 2147483647, None, "0x1.8000000000000p+0"))
SCHEMA = Database((Table("t0", COLUMNS), Table("t1", COLUMNS)))
FILLED = Database(tuple(Table(table.name, COLUMNS, ROWS) for table in SCHEMA.tables))
T0, T1 = Scan("t0", COLUMNS), Scan("t1", COLUMNS)
ALL = Join(Alias(T0, "l"), Alias(T1, "r"), "cross")
NAMES = ("a", "b", "s", "d", "c")
D = Col("d", DOUBLE)


@st.composite
def recursions(draw: st.DrawFn, child: Relation = T0, room: int = 1) -> Relation:
    """Recursions over ``child``."""
    return recursive(draw, SCHEMA, child, room)


SAMPLE = Sample(recursions())


# Promise.


def test_it_makes_few_rows_over_any_anchor() -> None:
    for child in (T0, ALL, Join(ALL, Alias(T0, "x"), "cross")):
        assert_all_examples(recursions(child), lambda query: most_rows(query) <= MAX_JOINED_ROWS)


def test_an_anchor_of_too_many_rows_is_made_distinct() -> None:
    child = Join(ALL, Alias(T0, "x"), "cross")
    assert_all_examples(recursions(child), lambda query: query == Distinct(child), count=5)


def test_it_ends_with_no_more_rows_than_said() -> None:
    with DuckdbEngine() as engine:
        for query, _ in zip(SAMPLE, range(150), strict=False):
            answer = engine.run(query, FILLED)
            assert isinstance(answer, Rows)
            assert len(ROWS) <= len(answer.rows) <= most_rows(query)


def test_engines_have_words_for_it_and_neither_programs_nor_sqlite_have() -> None:
    query = SAMPLE.find_any(lambda query: True)
    compilers = (SparkCompiler(), DuckdbCompiler(), DataFrameCompiler())
    assert [compiler.supports(query) for compiler in compilers] == [True, True, False]
    with pytest.raises(UnsupportedNode, match="has no visit_Recursive"):
        SqliteCompiler().compile(query)


def test_it_has_no_more_operators_than_it_has_room_for() -> None:
    assert_all_examples(recursions(room=0), lambda query: operators(query) == 1)
    assert_all_examples(recursions(), lambda query: operators(query) <= 2)


# Reach.


REACHED: dict[str, Callable[[Recursive], bool]] = {
    "no condition": lambda query: query.condition is None,
    "a condition": lambda query: bool(query.condition) and not isinstance(query.condition, (Lit, InSubquery)),
    "a condition that no row meets": lambda query: query.condition == Lit(BOOLEAN, False),
    "the counter in a condition": lambda query: bool(query.condition) and query.counter in walk(query.condition),
    "IN": lambda query: isinstance(query.condition, InSubquery) and not query.condition.negated,
    "NOT IN": lambda query: isinstance(query.condition, InSubquery) and query.condition.negated,
    "a column of another one": lambda query: any(isinstance(item.value, Col) for item in query.changes),
    "a change to a column of the step": lambda query: len(query.changes) > 1,
    "an expression": lambda query: any(not isinstance(item.value, (Col, Lit)) for item in query.changes),
    "NULL": lambda query: any(isinstance(v, Lit) and v.value is None for v in query.next_row),
    "the counter in a column": lambda query: query.counter in query.next_row,
    "no change": lambda query: not query.changes,
    "other names": lambda query: query.names != NAMES,
    **{f"{steps} steps": lambda query, steps=steps: query.steps == steps for steps in range(MAX_STEPS + 1)},
}


@pytest.mark.parametrize("holds", REACHED.values(), ids=REACHED)
def test_is_reached(holds: Callable[[Recursive], bool]) -> None:
    assert SAMPLE.find_any(lambda query: isinstance(query, Recursive) and holds(query))


def test_an_anchor_that_lists_a_column_twice_is_reached_with_a_step_that_tells_them_apart() -> None:
    """SPARK-52311."""
    a = Item("a", Col("a", INT))
    twice = recursions(Project(T0, (a, a)))
    assert find_any(
        twice, lambda query: isinstance(query, Recursive) and len(set(query.next_row)) == 2 and query.changes
    )


# Least.


def test_it_shrinks_to_one_that_repeats_each_row() -> None:
    assert minimal(recursions()) == Recursive(T0, NAMES)


def test_a_change_shrinks_to_one_of_them() -> None:
    found = minimal(recursions(), lambda query: isinstance(query, Recursive) and bool(query.changes))
    assert isinstance(found, Recursive)
    assert (found.steps, found.condition, len(found.changes)) == (1, None, 1)


def test_a_query_with_one_shrinks_to_it() -> None:
    def has_one(query: Relation) -> bool:
        return any(isinstance(node, Recursive) for node in walk(query))

    assert least_of(queries(SCHEMA), has_one, operators, enough=2) <= 2


# Bounds.


def test_a_product_of_each_step_needs_more_bits() -> None:
    below = field_bits(T0)[3]
    assert below is not None
    assert field_bits(Recursive(T0, NAMES, 4))[3] == below
    doubled = field_bits(Recursive(T0, NAMES, 2, (Item("d", Arith("*", D, D)),)))[3]
    assert doubled == Bits(4 * below.whole, 4 * below.fraction)


def test_a_column_that_has_another_ones_values_has_its_bits() -> None:
    names = ("d", "e", "k")
    pair = Project(T0, (Item("d", D), Item("e", Lit(DOUBLE, "0x0.0p+0"))))
    query = Recursive(pair, names, 1, (Item("e", D),))
    assert field_bits(query) == (field_bits(T0)[3], field_bits(T0)[3], None)
    assert field_bits(Recursive(pair, names, 0, (Item("e", D),)))[1] == field_bits(pair)[1]


def test_an_edit_to_one_of_many_rows_is_refused() -> None:
    names = tuple(f"e{place}" for place in range(9))
    assert most_rows(Recursive(ALL, names, 4)) == 12 * 12 * 5
    assert is_bounded(Recursive(ALL, names, 4))
    large = Join(ALL, Alias(T0, "x"), "cross")
    assert not is_bounded(Recursive(large, tuple(f"e{place}" for place in range(13)), 1))
