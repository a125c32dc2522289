"""Hints of joins are drawn: all of them, where a side has a name, and seldom."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from strategies.draw.draws import without_mutation
from strategies.draw.joins import hinted
from strategies.draw.queries import queries
from strategies.ir import (
    INT,
    JOIN_HINTS,
    Alias,
    Column,
    Database,
    Distinct,
    Join,
    JoinHint,
    Relation,
    Scan,
    Table,
    walk,
)
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

AB = (Column("a", INT), Column("b", INT))
T0, T1 = Scan("t0", AB), Scan("t1", AB)
SCHEMA = Database((Table("t0", AB), Table("t1", AB)))


@st.composite
def joins(draw: st.DrawFn, right: Relation) -> Join:
    """Cross joins with ``right``, some of them with a hint."""
    return hinted(draw, Join(T0, right, "cross"))


@pytest.mark.parametrize("hint", JOIN_HINTS)
def test_every_hint_is_drawn(hint: JoinHint) -> None:
    assert find_any(joins(Alias(Distinct(T1), "s")), lambda join: join.hint == hint)


def test_a_side_without_a_name_gets_no_hint() -> None:
    assert_all_examples(joins(Distinct(T1)), lambda join: join.hint is None)


def test_a_join_shrinks_to_one_without_a_hint() -> None:
    assert minimal(joins(T1)) == Join(T0, T1, "cross")


def test_few_queries_have_a_hint() -> None:
    sample = drawn(without_mutation(queries(SCHEMA)), count=1_000)
    assert 3 < sum(any(isinstance(node, Join) and node.hint for node in walk(query)) for query in sample) < 80
