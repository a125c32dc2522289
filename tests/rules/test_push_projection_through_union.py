"""PushProjectionThroughUnion by hand: the article's example, columns by position, and what is no such union."""

from __future__ import annotations

import pytest

from oracles.rules.plans import read_plan
from strategies.ir import INT, STRING, Col, Column, Database, Item, Project, SetOp, Table
from tests.rules.expected import ANY_FORM, T0, Expected, set_ops
from tests.rules.stock import Answer, answer, tables_of, without

RULE = "PushProjectionThroughUnion"
LEAST = Project(SetOp("union", T0, T0, all=True), (Item("p0", Col("a", INT)),))
EXPECTED = Expected(set_ops("union", keeps_all=True), ANY_FORM, LEAST)

COLUMNS = (Column("col1", INT), Column("col2", INT), Column("col3", STRING))
TABLES = Database(
    (
        Table("t", COLUMNS, ((1, 2, "x"), (1, 2, "x"), (None, 3, "y"))),
        Table("u", COLUMNS, ((4, 5, "x"), (1, 2, None))),
    )
)
BOTH = "(SELECT * FROM t UNION ALL SELECT * FROM u)"
TURNED = "(SELECT col1, col2 FROM t UNION ALL SELECT col2, col1 FROM u)"
FIRING = {
    "an expression": f"SELECT col1 + col2 AS s FROM {BOTH}",
    "other names": f"SELECT col1 AS x, col2 AS y, col3 AS z FROM {BOTH}",
    "another order": f"SELECT col2, col1 FROM {BOTH}",
    "a column twice": f"SELECT col1, col1 AS again FROM {BOTH}",
    "a constant": f"SELECT 1 AS one, col1 FROM {BOTH}",
    "names in another order": f"SELECT col1 - col2 AS d FROM {TURNED}",
    "three branches": "SELECT col1 * 2 AS d FROM (TABLE t UNION ALL TABLE u UNION ALL TABLE t)",
    "widened": "SELECT x + 1 AS y FROM (SELECT col1 AS x FROM t UNION ALL SELECT CAST(col1 AS BIGINT) FROM u)",
}
KEPT = {
    "all columns": f"SELECT col1, col2, col3 FROM {BOTH}",
    "nondeterministic": f"SELECT col1, rand(0) > 0.5 AS r FROM {BOTH}",
    "distinct": "SELECT col1 + 1 AS x FROM (SELECT col1, col2 FROM t UNION SELECT col1, col2 FROM u)",
    "aggregate": f"SELECT max(col1) FROM {BOTH}",
    "intersect": "SELECT col1 + 1 AS x FROM (SELECT col1 FROM t INTERSECT SELECT col1 FROM u)",
}


_tables = tables_of(TABLES)


def form(got: Answer) -> tuple[str, list[str]]:
    """The plan's topmost operator, and those right below its union."""
    plan = read_plan(got.plain)
    union = next(node for node in plan.nodes() if node.kind == "Union")
    return plan.kind, [child.text for child in union.children]


class TestPushProjectionThroughUnion:
    def test_the_articles_example(self, spark):
        """Two of three columns are asked for: the third isn't read, and no projection is left above the union."""
        query = f"SELECT col1, col2 AS other FROM {BOTH}"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert form(got) == ("Union", ["Project [col1, col2 AS other]"] * 2)
        assert form(kept) == ("Project", ["Project [col1, col2]"] * 2)
        assert got.rows == kept.rows == {(1, 2): 3, (None, 3): 1, (4, 5): 1}

    @pytest.mark.parametrize("query", FIRING.values(), ids=FIRING)
    def test_fires_and_answers_as_without_it(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert form(got)[0] == "Union"
        assert form(kept)[0] == "Project"
        assert got.rows == kept.rows

    def test_columns_correspond_by_position(self, spark):
        assert answer(spark, FIRING["names in another order"]).rows == {(-1,): 2, (None,): 1, (1,): 2}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules

    def test_rows_that_only_a_dropped_column_tells_apart_stay_apart(self, spark):
        query = "SELECT col1 FROM (SELECT col1, col3 FROM t UNION SELECT col1, col3 FROM u)"
        assert answer(spark, query).rows == {(1,): 2, (None,): 1, (4,): 1}
