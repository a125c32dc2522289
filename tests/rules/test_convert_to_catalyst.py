"""ConvertToCatalyst by hand: which calls become expressions, what these make of NULL, and which stay in Python."""

from __future__ import annotations

import pytest

from oracles.rules.entries.functions import TRANSLATES
from strategies.ir import INT, Aggregate, Col, Filter, Item, Project
from strategies.shapes.convert_to_catalyst import RULE, translated
from tests.rules.expected import ANY_FORM, T0, Expected, holds
from tests.rules.python_calls import NUMBERS, calls_python
from tests.rules.stock import answer, operators, tables_of

EXPECTED = Expected(
    calls_python,
    ANY_FORM,
    Project(T0, (Item("u0", translated("is_even", Col("a", INT))),)),
    {"a condition": holds(Filter), "a key": holds(Aggregate), "two operands": lambda query: "'compare'" in repr(query)},
)

CALLS = {
    "NULL stays NULL": ("SELECT translated_is_even(b) AS x FROM numbers", {(True,): 2, (False,): 1, (None,): 1}),
    "NULL is no number": ("SELECT translated_is_positive(b) AS x FROM numbers", {(True,): 3, (False,): 1}),
    "a value of NULL": ("SELECT translated_mark(s) AS x FROM numbers", {("x!",): 1, ("!",): 1, ("none",): 2}),
    "NULL equals NULL": (
        "SELECT translated_same(s, CAST(NULL AS STRING)) AS x FROM numbers",
        {(False,): 2, (True,): 2},
    ),
    "an empty text is false": (
        "SELECT translated_first_filled(s, 'y') AS x FROM numbers",
        {("x",): 1, ("y",): 3},
    ),
    "statements of branches": (
        "SELECT translated_compare(a, b) AS x, translated_compare(b, a) AS y FROM numbers",
        {(-1, 1): 2, (None, None): 2},
    ),
    "without operands": ("SELECT translated_seven() AS x FROM numbers WHERE a = 1", {(7,): 2}),
    "a call of a call": (
        "SELECT b FROM numbers WHERE translated_is_positive(translated_compare(b, a))",
        {(2,): 1, (4,): 1},
    ),
}
OTHERS = {
    "a function that can't be translated": "SELECT translated_add(a, b) AS x FROM numbers",
    "a function in Python": "SELECT python_is_even(a) AS x FROM numbers",
    "a function in Scala": "SELECT scala_is_even(a) AS x FROM numbers",
}
KEPT = {
    "without the setting": {TRANSLATES: "false"},
    "without ANSI": {"spark.sql.ansi.enabled": "false"},
    "under its reference": {"spark.assay.reference": "TranspiledPythonUDF"},
}


_tables = tables_of(NUMBERS)


class TestConvertToCatalyst:
    @pytest.mark.parametrize(("query", "rows"), CALLS.values(), ids=CALLS)
    def test_no_worker_computes_a_translated_call(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE in got.rules
        assert not any("EvalPython" in operator for operator in operators(got))
        assert got.rows == rows

    @pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules

    @pytest.mark.parametrize("conf", KEPT.values(), ids=KEPT)
    def test_the_function_stays_in_python(self, spark, conf):
        query, rows = CALLS["a value of NULL"]
        got = answer(spark, query, conf)
        assert any("EvalPython" in operator for operator in operators(got))
        assert got.rows == rows
        assert (RULE in got.rules) == ("spark.assay.reference" not in conf)
