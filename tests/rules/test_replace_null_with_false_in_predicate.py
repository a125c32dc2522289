"""ReplaceNullWithFalseInPredicate by hand: where NULL counts as false, and where it is told from it."""

from __future__ import annotations

import pytest

from strategies.ir import BOOLEAN, INT, CaseWhen, Column, Database, Filter, Join, Lit, Or, Project, Table, walk
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without


def has_null_or_no_else(query):
    """Whether a query holds a NULL, or a CASE that is NULL where no branch is taken."""
    return any(
        (isinstance(node, Lit) and node.value is None) or (isinstance(node, CaseWhen) and node.otherwise is None)
        for node in walk(query)
    )


RULE = "ReplaceNullWithFalseInPredicate"
EXPECTED = Expected(
    has_null_or_no_else,
    ANY_FORM,
    Filter(T0, Or(A_IS_ZERO, Lit(BOOLEAN, None))),
    {"a filter": holds(Filter), "a branch": holds(Project), "ON": holds(Join), "a conditional": holds(CaseWhen)},
)
ROWS = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("b", INT), Column("c", BOOLEAN), Column("d", BOOLEAN)),
            tuple((a, 2, c, d) for a in (1, 3, None) for c in (True, False, None) for d in (True, False, None)),
        ),
    )
)
FILTERS = {
    "OR": ("c OR NULL", "(isnotnull(c) AND c)"),
    "AND beside OR": ("(d AND NULL) OR c", "(isnotnull(c) AND c)"),
    "NOT of AND": ("NOT (c AND NULL)", "(isnotnull(c) AND NOT c)"),
    "a result": ("CASE WHEN c THEN NULL ELSE d END", "CASE WHEN c THEN false ELSE d END"),
    "no ELSE": ("CASE WHEN c THEN true END", "(c <=> true)"),
    "NOT IN beside OR": ("c OR a NOT IN (b, NULL)", "(isnotnull(c) AND c)"),
}
KEPT_FILTERS = {
    "asked about": "(c OR NULL) IS NULL",
    "compared": "(c AND NULL) <=> d",
    "defaulted": "coalesce(c AND NULL, true)",
    "NOT of a conditional": "NOT CASE WHEN c THEN NULL ELSE d END",
    "IN": "a IN (1, NULL)",
}
KEPT = {
    "OR": "c OR NULL",
    "a result": "CASE WHEN c THEN NULL ELSE false END",
    "NOT IN": "a NOT IN (1, NULL)",
    "whether one is": "exists(array(a, b), x -> x = 1 OR NULL)",
}


_tables = tables_of(ROWS)


class TestReplaceNullWithFalseInPredicate:
    @pytest.mark.parametrize(("condition", "simpler"), FILTERS.values(), ids=FILTERS)
    def test_a_filter_has_false_for_null(self, spark, condition, simpler):
        query = f"SELECT a, c, d FROM t WHERE {condition}"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert f"Filter {simpler}\n" in got.plain
        assert f"Filter {simpler}\n" not in kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("condition", KEPT_FILTERS.values(), ids=KEPT_FILTERS)
    def test_null_is_not_false_below_what_tells_them_apart(self, spark, condition):
        query = f"SELECT a, c, d FROM t WHERE {condition}"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    @pytest.mark.parametrize("expression", KEPT.values(), ids=KEPT)
    def test_a_value_shows_null(self, spark, expression):
        query = f"SELECT a, c, {expression} AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows
        assert None in {p for _, _, p in got.rows}

    def test_no_row_is_outside_a_list_with_null(self, spark):
        query = "SELECT a FROM t WHERE a NOT IN (1, NULL)"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.plain.startswith("LocalRelation <empty>")
        assert "NOT a IN (1,null)" in kept.plain
        assert got.rows == kept.rows == {}

    def test_the_condition_of_a_branch_is_one_whoever_asks(self, spark):
        query = "SELECT DISTINCT c, CASE WHEN c OR NULL THEN 1 ELSE 2 END AS p FROM t"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert "CASE WHEN c THEN 1 ELSE 2 END" in got.plain
        assert got.rows == kept.rows == {(True, 1): 1, (False, 2): 1, (None, 2): 1}

    def test_an_array_is_filtered_by_a_condition(self, spark):
        query = "SELECT DISTINCT a, filter(array(a, b), x -> x = 1 OR NULL)[0] AS p FROM t WHERE a = 1"
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.rows == kept.rows == {(1, 1): 1}
