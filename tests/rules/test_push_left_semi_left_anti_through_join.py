"""PushLeftSemiLeftAntiThroughJoin by hand: the side of a join that a semi or anti join goes to, and where it stays."""

from __future__ import annotations

import pytest

from oracles.rules.plans import PlanNode, read_plan
from strategies.ir import INT, Alias, Col, Column, Compare, Database, Join, JoinKind, Node, Table, walk
from tests.rules.expected import ANY_FORM, LEFT_A, S0, SAME_A, T0, Expected
from tests.rules.expected import joins as has_joins
from tests.rules.stock import answer, tables_of, without

RULE = "PushLeftSemiLeftAntiThroughJoin"


def is_over(node: Node, kind: JoinKind) -> bool:
    """Whether ``node`` is a semi or anti join of a join of this kind."""
    is_upper = isinstance(node, Join) and node.kind in ("semi", "anti")
    return is_upper and isinstance(node.left, Join) and node.left.kind == kind


def over(kind: JoinKind):
    """Whether a query holds a semi or anti join of a join of this kind."""
    return lambda query: any(is_over(node, kind) for node in walk(query))


EXPECTED = Expected(
    has_joins("semi", "anti"),
    ANY_FORM,
    Join(Join(T0, S0, "inner", SAME_A), Alias(T0, "s1"), "semi", Compare("=", LEFT_A, Col("a", INT, "s1"))),
    {
        "an anti join": has_joins("anti"),
        **{f"a {kind} join below": over(kind) for kind in ("inner", "left", "right", "cross")},
    },
)

COLUMNS = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("t", COLUMNS, ((1, 1), (1, 2), (2, 1), (None, 1), (3, None))),
        Table("u", COLUMNS, ((1, 1), (1, 9), (2, 2), (None, 1), (4, 4))),
        Table("v", COLUMNS, ((1, 9), (2, 2), (9, None))),
    )
)
LEFT, RIGHT = "t.a = v.a", "u.b = v.b"
PASSED = {
    "the left of an inner join": ("t JOIN u ON t.a = u.a", LEFT, 0),
    "the right of an inner join": ("t JOIN u ON t.a = u.a", RIGHT, 1),
    "the left of a cross join": ("t CROSS JOIN u", LEFT, 0),
    "the left of a left join": ("t LEFT JOIN u ON t.a = u.a", LEFT, 0),
    "the right of a right join": ("t RIGHT JOIN u ON t.a = u.a", RIGHT, 1),
    "two conditions": ("t LEFT JOIN u ON t.a = u.a", "t.a = v.a AND t.b < v.b", 0),
}
KEPT = {
    "the right of a left join": ("t LEFT JOIN u ON t.a = u.a", RIGHT),
    "the left of a right join": ("t RIGHT JOIN u ON t.a = u.a", LEFT),
    "the left of a full join": ("t FULL JOIN u ON t.a = u.a", LEFT),
    "the right of a full join": ("t FULL JOIN u ON t.a = u.a", RIGHT),
    "both sides": ("t JOIN u ON t.a = u.a", f"{LEFT} AND {RIGHT}"),
    "either side": ("t JOIN u ON t.a = u.a", f"{LEFT} OR {RIGHT}"),
    "another semi join": ("t LEFT SEMI JOIN u ON t.a = u.a", LEFT),
}
KINDS = ("SEMI", "ANTI")

_tables = tables_of(TABLES)


def joins(plan: str) -> PlanNode:
    """The topmost join of a plan."""
    return next(node for node in read_plan(plan).nodes() if node.kind == "Join")


def query_of(lower: str, kind: str, condition: str) -> str:
    return f"SELECT * FROM {lower} LEFT {kind} JOIN v ON {condition}"


class TestPushLeftSemiLeftAntiThroughJoin:
    def test_a_left_join_of_fewer_rows(self, spark):
        query = "SELECT t.a, u.b FROM t LEFT JOIN u ON t.a = u.a LEFT ANTI JOIN v ON t.a = v.a"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert joins(got.plain).text.startswith("Join LeftOuter")
        assert joins(kept.plain).text.startswith("Join LeftAnti")
        assert got.rows == kept.rows == {(None, None): 1, (3, None): 1}

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(("lower", "condition", "side"), PASSED.values(), ids=PASSED)
    def test_goes_to_one_side(self, spark, lower, condition, side, kind):
        query = query_of(lower, kind, condition)
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        top, text = joins(got.plain), f"Join Left{kind.capitalize()}"
        assert not top.text.startswith(text)
        assert [any(node.text.startswith(text) for node in child.nodes()) for child in top.children] == [
            side == 0,
            side == 1,
        ]
        assert joins(kept.plain).text.startswith(text)
        assert got.rows == kept.rows

    @pytest.mark.parametrize(("lower", "condition"), KEPT.values(), ids=KEPT)
    def test_an_anti_join_stays(self, spark, lower, condition):
        query = query_of(lower, "ANTI", condition)
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_a_padded_row_finds_no_partner(self, spark):
        """Below the outer join the row that it is padded for would be dropped instead, and its padding kept."""
        got = answer(spark, query_of("t LEFT JOIN u ON t.a = u.a", "ANTI", RIGHT))
        assert got.rows == {
            (1, 1, 1, 1): 1,
            (1, 2, 1, 1): 1,
            (None, 1, None, None): 1,
            (3, None, None, None): 1,
        }

    def test_a_padded_side_may_be_joined_by_what_no_padded_row_meets(self, spark):
        """A semi join by equality drops padded rows: other rules make an inner join of the left one before."""
        query = query_of("t LEFT JOIN u ON t.a = u.a", "SEMI", RIGHT)
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert {RULE, "EliminateOuterJoin"} <= got.rules
        assert got.rows == kept.rows
