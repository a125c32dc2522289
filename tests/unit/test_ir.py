"""The query algebra: a query survives being printed, stored, walked and rebuilt, and names mean one column."""

from __future__ import annotations

import json

import pytest

import strategies.ir
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    CaseWhen,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Distinct,
    Filter,
    InList,
    InvalidQuery,
    IsNull,
    Item,
    Join,
    Lit,
    Node,
    Not,
    Project,
    Relation,
    SetOp,
    Settings,
    Table,
    When,
    children,
    from_fields,
    from_plain,
    operators,
    rebuild,
    referable,
    to_plain,
    transform,
    walk,
)
from tests.unit.ir_samples import DATABASE, NULL_INT, ONE, RELATIONS, T0, T1, TEXT, YES, A, B, D
from tests.unit.literal_samples import LITERALS
from tests.unit.node_kinds import NODES
from tests.unit.write_samples import STATEMENTS

EVERY_RELATION = pytest.mark.parametrize("relation", [*RELATIONS.values(), TEXT], ids=[*RELATIONS, "verbatim"])


def test_the_samples_hold_every_kind_of_node() -> None:
    statements = (statement for statement, _ in STATEMENTS.values())
    found = {type(node) for relation in (*RELATIONS.values(), TEXT, *statements) for node in walk(relation)}
    assert found == set(NODES)


# Printing and storing.


@EVERY_RELATION
def test_repr_evaluates_to_the_same_query(relation: Relation) -> None:
    assert eval(repr(relation), dict(vars(strategies.ir))) == relation


@EVERY_RELATION
def test_json_brings_back_the_same_query(relation: Relation) -> None:
    assert from_plain(json.loads(json.dumps(to_plain(relation)))) == relation


def test_json_brings_back_a_case_with_its_tables() -> None:
    case = Case(T0, DATABASE, Settings(source="csv", form="dataframe", aqe=True, codegen=True, partitions=2))
    assert from_plain(json.loads(json.dumps(to_plain(case)))) == case
    assert eval(repr(case), dict(vars(strategies.ir))) == case


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({"node": "Nonsense"}, "no such node: 'Nonsense'"),
        ({"node": ["Lit"]}, "no such node"),
        ({"kind": "Lit"}, "no such node: None"),
        ({"node": "Relation"}, "no such node: 'Relation'"),
        ({"type": "TEXT"}, "no such type: 'TEXT'"),
        ({"type": ["INT"]}, "no such type"),
        ({"node": "Lit", "kind": {"type": "INT"}}, "missing 1 required positional argument"),
        ({"node": "Lit", "kind": {"type": "INT"}, "value": 1, "more": 2}, "unexpected keyword argument 'more'"),
        ({"node": "Lit", "kind": {"type": "INT"}, "value": "one"}, "'one' is not the plain value of a INT"),
        ({"node": "Lit", "kind": "INT", "value": 1}, "Lit"),
        ({"node": "Not", "operand": 1}, "Not"),
    ],
    ids=str,
)
def test_what_is_no_query_is_refused(plain: object, message: str) -> None:
    with pytest.raises(InvalidQuery, match=message):
        from_plain(plain)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Lit(BOOLEAN, True), Lit(INT, 1)),
        (Lit(INT, 0), Lit(SMALLINT, 0)),
        (LITERALS["negative-zero"], Lit(DOUBLE, "0x0.0p+0")),
        (Lit(STRING, ""), Lit(STRING, None)),
        (Lit(Decimal(3, 1), "1.0"), Lit(Decimal(4, 1), "1.0")),
        (Col("a", INT), Col("a", INT, "t0")),
    ],
    ids=["type", "width", "zero", "empty", "precision", "qualifier"],
)
def test_nodes_that_mean_something_else_are_unequal(one: Node, two: Node) -> None:
    assert one != two
    assert one == eval(repr(one), dict(vars(strategies.ir)))


# Scopes.

_L, _R = Alias(T0, "l"), Alias(T1, "r")
_AB = Project(T0, (Item("a", A), Item("b", B)))
_BOTH = Join(_L, _R, "inner", Compare("=", Col("a", INT, "l"), Col("a", INT, "r")))
_SAME_A = Compare("<=>", Col("a", INT, "l"), Col("a", INT, "r"))


def test_a_join_keeps_qualifiers_and_a_nested_query_loses_them() -> None:
    nested = Filter(_AB, IsNull(B))
    assert {f.qualifier for f in _BOTH.fields} == {"l", "r"}
    assert {f.qualifier for f in Filter(_BOTH, _SAME_A).fields} == {"l", "r"}
    assert {f.qualifier for f in from_fields(Filter(_BOTH, _SAME_A))} == {None}
    assert {f.qualifier for f in nested.fields} == {None}
    assert {f.qualifier for f in Alias(_BOTH, "x").fields} == {"x"}


def test_only_columns_with_one_meaning_are_referable() -> None:
    assert referable(_BOTH.fields) == _BOTH.fields
    assert referable(Distinct(_BOTH).fields) == ()
    assert referable(Alias(_AB, "x").fields) == Alias(_AB, "x").fields


def test_a_column_may_be_listed_twice_and_is_then_referable_no_more() -> None:
    twice = Project(T0, (Item("a", A), Item("a", A), Item("b", B)))
    assert [f.name for f in twice.fields] == ["a", "a", "b"]
    assert [f.name for f in referable(twice.fields)] == ["b"]


def test_a_set_operator_has_the_left_names_and_the_common_types() -> None:
    relation = SetOp("union", _AB, Project(T0, (Item("x", D), Item("y", B))), all=True)
    assert [(f.name, f.type) for f in relation.fields] == [("a", DOUBLE), ("b", STRING)]


# Walking and rebuilding.


def test_walk_goes_parents_first_in_the_order_of_fields() -> None:
    assert list(walk(Compare("=", A, ONE))) == [Compare("=", A, ONE), A, ONE]
    assert children(CaseWhen((When(YES, A),), ONE)) == (When(YES, A), ONE)
    assert children(T0) == ()


@EVERY_RELATION
def test_a_transformation_that_changes_nothing_returns_the_same_object(relation: Relation) -> None:
    assert transform(relation, lambda node: node) is relation
    assert rebuild(relation, lambda child: child) is relation


def _one_to_two(node: Node) -> Node:
    return Lit(INT, 2) if node == ONE else node


def test_transform_reaches_every_depth() -> None:
    before = Filter(Distinct(Filter(T0, YES)), InList(A, (ONE, NULL_INT)))
    after = Filter(Distinct(Filter(T0, Compare("=", A, Lit(INT, 2)))), InList(A, (Lit(INT, 2), NULL_INT)))
    assert transform(before, _one_to_two) == after


def test_transform_works_bottom_up() -> None:
    seen: list[Node] = []
    transform(Not(YES), lambda node: seen.append(node) or node)
    assert seen == [A, ONE, YES, Not(YES)]


def test_a_rebuilt_node_is_checked_again() -> None:
    with pytest.raises(InvalidQuery, match="no column"):
        transform(Filter(T0, YES), lambda node: Col("z", INT) if node == A else node)


def test_a_rebuilt_node_has_new_fields() -> None:
    renamed = transform(Distinct(_AB), lambda node: Item("z", A) if node == Item("a", A) else node)
    assert [f.name for f in renamed.fields] == ["z", "b"]


@pytest.mark.parametrize(
    ("relation", "count"),
    [
        (T0, 0),
        (Alias(Alias(T0, "x"), "y"), 0),
        (Filter(T0, YES), 1),
        (Join(_L, _R, "inner", _SAME_A), 1),
        (SetOp("except", Filter(T0, YES), Distinct(T1)), 3),
        (Aggregate(AnyLimit(T0, 1), (), (Item("n", Agg("count")),)), 2),
    ],
    ids=["scan", "aliases", "filter", "join", "set", "count"],
)
def test_operators_are_the_relations_other_than_scans_and_aliases(relation: Relation, count: int) -> None:
    assert operators(relation) == count


def test_a_table_counts_its_rows() -> None:
    table = Table("t", (Column("a", INT),), ((1,), (None,), (1,)))
    assert table.counted() == {(1,): 2, (None,): 1}
    assert Database((table,)).row_count == 3
    assert Database((table,)).table("t") is table
