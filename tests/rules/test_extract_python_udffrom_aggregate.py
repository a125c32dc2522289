"""ExtractPythonUDFFromAggregate by hand: a function in Python of aggregates and keys is computed after grouping."""

from __future__ import annotations

import pytest

from strategies.ir import INT, Agg, Aggregate, Col, Item, Project
from strategies.shapes.python_calls import python
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.python_calls import NUMBERS, calls_python
from tests.rules.stock import answer, operators, tables_of

RULE = "ExtractPythonUDFFromAggregate"
_MOST = Aggregate(T0, (), (Item("n0", Agg("max", Col("a", INT))),))
EXPECTED = Expected(
    lambda query: calls_python(query) and holds(Aggregate)(query),
    ANY_FORM,
    Project(_MOST, (Item("u0", python("is_even", Col("n0", INT))),)),
    {"keys": lambda query: "Item(name='k0'" in repr(query), "a count": lambda query: "function='count'" in repr(query)},
)

CALLS = {
    "an aggregate": (
        "SELECT a, python_is_even(max(b)) AS x FROM numbers GROUP BY a",
        {(1, True): 1, (2, None): 1, (None, False): 1},
    ),
    "two aggregates": ("SELECT python_add(max(b), min(b)) AS x FROM numbers", {(6,): 1}),
    "a key": ("SELECT python_add(a, 1) AS x, count(*) AS n FROM numbers GROUP BY a", {(2, 2): 1, (3, 1): 1, (1, 1): 1}),
    "of no rows": ("SELECT python_mark(max(s)) AS x FROM numbers WHERE a > 2", {("none",): 1}),
    "nothing": ("SELECT a, python_seven() AS x FROM numbers GROUP BY a", {(1, 7): 1, (2, 7): 1, (None, 7): 1}),
}
OTHERS = {
    "inside an aggregate": "SELECT max(python_add(a, b)) AS x FROM numbers",
    "above a filter of groups": "SELECT x FROM (SELECT a, max(b) AS x FROM numbers GROUP BY a) WHERE python_is_even(x)",
    "a function in Scala": "SELECT scala_is_even(max(b)) AS x FROM numbers",
}


_tables = tables_of(NUMBERS)


class TestExtractPythonUDFFromAggregate:
    def test_the_function_is_computed_above(self, spark):
        got = answer(spark, "SELECT a, python_is_even(max(b)) AS x FROM numbers GROUP BY a")
        assert RULE in got.rules
        found = operators(got)
        evaluated = next(place for place, operator in enumerate(found) if "EvalPython" in operator)
        assert "Aggregate" in found[evaluated + 1 :]
        assert "Aggregate" not in found[:evaluated]

    @pytest.mark.parametrize(("query", "rows"), CALLS.values(), ids=CALLS)
    def test_each_group_has_its_value(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE in got.rules
        assert got.rows == rows

    @pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
