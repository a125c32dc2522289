"""The patterns of subqueries' known divergences: what they excuse, and what stands beside it and isn't excused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    CaseWhen,
    Col,
    Column,
    Compare,
    CteScan,
    Database,
    Distinct,
    Exists,
    Expr,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Join,
    Lateral,
    Limit,
    Lit,
    Not,
    OneRow,
    Or,
    Outer,
    Over,
    Pivot,
    PivotValue,
    Project,
    Relation,
    ScalarSubquery,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    TryArith,
    TryCast,
    Values,
    ValuesRow,
    When,
    Window,
    With,
)

COLUMNS = (Column("a", INT), Column("d", DOUBLE))
T, L, R = Scan("t", COLUMNS), Alias(Scan("t", COLUMNS), "l"), Alias(Scan("t", COLUMNS), "r")
A, D, LA = Col("a", INT), Col("d", DOUBLE), Col("a", INT, "l")
LISTED = Project(T, (Item("x", A),))
IN, NOT_IN = InSubquery((A,), LISTED), InSubquery((A,), LISTED, negated=True)
ON_IN, ON_NOT_IN = InSubquery((LA,), LISTED), InSubquery((LA,), LISTED, negated=True)
SAME = Compare("=", A, Outer("a", INT, "l"))
VALUE = ScalarSubquery(Aggregate(T, (), (Item("x", Agg("max", A)),)))
UNKNOWN = Lit(BOOLEAN, None)
X = Col("x", INT)
SAME_X, WIDER_X = Compare("=", X, Outer("a", INT, "l")), Compare("=", X, Outer("d", DOUBLE, "l"))
NEXT_A, NEXT_X = (TryArith("+", column, Lit(INT, 1)) for column in (Outer("a", INT, "l"), X))
LIMITED_WIDER = Lateral(L, Alias(Limit(Filter(LISTED, WIDER_X), (SortKey(X),), 1), "x"), "cross")
WIDENED = SetOp("union", LISTED, Project(T, (Item("x", D),)))
ONE_COLUMN = (Item("a", LA),)
CONDITIONED = Project(Lateral(L, Alias(T, "x"), "inner", Compare("=", LA, Col("a", INT, "x"))), ONE_COLUMN)
TOTAL = Aggregate(T, (), (Item("n", Agg("count")),))
IN_TOTAL = InSubquery((Lit(INT, 0),), LISTED)
READ = CteScan("c", (Column("a", INT),))
LISTED_A = Project(T, (Item("a", A),))
JOINED_IN_A_CTE = Project(Join(Alias(READ, "l"), R, "semi", ON_IN), ONE_COLUMN)
JOINED_IN_A_SUBQUERY = Filter(Join(T, Alias(LISTED, "x"), "semi", IN), SAME)
ROWS = Values(("v",), (ValuesRow((Lit(INT, 0),)),))
CONSTANT = Project(T, (Item("a", Lit(INT, 0)),))


def case(query: Relation, zero: str = "0x0.0p+0", source: str = "parquet") -> Case:
    return Case(query, Database((Table("t", COLUMNS, ((1, zero),)),)), Settings(source=source))


FITTING: dict[str, list[Relation]] = {
    "in_above_a_grand_total": [
        Project(TOTAL, (Item("x", IN_TOTAL),)),
        Project(Project(TOTAL, (Item("m", Lit(INT, 1)),)), (Item("x", IsNull(IN_TOTAL)),)),
        Project(Alias(Pivot(T, (), Agg("count"), A, (PivotValue("p", Lit(INT, 1)),)), "p"), (Item("x", IN_TOTAL),)),
    ],
    "in_subquery_as_a_value": [
        Join(L, R, "left", ON_NOT_IN),
        Join(L, R, "inner", Or(ON_NOT_IN, UNKNOWN)),
        Join(L, R, "full", Not(And(ON_IN, UNKNOWN))),
        Lateral(L, Alias(Filter(T, Or(SAME, NOT_IN)), "x"), "cross"),
        Filter(T, Not(NOT_IN)),
        Filter(T, Or(UNKNOWN, IsNull(IN))),
        Filter(T, Not(And(IN, UNKNOWN))),
        Filter(T, CaseWhen((When(IN, UNKNOWN),))),
        Project(T, (Item("x", Compare("=", IN, UNKNOWN)),)),
        Project(T, (Item("x", NOT_IN),)),
        Filter(Project(T, (Item("x", IN),)), Not(Col("x", BOOLEAN))),
        Aggregate(T, (Item("x", IN),), ()),
        Aggregate(T, (), (Item("x", Agg("count", IN)),)),
        Aggregate(T, (), (Item("x", Agg("count", where=Not(NOT_IN))),)),
        Window(T, (Over("w", Agg("count")),), partition=(IN,)),
    ],
    "subquery_beside_an_outer_column": [
        Filter(L, Exists(Filter(T, Or(SAME, IN)))),
        Filter(L, InSubquery((LA,), Project(Filter(T, Or(SAME, Exists(Filter(L, IsNull(LA))))), (Item("x", A),)))),
    ],
    "limit_over_a_computed_correlation": [
        LIMITED_WIDER,
        Lateral(L, Alias(Limit(Filter(LISTED, Compare("=", X, NEXT_A)), (SortKey(X),), 1), "x"), "cross"),
        Filter(L, Exists(Limit(Filter(LISTED, Compare("=", NEXT_A, X)), (SortKey(X),), 1))),
    ],
    "projected_subquery_and_a_union": [
        Project(Filter(SetOp("union", T, T, all=True), UNKNOWN), (Item("x", IN),)),
        SetOp("except", Project(T, (Item("x", IN),)), Project(T, (Item("x", IN),)), all=True),
        Window(SetOp("union", T, T, all=True), (Over("w", Agg("count")),), partition=(IN,)),
    ],
    "cast_in_a_row_as_a_value": [
        Filter(T, Compare("=", A, ScalarSubquery(OneRow((Item("x", TryCast(Lit(STRING, "1"), INT)),))))),
        Project(T, (Item("x", ScalarSubquery(OneRow((Item("x", Lit(DATE, "2020-01-01")),)))),)),
        Filter(T, Exists(OneRow((Item("x", Lit(DATE, "2020-01-01")),)))),
        Lateral(L, Alias(OneRow((Item("x", Lit(DATE, "2020-01-01")),)), "x"), "cross"),
    ],
    "projected_cte": [
        With("c", LISTED_A, Project(READ, (Item("x", A),))),
        SetOp("except", LISTED_A, Project(Alias(With("c", LISTED_A, READ), "q"), (Item("x", A),)), all=True),
    ],
    "full_join_on_in_below_an_anti_join": [Join(Join(L, R, "full", ON_IN), Alias(T, "s"), "anti", UNKNOWN)],
    "subquery_as_a_join_condition": [Join(L, R, "left", ON_IN), Join(L, R, "anti", And(UNKNOWN, Exists(T)))],
    "exists_beside_a_constant_column_in_a_join_condition": [
        Join(Alias(CONSTANT, "l"), R, "left", And(UNKNOWN, Exists(Filter(T, SAME)))),
        Filter(Join(L, Alias(CONSTANT, "r"), "inner", Exists(Filter(T, SAME))), UNKNOWN),
    ],
    "in_beside_a_constant_column_in_a_join_condition": [
        Join(Alias(CONSTANT, "l"), R, "left", And(UNKNOWN, InSubquery((LA,), Filter(LISTED_A, SAME)))),
        Filter(Join(L, Alias(CONSTANT, "r"), "full", InSubquery((LA,), Filter(LISTED_A, SAME))), UNKNOWN),
    ],
    "lateral_with_a_condition_read_twice": [
        With("c", CONDITIONED, SetOp("union", READ, READ, all=True)),
        With("b", With("c", CONDITIONED, READ), CteScan("b", (Column("a", INT),))),
        With("c", CONDITIONED, With("b", READ, CteScan("b", (Column("a", INT),)))),
    ],
    "lateral_with_a_condition_inside_a_subquery": [
        Filter(T, Exists(CONDITIONED)),
        Filter(T, InSubquery((A,), CONDITIONED)),
        Lateral(R, Alias(CONDITIONED, "y"), "left", UNKNOWN),
    ],
    "scalar_subquery": [
        Filter(T, Compare("=", VALUE, A)),
        Join(L, R, "inner", Compare("<=>", Exists(T), UNKNOWN)),
    ],
    "scalar_subquery_and_a_join": [
        Join(L, R, "left", Compare("<=>", LA, VALUE)),
        Filter(Join(L, R, "inner", UNKNOWN), Compare("=", LA, VALUE)),
        Filter(T, And(IN, Compare("=", A, VALUE))),
        Filter(L, And(Exists(Filter(T, SAME)), Exists(T))),
        SetOp("except", Filter(T, Compare("=", A, VALUE)), T),
    ],
    "projected_subquery_and_groups": [
        Project(Distinct(LISTED), (Item("y", InSubquery((X,), LISTED)),)),
        Distinct(Project(T, (Item("y", Not(IN)),))),
        Project(Aggregate(T, (Item("a", A),), ()), (Item("y", IN),)),
    ],
    "outer_column_below_a_set_operator": [
        Filter(L, Exists(SetOp("union", Filter(T, SAME), T))),
        Filter(L, Exists(SetOp("except", T, Filter(T, SAME), all=True))),
    ],
    "outer_column_below_a_set_operator_of_doubles": [
        Filter(L, Exists(SetOp("intersect", T, Filter(T, SAME)))),
        Lateral(L, Alias(SetOp("except", Filter(T, SAME), T), "x"), "cross"),
    ],
    "subquery_as_a_join_condition_below_a_replicating_operator": [
        SetOp("except", T, Filter(Join(L, R, "semi", ON_IN), UNKNOWN), all=True),
        SetOp("union", SetOp("intersect", Join(L, R, "anti", Exists(T)), T, all=True), T),
        With("c", Project(T, (Item("a", A),)), SetOp("except", JOINED_IN_A_CTE, READ, all=True)),
        Filter(L, Exists(SetOp("except", JOINED_IN_A_SUBQUERY, T, all=True))),
    ],
    "lateral_beside_widened_columns": [
        Lateral(WIDENED, Alias(ROWS, "x"), "cross"),
        Lateral(WIDENED, Alias(T, "x"), "cross"),
        Lateral(Alias(Filter(WIDENED, UNKNOWN), "l"), Alias(Filter(WIDENED, UNKNOWN), "x"), "cross"),
    ],
}
BESIDE: dict[str, list[Relation]] = {
    "in_above_a_grand_total": [
        Project(Aggregate(T, (Item("a", A),), (Item("n", Agg("count")),)), (Item("x", IN_TOTAL),)),
        Project(Filter(TOTAL, UNKNOWN), (Item("x", IN_TOTAL),)),
        Project(TOTAL, (Item("x", Exists(T)),)),
        Filter(TOTAL, IN_TOTAL),
        Project(T, (Item("x", IN_TOTAL),)),
    ],
    "full_join_on_in_below_an_anti_join": [
        Join(Join(L, R, "full", UNKNOWN), Alias(T, "s"), "anti", UNKNOWN),
        Join(Join(L, R, "left", ON_IN), Alias(T, "s"), "anti", UNKNOWN),
        Join(Join(L, R, "full", ON_IN), Alias(T, "s"), "semi", UNKNOWN),
    ],
    "exists_beside_a_constant_column_in_a_join_condition": [
        Join(L, R, "left", Exists(Filter(T, SAME))),
        Join(Alias(CONSTANT, "l"), R, "left", Exists(T)),
        Join(Alias(CONSTANT, "l"), R, "left", ON_IN),
        Filter(Alias(CONSTANT, "l"), Exists(Filter(T, SAME))),
    ],
    "in_beside_a_constant_column_in_a_join_condition": [
        Join(L, R, "left", InSubquery((LA,), Filter(LISTED_A, SAME))),
        Join(Alias(CONSTANT, "l"), R, "left", ON_IN),
        Join(Alias(CONSTANT, "l"), R, "left", Exists(Filter(T, SAME))),
        Filter(Alias(CONSTANT, "l"), InSubquery((LA,), Filter(LISTED_A, SAME))),
    ],
    "subquery_as_a_join_condition": [Join(L, R, "left", UNKNOWN), Filter(T, Exists(T))],
    "projected_subquery_and_a_union": [
        Project(T, (Item("x", IN),)),
        SetOp("except", Project(T, (Item("x", IN),)), Project(T, (Item("x", IN),))),
        Project(SetOp("union", T, T, all=True), (Item("x", A),)),
        Filter(SetOp("union", T, T, all=True), IN),
        Window(T, (Over("w", Agg("count")),), partition=(IN,)),
        Window(SetOp("union", T, T, all=True), (Over("w", Agg("count")),), partition=(A,)),
    ],
    "cast_in_a_row_as_a_value": [
        Filter(T, Compare("=", A, ScalarSubquery(OneRow((Item("x", Lit(INT, 1)),))))),
        OneRow((Item("x", Lit(DATE, "2020-01-01")),)),
        Lateral(L, Alias(OneRow((Item("x", Lit(INT, 1)),)), "x"), "cross"),
        Lateral(L, Alias(Project(T, (Item("x", Lit(DATE, "2020-01-01")),)), "x"), "cross"),
    ],
    "projected_cte": [With("c", LISTED_A, READ), LISTED_A],
    "projected_subquery_and_groups": [
        Project(T, (Item("x", IN),)),
        SetOp("union", Project(T, (Item("x", IN),)), Project(T, (Item("x", IN),)), all=True),
        Filter(Distinct(T), IN),
        Distinct(Project(T, (Item("y", Not(Exists(T))),))),
        Project(Alias(Distinct(T), "l"), (Item("y", Exists(Filter(T, SAME))),)),
        Project(Alias(Distinct(T), "l"), (Item("y", InSubquery((LA,), Project(Filter(T, SAME), (Item("x", A),)))),)),
        Project(Distinct(T), (Item("x", VALUE),)),
    ],
    "lateral_with_a_condition_read_twice": [
        With("c", CONDITIONED, READ),
        With("b", LISTED_A, With("c", CONDITIONED, READ)),
        With("c", Project(Lateral(L, Alias(T, "x"), "cross"), ONE_COLUMN), SetOp("union", READ, READ, all=True)),
        CONDITIONED,
    ],
    "lateral_with_a_condition_inside_a_subquery": [
        CONDITIONED,
        Filter(CONDITIONED, IN),
        Filter(T, Exists(Lateral(L, Alias(T, "x"), "cross"))),
        Lateral(Alias(CONDITIONED, "l"), Alias(T, "y"), "left", UNKNOWN),
    ],
    "scalar_subquery": [
        Filter(T, IN),
        Filter(L, Exists(Filter(T, SAME))),
    ],
    "scalar_subquery_and_a_join": [
        Filter(T, Compare("=", A, VALUE)),
        Project(Limit(LISTED, (SortKey(X),), 1), (Item("y", VALUE),)),
        SetOp("union", Filter(T, Compare("=", A, VALUE)), T),
        Join(L, R, "left", UNKNOWN),
    ],
    "in_subquery_as_a_value": [
        Join(L, R, "left", ON_IN),
        Filter(T, NOT_IN),
        Filter(T, Not(IN)),
        Filter(T, Or(And(IN, UNKNOWN), NOT_IN)),
        Join(L, Alias(Filter(T, NOT_IN), "x"), "left", UNKNOWN),
        Lateral(L, Alias(Filter(T, And(SAME, NOT_IN)), "x"), "cross"),
        Filter(T, Not(Exists(T))),
        Project(T, (Item("x", Exists(T)),)),
        Aggregate(T, (), (Item("x", Agg("count", where=NOT_IN)),)),
    ],
    "subquery_beside_an_outer_column": [
        Filter(L, Exists(Filter(T, And(SAME, IN)))),
        Filter(L, Exists(Filter(T, IN))),
        Filter(T, Or(UNKNOWN, IN)),
    ],
    "limit_over_a_computed_correlation": [
        Lateral(L, Alias(Limit(Filter(LISTED, SAME_X), (SortKey(X),), 1), "x"), "cross"),
        Lateral(L, Alias(Filter(LISTED, WIDER_X), "x"), "cross"),
        Lateral(L, Alias(Filter(Limit(LISTED, (SortKey(X),), 1), Compare("=", X, NEXT_A)), "x"), "cross"),
        Lateral(L, Alias(Limit(Filter(LISTED, Compare("=", X, NEXT_X)), (SortKey(X),), 1), "x"), "cross"),
    ],
    "outer_column_below_a_set_operator": [
        Filter(L, Exists(Filter(T, SAME))),
        Filter(L, Exists(SetOp("union", T, T))),
        SetOp("union", Filter(L, Exists(Filter(T, SAME))), T),
    ],
    "outer_column_below_a_set_operator_of_doubles": [
        Filter(L, Exists(SetOp("union", T, Filter(T, SAME)))),
        Filter(L, Exists(SetOp("intersect", LISTED, Filter(LISTED, SAME_X)))),
        Filter(L, Exists(Filter(SetOp("except", T, T), SAME))),
        SetOp("except", Filter(L, Exists(Filter(T, SAME))), T),
    ],
    "subquery_as_a_join_condition_below_a_replicating_operator": [
        SetOp("except", T, Join(L, R, "semi", ON_IN)),
        SetOp("union", T, Join(L, R, "semi", ON_IN), all=True),
        SetOp("except", T, Filter(T, IN), all=True),
        Join(Alias(SetOp("except", T, T, all=True), "l"), R, "semi", ON_IN),
    ],
    "lateral_beside_widened_columns": [
        Lateral(L, Alias(WIDENED, "x"), "cross"),
        Lateral(SetOp("union", LISTED, LISTED), Alias(ROWS, "x"), "cross"),
        Join(WIDENED, Alias(ROWS, "x"), "cross"),
    ],
}


@pytest.mark.parametrize(
    ("name", "query"),
    [(name, query) for name, queries in FITTING.items() for query in queries],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_query_of_the_pattern_fits(name: str, query: Relation) -> None:
    assert PATTERNS[name](case(query))


@pytest.mark.parametrize(
    ("name", "query"),
    [(name, query) for name, queries in BESIDE.items() for query in queries],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_query_beside_the_pattern_does_not(name: str, query: Relation) -> None:
    assert not PATTERNS[name](case(query))


CACHED, HASHED = Settings(source="cached", join="hash"), "subquery_in_a_hashed_semi_join_of_cached_tables"
GREATEST = ScalarSubquery(Aggregate(T, (), (Item("x", Agg("max", A)),)))
ABOVE = Compare(">", LA, GREATEST)


@pytest.mark.parametrize(
    "query",
    [
        Join(L, R, "semi", ABOVE),
        Join(L, R, "anti", And(UNKNOWN, Exists(T))),
        Filter(L, Exists(Filter(T, And(SAME, Compare(">", A, GREATEST))))),
        Filter(T, InSubquery((GREATEST,), LISTED)),
    ],
    ids=["a semi join's ON", "an anti join's ON", "inside EXISTS", "beside IN"],
)
def test_a_subquery_in_a_semi_join_fits_where_tables_are_cached_and_joins_are_hashed(query: Relation) -> None:
    fits = PATTERNS[HASHED]
    assert fits(replace(case(query), settings=CACHED))
    assert not fits(replace(case(query), settings=replace(CACHED, source="parquet")))
    assert not fits(replace(case(query), settings=replace(CACHED, join="merge")))


@pytest.mark.parametrize(
    "query",
    [Join(L, R, "inner", ABOVE), Join(L, R, "semi", UNKNOWN), Filter(T, IN), Filter(L, And(ABOVE, Exists(T)))],
    ids=["an inner join's ON", "a semi join without one", "an IN alone", "beside EXISTS, under AND"],
)
def test_other_subqueries_over_cached_tables_do_not(query: Relation) -> None:
    assert not PATTERNS[HASHED](replace(case(query), settings=CACHED))


ON_RIGHT = Compare("<>", InSubquery((Col("a", INT, "r"),), LISTED), IsNull(Col("d", DOUBLE, "r")))


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        (Join(L, R, "semi", ON_RIGHT), True),
        (Distinct(Join(L, R, "semi", ON_RIGHT)), True),
        (Join(L, R, "semi", IsNull(Col("d", DOUBLE, "r"))), False),
        (Join(L, R, "semi", And(IsNull(LA), ON_RIGHT)), True),
        (Join(L, R, "semi", And(Compare("=", LA, Col("a", INT, "r")), ON_RIGHT)), False),
        (Join(L, R, "semi", And(IsNull(Col("d", DOUBLE, "r")), InSubquery((LA,), LISTED))), False),
        (Join(L, R, "anti", ON_RIGHT), False),
        (Join(L, R, "inner", ON_RIGHT), False),
    ],
    ids=[
        "semi join",
        "deeper",
        "no subquery",
        "beside one of the left",
        "about both",
        "a subquery about the left",
        "anti join",
        "inner join",
    ],
)
def test_the_semi_join_pattern_asks_for_a_subquery_about_the_right_side(query: Relation, fits: bool) -> None:
    assert PATTERNS["semi_join_on_a_subquery_of_the_right"](case(query)) == fits


@pytest.mark.parametrize(
    ("read", "fits"),
    [(Outer("p", BOOLEAN, "f"), True), (IsNull(Outer("p", BOOLEAN, "f")), True), (IsNull(Outer("a", INT, "f")), False)],
    ids=["itself", "in a test", "of another type"],
)
def test_an_outer_condition_is_an_outer_column_of_truth_values(read: Expr, fits: bool) -> None:
    flags = Alias(Project(T, (Item("p", IsNull(A)), Item("a", A))), "f")
    assert PATTERNS["outer_condition"](case(Filter(flags, Exists(Filter(T, read))))) == fits
