"""ExtractPythonUDFFromJoinCondition by hand: a function in Python of both sides becomes a filter above the join."""

from __future__ import annotations

import pytest

from strategies.ir import INT, And, Compare, Join, Lit, walk
from strategies.shapes.python_calls import python
from tests.rules.expected import ANY_FORM, LEFT_A, RIGHT_A, S0, T0, Expected, joins
from tests.rules.python_calls import NUMBERS, calls_python
from tests.rules.stock import answer, operators, tables_of

RULE = "ExtractPythonUDFFromJoinCondition"
EXPECTED = Expected(
    lambda query: calls_python(query) and joins("inner")(query),
    ANY_FORM,
    Join(T0, S0, "inner", Compare("=", python("add", LEFT_A, RIGHT_A), Lit(INT, 0))),
    {"another part": lambda query: any(isinstance(n, Join) and isinstance(n.on, And) for n in walk(query))},
)

_JOIN = "SELECT n.b, o.b AS c FROM numbers AS n JOIN others AS o ON"
JOINS = {
    "the function alone": (f"{_JOIN} python_add(n.a, o.a) = 3", {(2, None): 1, (4, None): 1, (None, 3): 1}),
    "beside an equality": (f"{_JOIN} n.a = o.a AND python_is_even(python_add(n.b, o.b))", {(None, None): 1}),
    "two of them": (f"{_JOIN} python_add(n.a, o.a) = 3 AND python_add(n.b, o.b) > 2", {(4, None): 1, (None, 3): 1}),
    "a condition that is NULL": (
        f"{_JOIN} python_add(n.a, o.a) <> o.b",
        {(2, 3): 1, (4, 3): 1, (3, 3): 1, (2, 7): 1, (4, 7): 1, (None, 7): 1, (3, 7): 1},
    ),
    "a filter above": (
        "SELECT n.b, o.b AS c FROM numbers AS n, others AS o WHERE python_add(n.a, o.a) = 4",
        {(None, None): 1},
    ),
}
OTHERS = {
    "a function of one side": "SELECT n.b FROM numbers AS n JOIN others AS o ON python_add(n.a, n.b) = o.b",
    "above an outer join": (
        "SELECT n.b FROM numbers AS n LEFT JOIN others AS o ON n.a = o.a WHERE python_add(n.b, o.b) = 5"
    ),
    "a function in Scala": f"{_JOIN} scala_add(n.a, o.a) = 3",
}


_tables = tables_of(NUMBERS)


class TestExtractPythonUDFFromJoinCondition:
    def test_becomes_a_filter_over_the_join(self, spark):
        got = answer(spark, f"{_JOIN} n.a = o.a AND python_is_even(python_add(n.b, o.b))")
        assert RULE in got.rules
        found = operators(got)
        assert "Join" in found[next(place for place, each in enumerate(found) if "EvalPython" in each) :]
        assert "Join Inner, (a = a)" in got.plain

    @pytest.mark.parametrize(("query", "rows"), JOINS.values(), ids=JOINS)
    def test_rows_meet_where_the_function_says_so(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE in got.rules
        assert got.rows == rows

    @pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules

    @pytest.mark.parametrize("kind", ["LEFT", "FULL", "LEFT SEMI", "LEFT ANTI"])
    def test_spark_refuses_any_other_join(self, spark, kind):
        query = f"SELECT n.b FROM numbers AS n {kind} JOIN others AS o ON python_add(n.a, o.a) = 3"
        with pytest.raises(AssertionError, match="PYTHON_UDF"):
            answer(spark, query)
