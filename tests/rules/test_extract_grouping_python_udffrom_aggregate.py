"""ExtractGroupingPythonUDFFromAggregate by hand: a function in Python without operands is a key like any other."""

from __future__ import annotations

import pytest

from strategies.ir import Agg, Aggregate, Item
from strategies.shapes.python_calls import SEVEN
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.python_calls import NUMBERS, calls_python
from tests.rules.stock import answer, operators, tables_of

RULE = "ExtractGroupingPythonUDFFromAggregate"
EXPECTED = Expected(
    lambda query: calls_python(query) and holds(Aggregate)(query),
    ANY_FORM,
    Aggregate(T0, (Item("k0", SEVEN),), (Item("n0", Agg("count")),)),
    {"another key": lambda query: "Item(name='k1'" in repr(query)},
)

GROUPS = {
    "the only key": ("SELECT python_seven() AS k, count(*) AS n FROM numbers GROUP BY python_seven()", {(7, 4): 1}),
    "a key beside another": (
        "SELECT a, count(*) AS n FROM numbers GROUP BY a, python_seven()",
        {(1, 2): 1, (2, 1): 1, (None, 1): 1},
    ),
    "a key of no rows": ("SELECT count(*) AS n FROM numbers WHERE a > 2 GROUP BY python_seven()", {}),
    "within an aggregate, too": (
        "SELECT max(python_add(a, python_seven())) AS x FROM numbers GROUP BY python_seven()",
        {(9,): 1},
    ),
}
OTHERS = {
    "a function of a column": "SELECT python_is_even(b) AS k, count(*) AS n FROM numbers GROUP BY python_is_even(b)",
    "no key": "SELECT python_seven() AS k, count(*) AS n FROM numbers",
    "a function in Scala": "SELECT count(*) AS n FROM numbers GROUP BY scala_seven()",
}


_tables = tables_of(NUMBERS)


class TestExtractGroupingPythonUDFFromAggregate:
    def test_the_key_is_computed_below(self, spark):
        got = answer(spark, "SELECT a, count(*) AS n FROM numbers GROUP BY a, python_seven()")
        assert RULE in got.rules
        found = operators(got)
        below = found[found.index("Aggregate") + 1 :]
        assert any("EvalPython" in operator for operator in below)

    @pytest.mark.parametrize(("query", "rows"), GROUPS.values(), ids=GROUPS)
    def test_groups_by_its_value(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE in got.rules
        assert got.rows == rows

    @pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
