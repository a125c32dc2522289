"""PruneFilters by hand: which conditions are always true of the rows below, and which only look it."""

from __future__ import annotations

import pytest

from strategies.ir import BOOLEAN, INT, Column, Database, Filter, Limit, Lit, Table, Window
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, operators, tables_of, without

RULE = "PruneFilters"
EXPECTED = Expected(
    holds(Filter),
    ANY_FORM,
    Filter(T0, Lit(BOOLEAN, True)),
    {"a limit": holds(Limit), "a window": holds(Window)},
)

PAIR = (Column("a", INT), Column("b", INT))
TABLES = Database(
    (
        Table("t", PAIR, ((1, 2), (2, None), (3, 1), (None, 3))),
        Table("u", PAIR, ((2, 1), (3, 5))),
    )
)
FIRST = "(SELECT * FROM t WHERE {} ORDER BY a, b LIMIT 5)"
T = {(1, 2): 1, (2, None): 1, (3, 1): 1, (None, 3): 1}
PRUNED = {
    "always": ("SELECT * FROM t WHERE true", T),
    "always, computed": ("SELECT * FROM t WHERE 1 < 2", T),
    "never": ("SELECT * FROM t WHERE false", {}),
    "unknown": ("SELECT * FROM t WHERE CAST(NULL AS BOOLEAN)", {}),
    "below a limit": (f"SELECT * FROM {FIRST.format('a > 1')} WHERE a > 1", {(2, None): 1, (3, 1): 1}),
    "not NULL": (f"SELECT * FROM {FIRST.format('a > 1')} WHERE a IS NOT NULL", {(2, None): 1, (3, 1): 1}),
    "below a window": (
        "SELECT a, n FROM (SELECT a, count(*) OVER () AS n FROM t WHERE a > 1) WHERE a > 1",
        {(2, 2): 1, (3, 2): 1},
    ),
    "of both branches": (
        "SELECT * FROM (SELECT a FROM t WHERE a > 2 UNION ALL SELECT a FROM u WHERE a > 2 LIMIT 5) WHERE a > 2",
        {(3,): 2},
    ),
    "beside another": (f"SELECT * FROM {FIRST.format('a > 1')} WHERE a > 1 AND b = 1", {(3, 1): 1}),
}
KEPT = {
    "a weaker one": (f"SELECT * FROM {FIRST.format('a > 1')} WHERE a > 0", {(2, None): 1, (3, 1): 1}),
    "another one": (f"SELECT * FROM {FIRST.format('a > 1')} WHERE a < 3", {(2, None): 1}),
    "another column": (f"SELECT * FROM {FIRST.format('a > 1')} WHERE b IS NOT NULL", {(3, 1): 1}),
    "maybe NULL": (
        f"SELECT * FROM {FIRST.format('a > 2 OR b > 2')} WHERE a IS NOT NULL",
        {(3, 1): 1},
    ),
    "of one branch": (
        "SELECT * FROM (SELECT a FROM t WHERE a > 2 UNION ALL SELECT a FROM u ORDER BY a LIMIT 5) WHERE a > 2",
        {(3,): 2},
    ),
    "of the padded side": (
        "SELECT t.a, q.b FROM t LEFT JOIN (SELECT * FROM u WHERE b = 1) AS q ON t.a = q.a WHERE q.b = 1",
        {(2, 1): 1},
    ),
}


_tables = tables_of(TABLES)


class TestPruneFilters:
    def test_what_is_always_true_is_no_filter_and_what_is_never_no_row(self, spark):
        always, never = (answer(spark, f"SELECT * FROM t WHERE {constant}") for constant in ("true", "false"))
        assert always.plain.splitlines() == ["Relation [a,b] parquet"]
        assert never.plain.splitlines() == ["LocalRelation <empty>, [a, b]"]
        assert operators(answer(spark, "SELECT * FROM t WHERE true", without(RULE))) == ["Filter", "Relation"]

    @pytest.mark.parametrize(("query", "rows"), PRUNED.values(), ids=PRUNED)
    def test_prunes_and_answers_as_without_it(self, spark, query, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert RULE not in kept.rules
        assert operators(got).count("Filter") <= operators(kept).count("Filter")
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize(("query", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert got.rows == rows
