"""A filter's condition as a column: the rows that the filter keeps are those in which it is TRUE."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.fuzz.case_mix import forms_of
from assay.fuzz.steering import with_shown
from oracles.answers.outcome import Rows
from oracles.engines.duckdb import DuckdbEngine
from strategies import ir
from strategies.draw.cases import cases
from strategies.edits.shown import shown
from strategies.ir import (
    Aggregate,
    Cast,
    Col,
    Compare,
    Distinct,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Limit,
    Project,
    SortKey,
    subqueries_of,
)
from tests.unit.edit_samples import COL_A, FILTERED, JOINED, ONE, PLAIN, T0, T1, case_of
from tests.unit.strategy_asserts import drawn

B = Col("b", ir.INT)
ALL = (Item("a", COL_A), Item("b", B))
OVER_JOIN = Filter(JOINED, Compare("=", Col("b", ir.INT, "t0"), Col("a", ir.INT, "t1")))
D = Cast(COL_A, ir.DOUBLE)
HALF = ir.Lit(ir.DOUBLE, (0.5).hex())
SUM = ir.Arith("+", D, HALF)
BETWEEN = ir.And(Compare("<", ir.Arith("*", SUM, D), HALF), Compare(">", ir.Call("round", (D,)), SUM))
SHOWN = {
    "with the numbers in it": (
        Filter(T0, BETWEEN),
        Project(T0, (*ALL, Item("c", BETWEEN), Item("d", ir.Arith("*", SUM, D)), Item("w0", SUM))),
    ),
    "at the top": (FILTERED.query, Project(T0, (*ALL, Item("c", ONE)))),
    "below another operator": (Distinct(FILTERED.query), Project(T0, (*ALL, Item("c", ONE)))),
    "over a join": (
        OVER_JOIN,
        Project(
            JOINED,
            (
                Item("a", Col("a", ir.INT, "t0")),
                Item("b", B),
                Item("c", OVER_JOIN.condition),
            ),
        ),
    ),
}


@pytest.mark.parametrize(("query", "expected"), SHOWN.values(), ids=SHOWN)
def test_the_condition_is_a_column_beside_those_of_the_filters_input(query: ir.Relation, expected: Project) -> None:
    found = shown(case_of(query))
    assert found is not None
    assert found.query == expected


@pytest.mark.parametrize(
    "query", [T0, Filter(T0, InSubquery((COL_A,), T1))], ids=["no filter", "a subquery in the condition"]
)
def test_without_such_a_condition_there_is_nothing_to_show(query: ir.Relation) -> None:
    assert shown(case_of(query)) is None


def test_a_predicate_for_three_parts_is_dropped_where_its_column_has_another_type() -> None:
    """The query counts by ``b`` and calls that ``a``, which is an INT where the condition is shown."""
    texts = Aggregate(FILTERED.query, (Item("a", Cast(B, ir.STRING)),), ())
    first = Limit(texts, (SortKey(Col("a", ir.STRING)),), 3)
    found = shown(replace(case_of(first), partition=IsNull(Col("a", ir.STRING))))
    assert found is not None
    assert found.partition is None
    kept = shown(replace(case_of(FILTERED.query), partition=IsNull(COL_A)))
    assert kept is not None
    assert kept.partition == IsNull(COL_A)


def test_as_many_rows_are_true_as_the_filter_keeps() -> None:
    """Over drawn queries whose uppermost operator is the filter: one with a subquery is passed over for one below."""
    filtered = [case for case in drawn(cases(forms_of=forms_of), count=600) if isinstance(case.query, Filter)]
    those = [case for case in filtered if next(subqueries_of(case.query.condition), None) is None]
    compared = 0
    with DuckdbEngine() as engine:
        for case in those:
            other = shown(case)
            if other is None:
                continue
            kept, all_rows = (engine.run(each.query, case.database, optimize=False) for each in (case, other))
            if isinstance(kept, Rows) and isinstance(all_rows, Rows) and case.query.random is None:
                compared += 1
                assert len(kept.rows) == sum(row[-1] is not None and row[-1][1] is True for row in all_rows.rows)
    assert compared > 10


def test_a_third_of_the_nearest_cases_is_shown_at_least_one() -> None:
    variant = shown(FILTERED, forms_of=forms_of)
    assert with_shown([]) == []
    assert with_shown([FILTERED]) == [FILTERED, variant]
    assert with_shown([FILTERED, *PLAIN[:2], FILTERED]) == [FILTERED, *PLAIN[:2], FILTERED, variant]
    assert with_shown([PLAIN[0]]) == [PLAIN[0]]
