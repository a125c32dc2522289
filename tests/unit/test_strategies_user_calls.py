"""Calls of user-defined functions: what is drawn, where those in Python stay, and what all shrink to."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from assay.fuzz.case_mix import forms_of
from oracles.engines.spark import python_functions
from oracles.sql import DuckdbCompiler, SparkCompiler
from strategies.draw.arrangements import sorted_by_all
from strategies.draw.cases import cases
from strategies.draw.exprs import any_expressions
from strategies.draw.user_calls import user_functions, with_python_where_it_runs
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    INT,
    LANGUAGES,
    STRING,
    USER_FUNCTIONS,
    Alias,
    And,
    Col,
    Column,
    Compare,
    Element,
    Exists,
    Expr,
    Field,
    Filter,
    HigherOrder,
    IsNull,
    Item,
    Join,
    JoinKind,
    Language,
    Lateral,
    Lit,
    MakeArray,
    Node,
    Outer,
    Project,
    RaisingArith,
    Relation,
    Scan,
    Sort,
    UserCall,
    walk,
)
from tests.unit.strategy_asserts import Sample, drawn, minimal

FIELDS = (Field("a", INT, None), Field("b", BIGINT, None), Field("s", STRING, None))
T0 = Scan("t0", (Column("a", INT), Column("s", STRING)))
L, R = Alias(T0, "l"), Alias(T0, "r")
A, LEFT, RIGHT = Col("a", INT), Col("a", INT, "l"), Col("a", INT, "r")
SEVEN = UserCall("python", "seven", ())
EXPRESSIONS = Sample(any_expressions(FIELDS))
CASES = Sample(cases(forms_of=forms_of))


def calls(node: Node) -> list[tuple[str, Language]]:
    return [(part.function, part.language) for part in walk(node) if isinstance(part, UserCall)]


def languages(node: Node) -> list[Language]:
    return [language for _, language in calls(node)]


def even(*operands: Expr, language: Language = "python") -> UserCall:
    return UserCall(language, "is_even", operands)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", USER_FUNCTIONS)
def test_every_function_is_drawn_in_every_language(name: str, language: Language) -> None:
    EXPRESSIONS.find_any(lambda one: (name, language) in calls(one), within=40_000)


def test_a_call_shrinks_to_one_in_scala_of_columns() -> None:
    least = minimal(any_expressions(FIELDS), lambda one: isinstance(one, UserCall))
    assert languages(least) == ["scala"]
    assert all(isinstance(part, (UserCall, Col)) for part in walk(least))


def test_functions_are_those_whose_operands_there_are() -> None:
    assert user_functions(frozenset((INT,)), INT) == ("add", "compare", "seven")
    assert user_functions(frozenset((STRING,)), BOOLEAN) == ("same",)
    assert user_functions(frozenset((DATE,)), INT) == ("seven",)
    assert user_functions(frozenset((INT,)), DATE) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_drawn_cases_call_functions_of_each_language(language: Language) -> None:
    CASES.find_any(lambda case: language in languages(case.query), within=4_000)


@st.composite
def orders(draw: st.DrawFn, column: Column) -> Sort:
    return sorted_by_all(draw, Scan("t", (column,)))


def _is_by_a_call(query: Sort) -> bool:
    """Whether the second key, after one with ties, is a text that Spark calls a function in Scala for."""
    called = [key.value for key in query.order[1:2] if isinstance(query.order[0].value, IsNull)]
    return any(isinstance(key, UserCall) and key.language == "scala" and key.type == STRING for key in called)


def test_rows_that_tie_come_in_the_order_of_a_called_text() -> None:
    """In Scala: those in Python are evaluated below (SPARK-53275)."""
    texts = drawn(orders(Column("s", STRING)), count=200)
    assert sum(map(_is_by_a_call, texts)) > 20


def test_no_text_is_called_where_there_is_none() -> None:
    assert not any(map(_is_by_a_call, drawn(orders(Column("a", DATE)), count=200)))


def _on(kind: JoinKind, on: Expr) -> Relation:
    return Join(L, R, kind, on)


_SUM = UserCall("python", "add", (LEFT, RIGHT))
_OUTER = Exists(Filter(R, even(UserCall("python", "add", (RIGHT, Outer("a", INT, "l"))))))
_TRANSFORMED = HigherOrder("transform", MakeArray(INT, (UserCall("python", "add", (A, A)),)), even(Element(INT)))
_RAISES = Filter(T0, Compare("=", RaisingArith("+", A, A), UserCall("python", "add", (A, A))))
PLACES: dict[str, tuple[Relation, list[Language]]] = {
    "a select list": (Project(T0, (Item("x", even(A)),)), ["python"]),
    "a filter": (Filter(T0, even(A)), ["python"]),
    "ON of an inner join": (_on("inner", even(_SUM)), ["python", "python"]),
    **{
        f"ON of a {kind} join, of both sides": (_on(kind, And(even(_SUM), even(LEFT))), ["scala", "scala", "python"])
        for kind in ("left", "right", "full", "semi", "anti")
    },
    "ON of a left join, of nothing": (_on("left", Compare("=", SEVEN, LEFT)), ["python"]),
    "ON of a LATERAL join": (Lateral(L, Alias(Filter(T0, even(A)), "q"), "left", even(LEFT)), ["python", "scala"]),
    "of an outer column": (Filter(L, _OUTER), ["scala", "scala"]),
    "a select list, translated": (
        Project(T0, (Item("x", even(A, language="translated")),)),
        ["translated"],
    ),
    "ON of a left join, of both sides, translated": (
        _on("left", even(UserCall("translated", "compare", (LEFT, RIGHT)), language="translated")),
        ["scala", "scala"],
    ),
    "the body of a function of elements": (Project(T0, (Item("x", _TRANSFORMED),)), ["python", "scala"]),
    "beside what may raise": (_RAISES, ["scala"]),
}


@pytest.mark.parametrize(("query", "kept"), PLACES.values(), ids=PLACES)
def test_python_stays_where_spark_runs_it_as_sql_says(query: Relation, kept: list[Language]) -> None:
    assert languages(with_python_where_it_runs(query)) == kept


def test_a_query_without_python_stays_the_same_object() -> None:
    query = Filter(T0, even(A, language="scala"))
    assert with_python_where_it_runs(query) is query


@pytest.mark.parametrize("name", USER_FUNCTIONS)
def test_every_function_is_there_in_python(name: str) -> None:
    function = getattr(python_functions, name)
    assert function.__doc__ is None, "Spark translates a function of one statement alone"
    assert function.__code__.co_argcount == len(USER_FUNCTIONS[name].arguments)


def test_a_sum_that_is_no_int_is_null_in_python() -> None:
    assert python_functions.add(2**31 - 1, 1) is None
    assert python_functions.add(-(2**31), None) == -(2**31)


def test_spark_calls_the_function_and_duckdb_computes_its_meaning() -> None:
    query = Project(T0, (Item("x", UserCall("python", "same", (Col("s", STRING), Lit(STRING, "x")))),))
    assert "python_same(`s`, 'x')" in SparkCompiler().compile(query)
    assert "IS NOT DISTINCT FROM" in DuckdbCompiler().compile(query)
