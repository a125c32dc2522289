"""Patterns of known divergences about tables in a VARIANT: what they fit, and what stands beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    Arith,
    Col,
    Column,
    Compare,
    Exists,
    Expr,
    Filter,
    GroupingSets,
    InSubquery,
    Item,
    Lit,
    MakeArray,
    MakeStruct,
    Outer,
    Over,
    Pivot,
    PivotValue,
    Project,
    Relation,
    ScalarSubquery,
    Scan,
    Settings,
    Window,
)
from tests.unit.ir_samples import case_over

T = Alias(Scan("t", (Column("a", INT), Column("b", INT))), "t")
U = Scan("u", (Column("a", INT), Column("b", INT)))
A, B, ONE = Col("a", INT), Col("b", INT), Lit(INT, 1)
LISTED = Project(U, (Item("b", B),))
SAME = Project(Filter(U, Compare("=", A, Outer("a", INT, "t"))), (Item("b", B),))
KEY = Item("k", A)


def largest(value: Expr) -> Agg:
    return Agg("max", value)


def of(*functions: Agg, keys: tuple[Item, ...] = ()) -> Relation:
    return Aggregate(T, keys, tuple(Item(f"x{number}", function) for number, function in enumerate(functions)))


def projected(value: Expr) -> Relation:
    return Project(T, (Item("x", value),))


FITS: dict[str, list[Relation]] = {
    "correlated_in_an_aggregate_over_a_variant": [
        of(largest(Exists(SAME))),
        of(Agg("count"), Agg("count", InSubquery((B,), SAME)), keys=(KEY,)),
        of(Agg("count", where=Exists(SAME))),
        GroupingSets(T, "rollup", (KEY,), (Item("x", largest(Exists(SAME))),)),
        Pivot(T, (), largest(InSubquery((B,), SAME)), B, (PivotValue("p", ONE),)),
    ],
    "struct_of_a_variant": [
        projected(MakeStruct(("p",), (A,))),
        projected(MakeArray(MakeStruct(("p",), (A,)).type, (MakeStruct(("p",), (A,)),))),
        of(Agg("count", B, distinct=True), keys=(Item("k", MakeStruct(("p", "q"), (ONE, A))),)),
    ],
}
BESIDE: dict[str, list[Relation]] = {
    "correlated_in_an_aggregate_over_a_variant": [
        of(largest(Exists(U))),
        of(largest(InSubquery((B,), LISTED))),
        of(largest(ScalarSubquery(Aggregate(SAME, (), (Item("m", largest(B)),))))),
        projected(Exists(SAME)),
        Window(T, (Over("x", largest(Exists(SAME))),), (A,)),
        Aggregate(Alias(projected(Exists(SAME)), "t"), (), (Item("n", Agg("count")),)),
    ],
    "struct_of_a_variant": [
        projected(MakeStruct(("p",), (Arith("+", ONE, ONE),))),
        projected(A),
        of(Agg("count", B, distinct=True), keys=(KEY,)),
    ],
}


def flat(queries: dict[str, list[Relation]]) -> list[object]:
    return [
        pytest.param(name, query, id=f"{name}-{number}")
        for name, every in queries.items()
        for number, query in enumerate(every)
    ]


EXPANDED = (("spark.sql.optimizer.optimizeExpandRatio", "2"),)
TWICE = of(Agg("count", A, distinct=True), Agg("count", B, distinct=True))


@pytest.mark.parametrize(
    ("query", "settings", "fitting"),
    [
        (TWICE, Settings("variant", conf=EXPANDED), True),
        (TWICE, Settings("variant"), False),
        (TWICE, Settings("parquet", conf=EXPANDED), False),
        (of(largest(A)), Settings("variant", conf=EXPANDED), False),
    ],
    ids=["with OptimizeExpand", "without", "in columns", "of all values"],
)
def test_distinct_values_of_a_variant_fit_in_two_steps(query: Relation, settings: Settings, fitting: bool) -> None:
    assert fits("distinct_values_of_a_variant_in_two_steps", query, settings) == fitting


def fits(name: str, query: Relation, settings: Settings) -> bool:
    return PATTERNS[name](replace(case_over(query), settings=settings))


@pytest.mark.parametrize(("name", "query"), flat(FITS))
def test_a_pattern_of_a_variant_fits_its_bug(name: str, query: Relation) -> None:
    assert fits(name, query, Settings("variant"))


@pytest.mark.parametrize(("name", "query"), flat(FITS))
def test_a_pattern_of_a_variant_fits_no_other_source(name: str, query: Relation) -> None:
    assert not fits(name, query, Settings("parquet"))


@pytest.mark.parametrize(("name", "query"), flat(BESIDE))
def test_a_pattern_of_a_variant_does_not_fit_what_stands_beside(name: str, query: Relation) -> None:
    assert not fits(name, query, Settings("variant"))
