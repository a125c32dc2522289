"""ExtractPythonUDTFs by hand: which rows a table function in Python is called for, and what becomes of its rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies.ir import (
    INT,
    Array,
    Col,
    Column,
    Database,
    Filter,
    Generate,
    MakeArray,
    Project,
    Relation,
    Table,
    is_in_python,
    walk,
)
from tests.rules.expected import T0, Expected, holds
from tests.rules.stock import answer, operators, tables_of

RULE = "ExtractPythonUDTFs"


def _made(kind: Callable[[Generate], bool]) -> Callable[[Relation], bool]:
    return lambda query: any(is_in_python(node) and kind(node) for node in walk(query))


EXPECTED = Expected(
    _made(lambda node: True),
    frozenset({"sql"}),
    Generate(T0, MakeArray(INT, (Col("a", INT),)), "e", in_python=True),
    {
        "positions": _made(lambda node: node.position is not None),
        "rows without elements": _made(lambda node: node.outer),
        "an array column": _made(lambda node: isinstance(node.array, Col)),
        "a condition": holds(Filter),
        "a select list": holds(Project),
    },
)

LISTS = Database(
    (
        Table(
            "lists",
            (Column("a", INT), Column("b", Array(INT))),
            ((1, (7, None, 7)), (2, ()), (3, None), (3, None), (4, (5,)), (4, (5,))),
        ),
    )
)
CALLS = {
    "elements": (
        "SELECT a, e FROM lists, LATERAL python_elements_int(b, false) AS g(e)",
        {(1, 7): 2, (1, None): 1, (4, 5): 2},
    ),
    "positions": (
        "SELECT a, p, e FROM lists, LATERAL python_positions_int(b, false) AS g(p, e)",
        {(1, 0, 7): 1, (1, 1, None): 1, (1, 2, 7): 1, (4, 0, 5): 2},
    ),
    "rows without elements": (
        "SELECT a, e FROM lists, LATERAL python_elements_int(b, true) AS g(e)",
        {(1, 7): 2, (1, None): 1, (2, None): 1, (3, None): 2, (4, 5): 2},
    ),
    "rows without elements and positions": (
        "SELECT a, p, e FROM lists, LATERAL python_positions_int(b, true) AS g(p, e) WHERE a > 1",
        {(2, None, None): 1, (3, None, None): 2, (4, 0, 5): 2},
    ),
    "a row's column alone": (
        "SELECT a FROM lists, LATERAL python_elements_int(b, false) AS g(e)",
        {(1,): 3, (4,): 2},
    ),
    "a condition on the element": (
        "SELECT p FROM lists, LATERAL python_positions_int(b, false) AS g(p, e) WHERE e = 7",
        {(0,): 1, (2,): 1},
    ),
    "a function of what another one made": (
        "SELECT f FROM lists, LATERAL python_elements_int(b, false) AS g(e), "
        "LATERAL python_elements_int(array(e, a), false) AS h(f)",
        {(7,): 2, (None,): 1, (1,): 3, (5,): 2, (4,): 2},
    ),
    "in a subquery": (
        "SELECT a FROM lists WHERE a IN (SELECT e FROM lists, LATERAL python_elements_int(array(a, 1), false) AS g(e))"
        " AND a < 2",
        {(1,): 1},
    ),
}
OTHERS = {
    "a table function of Spark's": "SELECT a, e FROM lists LATERAL VIEW explode(b) g AS e",
    "a function in Python": "SELECT python_is_even(a) AS x FROM lists",
}

_tables = tables_of(LISTS)


class TestExtractPythonUDTFs:
    def test_a_worker_makes_the_rows_beside_the_columns_that_are_read(self, spark):
        got = answer(spark, "SELECT a, e FROM lists, LATERAL python_elements_int(b, false) AS g(e)")
        assert RULE in got.rules
        assert any("EvalPythonUDTF" in operator for operator in operators(got))
        (made,) = (line for line in got.plain.splitlines() if "EvalPythonUDTF" in line)
        assert "Generate" not in got.plain
        assert made.endswith("[a], [element]")

    def test_nothing_turns_it_off(self, harness):
        """It may be excluded, but then no plan with such a function runs."""
        assert harness.catalogue.rule(RULE).switch is None

    @pytest.mark.parametrize(("query", "rows"), CALLS.values(), ids=CALLS)
    def test_each_row_has_the_rows_that_the_function_makes_of_it(self, spark, query, rows):
        got = answer(spark, query)
        assert RULE in got.rules
        assert got.rows == rows

    @pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer(spark, query).rules
