"""ExtractPythonUDFs by hand: which calls a worker computes, and for which rows."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Col, Filter, Item, Project
from strategies.shapes.python_calls import python
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.python_calls import NUMBERS, calls_python
from tests.rules.stock import answer, operators, tables_of

RULE = "ExtractPythonUDFs"
EXPECTED = Expected(
    calls_python,
    ANY_FORM,
    Project(T0, (Item("u0", python("is_even", Col("a", INT))),)),
    {"a condition": holds(Filter), "a call over a number": lambda query: "'is_even'" in repr(query)},
)

CALLS = {
    "NULL is a value for the function": ("SELECT python_add(a, b) AS x FROM numbers", {(3,): 2, (5,): 1, (2,): 1}),
    "two calls": (
        "SELECT python_is_even(a) AS x, python_is_even(b) AS y FROM numbers WHERE s = 'x'",
        {(False, True): 1},
    ),
    "a call of a call": (
        "SELECT python_mark(python_mark(s)) AS x FROM numbers WHERE a = 1",
        {("x!!",): 1, ("none!",): 1},
    ),
    "in a condition": ("SELECT b FROM numbers WHERE python_is_even(b)", {(2,): 1, (4,): 1}),
    "in CASE": (
        "SELECT CASE WHEN a = 1 THEN python_zero_if_null(CAST(b AS BIGINT)) END AS x FROM numbers",
        {(2,): 1, (4,): 1, (None,): 2},
    ),
    "without operands": ("SELECT python_seven() AS x FROM numbers WHERE a = 1", {(7,): 2}),
    "in an order": ("SELECT a FROM numbers ORDER BY python_add(a, b) DESC, a LIMIT 1", {(1,): 1}),
    "in a join's side": (
        "SELECT n.b, o.b AS c FROM numbers AS n LEFT JOIN others AS o ON python_add(n.a, 1) = o.a AND n.b < 4",
        {(2, None): 1, (4, None): 1, (None, None): 1, (3, 3): 1},
    ),
}
OTHERS = {
    "a function in Scala": "SELECT scala_add(a, b) AS x FROM numbers",
    "a call that nothing reads": "SELECT a FROM (SELECT a, python_is_even(a) AS x FROM numbers)",
}


_tables = tables_of(NUMBERS)


class TestExtractPythonUDFs:
    def test_a_worker_adds_the_values_as_columns(self, spark):
        got = answer(
            spark, "SELECT python_is_even(a) AS x, python_is_even(a) AS y, python_is_even(b) AS z FROM numbers"
        )
        assert RULE in got.rules
        assert any("EvalPython" in operator for operator in operators(got))
        (evaluated,) = (line for line in got.plain.splitlines() if "EvalPython" in line)
        assert evaluated.count("python_is_even(") == 2

    @pytest.mark.parametrize(("query", "rows"), CALLS.values(), ids=CALLS)
    def test_each_call_has_its_value(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE in got.rules
        assert got.rows == rows

    @pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
