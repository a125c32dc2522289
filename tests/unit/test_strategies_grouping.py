"""Grouping sets, pivots and literal rows: every kind is reached, with few rows, and no sum is inexact."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracles.answers.outcome import Rows
from oracles.engines.duckdb import DuckdbEngine
from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.exactness import Bits, field_bits
from strategies.draw.grouping import groupings, pivots, rolled_up
from strategies.ir import (
    BIGINT,
    DOUBLE,
    GROUPING_KINDS,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    Col,
    Column,
    Database,
    GroupingId,
    GroupingSets,
    Item,
    Join,
    Lit,
    Pivot,
    PivotValue,
    Relation,
    Scan,
    Table,
    Values,
    ValuesRow,
    walk,
)
from tests.unit.hostile_fields import TABLE, extremes, reads_back
from tests.unit.strategy_asserts import assert_all_examples, drawn, minimal

COLUMNS = (Column("a", INT), Column("d", DOUBLE), Column("s", STRING))
T0 = Scan("t0", COLUMNS)
A, D = Col("a", INT), Col("d", DOUBLE)
PRODUCT = Join(Join(T0, Alias(T0, "x"), "cross"), Alias(T0, "y"), "cross")


@st.composite
def roll_ups(draw: DrawFn) -> Aggregate:
    """Counts by three keys, rolled up."""
    return rolled_up(draw, Aggregate(T0, tuple(Item(f"k{number}", A) for number in range(3)), ()))


@pytest.fixture(scope="module")
def sets() -> list[GroupingSets]:
    return drawn(groupings(T0), count=1_000)


@pytest.fixture(scope="module")
def sampled_pivots() -> list[Pivot]:
    return drawn(pivots(T0), count=1_000)


# Promise.


def test_groups_read_back(sets: list[GroupingSets], sampled_pivots: list[Pivot]) -> None:
    assert [found for found in (*sets, *sampled_pivots) if not reads_back(found)] == []


def test_groups_of_many_rows_are_not_multiplied() -> None:
    assert most_rows(PRODUCT) * 2 > MAX_JOINED_ROWS
    assert_all_examples(groupings(PRODUCT), lambda found: found.sets == (tuple(range(len(found.keys))),))


@pytest.mark.parametrize("strategy", [groupings, pivots], ids=["sets", "pivot"])
def test_groups_of_hostile_rows_run(strategy: Callable[[Relation], object]) -> None:
    """On DuckDB with its optimizer off, where no guard is moved; and there are no more of them than said."""
    database = Database((Table("t0", TABLE.columns, extremes()[:12]),))
    with DuckdbEngine() as engine:
        answers = [(query, engine.run(query, database, optimize=False)) for query in drawn(strategy(TABLE), count=300)]
    assert [answer for _, answer in answers if not isinstance(answer, Rows)] == []
    assert [query for query, answer in answers if len(answer.rows) > most_rows(query)] == []


@pytest.mark.parametrize(
    ("relation", "rows"),
    [
        (GroupingSets(T0, "rollup", (Item("a", A), Item("d", D)), ()), 36),
        (GroupingSets(T0, "cube", (Item("a", A), Item("d", D)), ()), 48),
        (GroupingSets(T0, "sets", (Item("a", A),), (), (), ((0,), (0,))), 24),
        (Pivot(T0, (), Agg("count"), A, (PivotValue("x", Lit(INT, 1)),)), 1),
        (Pivot(T0, (Item("d", D),), Agg("count"), A, (PivotValue("x", Lit(INT, 1)),)), 12),
        (Values(("a",), (ValuesRow((Lit(INT, 1),)),) * 3), 3),
    ],
    ids=["rollup", "cube", "sets", "pivot of all", "pivot", "values"],
)
def test_most_rows(relation: Relation, rows: int) -> None:
    assert most_rows(relation) == rows


def test_roll_ups_read_back_and_have_some_of_the_keys() -> None:
    sample = drawn(roll_ups())
    assert [query for query in sample if not reads_back(query)] == []
    assert {len(query.keys) for query in sample} == {0, 1, 2, 3}


def test_a_roll_up_counts_every_row_once() -> None:
    rows = ((1, None, "a"), (1, None, "b"), (2, None, None), (1, None, "a"))
    database = Database((Table("t0", COLUMNS, rows),))
    total = minimal(roll_ups(), lambda query: not query.keys)
    with DuckdbEngine() as engine:
        answer = engine.run(total, database)
    assert isinstance(answer, Rows)
    assert [row[0] for row in answer.rows] == [("int64", 4)]


# Reach.


@pytest.mark.parametrize("kind", GROUPING_KINDS)
def test_groupings_reach_every_kind(kind: str, sets: list[GroupingSets]) -> None:
    assert sum(found.kind == kind for found in sets) >= 100


@pytest.mark.parametrize(
    "holds",
    [
        lambda found: len(found.keys) == 3 and found.kind == "cube",
        lambda found: not found.aggregates,
        lambda found: found.having is not None,
        lambda found: any(isinstance(key.value, Lit) for key in found.keys),
        lambda found: len({key.value for key in found.keys}) < len(found.keys),
        lambda found: len(set(found.sets)) < len(found.sets),
        lambda found: found.kind == "sets" and () not in found.sets,
        lambda found: found.kind == "sets" and () in found.sets,
        lambda found: found.ids and len(found.ids[0].keys) == 1,
        lambda found: found.ids and len(found.ids[0].keys) > 1,
        lambda found: any(isinstance(part, Agg) and part.distinct for part in walk(found)),
        lambda found: any(isinstance(part, Agg) and part.where is not None for part in walk(found)),
    ],
    ids=[
        "three keys",
        "keys alone",
        "HAVING",
        "a literal as key",
        "a key twice",
        "a set twice",
        "no empty set",
        "the empty set",
        "grouping",
        "grouping_id",
        "DISTINCT",
        "FILTER",
    ],
)
def test_groupings_reach(holds: Callable[[GroupingSets], object], sets: list[GroupingSets]) -> None:
    assert any(map(holds, sets))


@pytest.mark.parametrize(
    "holds",
    [
        lambda found: not found.keys,
        lambda found: len(found.keys) == 2,
        lambda found: len(found.values) == 3,
        lambda found: any(value.literal.value is None for value in found.values),
        lambda found: found.column.type == DOUBLE,
        lambda found: not isinstance(found.column, Col),
        lambda found: found.aggregate == Agg("count"),
        lambda found: found.aggregate.function == "max" and found.aggregate.type == STRING,
        lambda found: found.aggregate.distinct,
        lambda found: found.aggregate.where is not None,
    ],
    ids=[
        "no keys",
        "two keys",
        "three values",
        "NULL as value",
        "by doubles",
        "computed",
        "count",
        "strings",
        "DISTINCT",
        "FILTER",
    ],
)
def test_pivots_reach(holds: Callable[[Pivot], object], sampled_pivots: list[Pivot]) -> None:
    assert any(map(holds, sampled_pivots))


# Minimum.

_BY_A = (Item("a", A),)


@pytest.mark.parametrize(
    ("holds", "least"),
    [
        (lambda _: True, GroupingSets(T0, "rollup", _BY_A, (Item("d", Agg("count")),))),
        (
            lambda found: found.ids,
            GroupingSets(T0, "rollup", _BY_A, (Item("d", Agg("count")),), (GroupingId("s", (A,)),)),
        ),
        (lambda found: () in found.sets and not found.aggregates, GroupingSets(T0, "sets", _BY_A, (), (), ((), (0,)))),
    ],
    ids=["rollup", "id", "sets"],
)
def test_groupings_shrink_to(holds: Callable[[GroupingSets], object], least: GroupingSets) -> None:
    assert minimal(groupings(T0), holds) == least


def test_pivots_shrink_to_a_count_of_one_value() -> None:
    assert minimal(pivots(T0)) == Pivot(T0, _BY_A, Agg("count"), A, (PivotValue("d", Lit(INT, 0)),))


# Exactness.

_HALF, _THREE = (0.5).hex(), (3.0).hex()
_SUM = Agg("sum", D)


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        (GroupingSets(T0, "cube", (Item("d", D),), (Item("s", _SUM),)), (Bits(2, 2), Bits(16, 2))),
        (GroupingSets(T0, "cube", _BY_A, (), (GroupingId("i", (A,)),)), (None, None)),
        (Pivot(T0, (), _SUM, A, (PivotValue("x", Lit(INT, 1)), PivotValue("y", Lit(INT, 2)))), (Bits(16, 2),) * 2),
        (Pivot(T0, (), Agg("avg", D), A, (PivotValue("x", Lit(INT, 1)),)), (None,)),
        (
            Values(("x", "y"), tuple(ValuesRow((Lit(DOUBLE, cell), Lit(INT, 1))) for cell in (_HALF, _THREE, None))),
            (Bits(2, 1), None),
        ),
    ],
    ids=["sets", "ids", "pivot", "average", "values"],
)
def test_bits_of_groups(relation: Relation, expected: tuple[Bits | None, ...]) -> None:
    assert field_bits(relation) == expected


def test_grouped_by_says_what_a_kind_stands_for() -> None:
    keys = tuple(Item(name, A) for name in "abc")
    assert GroupingSets(T0, "rollup", keys, ()).grouped_by == ((0, 1, 2), (0, 1), (0,), ())
    assert GroupingSets(T0, "cube", keys[:2], ()).grouped_by == ((0, 1), (0,), (1,), ())
    assert GroupingSets(T0, "sets", keys[:2], (), (), ((1,), (0,))).grouped_by == ((1,), (0,))
    assert GroupingSets(T0, "cube", keys[:1], (), (GroupingId("i", (A,)),)).fields[1].type == BIGINT
