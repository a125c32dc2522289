"""ReorderJoin by hand: the article's two examples, and what is no join to reorder."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, STRING, Alias, Col, Column, Compare, Database, Join, Table
from tests.rules.expected import ANY_FORM, LEFT_A, S0, T0, Expected, joins
from tests.rules.stock import Answer, answer, tables_of, without

RULE = "ReorderJoin"
LEAST = Join(Join(T0, S0, "cross"), Alias(T0, "s1"), "inner", Compare("=", LEFT_A, Col("a", INT, "s1")))
EXPECTED = Expected(joins("inner", "cross"), ANY_FORM, LEAST)

SALES = Database(
    (
        Table("customer", (Column("c_id", INT), Column("c_name", STRING)), ((1, "x"), (2, "y"), (None, "z"))),
        Table("orders", (Column("o_id", INT), Column("o_item", INT)), ((10, 100), (11, 101), (11, None))),
        Table("item", (Column("i_id", INT), Column("i_customer", INT)), ((100, 1), (101, 2), (101, None))),
    )
)
REORDERED = "SELECT c_name, o_id FROM item JOIN customer JOIN orders WHERE i_id = o_item AND i_customer > 0"
IN_ORDER = """
    SELECT c_name, o_id FROM item JOIN customer JOIN orders WHERE i_id = o_item AND i_customer = c_id
"""
KEPT = {
    "no condition": "SELECT * FROM item CROSS JOIN customer CROSS JOIN orders",
    "two tables": "SELECT * FROM item CROSS JOIN customer WHERE i_customer = c_id",
    "an outer join": "SELECT * FROM item LEFT JOIN customer ON i_customer = c_id JOIN orders ON i_id = o_item",
    "an outer join last": "SELECT * FROM item CROSS JOIN customer LEFT JOIN orders ON i_id = o_item",
    "a semi join": "SELECT * FROM item CROSS JOIN customer LEFT SEMI JOIN orders ON i_id = o_item",
}


_tables = tables_of(SALES)


def conditions(got: Answer) -> list[str]:
    """The conditions of the joins from the top down, '' where there is none."""
    found = [node.text for node in read_plan(got.plain).nodes() if node.kind == "Join"]
    return [text.partition(", ")[2] for text in found]


class TestReorderJoin:
    def test_the_join_with_a_condition_comes_first(self, spark):
        got, kept = answer(spark, REORDERED), answer(spark, REORDERED, without(RULE))
        assert RULE in got.rules
        assert conditions(got) == ["", "(i_id = o_item)"]
        assert conditions(kept) == ["(i_id = o_item)", ""]
        assert got.rows == kept.rows
        assert sum(got.rows.values()) == 6

    def test_joins_that_all_have_a_condition_stay_in_order(self, spark):
        got, kept = answer(spark, IN_ORDER), answer(spark, IN_ORDER, without(RULE))
        assert conditions(got) == conditions(kept) == ["(i_id = o_item)", "(i_customer = c_id)"]
        assert got.rows == kept.rows == {("x", 10): 1, ("y", 11): 1}

    def test_a_condition_over_three_tables_stays(self, spark):
        query = REORDERED + " AND i_customer + c_id < o_id - 7"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert conditions(got)[1] == "(i_id = o_item)"
        assert got.rows == kept.rows == {("x", 10): 1, ("x", 11): 1}

    def test_columns_come_back_in_their_order(self, spark):
        query = "SELECT * FROM item JOIN customer JOIN orders WHERE i_id = o_item AND c_id = 1"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert conditions(got) != conditions(kept)
        assert got.rows == kept.rows
        assert (100, 1, 1, "x", 10, 100) in got.rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
