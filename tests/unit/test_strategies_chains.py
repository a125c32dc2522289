"""Chains of joined tables: one in five is of inner joins by equality, whose order is free."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from strategies.draw.joins import joined_tables
from strategies.draw.queries import queries
from strategies.ir import INT, STRING, Column, Compare, Database, Join, Relation, Scan, Table, scans, walk
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

SCHEMA = Database(tuple(Table(f"t{place}", (Column("a", INT), Column("b", STRING))) for place in range(3)))
APART = Database((Table("t0", (Column("a", INT),)), Table("t1", (Column("b", STRING),))))


@st.composite
def chains(draw: st.DrawFn, *, schema: Database = SCHEMA, count: int = 3) -> Relation:
    """Chains of so many tables of ``schema``."""
    return joined_tables(draw, schema, count)


def joins(relation: Relation) -> list[Join]:
    return [node for node in walk(relation) if isinstance(node, Join)]


def is_movable(relation: Relation) -> bool:
    """Whether all joins are inner ones by an equality of two columns."""
    return all(join.kind == "inner" and isinstance(join.on, Compare) and join.on.op == "=" for join in joins(relation))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_chain_reads_each_table_once(count):
    assert_all_examples(chains(count=count), lambda chain: len({scan.table for scan in scans(chain)}) == count)


def test_a_chain_has_no_more_tables_than_there_are():
    assert_all_examples(chains(schema=APART), lambda chain: len(joins(chain)) == 1)


def test_some_chains_are_movable():
    share = sum(map(is_movable, drawn(chains(), count=600))) / 600
    assert 1 / 8 < share < 1 / 3


def test_tables_without_a_column_to_compare_are_joined_by_a_condition():
    found = find_any(chains(schema=APART), lambda chain: joins(chain)[0].kind == "inner")
    assert joins(found)[0].on is not None


def test_other_chains_have_other_joins():
    assert find_any(chains(), lambda chain: {join.kind for join in joins(chain)} == {"left", "anti"})


def test_queries_reach_a_movable_chain():
    assert find_any(queries(SCHEMA), lambda query: len(joins(query)) > 1 and is_movable(query))


def test_a_chain_shrinks_to_an_equality_of_the_first_tables():
    found = minimal(chains(count=2))
    assert isinstance(found, Join)
    assert (found.left, found.right, found.kind) == (*(Scan(t.name, t.columns) for t in SCHEMA.tables[:2]), "inner")
    assert is_movable(found)
