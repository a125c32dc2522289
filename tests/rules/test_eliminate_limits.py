"""EliminateLimits by hand: limits that say nothing, limits that meet, no rows at all, and limits that count."""

from __future__ import annotations

import re

import pytest

from strategies.ir import INT, AnyLimit, Column, Database, Limit, Relation, Table, walk
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import Answer, answer, tables_of, without

RULE = "EliminateLimits"


def limited_twice(query: Relation) -> bool:
    return any(isinstance(node, Limit) and isinstance(node.child, Limit) for node in walk(query))


EXPECTED = Expected(holds(AnyLimit, Limit), ANY_FORM, AnyLimit(T0, 0), {"an order twice": limited_twice})

PAIR = (Column("a", INT), Column("b", INT))
ROWS = ((1, 4), (1, 4), (2, 3), (3, None), (None, None))
TABLES = Database((Table("t", PAIR, ROWS), Table("u", PAIR, ROWS[1:])))

TWO = "SELECT * FROM t ORDER BY a NULLS LAST, b LIMIT 2"
THREE = "SELECT * FROM t ORDER BY a NULLS LAST, b LIMIT 3"
REWRITTEN = {
    "one row": ("SELECT count(*) FROM t LIMIT 1", [], {(5,): 1}),
    "one row in order": ("SELECT * FROM (SELECT count(*) AS n FROM t) ORDER BY n LIMIT 3", [], {(5,): 1}),
    "as many": (f"SELECT * FROM ({TWO}) ORDER BY b LIMIT 2", [2], {(1, 4): 2}),
    "more": (f"SELECT * FROM ({TWO}) ORDER BY b LIMIT 5", [2], {(1, 4): 2}),
    "distinct": (f"SELECT DISTINCT a FROM ({TWO}) LIMIT 2", [2], {(1,): 1}),
    "filter": (f"SELECT * FROM ({THREE}) WHERE b > 3 LIMIT 3", [3], {(1, 4): 2}),
    "right over, fewer": (f"SELECT * FROM ({THREE}) LIMIT 2", [2], {(1, 4): 2}),
    "right over, more": (f"SELECT * FROM ({TWO}) LIMIT 3", [2], {(1, 4): 2}),
    "right over, skipping": (f"SELECT * FROM ({THREE}) LIMIT 3 OFFSET 2", [3], {(2, 3): 1}),
    "none": ("SELECT * FROM t LIMIT 0", [], {}),
    "none in order": ("SELECT * FROM t ORDER BY a LIMIT 0", [], {}),
    "none counted": ("SELECT count(*) FROM (SELECT * FROM t LIMIT 0)", [], {(0,): 1}),
    "a join of few": (f"SELECT x.a FROM ({TWO}) x CROSS JOIN ({TWO}) y LIMIT 4", [2, 2], {(1,): 4}),
}
KEPT = {
    "fewer in another order": (f"SELECT * FROM ({THREE}) ORDER BY b, a LIMIT 1", {(2, 3): 1}),
    "one row too many": (f"SELECT a FROM ({THREE}) ORDER BY a LIMIT 2", {(1,): 2}),
    "filter between": (f"SELECT a FROM ({THREE}) WHERE b > 0 ORDER BY b LIMIT 2", {(1,): 1, (2,): 1}),
    "a join of more": (f"SELECT x.a FROM ({TWO}) x CROSS JOIN ({TWO}) y LIMIT 3", {(1,): 3}),
    "a table": ("SELECT * FROM t LIMIT 5", dict.fromkeys(ROWS, 1) | {(1, 4): 2}),
    "rows that are made": (
        f"SELECT e FROM ({TWO}) LATERAL VIEW explode(array(a, b)) AS e ORDER BY e LIMIT 3",
        {(1,): 2, (4,): 1},
    ),
}


_tables = tables_of(TABLES)


def limits(got: Answer) -> list[int]:
    """The numbers of the plan's limits, from the top down."""
    return [int(count) for count in re.findall(r"GlobalLimit (\d+)", got.plain)]


class TestEliminateLimits:
    @pytest.mark.parametrize(("query", "left", "rows"), REWRITTEN.values(), ids=REWRITTEN)
    def test_eliminates_and_answers_as_without_it(self, spark, query, left, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert limits(got) == left
        assert len(limits(kept)) == len(left) + 1
        assert got.rows == kept.rows == rows

    def test_no_rows_are_asked_for_so_none_are_read(self, spark):
        assert answer(spark, "SELECT * FROM t ORDER BY a LIMIT 0").plain.strip() == "LocalRelation <empty>, [a, b]"

    @pytest.mark.parametrize(("query", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert got.rows == rows
