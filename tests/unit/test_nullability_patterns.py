"""Patterns of known divergences about what Spark takes for never NULL, and what stands beside them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Alias,
    Array,
    Col,
    Column,
    Compare,
    Expr,
    Filter,
    GetField,
    IsNull,
    Item,
    Limit,
    Lit,
    MakeArray,
    Outer,
    Over,
    Project,
    RaisingElement,
    Ranking,
    Relation,
    ScalarSubquery,
    Scan,
    Settings,
    SortKey,
    Source,
    Struct,
    Window,
)
from tests.unit.ir_samples import case_over

T = Alias(Scan("t", (Column("a", INT), Column("b", INT))), "t")
U = Scan("u", (Column("a", INT), Column("b", INT)))
A, B, ONE = Col("a", INT), Col("b", INT), Lit(INT, 1)
SAME = Filter(U, Compare("=", A, Outer("a", INT, "t")))
RANKED = Window(U, (Over("r", Ranking("cume_dist")),), (), (SortKey(A),))
R = Col("r", DOUBLE)


def first(value: Expr, child: Relation = SAME) -> Relation:
    """One row of what is projected from ``child``."""
    return Limit(Project(child, (Item("x", value),)), (SortKey(Col("x", value.type)),), 1, 0)


def asked(query: Relation) -> Relation:
    return Project(T, (Item("y", ScalarSubquery(query)),))


FITS = {
    "a constant": first(ONE),
    "a test for NULL": first(IsNull(B)),
    "a rank from below a filter": first(R, Filter(RANKED, Compare("=", A, Outer("a", INT, "t")))),
    "a count of a group": first(
        Col("n", Agg("count").type), Alias(Aggregate(SAME, (Item("k", A),), (Item("n", Agg("count")),)), "s")
    ),
}
BESIDE = {
    "a column": first(B),
    "NULL": first(Lit(INT, None)),
    "the greatest value": Aggregate(SAME, (), (Item("m", Agg("max", B)),)),
    "no correlation": first(R, RANKED),
}


@pytest.mark.parametrize("query", FITS.values(), ids=FITS)
def test_a_scalar_subquery_of_what_is_never_null_fits(query: Relation) -> None:
    assert PATTERNS["scalar_subquery_of_what_is_never_null"](case_over(asked(query)))


@pytest.mark.parametrize("query", BESIDE.values(), ids=BESIDE)
def test_another_scalar_subquery_does_not_fit(query: Relation) -> None:
    assert not PATTERNS["scalar_subquery_of_what_is_never_null"](case_over(asked(query)))


MADE = MakeArray(INT, (ONE,))
STORED = Col("l", Array(INT))
LISTS = Scan("t", (Column("l", Array(INT)), Column("a", INT)))


@pytest.mark.parametrize(
    ("array", "index", "fitting"),
    [(MADE, A, True), (Col("m", Array(INT)), A, True), (MADE, ONE, False), (STORED, A, False)],
    ids=["a made one", "of another name", "at a constant", "of a table"],
)
def test_an_element_at_a_position_that_may_be_null(array: Expr, index: Expr, fitting: bool) -> None:
    below = Project(LISTS, (Item("m", MADE), Item("l", STORED), Item("a", A)))
    query = Project(below, (Item("x", RaisingElement(array, index)),))
    assert PATTERNS["element_at_a_position_that_may_be_null"](case_over(query)) == fitting


PAIR = Struct((("p", INT),))
P = GetField(Col("r", PAIR), "p")
STRUCTS = Scan("t", (Column("r", PAIR), Column("a", INT)))


@pytest.mark.parametrize(
    ("condition", "source", "fitting"),
    [
        (IsNull(P), "orc", True),
        (Compare("<=>", P, A), "orc", True),
        (IsNull(P), "parquet", False),
        (IsNull(A), "orc", False),
        (Compare("=", P, A), "orc", False),
    ],
    ids=["a test for NULL", "null-safe equality", "another source", "a column", "an equality"],
)
def test_null_of_a_field_in_orc(condition: Expr, source: Source, fitting: bool) -> None:
    case = replace(case_over(Filter(STRUCTS, condition)), settings=Settings(source))
    assert PATTERNS["null_of_a_field_in_orc"](case) == fitting
    parts = replace(case_over(STRUCTS), settings=Settings(source), partition=condition)
    assert PATTERNS["null_of_a_field_in_orc"](parts) == fitting
