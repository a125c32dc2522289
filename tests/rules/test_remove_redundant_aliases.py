"""RemoveRedundantAliases by hand: names that are a column's own, and those that are another's."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Column,
    Database,
    Join,
    Limit,
    Over,
    Project,
    Relation,
    Table,
    Window,
    walk,
)
from strategies.shapes.remove_redundant_aliases import renamed_back
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, operators, tables_of, without

RULE = "RemoveRedundantAliases"


def names_come_back(query: Relation) -> bool:
    """Whether a query holds a projection of a projection that names its columns as those below both."""
    return any(
        isinstance(node, Project)
        and isinstance(node.child, Project)
        and [field.name for field in node.fields] == [field.name for field in node.child.child.fields]
        for node in walk(query)
    )


EXPECTED = Expected(
    names_come_back,
    ANY_FORM,
    renamed_back(Window(T0, (Over("rows", Agg("count")),))),
    {"of groups": holds(Aggregate), "of first rows": holds(Limit), "joined": holds(Join)},
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database((Table("t", PAIR, ((1, 2), (1, 2), (2, 1), (None, 3))),))
T = {(1, 2): 2, (2, 1): 1, (None, 3): 1}
BACK = "(SELECT x AS a, y AS b FROM (SELECT a AS x, b AS y FROM t))"
REMOVED = {
    "renamed back": (f"SELECT * FROM {BACK}", T),
    "below a limit": (f"SELECT * FROM {BACK} ORDER BY a, b LIMIT 9", T),
    "of groups": (
        "SELECT x AS a, n FROM (SELECT a AS x, count(*) AS n FROM t GROUP BY a)",
        {(1, 2): 1, (2, 1): 1, (None, 1): 1},
    ),
    "with itself": (f"SELECT x.a, y.b FROM {BACK} AS x JOIN {BACK} AS y ON x.a = y.b", {(1, 1): 2, (2, 2): 2}),
}
KEPT = {
    "new names": ("SELECT a AS c, b AS d FROM t", T),
    "each other's": ("SELECT b AS a, a AS b FROM t", {(2, 1): 2, (1, 2): 1, (3, None): 1}),
    "in another order": ("SELECT b, a FROM t", {(2, 1): 2, (1, 2): 1, (3, None): 1}),
    "computed": ("SELECT a + 1 AS a, b FROM t", {(2, 2): 2, (3, 1): 1, (None, 3): 1}),
    "of another type": ("SELECT CAST(a AS BIGINT) AS a, b FROM t", T),
}


_tables = tables_of(TABLES)


class TestRemoveRedundantAliases:
    def test_what_is_renamed_back_is_the_table(self, spark):
        query = f"SELECT * FROM {BACK}"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert got.plain.splitlines() == ["Relation [a,b] parquet"]
        assert kept.plain.splitlines()[0] == "Project [a AS a, b AS b]"

    @pytest.mark.parametrize(("query", "rows"), REMOVED.values(), ids=REMOVED)
    def test_removes_and_answers_as_without_it(self, spark, query, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert RULE not in kept.rules
        assert got.rows == kept.rows == rows

    def test_sides_of_a_join_keep_columns_of_their_own(self, spark):
        got = answer(spark, f"SELECT x.a FROM {BACK} AS x JOIN {BACK} AS y ON x.a = y.a AND x.b < y.b")
        assert operators(got).count("Join") == 1
        assert got.rows == {}

    @pytest.mark.parametrize(("query", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert got.rows == rows
