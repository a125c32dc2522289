"""Sorts and exchanges are drawn: what they promise, what they reach, what they shrink to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies.draw.arrangements import MAX_PARTITIONS, arrangements
from strategies.draw.queries import queries
from strategies.ir import (
    EXCHANGES,
    INT,
    STRING,
    Alias,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Join,
    Lit,
    Node,
    Relation,
    Repartition,
    Scan,
    Sort,
    SortKey,
    Table,
    has_an_order,
    operators,
    walk,
)
from tests.unit.strategy_asserts import assert_all_examples, find_any, minimal

AB = (Column("a", INT), Column("b", STRING))
T0 = Scan("t0", AB)
A, B = Col("a", INT), Col("b", STRING)
TWICE = Join(T0, Alias(T0, "s"), "inner", Compare("=", Col("a", INT, "t0"), Col("a", INT, "s")))
SCHEMA = Database((Table("t0", AB),))
DRAWN = arrangements(T0)


def test_an_arrangement_keeps_the_columns() -> None:
    assert_all_examples(DRAWN, lambda made: [(f.name, f.type) for f in made.fields] == [("a", INT), ("b", STRING)])


def test_an_arrangement_without_room_is_one_operator() -> None:
    assert_all_examples(arrangements(T0, room=0), lambda made: operators(made) == 1)
    assert_all_examples(DRAWN, lambda made: operators(made) <= 2)


def test_a_hint_asks_for_few_partitions() -> None:
    assert_all_examples(
        DRAWN,
        lambda made: all((n.count or 1) <= MAX_PARTITIONS for n in walk(made) if isinstance(n, Repartition)),
    )


def test_a_relation_with_ambiguous_columns_is_arranged_by_others() -> None:
    assert_all_examples(arrangements(Distinct(TWICE)), lambda made: operators(made) >= 3)


@pytest.mark.parametrize("kind", EXCHANGES)
def test_every_exchange_is_drawn(kind: str) -> None:
    assert find_any(DRAWN, lambda made: isinstance(made, Repartition) and made.kind == kind)


REACHED: dict[str, Callable[[Relation], object]] = {
    "an order of all columns": has_an_order,
    "an order of some columns": lambda made: isinstance(made, Sort) and len(made.order) == 1 and not made.within,
    "SORT BY": lambda made: isinstance(made, Sort) and made.within,
    "NULLS LAST": lambda made: isinstance(made, Sort) and not made.order[0].nulls_first,
    "a computed key": lambda made: isinstance(made, Sort) and not isinstance(made.order[0].value, Col),
    "the same order twice": lambda made: (
        isinstance(made, Sort) and isinstance(made.child, Sort) and made.order == made.child.order
    ),
    "an order and its beginning": lambda made: (
        isinstance(made, Sort)
        and isinstance(made.child, Sort)
        and made.order == made.child.order[:1] != made.child.order
    ),
    "CLUSTER BY": lambda made: (
        isinstance(made, Sort)
        and made.within
        and isinstance(made.child, Repartition)
        and made.child.kind == "distribute"
        and made.order == tuple(map(SortKey, made.child.keys))
    ),
    "two exchanges": lambda made: isinstance(made, Repartition) and isinstance(made.child, Repartition),
    "an exchange of what is sorted": lambda made: isinstance(made, Repartition) and isinstance(made.child, Sort),
    "an exchange by a constant": lambda made: isinstance(made, Repartition) and isinstance((*made.keys, A)[0], Lit),
}


@pytest.mark.parametrize("holds", REACHED.values(), ids=REACHED)
def test_arrangements_reach(holds: Callable[[Relation], object]) -> None:
    assert find_any(DRAWN, holds)


PLACES: dict[str, Callable[[Relation], object]] = {
    "at the top": has_an_order,
    "below a join": lambda query: any(isinstance(n, Join) and _is_arranged(n) for n in walk(query)),
}


def _is_arranged(node: Node) -> bool:
    return any(isinstance(below, (Sort, Repartition)) for below in walk(node))


@pytest.mark.parametrize("holds", PLACES.values(), ids=PLACES)
def test_sorts_are_drawn(holds: Callable[[Relation], object]) -> None:
    assert find_any(queries(SCHEMA), holds)


def test_an_arrangement_shrinks_to_an_order_of_all_columns() -> None:
    assert minimal(DRAWN) == Sort(T0, (SortKey(A), SortKey(B)))


def test_an_exchange_shrinks_to_one_partition() -> None:
    assert minimal(DRAWN, lambda made: isinstance(made, Repartition)) == Repartition(T0, "repartition", 1)


def test_an_order_of_all_columns_is_one_at_the_top() -> None:
    ordered = Sort(T0, (SortKey(B), SortKey(A)))
    assert has_an_order(ordered)
    assert not has_an_order(Sort(T0, ordered.order, within=True))
    assert not has_an_order(Sort(T0, ordered.order[:1]))
    assert not has_an_order(Repartition(ordered, "repartition", 1))
