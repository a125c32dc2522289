"""Relations, and the kinds that they come in, are all among 5,000 random queries: one that is not is a hole."""

from __future__ import annotations

from collections import Counter

import pytest

import strategies.ir
from strategies.ir import (
    EXCHANGES,
    FRAME_UNITS,
    GROUPING_KINDS,
    JOIN_KINDS,
    PEEK_FUNCTIONS,
    RANK_FUNCTIONS,
    SET_KINDS,
    Agg,
    Frame,
    GroupingSets,
    Join,
    Node,
    OneRow,
    Over,
    Peek,
    Pivot,
    Ranking,
    Relation,
    Repartition,
    SetOp,
    Sort,
    Statement,
    Typed,
    Verbatim,
    has_an_order,
    outers_of,
)
from tests.unit.campaign_queries import many_nodes, many_queries

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two

RELATIONS = sorted(
    kind.__name__
    for kind in vars(strategies.ir).values()
    if isinstance(kind, type) and issubclass(kind, Relation) and kind not in (Relation, Statement, Typed, Verbatim)
)
BOUNDS = ("unbounded", "preceding", "current", "following")


def _bound(offset: int | None) -> str:
    return BOUNDS[0] if offset is None else BOUNDS[2 + (offset > 0) - (offset < 0)]


def _said(node: Node) -> list[str]:
    """The names under which ``node`` counts, other than its class."""
    match node:
        case Ranking() | Peek():
            return [node.function]
        case Over(function=Agg(function=function)):
            return [f"{function} in a window"]
        case Frame():
            return [f"{node.unit} {_bound(node.low)} to {_bound(node.high)}"]
        case GroupingSets() | SetOp() | Join():
            return [node.kind]
        case Repartition():
            return [f"{node.kind} of partitions"]
        case Sort():
            return ["SORT BY" if node.within else "ORDER BY"]
        case OneRow():
            return ["a row of the query around"] if next(outers_of(node), None) else []
        case Pivot():
            return ["pivot of all rows" if not node.keys else "pivot of groups"]
    return []


@pytest.fixture(scope="module")
def frequencies() -> Counter[str]:
    """How many nodes of each class and kind are in the queries of a campaign's day."""
    nodes = many_nodes()
    return Counter([type(node).__name__ for node in nodes] + [said for node in nodes for said in _said(node)])


@pytest.mark.parametrize("name", RELATIONS)
def test_every_relation_is_drawn(name: str, frequencies: Counter[str]) -> None:
    assert frequencies[name] >= 20


@pytest.mark.parametrize("name", [*RANK_FUNCTIONS, *PEEK_FUNCTIONS])
def test_every_window_function_is_drawn(name: str, frequencies: Counter[str]) -> None:
    assert frequencies[name] >= 3


@pytest.mark.parametrize("name", ["count", "sum", "avg", "min", "max", "every", "some"])
def test_every_aggregate_function_is_drawn_in_a_window(name: str, frequencies: Counter[str]) -> None:
    assert frequencies[f"{name} in a window"] >= 3


@pytest.mark.parametrize("unit", FRAME_UNITS)
@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("unbounded", "unbounded"),
        ("unbounded", "current"),
        ("unbounded", "following"),
        ("preceding", "preceding"),
        ("preceding", "current"),
        ("preceding", "following"),
        ("current", "current"),
        ("current", "unbounded"),
        ("following", "following"),
    ],
)
def test_every_frame_is_drawn(unit: str, low: str, high: str, frequencies: Counter[str]) -> None:
    assert frequencies[f"{unit} {low} to {high}"] >= 3


@pytest.mark.parametrize("kind", [*GROUPING_KINDS, "pivot of groups"])
def test_every_grouping_is_drawn(kind: str, frequencies: Counter[str]) -> None:
    assert frequencies[kind] >= 20


def test_a_pivot_of_all_rows_is_drawn(frequencies: Counter[str]) -> None:
    assert frequencies["pivot of all rows"] >= 10


@pytest.mark.parametrize("kind", EXCHANGES)
def test_every_exchange_is_drawn(kind: str, frequencies: Counter[str]) -> None:
    assert frequencies[f"{kind} of partitions"] >= 10


@pytest.mark.parametrize("name", ["SORT BY", "ORDER BY", "a row of the query around"])
def test_every_form_of_a_sort_and_of_a_row_is_drawn(name: str, frequencies: Counter[str]) -> None:
    assert frequencies[name] >= 10


def test_an_order_is_drawn_at_the_top() -> None:
    assert sum(isinstance(query, Sort) and has_an_order(query) for query in many_queries()) >= 50


@pytest.mark.parametrize("kind", [*JOIN_KINDS, *SET_KINDS])
def test_every_join_and_set_operator_is_drawn(kind: str, frequencies: Counter[str]) -> None:
    assert frequencies[kind] >= 100
