"""CollapseProject by hand: projections that become one, and those that stay two."""

from __future__ import annotations

import pytest

from strategies.ir import BIGINT, INT, Agg, Aggregate, Col, Column, Database, Item, Project, Relation, Table, walk
from tests.rules.expected import ANY_FORM, T0, Expected
from tests.rules.stock import answer, operators, tables_of, without

RULE = "CollapseProject"


def above(query: Relation, *kinds: type[Relation]) -> bool:
    """Whether a projection has one of ``kinds`` somewhere below it."""
    return any(
        isinstance(below, kinds) for node in walk(query) if isinstance(node, Project) for below in walk(node.child)
    )


COUNTS = Aggregate(T0, (Item("k", Col("a", INT)),), (Item("n", Agg("count")),))
EXPECTED = Expected(
    lambda query: above(query, Project, Aggregate),
    ANY_FORM,
    Project(COUNTS, (Item("y0", Col("k", INT)), Item("y1", Col("n", BIGINT)))),
    {
        "an aggregate": lambda query: above(query, Aggregate),
        "a column under another's name": lambda query: any(
            isinstance(node, Item) and node.value == Col("b", INT) and node.name == "a" for node in walk(query)
        ),
    },
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ((1, 2), (1, 2), (None, 3), (4, 5))),))

COLLAPSED = {
    "names": (
        "SELECT x + 1 AS y FROM (SELECT a AS x FROM t)",
        ["Project", "Relation"],
        {(2,): 2, (None,): 1, (5,): 1},
    ),
    "computed below": (
        "SELECT x AS y FROM (SELECT a + b AS x FROM t)",
        ["Project", "Relation"],
        {(3,): 2, (None,): 1, (9,): 1},
    ),
    "names swapped": (
        "SELECT a - b AS y, b AS z FROM (SELECT b AS a, a AS b FROM t)",
        ["Project", "Relation"],
        {(1, 1): 2, (None, None): 1, (1, 4): 1},
    ),
    "a cheap one twice": (
        "SELECT x + x AS y FROM (SELECT a AS x FROM t)",
        ["Project", "Relation"],
        {(2,): 2, (None,): 1, (8,): 1},
    ),
    "aggregate": (
        "SELECT n + 1 AS y FROM (SELECT a, count(*) AS n FROM t GROUP BY a)",
        ["Aggregate", "Project", "Relation"],
        {(3,): 1, (2,): 2},
    ),
    "distinct": (
        "SELECT b + 1 AS y FROM (SELECT DISTINCT a, b FROM t)",
        ["Aggregate", "Relation"],
        {(3,): 1, (4,): 1, (6,): 1},
    ),
}
KEPT = {
    "a costly one twice": (
        "SELECT x + x AS y, x FROM (SELECT a * b AS x FROM t)",
        ["Project", "Project", "Relation"],
        {(4, 2): 2, (None, None): 1, (40, 20): 1},
    ),
    "one": ("SELECT a + 1 AS y, b FROM t", ["Project", "Relation"], {(2, 2): 2, (None, 3): 1, (5, 5): 1}),
    "a sort between": (
        "SELECT x, y + 1 AS z FROM (SELECT a AS x, b + 1 AS y FROM t ORDER BY x, y LIMIT 1)",
        ["GlobalLimit", "LocalLimit", "Project", "Sort", "Project", "Relation"],
        {(None, 5): 1},
    ),
    "below an aggregate": (
        "SELECT x, count(*) FROM (SELECT a + 1 AS x FROM t) GROUP BY x",
        ["Aggregate", "Project", "Relation"],
        {(2, 2): 1, (None, 1): 1, (5, 1): 1},
    ),
}


_tables = tables_of(TABLES)


class TestCollapseProject:
    @pytest.mark.parametrize(("query", "left", "rows"), COLLAPSED.values(), ids=COLLAPSED)
    def test_collapses_and_answers_as_without_it(self, spark, query, left, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert operators(got) == left
        assert (
            operators(kept) == ["Project", *left] if left[0] == "Aggregate" else operators(kept).count("Project") == 2
        )
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize(("query", "left", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, left, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert operators(got) == left
        assert got.rows == rows

    def test_a_random_number_is_drawn_once(self, spark):
        got = answer(spark, "SELECT r AS x, r AS y FROM (SELECT rand() AS r FROM t)")
        assert RULE not in got.rules
        assert all(x == y for x, y in got.rows)
