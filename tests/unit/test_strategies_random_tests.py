"""Tests of random numbers are drawn: where they may stand, what they reach, and that they change no row."""

from __future__ import annotations

import functools

import pytest
from hypothesis import strategies as st

from strategies.draw.ctes import draw_with
from strategies.draw.errors import placed
from strategies.draw.queries import queries
from strategies.draw.random_tests import random_test, with_random_column
from strategies.ir import (
    INT,
    RANDOM_FUNCTIONS,
    Alias,
    Col,
    Column,
    CteScan,
    Database,
    Distinct,
    Filter,
    IsNull,
    Join,
    Lateral,
    Node,
    RandomColumn,
    RandomTest,
    Relation,
    RowNumbers,
    Scan,
    SortKey,
    Table,
    With,
    may_raise,
    subqueries_of,
    walk,
)
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

AB = (Column("a", INT), Column("b", INT))
T0 = Scan("t0", AB)
SCHEMA = Database((Table("t0", AB), Table("t1", AB)))


@st.composite
def random_tests(draw: st.DrawFn) -> RandomTest:
    """Tests of random numbers."""
    return random_test(draw)


@st.composite
def common_tables(draw: st.DrawFn) -> Relation:
    """Common table expressions of a table, and bodies of three operators."""
    return draw_with(draw, T0, Scan("t1", AB), 3, 1, joins=True)


def asks(node: Node) -> bool:
    """Whether there is a test of a random number in ``node``."""
    return any(isinstance(part, (RandomTest, RandomColumn, RowNumbers)) for part in walk(node))


@pytest.mark.parametrize("number", [0.0, 0.5, 1 - 2**-53])
def test_a_test_has_one_answer_for_each_number(number: float) -> None:
    meaning = {"<": number.__lt__, "<=": number.__le__, ">": number.__gt__, ">=": number.__ge__}
    assert_all_examples(random_tests(), lambda test: meaning[test.op](test.bound) == test.holds)


@pytest.mark.parametrize("first", [False, True], ids=["after", "before"])
@pytest.mark.parametrize("holds", [False, True], ids=["false", "true"])
@pytest.mark.parametrize("op", ["<", ">="])
def test_each_answer_is_reached_on_both_sides_of_a_condition(op: str, holds: bool, first: bool) -> None:
    assert find_any(random_tests(), lambda test: (test.op, test.holds, test.first) == (op, holds, first))


def test_a_test_shrinks_to_less_than_one() -> None:
    assert minimal(random_tests()) == RandomTest("<", 1)


SAMPLE = functools.cache(lambda: drawn(queries(SCHEMA), count=2_500))


def test_some_filters_of_a_query_have_a_test() -> None:
    assert 8 < sum(map(asks, SAMPLE())) < 300


def test_some_queries_have_a_nondeterministic_column_mostly_below_a_filter() -> None:
    nodes = [node for query in SAMPLE() for node in walk(query)]
    made = [node for node in nodes if isinstance(node, (RowNumbers, RandomColumn))]
    filtered = sum(isinstance(node, Filter) and node.child in made for node in nodes)
    assert 8 < len(made) < 250
    assert 2 * filtered > len(made)


@st.composite
def columns_over(draw: st.DrawFn, child: Relation) -> Relation:
    """A nondeterministic column over ``child``."""
    return with_random_column(draw, child)


def test_a_nondeterministic_column_shrinks_to_places_in_the_order_of_the_columns() -> None:
    assert minimal(columns_over(T0)) == RowNumbers(T0, tuple(SortKey(Col(name, INT)) for name in "ab"), "c")


@pytest.mark.parametrize("function", RANDOM_FUNCTIONS)
def test_each_random_function_is_reached(function: str) -> None:
    assert find_any(columns_over(T0), lambda query: isinstance(query, RandomColumn) and query.function == function)


def test_columns_without_names_of_their_own_get_no_further_one() -> None:
    both = Join(Alias(T0, "l"), Alias(T0, "r"), "cross")
    assert_all_examples(columns_over(both), lambda query: query == Distinct(both))


def test_a_filter_shrinks_to_one_without_a_test() -> None:
    assert minimal(queries(SCHEMA), lambda query: isinstance(query, Filter)).random is None


def _no_subquery_asks(query: Relation) -> bool:
    inside = [part.query for node in walk(query) for part in subqueries_of(node)]  # type: ignore[attr-defined]
    return not any(map(asks, [*inside, *(node.right for node in walk(query) if isinstance(node, Lateral))]))


def test_no_subquery_asks_for_a_random_number() -> None:
    assert_all_examples(queries(SCHEMA), _no_subquery_asks)


def _stays(query: Relation) -> bool:
    return isinstance(query, With) and asks(query.definition) and _reads(query) > 1


def _reads(query: With) -> int:
    return sum(isinstance(node, CteScan) and node.name == query.name for node in walk(query.body))


def test_a_common_table_expression_that_is_read_twice_asks_for_a_random_number() -> None:
    assert find_any(common_tables(), _stays)


def test_a_definition_asks_above_all_of_its_operators() -> None:
    found = minimal(common_tables(), lambda query: isinstance(query, With) and asks(query.definition))
    assert isinstance(found, With)
    assert isinstance(found.definition, Filter)
    assert found.definition.random == RandomTest("<", 1)


@st.composite
def with_errors_on_top(draw: st.DrawFn) -> Relation:
    """An operator that may raise over a filter with a test of a random number."""
    return placed(draw, Filter(T0, IsNull(Col("a", INT)), RandomTest("<", 1)))


def test_an_error_stands_above_a_random_test_but_not_with_it_in_a_subquery() -> None:
    assert_all_examples(with_errors_on_top(), may_raise)
    assert_all_examples(with_errors_on_top(), lambda query: next(subqueries_of(query), None) is None)
