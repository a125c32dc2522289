"""Drawn queries that may raise: how many there are, what they reach, and that their mode is their settings'."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracles.patterns.order import order_of
from strategies.draw.cases import cases
from strategies.draw.draws import without_mutation
from strategies.draw.errors import RAISING, in_mode, with_error
from strategies.ir import (
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    Alias,
    AnyLimit,
    Array,
    Call,
    Case,
    CaseWhen,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    InvalidQuery,
    IsNull,
    Item,
    Join,
    Project,
    RaiseError,
    Raising,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    Relation,
    Scan,
    Settings,
    Table,
    TryArith,
    TryCast,
    may_raise,
    raising_nodes,
    suits_mode,
)
from tests.unit.expression_places import POSITIONS, cells_of
from tests.unit.strategy_asserts import drawn

COUNT = 640
COLUMNS = (Column("a", INT), Column("s", STRING))
T0 = Scan("t0", COLUMNS)
MANY = Scan("t0", (*COLUMNS, Column("b", INT), Column("n", SMALLINT), Column("d", DOUBLE), Column("l", Array(INT))))
SUM, CAST = TryArith("+", Col("a", INT), Col("b", INT)), TryCast(Col("d", DOUBLE), INT)
GUARDED = Project(MANY, (Item("x", SUM), Item("y", CAST)))


@st.composite
def with_errors(draw: DrawFn) -> Relation:
    return with_error(draw, draw(st.sampled_from((MANY, GUARDED))))


@pytest.fixture(scope="module")
def sample() -> list[Case]:
    return drawn(cases(), count=COUNT)


@pytest.fixture(scope="module")
def raising() -> list[Relation]:
    return drawn(without_mutation(with_errors()), count=600)


def test_one_case_in_sixteen_may_raise(sample: list[Case]) -> None:
    may = sum(any(raising_nodes(case.query)) for case in sample)
    assert 0.5 * COUNT / RAISING < may < 1.5 * COUNT / RAISING


def test_every_case_is_written_for_its_mode(sample: list[Case]) -> None:
    assert [case for case in sample if not suits_mode(case.query, ansi=case.settings.ansi)] == []


@st.composite
def limited(draw: DrawFn) -> Relation:
    return with_error(draw, AnyLimit(GUARDED, 1, 0))


def test_no_limit_without_an_order_gets_an_error() -> None:
    """Its rows are judged by all rows of its input: where that raises, nothing is left to judge."""
    assert [query for query in drawn(limited(), count=60) if may_raise(query)] == []


def test_every_query_gets_an_error(raising: list[Relation]) -> None:
    assert [query for query in raising if not may_raise(query)] == []


@pytest.mark.parametrize(
    "kind", [RaisingArith, RaisingCast, RaisingElement, RaiseError], ids=lambda kind: kind.__name__
)
def test_every_kind_of_error_is_drawn(kind: type[Raising], raising: list[Relation]) -> None:
    assert any(isinstance(node, kind) for query in raising for node in raising_nodes(query))


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%"])
def test_every_operator_is_drawn(op: str, raising: list[Relation]) -> None:
    assert any(isinstance(node, RaisingArith) and node.op == op for query in raising for node in raising_nodes(query))


def test_sql_fixes_the_order_of_some_and_leaves_that_of_others_open(raising: list[Relation]) -> None:
    orders = [order_of(query) for query in raising]
    assert orders.count("fixed") > len(raising) // 3
    assert orders.count("open") > len(raising) // 8


@pytest.mark.parametrize("choice", [CaseWhen, Coalesce, Call, Compare], ids=lambda choice: choice.__name__)
def test_errors_are_drawn_in_every_choice(choice: type[CaseWhen], raising: list[Relation]) -> None:
    tops = [query.items[0].value for query in raising if isinstance(query, Project)]
    assert any(isinstance(value, choice) and may_raise(value) for value in tops)


def test_errors_are_drawn_in_filters(raising: list[Relation]) -> None:
    assert any(isinstance(query, Filter) and may_raise(query.condition) for query in raising)


@pytest.mark.parametrize("position", [position for position in POSITIONS if position != "CASE branch"])
def test_errors_are_drawn_at_every_position(position: str, raising: list[Relation]) -> None:
    assert any(("may raise", position) in cells_of(query) for query in raising)


@st.composite
def over_ambiguous_columns(draw: DrawFn) -> Relation:
    twice = Join(T0, Alias(T0, "s"), "cross")
    return with_error(draw, Filter(twice, IsNull(Col("a", INT, "s"))))


def test_a_query_whose_columns_need_qualifiers_gets_an_error() -> None:
    """A condition above a filter can't use them, though a select list can."""
    assert [query for query in drawn(over_ambiguous_columns(), count=200) if not may_raise(query)] == []


def test_what_is_null_where_it_would_raise_becomes_what_raises(raising: list[Relation]) -> None:
    lists = [tuple(item.value for item in query.items) for query in raising if isinstance(query, Project)]
    assert (RaisingArith("+", SUM.left, SUM.right), CAST) in lists
    assert (SUM, RaisingCast(CAST.operand, INT)) in lists


def select(value: Raising) -> Relation:
    return Project(T0, (Item("x", value),))


A, S = Col("a", INT), Col("s", STRING)
MODES = {
    "a quotient": (select(RaisingArith("/", A, A)), select(RaisingArith("/", A, A, ansi=False)), False),
    "a text": (select(RaisingCast(S, INT)), select(RaisingCast(S, INT, ansi=False)), False),
    "raise_error": (select(RaiseError("x", INT)), select(RaiseError("x", INT)), False),
    "a sum, which would wrap around": (select(RaisingArith("+", A, A)), select(RaisingArith("+", A, A)), True),
    "nothing": (T0, T0, False),
}


@pytest.mark.parametrize(("query", "turned", "ansi"), MODES.values(), ids=MODES)
def test_a_query_without_ansi_mode_has_null_or_keeps_the_mode(query: Relation, turned: Relation, ansi: bool) -> None:
    assert in_mode(query, ansi=False) == (turned, ansi)
    assert in_mode(query, ansi=True) == (query, True)


@pytest.mark.parametrize("ansi", [True, False])
def test_a_case_of_the_other_mode_is_refused(ansi: bool) -> None:
    database = Database((Table("t0", COLUMNS, ()),))
    with pytest.raises(InvalidQuery, match="the other ANSI mode"):
        Case(select(RaisingArith("/", A, A, ansi=not ansi)), database, Settings(ansi=ansi))
