"""Drawn queries that may raise: how many there are, what they reach, and that their mode is their settings'."""

from __future__ import annotations

import pytest

from oracles.patterns.order import order_of
from strategies.draw.cases import cases
from strategies.draw.raising import RAISING, in_mode
from strategies.ir import (
    INT,
    STRING,
    Call,
    Case,
    CaseWhen,
    Coalesce,
    Col,
    Column,
    Database,
    Filter,
    InvalidQuery,
    Item,
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
    may_raise,
    raising_nodes,
    suits_mode,
    walk,
)
from tests.unit.strategy_asserts import drawn

COUNT = 4_000
COLUMNS = (Column("a", INT), Column("s", STRING))
T0 = Scan("t0", COLUMNS)


@pytest.fixture(scope="module")
def sample() -> list[Case]:
    return drawn(cases(), count=COUNT)


@pytest.fixture(scope="module")
def raising(sample: list[Case]) -> list[Case]:
    return [case for case in sample if any(raising_nodes(case.query))]


def test_one_case_in_sixteen_may_raise(raising: list[Case]) -> None:
    assert 0.6 * COUNT / RAISING < len(raising) < 1.2 * COUNT / RAISING


def test_every_case_is_written_for_its_mode(sample: list[Case]) -> None:
    assert [case for case in sample if not suits_mode(case.query, ansi=case.settings.ansi)] == []


@pytest.mark.parametrize(
    "kind", [RaisingArith, RaisingCast, RaisingElement, RaiseError], ids=lambda kind: kind.__name__
)
def test_every_kind_of_error_is_drawn(kind: type[Raising], raising: list[Case]) -> None:
    assert any(isinstance(node, kind) for case in raising for node in raising_nodes(case.query))


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%"])
def test_every_operator_is_drawn(op: str, raising: list[Case]) -> None:
    assert any(isinstance(n, RaisingArith) and n.op == op for case in raising for n in raising_nodes(case.query))


@pytest.mark.parametrize("ansi", [True, False])
def test_both_modes_are_drawn(ansi: bool, raising: list[Case]) -> None:
    assert any(case.settings.ansi == ansi for case in raising)


def test_sql_fixes_the_order_of_some_and_leaves_that_of_others_open(raising: list[Case]) -> None:
    orders = [order_of(case.query) for case in raising]
    assert orders.count("fixed") > len(raising) // 4
    assert orders.count("open") > len(raising) // 8


@pytest.mark.parametrize("choice", [CaseWhen, Coalesce, Call], ids=lambda choice: choice.__name__)
def test_errors_are_drawn_in_every_choice(choice: type[CaseWhen], raising: list[Case]) -> None:
    tops = [case.query.items[0].value for case in raising if isinstance(case.query, Project)]
    assert any(isinstance(value, choice) and may_raise(value) for value in tops)


def test_errors_are_drawn_in_filters(raising: list[Case]) -> None:
    assert any(may_raise(node.condition) for case in raising for node in walk(case.query) if isinstance(node, Filter))


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
