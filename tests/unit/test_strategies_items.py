"""Names of select lists: columns keep their own half of the time, and no two are the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.items import named
from strategies.ir import INT, Agg, Col, Expr, Field, IsNull, Item
from tests.unit.strategy_asserts import drawn, minimal

FIELDS = tuple(Field(name, INT) for name in "abc")
A, B, C = (field.column() for field in FIELDS)
COUNT = Agg("count")

LISTS: dict[str, tuple[Sequence[Expr | Agg], tuple[str, ...]]] = {
    "columns in another order": ((C, A), ("c", "a")),
    "a column twice": ((B, B), ("b", "a")),
    "an expression that would have the name": ((IsNull(B), A), ("b", "a")),
    "a column behind aggregates": ((COUNT, COUNT, A), ("b", "c", "a")),
    "a column of a table by its name": ((Col("b", INT, "t"), COUNT), ("b", "a")),
}


@st.composite
def items(draw: DrawFn, values: Sequence[Expr | Agg]) -> tuple[Item, ...]:
    return named(draw, FIELDS, values)


@pytest.mark.parametrize(("values", "names"), LISTS.values(), ids=LISTS)
def test_columns_shrink_to_their_own_names(values: Sequence[Expr | Agg], names: tuple[str, ...]) -> None:
    assert minimal(items(values)) == tuple(map(Item, names, values))


@pytest.mark.parametrize(("values", "names"), LISTS.values(), ids=LISTS)
def test_names_differ(values: Sequence[Expr | Agg], names: tuple[str, ...]) -> None:
    assert all(len({item.name for item in each}) == len(names) for each in drawn(items(values)))


def test_columns_are_renamed_in_turn_or_keep_their_names() -> None:
    """Half of the choices keep them."""
    found = [tuple(item.name for item in each) for each in drawn(items((C, A)))]
    assert sorted(found) == sorted([("c", "a")] * 3 + [("a", "b"), ("b", "c"), ("c", "d")])
