"""OptimizeExpand by hand: of rows that are equal in all that is read one is multiplied."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Agg, Aggregate, Col, Column, Database, IsNull, Item, Table, walk
from strategies.shapes.optimize_expand import CONF
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.stock import answer, operators, tables_of, without

RULE = "OptimizeExpand"
_A = Col("a", INT)
LEAST = Aggregate(T0, (), (Item("n0", Agg("count", _A, True)), Item("n1", Agg("count", IsNull(_A), True))))


def functions(query) -> list[Agg]:
    return [node for node in walk(query) if isinstance(node, Agg)]


def sets(query) -> set[tuple[object, tuple[object, ...]]]:
    """Each set of values that a DISTINCT function of a query reads."""
    return {(function.operand, function.others) for function in functions(query) if function.distinct}


EXPECTED = Expected(
    lambda query: len(sets(query)) > 1,
    ANY_FORM,
    LEAST,
    {
        "three sets": lambda query: len(sets(query)) > 2,
        "two columns": lambda query: len({one for one, _ in sets(query) if isinstance(one, Col)}) > 1,
        "a pair": lambda query: any(others for _, others in sets(query)),
        "a sum": lambda query: any(function.function == "sum" for function in functions(query)),
        "an average": lambda query: any(function.function == "avg" for function in functions(query)),
        "two keys": lambda query: isinstance(query, Aggregate) and len(query.keys) > 1,
        "a computed key": lambda query: isinstance(query, Aggregate) and any(map(holds(IsNull), query.keys)),
    },
    others={"conf": CONF},
)

COLUMNS = (Column("k", INT), Column("a", INT), Column("b", INT))
ROWS = ((1, 1, 10), (1, 1, 10), (1, 1, 20), (1, 2, 20), (2, 1, None), (2, 1, None), (2, None, 7), (None, None, 7))
TABLES = Database((Table("t", COLUMNS, ROWS), Table("nothing", COLUMNS)))
TWO_STEPS = {
    "of all rows": ("SELECT count(DISTINCT a), sum(DISTINCT b) FROM t", {(2, 37): 1}),
    "by groups": (
        "SELECT k, count(DISTINCT a), count(DISTINCT b) FROM t GROUP BY k",
        {(1, 2, 2): 1, (2, 1, 1): 1, (None, 0, 1): 1},
    ),
    "NULL beside a value": ("SELECT k, sum(DISTINCT a), sum(DISTINCT b) FROM t WHERE k = 2 GROUP BY k", {(2, 1, 7): 1}),
    "a column and a pair": ("SELECT count(DISTINCT a), count(DISTINCT a, b) FROM t", {(2, 3): 1}),
    "a key that is counted": (
        "SELECT count(DISTINCT k), count(DISTINCT b) FROM t GROUP BY k",
        {(1, 2): 1, (1, 1): 1, (0, 1): 1},
    ),
    "computed of as many columns": ("SELECT count(DISTINCT a + b), count(DISTINCT b - a) FROM t", {(3, 3): 1}),
    "of no rows": ("SELECT count(DISTINCT a), sum(DISTINCT b) FROM nothing", {(0, None): 1}),
    "groups of no rows": ("SELECT k, count(DISTINCT a), sum(DISTINCT b) FROM nothing GROUP BY k", {}),
}
KEPT = {
    "beside all rows": ("SELECT count(DISTINCT a), count(DISTINCT b), sum(a) FROM t", {(2, 3, 7): 1}),
    "a filter": ("SELECT count(DISTINCT a) FILTER (WHERE k = 2), count(DISTINCT b) FROM t", {(1, 3): 1}),
    "more columns than values": ("SELECT count(DISTINCT k + a), count(DISTINCT b) FROM t", {(2, 3): 1}),
    "groups": (
        "SELECT count(DISTINCT x), count(DISTINCT y) FROM (SELECT count(a) AS x, sum(b) AS y FROM t GROUP BY k)",
        {(3, 2): 1},
    ),
    "one set": ("SELECT count(DISTINCT a), sum(DISTINCT a) FROM t", {(2, 3): 1}),
    "the greatest value": ("SELECT count(DISTINCT a), max(DISTINCT b) FROM t", {(2, 20): 1}),
}

_tables = tables_of(TABLES)


@pytest.mark.parametrize(("query", "rows"), TWO_STEPS.values(), ids=TWO_STEPS)
def test_equal_rows_are_multiplied_once_and_answered_as_each_of_them(spark, query, rows):
    got, kept = answer(spark, query, dict(CONF)), answer(spark, query, {**dict(CONF), **without(RULE)})
    assert RULE in got.rules
    assert RULE not in kept.rules
    assert operators(got)[:4] == ["Aggregate", "Aggregate", "Expand", "Aggregate"]
    assert "Aggregate" not in operators(kept)[3:]
    assert got.rows == kept.rows == rows


@pytest.mark.parametrize(("query", "rows"), KEPT.values(), ids=KEPT)
def test_keeps_away(spark, query, rows):
    got = answer(spark, query, dict(CONF))
    assert RULE not in got.rules
    assert got.rows == rows


def test_sleeps_by_default_and_below_its_threshold(spark):
    query, _ = TWO_STEPS["of all rows"]
    assert RULE not in answer(spark, query).rules
    assert RULE not in answer(spark, query, {key: "3" for key, _ in CONF}).rules
