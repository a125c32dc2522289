"""The parts of shapes: conditions told apart by a row of NULL, contexts, grouping keys."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    And,
    Between,
    Case,
    Column,
    Compare,
    Database,
    Expr,
    Field,
    Filter,
    Item,
    Join,
    Lit,
    Node,
    NullIf,
    Project,
    Relation,
    Table,
    walk,
)
from strategies.shapes.conditions import plain_aggregates
from strategies.shapes.context import in_context, joined_in_context
from strategies.shapes.filters import about
from strategies.shapes.groups import without_rows
from strategies.shapes.nulls import ADMITTING, REJECTING, Condition, rejecting
from strategies.shapes.sides import scan
from tests.rules.expected import EMPTY, S0, SAME_A, T0
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal
from tests.unit.tiny_engine import run, value

SIDE = (Field("a", INT), Field("b", INT))
NULL_ROW = (None, None)


@st.composite
def conditions(draw: DrawFn, condition: Condition) -> Expr:
    return condition(draw, SIDE)


@pytest.mark.parametrize("condition", REJECTING.values(), ids=REJECTING)
def test_a_row_of_null_passes_no_rejecting_condition(condition: Condition) -> None:
    assert_all_examples(conditions(condition), lambda found: value(found, SIDE, NULL_ROW) is not True)


@pytest.mark.parametrize("condition", REJECTING.values(), ids=REJECTING)
def test_some_row_passes_a_rejecting_condition(condition: Condition) -> None:
    rows = [(one, two) for one in (0, 1, -1, None) for two in (0, 1, None)]
    assert find_any(conditions(condition), lambda found: any(value(found, SIDE, row) is True for row in rows))


@pytest.mark.parametrize("condition", ADMITTING.values(), ids=ADMITTING)
def test_a_row_of_null_passes_every_admitting_condition(condition: Condition) -> None:
    assert_all_examples(conditions(condition), lambda found: value(found, SIDE, NULL_ROW) is True)


@st.composite
def either_side(draw: DrawFn) -> Expr:
    return rejecting(draw, SIDE, (*SIDE, Field("c", INT)))


def test_a_rejecting_condition_comes_with_others_now_and_then() -> None:
    assert find_any(either_side(), lambda found: isinstance(found, And))
    assert minimal(either_side()) == Compare("=", SIDE[0].column(), Lit(INT, 0))


def test_no_condition_about_columns_compares_a_value_with_itself() -> None:
    def is_folded(node: Node) -> bool:
        return isinstance(node, Compare) and node.op != "<=>" and node.left == node.right

    assert_all_examples(conditions(about), lambda found: not any(map(is_folded, walk(found))))


PAIR = Join(T0, S0, "left", SAME_A)
SCHEMA = Database((EMPTY, Table("t1", (Column("a", INT), Column("b", INT)))))


@st.composite
def joined(draw: DrawFn) -> Relation:
    return joined_in_context(draw, SCHEMA, PAIR, 1)


@st.composite
def read(draw: DrawFn) -> Relation:
    return in_context(draw, SCHEMA, T0, reads=True)


def test_a_join_stands_alone_at_the_least() -> None:
    assert minimal(joined()) == PAIR


@pytest.mark.parametrize("width", [1, 2])
def test_columns_of_a_join_are_told_apart_below_what_stands_above(width: int) -> None:
    found = find_any(joined(), lambda query: isinstance(query, Project) and len(query.items) == width)
    assert [field.name for field in found.fields] == ["j0", "j1"][:width]


def test_what_reads_is_no_bare_count() -> None:
    assert Aggregate(T0, (), (Item("n", Agg("count")),)) not in drawn(read(), count=300)


def test_a_filter_that_no_row_passes() -> None:
    table = Table("t1", (Column("a", INT),), ((0,), (1,), (None,)))
    query = without_rows(table)
    assert isinstance(query, Filter)
    assert query.child == scan(table)
    assert run(Case(query, Database((table,))), {}) == []


def test_plain_aggregates_hold_neither_between_nor_nullif_nor_what_is_written_with_it() -> None:
    functions = plain_aggregates(SIDE, bits=(None, None))
    assert_all_examples(functions, lambda found: not any(isinstance(n, (Between, NullIf)) for n in walk(found)))
    assert_all_examples(functions, lambda found: found.function != "count_if", count=500)
