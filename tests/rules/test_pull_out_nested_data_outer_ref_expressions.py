"""PullOutNestedDataOuterRefExpressions by hand: which reads of a map become columns outside, and what these are."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    Alias,
    CaseWhen,
    Col,
    Column,
    Compare,
    Database,
    Exists,
    Filter,
    InSubquery,
    Item,
    Lit,
    MakeMap,
    Map,
    MapRead,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    Table,
    walk,
)
from tests.rules.expected import RIGHT_A, S0, T0, Expected, holds
from tests.rules.stock import answer, tables_of

RULE = "PullOutNestedDataOuterRefExpressions"

_KEY = Lit(INT, 0)
_READ = MapRead(Outer("m", Map(INT, INT), "t0"), _KEY)
_MADE = Item("m", MakeMap((_KEY,), (Col("a", INT),)))
_AROUND = Alias(Project(T0, (Item("a", Col("a", INT)), _MADE)), "t0")
LEAST = Project(Filter(_AROUND, Exists(Filter(S0, Compare("=", RIGHT_A, _READ)))), (Item("a", Col("a", INT)),))


def _reads_a_map(query: Relation) -> bool:
    return any(isinstance(node, MapRead) and isinstance(node.operand, Outer) for node in walk(query))


EXPECTED = Expected(
    _reads_a_map,
    frozenset({"sql"}),
    LEAST,
    {
        "EXISTS": holds(Exists),
        "IN": holds(InSubquery),
        "a value": holds(ScalarSubquery),
        "a map that may be NULL": holds(CaseWhen),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("people", COLUMNS, ((1, 10), (2, None), (3, 30), (None, 40))),
        Table("orders", COLUMNS, ((1, 10), (1, 11), (2, 30), (None, 40))),
    )
)
MAPS = "(SELECT a, b, map(1, a, 2, b) AS m, CASE WHEN a < 3 THEN map('k', a) END AS n FROM people) AS p"
FIRING = {
    "a read": ("o.a = p.m[1]", {1, 2}),
    "two keys": ("o.a = p.m[1] AND o.b = p.m[2]", {1}),
    "either key": ("o.a = p.m[1] OR o.b = p.m[2]", {1, 2, 3, None}),
    "an absent key": ("o.a = p.m[3]", set()),
    "NULL for an absent key": ("p.m[3] IS NULL", {1, 2, 3, None}),
    "a map that may be NULL": ("o.a = p.n['k']", {1, 2}),
    "NULL for a map that is NULL": ("o.a <=> p.n['k']", {1, 2, 3, None}),
    "a key of the row outside": ("o.b = p.m[p.a + 1]", {1}),
    "an order": ("o.b < p.m[2]", {3, None}),
}
KEPT = {
    "a key of the row inside": "EXISTS (SELECT 1 FROM orders AS o WHERE p.m[o.a] = 10)",
    "a read outside": "p.m[2] > 10 AND EXISTS (SELECT 1 FROM orders AS o WHERE o.a = p.a)",
    "a map inside": "EXISTS (SELECT 1 FROM orders AS o WHERE map(1, o.a)[1] = p.a)",
    "no correlation": "p.m[2] IN (SELECT b FROM orders)",
}

_tables = tables_of(TABLES)


class TestPullOutNestedDataOuterRefExpressions:
    @pytest.mark.parametrize(("condition", "left"), FIRING.values(), ids=FIRING)
    def test_a_read_of_a_map_outside_is_a_column_there(self, spark, condition, left):
        got = answer(spark, f"SELECT a FROM {MAPS} WHERE EXISTS (SELECT 1 FROM orders AS o WHERE {condition})")
        assert RULE in got.rules
        assert got.rows == dict.fromkeys(((a,) for a in left), 1)

    def test_every_row_outside_stays_and_has_its_count(self, spark):
        counted = "(SELECT count(*) FROM orders AS o WHERE o.a = p.n['k'])"
        got = answer(spark, f"SELECT a, {counted} AS n FROM {MAPS}")
        assert RULE in got.rules
        assert got.rows == {(1, 2): 1, (2, 1): 1, (3, 0): 1, (None, 0): 1}

    def test_each_row_outside_has_first_rows_of_its_own(self, spark):
        first = "SELECT b FROM orders AS o WHERE o.a = p.m[1] ORDER BY b LIMIT 1"
        got = answer(spark, f"SELECT p.a, s.b FROM {MAPS}, LATERAL ({first}) AS s")
        assert RULE in got.rules
        assert got.rows == {(1, 10): 1, (2, 30): 1}

    def test_nothing_turns_it_off(self, harness):
        """It may be excluded, but then some reads are refused, and a LIMIT is taken of all rows outside together."""
        assert harness.catalogue.rule(RULE).switch is None

    @pytest.mark.parametrize("condition", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, condition):
        assert RULE not in answer(spark, f"SELECT a FROM {MAPS} WHERE {condition}").rules
