"""Cases are run as a cluster needs it (rows are shuffled between executors), or a rule of adaptive execution."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import find
from hypothesis import strategies as st

from assay.fuzz.spread import PARTITIONS, mostly_quick, spread, suited
from strategies.ir import (
    INT,
    Case,
    Col,
    Column,
    Database,
    Element,
    HigherOrder,
    Insert,
    Item,
    MakeArray,
    Project,
    Scan,
    Settings,
    Table,
)
from tests.unit.failure_samples import case_of
from tests.unit.strategy_asserts import drawn

SAID = [Settings(codegen=True), Settings(source="csv"), Settings(statistics=True)]


@pytest.mark.parametrize("form", ["sql", "dataframe"])
@pytest.mark.parametrize("ansi", [True, False])
def test_what_says_nothing_is_run_adaptively_in_several_partitions(form, ansi):
    case = replace(case_of(), settings=Settings(form=form, ansi=ansi))
    assert spread(case) == replace(case, settings=Settings(form=form, ansi=ansi, aqe=True, partitions=PARTITIONS))
    assert PARTITIONS > 1


@pytest.mark.parametrize(("drawn", "run"), [(1, PARTITIONS), (2, PARTITIONS), (5, 5)])
def test_a_case_is_shuffled_into_as_many_partitions_as_it_says_or_more(drawn, run):
    case = replace(case_of(), settings=Settings(partitions=drawn, table_partitions=2))
    assert spread(case).settings == Settings(aqe=True, partitions=run, table_partitions=2)


@pytest.mark.parametrize("settings", SAID, ids=str)
def test_what_says_something_stays_as_it_is(settings):
    case = replace(case_of(), settings=settings)
    assert spread(case) == case


@pytest.mark.parametrize(
    ("points", "aqe"),
    [
        ((), False),
        (("optimizer", ""), False),
        (("optimizer", "runtime-optimizer"), True),
        (("query-stage-prep",), True),
    ],
    ids=str,
)
def test_where_a_rule_is_one_of_adaptive_execution_all_cases_are_run_so(points, aqe):
    assert find(suited(st.just(case_of()), *points), lambda case: True).settings.aqe == aqe


@pytest.mark.parametrize(
    ("settings", "ways"),
    [
        (Settings(codegen=True, partitions=3), {Settings(partitions=3), Settings(codegen=True, partitions=3)}),
        (
            Settings(source="orc", conf=(("k", "v"),)),
            {Settings(conf=(("k", "v"),)), Settings(source="orc", conf=(("k", "v"),))},
        ),
        (Settings(siblings=True), {Settings(siblings=True)}),
        (Settings(ansi=False), {Settings(ansi=False)}),
    ],
    ids=["generated code", "files", "two threads", "quick"],
)
def test_a_case_is_mostly_run_on_the_fast_path_if_that_can_show_the_same(settings, ways):
    cases = drawn(mostly_quick(st.just(replace(case_of(), settings=settings)), near=[case_of()]), count=40)
    assert {case.settings for case in cases} == ways


@pytest.mark.parametrize(
    "near",
    [[], [replace(case_of(), settings=Settings(codegen=True))]],
    ids=["nowhere", "with generated code alone"],
)
def test_where_the_rule_has_not_fired_on_the_fast_path_cases_run_as_drawn(near):
    case = replace(case_of(), settings=Settings(source="orc"))
    assert set(drawn(mostly_quick(st.just(case), near=near), count=40)) == {case}


def test_a_case_that_keeps_state_is_planned_by_two_threads_now_and_then():
    table = Scan("t0", (Column("a", INT),))
    elements = HigherOrder("transform", MakeArray(INT, (Col("a", INT),)), Element(INT))
    case = Case(Project(table, (Item("p", elements),)), Database((Table("t0", table.columns),)))
    found = drawn(mostly_quick(st.just(case), near=[case_of()]), count=40)
    assert {one.settings for one in found} == {Settings(), Settings("local", siblings=True)}


def test_a_statement_stays_where_its_table_is():
    table = Scan("t0", (Column("a", INT),))
    tables = Database((Table("t0", table.columns),))
    case = Case(Insert(table, table), tables, Settings("cached", aqe=True))
    assert set(drawn(mostly_quick(st.just(case), near=[case_of()]), count=40)) == {case}
