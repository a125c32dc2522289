"""Queries of a size have that size, whatever number they have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.bench.figures import Moment
from assay.bench.loads import GROWTH, QUICK, Load, case_of_size, cases_of
from assay.bench.measure import Grown
from assay.bench.page import charts, write_page
from oracles.sql import DuckdbCompiler, SparkCompiler
from strategies.ir import Case, operators
from tests.unit.strategy_asserts import find_any

NUMBERS = st.integers(0, 2**32 - 1)
SMALL = {"rows": 5, "operators": 3, "columns": 2}


@pytest.mark.parametrize("load", GROWTH, ids=lambda load: load.name)
def test_a_case_has_just_the_size_that_is_asked_for(load: Load) -> None:
    case = case_of_size(7, **{**SMALL, load.kind: load.size})
    table = case.database.table("t0")
    sizes = {"rows": len(table.rows), "operators": operators(case.query), "columns": len(table.columns)}
    assert sizes == {**SMALL, load.kind: load.size}


@given(NUMBERS)
def test_a_case_of_a_size_can_be_put_to_both_engines(number: int) -> None:
    case = case_of_size(number, rows=3, operators=8, columns=7)
    assert SparkCompiler().supports(case.query)
    assert DuckdbCompiler().supports(case.query)
    assert case.settings.is_quick


@given(NUMBERS)
def test_a_number_is_always_the_same_case(number: int) -> None:
    assert case_of_size(number, **SMALL) == case_of_size(number, **SMALL)


def test_numbers_make_different_cases() -> None:
    assert len({repr(case_of_size(number, **SMALL).query) for number in range(50)}) > 20


@given(cases_of(QUICK))
def test_quick_cases_are_such_as_the_fast_path_takes(case: Case) -> None:
    assert case.settings.is_quick


def test_as_drawn_some_cases_are_not() -> None:
    assert not find_any(cases_of(Load("as drawn")), lambda case: not case.settings.is_quick).settings.is_quick


GROWN, MOMENT = Grown(GROWTH[0], (9.0, 10.0, 14.0)), Moment(60.0, 600, 2**27, 2**29)


def test_a_page_has_a_chart_for_each_of_what_grows_and_two_for_time() -> None:
    grown = [Grown(load, (9.0, 10.0, 14.0)) for load in GROWTH]
    moments = [Moment(60.0, 600, 2**27, 2**29), Moment(120.0, 1200, 2**27, 2**30)]
    made = charts(grown, moments)
    assert [chart.title for chart in made] == [
        "Checks per second by rows",
        "Checks per second by operators",
        "Checks per second by columns",
        "Checks per second over time",
        "Memory over time",
    ]
    (rows,) = made[0].figure["data"]
    assert (rows["x"], set(rows["y"]), set(rows["error_y"]["array"])) == ([1, 10, 100, 1_000, 10_000], {10.0}, {4.0})
    (rate,), (python, jvm) = made[3].figure["data"], made[4].figure["data"]
    assert (rate["y"], python["y"], jvm["y"]) == ([10.0, 10.0], [128, 128], [512, 1024])


@pytest.mark.parametrize(
    ("grown", "moments", "ids"),
    [([GROWN], [], ["by-rows", "by-operators", "by-columns"]), ([], [MOMENT], ["rate", "memory"]), ([], [], [])],
    ids=["no time", "no growth", "nothing"],
)
def test_what_was_not_measured_has_no_chart(grown: list[Grown], moments: list[Moment], ids: list[str]) -> None:
    assert [chart.id for chart in charts(grown, moments)] == ids


def test_a_page_loads_nothing_from_anywhere(tmp_path):
    page = tmp_path / "charts" / "page.html"
    write_page(page, [Grown(GROWTH[0], (1.0,))], [])
    text = page.read_text(encoding="utf-8")
    assert "<script src=" not in text
    assert "default-src 'none'" in text or "default-src &#39;none&#39;" in text
    assert len(text) > 1_000_000
