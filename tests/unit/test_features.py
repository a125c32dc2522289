"""Features are the words for the parts of cases, and patterns are made of such words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from oracles.patterns.features import MADE_OF, has_all, listed, parts, pattern_of, typed_parts
from strategies.draw.cases import cases
from strategies.ir import DOUBLE, INT, Case, Col, Column, Compare, Database, Filter, IsNull, Scan, Settings, Table
from tests.unit.failure_samples import BIGGER, EXCEPT, T0, case_of

A = Col("a", INT)
ORC = Settings(source="orc", aqe=True)


def over_doubles() -> Case:
    columns = (Column("d", DOUBLE),)
    query = Filter(Scan("d0", columns), IsNull(Col("d", DOUBLE)))
    return Case(query, Database((Table("d0", columns),)))


def test_what_every_query_has_is_no_part() -> None:
    assert parts(case_of(T0)) == set()


def test_operators_comparisons_and_unusual_settings_are_parts() -> None:
    assert parts(case_of(EXCEPT, settings=ORC)) == {"SetOp:except", "Filter", "Compare:>", "source=orc", "aqe=True"}


def test_types_other_than_the_plainest_are_parts_of_patterns() -> None:
    assert typed_parts(over_doubles()) == {"Filter", "IsNull", "type DOUBLE"}
    assert pattern_of(over_doubles()) == "made of: Filter, IsNull, type DOUBLE"


@given(cases())
def test_the_pattern_of_a_case_takes_it_in(case: Case) -> None:
    assert has_all(pattern_of(case), case)
    assert listed(pattern_of(case)) == typed_parts(case)


@pytest.mark.parametrize(
    "other",
    [
        case_of(T0),
        case_of(Filter(T0, Compare(">", A, A)), settings=ORC),
        case_of(EXCEPT, settings=replace(ORC, source="csv")),
    ],
    ids=["no part", "not all parts", "another setting"],
)
def test_a_case_that_lacks_a_part_is_not_taken_in(other: Case) -> None:
    assert not has_all(pattern_of(case_of(EXCEPT, settings=ORC)), other)


def test_a_case_with_more_is_taken_in() -> None:
    assert has_all(pattern_of(case_of(EXCEPT)), case_of(BIGGER, settings=ORC))


def test_a_pattern_without_parts_lists_none() -> None:
    assert (pattern_of(case_of(T0)), listed(pattern_of(case_of(T0)))) == (MADE_OF, set())
