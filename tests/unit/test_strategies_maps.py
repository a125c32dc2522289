"""Reads of maps: what all of them are, what they reach, and what they shrink to."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.map_reads import can_go_through_map, perhaps_through_map, through_map
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    CaseWhen,
    Col,
    Column,
    Compare,
    Exists,
    Filter,
    Item,
    Join,
    MakeMap,
    Map,
    MapRead,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    Scan,
    SqlType,
    outers_of,
    subqueries_of,
    walk,
)
from strategies.shapes.correlated import INNER_A, INNER_B, outer
from tests.unit.strategy_asserts import assert_all_examples, find_any, minimal

COLUMNS = (Column("a", INT), Column("b", INT))
T0, T1 = Scan("t0", COLUMNS), Scan("t1", COLUMNS)
A, B = Col("a", INT, "t0"), Col("b", INT, "t0")
MET = Filter(T1, And(Compare("=", INNER_A, outer(A)), Compare("<", INNER_B, outer(B))))
FILTERED = Filter(T0, Exists(MET))
COUNTED = Project(T0, (Item("n", ScalarSubquery(Aggregate(MET, (), (Item("x", Agg("count")),)))),))
BOTH = {"a filter": FILTERED, "a projection": COUNTED}
KEPT = {
    "two tables": Filter(Join(T0, Alias(T1, "s"), "cross"), FILTERED.condition),
    "no correlation": Filter(T0, Exists(T1)),
}


@st.composite
def _through(draw: DrawFn, relation: Filter | Project) -> Relation:
    return through_map(draw, relation)


@st.composite
def _perhaps(draw: DrawFn, relation: Filter | Project, most: int) -> Relation:
    return perhaps_through_map(draw, relation, most)


def _keeps_its_map(relation: Relation) -> bool:
    """Whether only reads refer to the map, and those of a subquery."""
    reads = [node for node in walk(relation) if isinstance(node, MapRead)]
    maps = [node for node in walk(relation) if isinstance(node, (Col, Outer)) and isinstance(node.kind, Map)]
    return len(reads) > 0 and [read.operand for read in reads] == maps and all(isinstance(one, Outer) for one in maps)


def _types(relation: Relation) -> list[SqlType]:
    return [field.type for field in relation.fields]


@pytest.mark.parametrize("relation", BOTH.values(), ids=BOTH)
def test_a_map_is_read_by_subqueries_alone_and_is_in_no_result(relation: Filter | Project) -> None:
    assert_all_examples(_through(relation), _keeps_its_map)
    assert_all_examples(_through(relation), lambda found: _types(found) == _types(relation))


def _read_keys(relation: Relation) -> set[object]:
    return {node.key for node in walk(relation) if isinstance(node, MapRead)}


def test_a_map_may_be_null_lack_the_key_and_have_two_that_are_read() -> None:
    found = _through(FILTERED)
    assert find_any(found, lambda one: any(isinstance(node, CaseWhen) for node in walk(one)))
    assert find_any(found, lambda one: len(_read_keys(one)) == 2)

    def lacks(one: Relation) -> bool:
        made = [node for node in walk(one) if isinstance(node, MakeMap)]
        return not _read_keys(one) <= set(made[0].keys)

    assert find_any(found, lacks)


def test_it_shrinks_to_a_map_with_one_key() -> None:
    least = minimal(_through(FILTERED))
    (made,) = [node for node in walk(least) if isinstance(node, MakeMap)]
    assert len(made.keys) == 1
    assert isinstance(least, Project)
    assert isinstance(least.child, Filter)
    (subquery,) = subqueries_of(least.child.condition)
    assert [one.name for one in outers_of(subquery.query)] == ["m", "b"]


@pytest.mark.parametrize("relation", KEPT.values(), ids=KEPT)
def test_other_relations_stay(relation: Filter) -> None:
    assert not can_go_through_map(relation)
    assert_all_examples(_perhaps(relation, 9), lambda found: found == relation)


def test_a_relation_without_room_stays() -> None:
    assert_all_examples(_perhaps(FILTERED, 3), lambda found: found == FILTERED)
    assert find_any(_perhaps(FILTERED, 4), lambda found: found != FILTERED)


def test_a_subquery_of_the_group_that_an_outer_column_fixes_keeps_that_column() -> None:
    group = Aggregate(Filter(T1, Compare("=", INNER_A, outer(A))), (Item("k", INNER_A),), (Item("x", Agg("count")),))
    counted = Project(T0, (Item("n", ScalarSubquery(Project(group, (Item("x", Col("x", BIGINT)),)))),))
    assert_all_examples(_perhaps(counted, 9), lambda found: found == counted)
