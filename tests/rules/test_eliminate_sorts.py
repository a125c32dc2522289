"""EliminateSorts by hand: orders that nothing asks for, and those that count."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Aggregate, Col, Column, Database, Item, Limit, Lit, Project, SortKey, Table
from tests.rules.expected import ANY_FORM, T0, Expected, holds, joins
from tests.rules.stock import Answer, answer, operators, tables_of, without

RULE = "EliminateSorts"
A_CONSTANT = Project(T0, (Item("c", Lit(INT, 0)),))
EXPECTED = Expected(
    holds(Limit),
    ANY_FORM,
    Limit(A_CONSTANT, (SortKey(Col("c", INT)),), 1),
    {"a join": joins("left", "full"), "an aggregate": holds(Aggregate)},
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (Table("t", PAIR, ((2, 1), (1, 4), (1, 4), (3, 2), (None, 3))), Table("u", PAIR, ((1, 1), (2, 2), (3, 3))))
)
IN_ORDER = "(SELECT * FROM t ORDER BY b, a)"
FEW = "(SELECT * FROM t ORDER BY b, a LIMIT 2)"

# The query, how many sorts are left, how many there are without the rule, the rows.
REWRITTEN = {
    "below count": (f"SELECT count(*) FROM {IN_ORDER}", 0, 1, {(5,): 1}),
    "below max by key": (f"SELECT b, max(a) FROM {IN_ORDER} WHERE a < 3 GROUP BY b", 0, 1, {(1, 2): 1, (4, 1): 1}),
    "below a join": (f"SELECT x.b, u.b FROM {IN_ORDER} x JOIN u ON x.a = u.a", 0, 1, {(1, 2): 1, (4, 1): 2, (2, 3): 1}),
    "on either side": (f"SELECT count(*) FROM {IN_ORDER} x FULL JOIN {IN_ORDER} y ON x.a = y.a", 0, 2, {(8,): 1}),
    "below a sort": (f"SELECT * FROM {IN_ORDER} ORDER BY a NULLS LAST, b LIMIT 2", 1, 2, {(1, 4): 2}),
    "below a sort, with a projection between": (
        f"SELECT * FROM (SELECT a + 1 AS c FROM {IN_ORDER}) ORDER BY c DESC LIMIT 1",
        1,
        2,
        {(4,): 1},
    ),
    "a constant": ("SELECT count(*) FROM (SELECT * FROM t ORDER BY 'x' LIMIT 3)", 0, 1, {(3,): 1}),
    "a constant and a column": (
        "SELECT * FROM (SELECT 1 AS c, a, b FROM t) ORDER BY c, b DESC, a LIMIT 2",
        1,
        1,
        {(1, 1, 4): 2},
    ),
}
KEPT = {
    "below a limit": (f"SELECT count(*), max(a) FROM {FEW}", 1, {(2, 3): 1}),
    "below a limit and a join": (f"SELECT x.a, u.b FROM {FEW} x JOIN u ON x.a = u.a", 1, {(2, 2): 1, (3, 3): 1}),
    "first": (f"SELECT first(a), last(a) FROM {IN_ORDER}", 1, {(2, 1): 1}),
    "collect_list": (f"SELECT array_join(collect_list(a), ',') FROM {IN_ORDER}", 1, None),
    "at the top": ("SELECT * FROM t ORDER BY a, b", 1, None),
    "two rows": (f"SELECT * FROM {FEW} ORDER BY a DESC LIMIT 1", 2, {(3, 2): 1}),
}


_tables = tables_of(TABLES)


def sorts(got: Answer) -> int:
    return operators(got).count("Sort")


class TestEliminateSorts:
    @pytest.mark.parametrize(("query", "left", "without_it", "rows"), REWRITTEN.values(), ids=REWRITTEN)
    def test_eliminates_and_answers_as_without_it(self, spark, query, left, without_it, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert (sorts(got), sorts(kept)) == (left, without_it)
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize(("query", "left", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, left, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert sorts(got) == left
        assert rows in (None, got.rows)
