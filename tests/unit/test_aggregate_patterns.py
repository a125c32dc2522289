"""The patterns of aggregates: what they fit, and what stands beside it and isn't fitted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    Agg,
    AggFunction,
    Aggregate,
    Alias,
    Arith,
    Array,
    Call,
    Case,
    Col,
    Column,
    Compare,
    CteScan,
    Database,
    Decimal,
    Deduplicate,
    Distinct,
    Exists,
    Expr,
    Filter,
    GroupingSets,
    InSubquery,
    IsNull,
    Item,
    Lit,
    MakeArray,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    Scan,
    SetOp,
    Settings,
    Table,
    TryCast,
    With,
)

COLUMNS = (Column("a", INT), Column("d", DOUBLE))
T, L = Scan("t", COLUMNS), Alias(Scan("t", COLUMNS), "l")
A, D, ONE = Col("a", INT), Col("d", DOUBLE), Lit(INT, 1)
HALF = Lit(DOUBLE, "0x1.0000000000000p-1")
SAME = Filter(T, Compare("=", A, Outer("a", INT, "l")))
COUNT = (Item("n", Agg("count")),)
COUNTED = Aggregate(SAME, (), COUNT)
BY_KEY = Aggregate(SAME, (Item("k", A),), COUNT)
FREE = Aggregate(T, (), COUNT)
LIST = Col("l", Array(INT))
LISTS = Scan("lists", (Column("a", INT), Column("l", Array(INT))))


def largest(counted: Relation) -> Relation:
    return Aggregate(counted, (), (Item("m", Agg("max", Col("n", BIGINT))),))


def of(aggregate: Agg) -> Relation:
    return Aggregate(T, (), (Item("x", aggregate),))


def where(condition: Expr) -> Relation:
    return Filter(L, condition)


def selected(value: Expr) -> Relation:
    return Project(L, (Item("x", value),))


def average(precision: int, function: AggFunction = "avg") -> Relation:
    return of(Agg(function, TryCast(A, Decimal(precision, 2))))


SET_FUNCTIONS = ("array_union", "array_except", "array_intersect", "arrays_overlap")


def sets(element: Expr, function: str = "array_union") -> Expr:
    array = MakeArray(element.type, (element,))
    return Call(function, (array, array))


LISTED_A = Project(T, (Item("a", A),))
IN_CTE = InSubquery((A,), With("c", LISTED_A, CteScan("c", (Column("a", INT),))))


FITS: dict[str, list[Relation]] = {
    "key_with_a_cte": [
        Aggregate(T, (Item("k", IN_CTE),), COUNT),
        GroupingSets(T, "rollup", (Item("k", IsNull(IN_CTE)),), COUNT),
    ],
    "average_of_ten_or_eleven_digits": [average(10), average(11), Distinct(average(11))],
    "distinct_aggregate_of_a_constant": [
        of(Agg("count", ONE, distinct=True)),
        of(Agg("sum", Arith("+", HALF, HALF), distinct=True)),
    ],
    "correlated_aggregate_in_exists_or_in": [
        where(Exists(COUNTED)),
        where(InSubquery((Lit(BIGINT, 0),), COUNTED)),
        where(Exists(largest(BY_KEY))),
    ],
    "correlated_aggregate_of_an_aggregate": [selected(ScalarSubquery(largest(COUNTED)))],
    "nested_groups_below_a_union": [
        SetOp("union", Distinct(LISTS), LISTS),
        SetOp("union", LISTS, Aggregate(LISTS, (Item("a", A), Item("l", LIST)), ()), all=False),
        SetOp("union", LISTS, SetOp("except", LISTS, LISTS)),
        SetOp("union", Deduplicate(LISTS, ("a", "l")), LISTS),
    ],
    "collect_set_of_doubles": [of(Agg("collect_set", D))],
    "percentile_of_doubles": [of(Agg("percentile", D, others=(HALF,)))],
    "mode_of_doubles": [of(Agg("mode", D))],
    "set_function_of_doubles": [selected(sets(D, name)) for name in SET_FUNCTIONS],
}
BESIDE: dict[str, list[Relation]] = {
    "key_with_a_cte": [
        Aggregate(T, (Item("k", InSubquery((A,), LISTED_A)),), COUNT),
        Aggregate(Filter(T, IN_CTE), (Item("k", A),), COUNT),
        Aggregate(T, (), (Item("n", Agg("max", IN_CTE)),)),
    ],
    "average_of_ten_or_eleven_digits": [average(9), average(12), average(11, "sum"), of(Agg("avg", A)), T],
    "distinct_aggregate_of_a_constant": [
        of(Agg("count", ONE)),
        of(Agg("count", A, distinct=True)),
        of(Agg("count", ONE, distinct=True, where=Compare("=", A, ONE))),
    ],
    "correlated_aggregate_in_exists_or_in": [
        where(Exists(BY_KEY)),
        where(Exists(FREE)),
        where(Exists(SAME)),
        selected(ScalarSubquery(COUNTED)),
    ],
    "correlated_aggregate_of_an_aggregate": [
        selected(ScalarSubquery(COUNTED)),
        selected(ScalarSubquery(largest(FREE))),
        where(Exists(largest(COUNTED))),
    ],
    "nested_groups_below_a_union": [
        SetOp("union", LISTS, LISTS, all=False),
        SetOp("union", Distinct(T), T),
        SetOp("union", LISTS, SetOp("except", LISTS, LISTS, all=True)),
        SetOp("except", Distinct(LISTS), LISTS),
        Distinct(SetOp("union", LISTS, LISTS)),
    ],
    "collect_set_of_doubles": [of(Agg("collect_set", A)), of(Agg("collect_list", D))],
    "percentile_of_doubles": [of(Agg("percentile", A, others=(HALF,))), of(Agg("max", D)), of(Agg("count"))],
    "mode_of_doubles": [of(Agg("mode", A)), of(Agg("max", D)), of(Agg("count"))],
    "set_function_of_doubles": [selected(sets(A)), selected(sets(D, "array_concat"))],
}


def case(query: Relation) -> Case:
    return Case(query, Database((Table("t", COLUMNS), Table("lists", LISTS.columns))))


def flat(queries: dict[str, list[Relation]]) -> list[object]:
    return [
        pytest.param(name, query, id=f"{name}-{number}")
        for name, every in queries.items()
        for number, query in enumerate(every)
    ]


@pytest.mark.parametrize(("name", "query"), flat(FITS))
def test_a_pattern_fits_its_bug(name, query):
    assert PATTERNS[name](case(query))


@pytest.mark.parametrize(("name", "query"), flat(BESIDE))
def test_a_pattern_does_not_fit_what_stands_beside(name, query):
    assert not PATTERNS[name](case(query))


EXPANDED_FITS: dict[str, list[Relation]] = {
    "distinct_constants_of_all_rows": [
        of(Agg("count", ONE, distinct=True)),
        Aggregate(T, (), (Item("x", Agg("max", ONE, distinct=True)), *COUNT)),
    ],
    "rows_counted_beside_distinct_values": [
        Aggregate(T, (), (Item("x", Agg("count", A, distinct=True)), *COUNT)),
        Aggregate(T, (Item("a", A),), (Item("x", Agg("count", A, distinct=True)), Item("s", Agg("sum", ONE)))),
    ],
}
EXPANDED_BESIDE: dict[str, list[Relation]] = {
    "distinct_constants_of_all_rows": [
        of(Agg("count", ONE)),
        of(Agg("count", A, distinct=True)),
        Aggregate(T, (Item("a", A),), (Item("x", Agg("count", ONE, distinct=True)),)),
    ],
    "rows_counted_beside_distinct_values": [
        of(Agg("count", ONE, distinct=True)),
        Aggregate(T, (), (Item("x", Agg("count", A, distinct=True)), Item("s", Agg("sum", A)))),
        Aggregate(T, (), COUNT),
    ],
}
IN_TWO_STEPS = Settings(conf=(("spark.sql.optimizer.optimizeExpandRatio", "2"),))


@pytest.mark.parametrize("name", EXPANDED_FITS)
def test_a_pattern_about_optimize_expand_fits_only_where_it_is_on(name: str) -> None:
    def fits(query: Relation, settings: Settings) -> bool:
        return PATTERNS[name](replace(case(query), settings=settings))

    assert all(fits(query, IN_TWO_STEPS) for query in EXPANDED_FITS[name])
    assert not any(fits(query, IN_TWO_STEPS) for query in EXPANDED_BESIDE[name])
    assert not any(fits(query, Settings()) for query in EXPANDED_FITS[name])
