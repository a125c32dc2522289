"""Table functions in Python: what is drawn, where they stay, and what they make of an array."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from assay.fuzz.case_mix import forms_of
from oracles.engines.spark import python_tables
from oracles.patterns.features import parts
from oracles.patterns.unsupported import runs
from oracles.sql import DataFrameCompiler, DuckdbCompiler, SparkCompiler
from strategies.draw.cases import cases
from strategies.draw.generates import generated
from strategies.draw.user_calls import with_python_where_it_runs
from strategies.ir import (
    DOUBLE,
    INT,
    PYTHON_ELEMENTS,
    Agg,
    Aggregate,
    Alias,
    Array,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Exists,
    Filter,
    Generate,
    InvalidQuery,
    Item,
    Lateral,
    Lit,
    MakeArray,
    Node,
    Outer,
    RaisingArith,
    Relation,
    ScalarSubquery,
    Scan,
    Table,
    TypedFilter,
    walk,
)
from tests.unit.strategy_asserts import find_any, minimal

COLUMNS = (Column("a", INT), Column("b", Array(INT)))
T0 = Scan("t0", COLUMNS)
L, R = Alias(T0, "l"), Alias(T0, "r")
A, B = Col("a", INT), Col("b", Array(INT))
MADE = Generate(T0, B, "x", in_python=True)
_SAME = Compare("=", A, Outer("a", INT, "l"))
_GREATEST = ScalarSubquery(Aggregate(R, (), (Item("m", Agg("max", A)),)))


def languages(node: Node) -> list[bool]:
    return [part.in_python for part in walk(node) if isinstance(part, Generate)]


@st.composite
def _drawn(draw: DrawFn) -> Generate:
    return generated(draw, T0)


@pytest.mark.parametrize("outer", [False, True], ids=["inner", "outer"])
@pytest.mark.parametrize("with_position", [False, True], ids=["elements", "positions"])
def test_each_kind_is_drawn(with_position: bool, outer: bool) -> None:
    wanted = (with_position, outer)
    find_any(_drawn(), lambda one: one.in_python and (one.position is not None, one.outer) == wanted, within=4_000)


def test_shrinks_to_a_function_of_the_engine() -> None:
    assert not minimal(_drawn(), lambda one: True).in_python


def test_a_drawn_one_runs_as_sql() -> None:
    case = find_any(cases(forms_of=forms_of), lambda case: any(languages(case.query)), within=12_000)
    assert case.settings.form == "sql"


PLACES: dict[str, tuple[Relation, list[bool]]] = {
    "a query": (MADE, [True]),
    "a subquery": (Filter(L, Exists(MADE)), [True]),
    "a subquery with outer columns": (
        Filter(L, Exists(Filter(Generate(R, B, "x", in_python=True), _SAME))),
        [True],
    ),
    "a LATERAL join's left side": (Lateral(Alias(MADE, "l"), Alias(Filter(R, _SAME), "q"), "cross"), [True]),
    "of a subquery": (Generate(T0, MakeArray(INT, (A, _GREATEST)), "x", in_python=True), [True]),
    "of an outer column": (
        Filter(L, Exists(Generate(R, MakeArray(INT, (Outer("a", INT, "l"),)), "x", in_python=True))),
        [False],
    ),
    "beside what may raise": (Filter(MADE, Compare("=", RaisingArith("+", A, A), A)), [False]),
    "beside a method of DataFrames": (TypedFilter(MADE, "a", "is_even"), [False]),
}


@pytest.mark.parametrize(("query", "kept"), PLACES.values(), ids=PLACES)
def test_stays_where_spark_runs_it(query: Relation, kept: list[bool]) -> None:
    assert languages(with_python_where_it_runs(query)) == kept


def test_spark_calls_the_function_and_duckdb_unnests() -> None:
    query = Generate(T0, B, "x", "p", outer=True, in_python=True)
    assert "LATERAL python_positions_int(" in SparkCompiler().compile(query)
    assert ", true) AS " in SparkCompiler().compile(query)
    assert DuckdbCompiler().compile(query) == DuckdbCompiler().compile(Generate(T0, B, "x", "p", outer=True))
    assert not DataFrameCompiler().supports(query)


def test_is_a_feature_and_of_late_releases() -> None:
    case = Case(MADE, Database((Table("t0", COLUMNS),)))
    assert "Generate:python" in parts(case)
    assert runs("4.3.0", case)
    assert not runs("4.2.1", case)


ROWS: dict[str, tuple[list[object] | None, bool, list[object], list[object]]] = {
    "elements": ([5, None], False, [(5,), (None,)], [(0, 5), (1, None)]),
    "kept elements": ([5, None], True, [(5,), (None,)], [(0, 5), (1, None)]),
    "no element": ([], False, [], []),
    "a kept row without elements": ([], True, [(None,)], [(None, None)]),
    "NULL": (None, False, [], []),
    "a kept row with NULL": (None, True, [(None,)], [(None, None)]),
}


@pytest.mark.parametrize(("array", "outer", "elements", "positions"), ROWS.values(), ids=ROWS)
def test_makes_the_rows_of_explode(
    array: list[object] | None, outer: bool, elements: list[object], positions: list[object]
) -> None:
    assert list(python_tables.Elements().eval(array, outer)) == elements
    assert list(python_tables.Positions().eval(array, outer)) == positions


def test_types_that_python_may_change_have_no_function() -> None:
    assert DOUBLE not in PYTHON_ELEMENTS
    with pytest.raises(InvalidQuery, match="no table function in Python has elements of DOUBLE"):
        Generate(T0, Lit(Array(DOUBLE), ()), "z", in_python=True)
