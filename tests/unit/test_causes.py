"""How a known divergence's cause is taken out of a case: what is rewritten, and what stays as it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.answers.outcome import Rows
from oracles.answers.rows import same
from oracles.engines.duckdb import DuckdbEngine
from oracles.patterns.causes import REWRITES
from oracles.patterns.subqueries import in_subquery_as_a_value
from oracles.patterns.windows import grand_total, pivot_for_nan
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    Array,
    Case,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Delete,
    Distinct,
    Exists,
    Filter,
    GroupingSets,
    InSubquery,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    MakeArray,
    Merge,
    MergeClause,
    Node,
    Not,
    Or,
    Outer,
    Over,
    Peek,
    Pivot,
    PivotValue,
    Project,
    RaisingElement,
    Ranking,
    Relation,
    ScalarSubquery,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    TryArith,
    TryCast,
    TypedFilter,
    Verbatim,
    Window,
    walk,
)

PLUS, MINUS = (0.0).hex(), (-0.0).hex()
T0 = Table("t", (Column("a", INT), Column("d", DOUBLE)), ((1, MINUS), (None, PLUS), (3, None)))
T = Scan("t", T0.columns)
A, D = Col("a", INT), Col("d", DOUBLE)
MOST = Item("m", Agg("max", A))
LISTED = Project(Filter(T, Not(Compare("=", A, Lit(INT, 3)))), (Item("x", A),))
IN, NOT_IN = InSubquery((A,), LISTED), InSubquery((A,), LISTED, negated=True)
BELOW = Filter(Alias(T, "i"), Compare("=", Col("a", INT, "i"), Outer("a", INT, "t")))
CORRELATED = InSubquery((Col("a", INT, "t"),), Project(BELOW, (Item("x", A),)))
FALSE = Lit(BOOLEAN, False)


def five_of(partners: Relation) -> Relation:
    """5 for each row of T, or NULL for one without partners."""
    five = Limit(Project(partners, (Item("x", Lit(INT, 5)),)), (SortKey(Col("x", INT)),), 1)
    return Project(T, (Item("x", ScalarSubquery(five)),))


FIVE_OR_NULL = five_of(BELOW)
ALWAYS_FIVE = five_of(replace(BELOW, condition=Compare("<=>", Col("a", INT, "i"), Outer("a", INT, "t"))))
SUM = TryArith("+", TryArith("+", Lit(INT, 2), A), Lit(INT, 3))
FIRST = Limit(T, (SortKey(A), SortKey(D)), 2, 1)
PIVOT = Pivot(T, (), Agg("max", A), D, (PivotValue("n", Lit(DOUBLE, "nan")), PivotValue("z", Lit(DOUBLE, PLUS))))
PIVOT_NULL = Pivot(
    Project(T, (Item("l", MakeArray(INT, (A,))), Item("a", A))),
    (),
    Agg("max", A),
    Col("l", Array(INT)),
    (PivotValue("n", Lit(Array(INT), None)),),
)
TOTAL = Aggregate(T, (), (Item("n", Agg("count")),))
IN_TOTAL = Project(TOTAL, (Item("x", InSubquery((Lit(INT, 0),), LISTED)),))
EMPTY = Filter(T, Compare("=", A, Lit(INT, 7)))
IN_TOTAL_OF_NOTHING = replace(IN_TOTAL, child=Aggregate(EMPTY, (), (Item("n", Agg("count")),)))
TOTALS = GroupingSets(EMPTY, "rollup", (Item("a", A),), (Item("n", Agg("count")),))
LISTS = Project(T, (Item("l", MakeArray(INT, (A,))),))
LAG = Peek("lag", Col("l", Array(INT)), 1, Lit(Array(INT), (None,)))
COMPUTED = (Item("a", Compare("=", A, Lit(INT, 1))),)
SWAPPED = Filter(Project(T, (Item("y", A), Item("x", Lit(INT, 1)))), IsNull(Col("y", INT)))
CROSSED = SetOp("except", Project(T, (Item("x", A), Item("y", Lit(INT, 1)))), SWAPPED)
AVERAGE = Aggregate(T, (), (Item("x", Agg("avg", TryCast(A, Decimal(11, 2)))),))
SUM_OF_DECIMALS = Aggregate(
    Project(T, (Item("d", TryCast(A, Decimal(2, 0))),)), (), (Item("x", Agg("sum", Col("d", Decimal(2, 0)))),)
)
EXCEPT = SetOp("except", Project(T, COMPUTED), Project(Filter(T, IsNull(A)), COMPUTED))


KEPT = Settings("v2", capabilities=("runtime filters",))


def case(query: Relation) -> Case:
    return Case(query, Database((T0,)), KEPT if query.is_statement else Settings())


def rewritten(name: str, query: Relation) -> Relation:
    changed = REWRITES[name](case(query))
    assert changed is not None
    return changed.query


LEFT_ALONE = MergeClause("not matched by source", "delete")
MERGE = Merge(
    T,
    Alias(Project(T, (Item("k", A), Item("v", D))), "m"),
    Compare("=", Col("a", INT, "t"), Col("k", INT, "m")),
    (LEFT_ALONE,),
)

FITTING: dict[str, list[Relation]] = {
    "missing_values_as_zeros": [FIVE_OR_NULL, ALWAYS_FIVE],
    "elements_at_known_positions": [Project(T, (Item("x", RaisingElement(MakeArray(INT, (A,)), A)),))],
    "one_row_for_each_source_key": [MERGE],
    "without_runtime_filters": [Delete(T, Exists(T))],
    "typed_filters_of_known_objects": [TypedFilter(LISTS, "l", "is_null")],
    "typed_filters_as_conditions": [
        TypedFilter(LISTS, "l", "is_null"),
        Distinct(TypedFilter(TypedFilter(LISTS, "l", "is_null"), "l", "is_known")),
    ],
    "in_as_flags": [
        Project(T, (Item("x", IN),)),
        Filter(T, Not(NOT_IN)),
        Filter(T, IsNull(CORRELATED)),
        Join(Alias(T, "l"), Alias(T, "r"), "left", InSubquery((Col("a", INT, "l"),), LISTED, negated=True)),
        Filter(Project(T, (Item("x", IN),)), Not(Col("x", BOOLEAN))),
    ],
    "in_of_no_rows_as_null": [IN_TOTAL, IN_TOTAL_OF_NOTHING],
    "zeros_of_one_sign": [T, Filter(T, Compare("=", D, Lit(DOUBLE, MINUS)))],
    "wrapping_arithmetic": [Project(T, (Item("s", SUM),))],
    "limits_as_ranks": [Distinct(FIRST), Join(Alias(FIRST, "l"), Alias(T, "r"), "cross")],
    "without_limits": [Distinct(FIRST), Join(Alias(FIRST, "l"), Alias(T, "r"), "cross")],
    "limits_of_all_rows": [Distinct(FIRST), Distinct(replace(FIRST, offset=1))],
    "pivots_without_nan": [PIVOT],
    "pivots_without_null": [PIVOT_NULL],
    "groups_of_some_rows": [TOTALS, Distinct(TOTALS)],
    "own_names_in_except": [EXCEPT, Distinct(EXCEPT), CROSSED],
    "except_by_name": [EXCEPT, Distinct(EXCEPT), CROSSED, SetOp("except", T, Alias(Filter(T, IsNull(A)), "r"))],
    "shifts_without_default": [
        Window(LISTS, (Over("w", LAG),), order=(SortKey(Col("l", Array(INT))),)),
    ],
    "correlations_without_nan": [Verbatim("SELECT corr(a, d) FROM t", "SELECT corr(a, d) FROM t")],
    "sums_in_one_order": [Verbatim("SELECT d + a FROM t", "SELECT d + a FROM t")],
    "averages_of_few_digits": [AVERAGE, Distinct(AVERAGE)],
    "sums_that_stay": [SUM_OF_DECIMALS, Distinct(SUM_OF_DECIMALS)],
    "conditions_for_negations": [Filter(T, Not(Compare("=", A, Lit(INT, None))))],
    "different_rows_below_distinct_values": [
        Aggregate(T, (), (Item("x", Agg("count", A, distinct=True)), Item("n", Agg("count")))),
        Aggregate(Filter(T, IsNull(A)), (Item("a", A),), (Item("x", Agg("count", D, distinct=True)),)),
    ],
    "aggregates_of_columns": [
        Aggregate(T, (), (Item("x", Agg("max", Lit(INT, 1), distinct=True)),)),
        Aggregate(T, (Item("a", A),), (Item("x", Agg("count", A, distinct=True)), Item("n", Agg("count")))),
    ],
}
BESIDE: dict[str, list[Relation]] = {
    "without_runtime_filters": [T, Delete(T, Compare("=", A, Lit(INT, 1)))],
    "elements_at_known_positions": [T, Project(T, (Item("x", RaisingElement(MakeArray(INT, (A,)), Lit(INT, 0))),))],
    "missing_values_as_zeros": [T, Project(T, (Item("x", ScalarSubquery(Aggregate(BELOW, (), (MOST,)))),))],
    "typed_filters_of_known_objects": [TypedFilter(LISTS, "l", "is_known"), TypedFilter(T, "a", "is_null")],
    "typed_filters_as_conditions": [TypedFilter(LISTS, "l", "is_known"), TypedFilter(T, "a", "is_null")],
    "one_row_for_each_source_key": [T, replace(MERGE, clauses=(MergeClause("matched", "delete"), LEFT_ALONE))],
    "in_as_flags": [Filter(T, IN), Filter(T, NOT_IN), Filter(T, Or(IN, NOT_IN)), T],
    "in_of_no_rows_as_null": [T, Project(T, (Item("x", IN),)), Filter(TOTAL, InSubquery((Lit(INT, 0),), LISTED))],
    "zeros_of_one_sign": [],
    "wrapping_arithmetic": [T],
    "limits_as_ranks": [FIRST, T],
    "without_limits": [FIRST, T],
    "limits_of_all_rows": [FIRST, T],
    "pivots_without_nan": [T],
    "pivots_without_null": [T, PIVOT],
    "groups_of_some_rows": [T, GroupingSets(EMPTY, "sets", (Item("a", A),), (), sets=((0,),))],
    "own_names_in_except": [T, SetOp("except", T, T)],
    "except_by_name": [SetOp("except", T, T), SetOp("except", T, Filter(T, IsNull(A)), all=True)],
    "shifts_without_default": [Window(T, (Over("w", Ranking("rank")),), order=(SortKey(A),))],
    "correlations_without_nan": [T, Verbatim("SELECT a FROM t", "SELECT a FROM t")],
    "sums_in_one_order": [T, Verbatim("SELECT a + d FROM t", "SELECT a + d FROM t")],
    "averages_of_few_digits": [T, Aggregate(T, (), (Item("x", Agg("avg", A)),))],
    "sums_that_stay": [T, Aggregate(T, (), (Item("x", Agg("sum", A)),))],
    "conditions_for_negations": [T, Filter(T, Not(Compare("=", A, Lit(INT, 0)))), Filter(T, IsNull(A))],
    "different_rows_below_distinct_values": [
        T,
        Aggregate(T, (), (Item("n", Agg("count")),)),
    ],
    "aggregates_of_columns": [
        T,
        Aggregate(T, (), (Item("n", Agg("count")),)),
        Aggregate(T, (), (Item("x", Agg("count", A, distinct=True)),)),
    ],
}


def pairs(table: dict[str, list[Relation]]) -> list[tuple[str, Relation]]:
    return [(name, query) for name, queries in table.items() for query in queries]


def test_every_rewrite_is_tried_here() -> None:
    assert FITTING.keys() == BESIDE.keys() == REWRITES.keys()


@pytest.mark.parametrize(("name", "query"), pairs(FITTING), ids=lambda value: value if isinstance(value, str) else "")
def test_a_case_with_the_cause_is_rewritten_to_one_of_the_same_columns(name: str, query: Relation) -> None:
    changed = REWRITES[name](case(query))
    assert changed is not None
    assert [(f.name, f.type) for f in changed.query.fields] == [(f.name, f.type) for f in query.fields]


KEEP = (
    "in_as_flags",
    "in_of_no_rows_as_null",
    "correlations_without_nan",
    "missing_values_as_zeros",
    "elements_at_known_positions",
    "typed_filters_of_known_objects",
)
ONCE = {name: queries for name, queries in FITTING.items() if name not in KEEP}


@pytest.mark.parametrize(("name", "query"), pairs(ONCE), ids=lambda value: value if isinstance(value, str) else "")
def test_without_the_cause_there_is_nothing_more_to_rewrite(name: str, query: Relation) -> None:
    changed = REWRITES[name](case(query))
    assert changed is not None
    assert REWRITES[name](changed) is None


@pytest.mark.parametrize(("name", "query"), pairs(BESIDE), ids=lambda value: value if isinstance(value, str) else "")
def test_a_case_without_the_cause_is_left_alone(name: str, query: Relation) -> None:
    assert REWRITES[name](case(query)) is None


FLAG, NOT_FLAG = Coalesce((IN, FALSE)), Coalesce((NOT_IN, FALSE))
L, R, LA = Alias(T, "l"), Alias(T, "r"), Col("a", INT, "l")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Project(T, (Item("x", IN),)), Project(T, (Item("x", FLAG),))),
        (Project(T, (Item("x", NOT_IN),)), Project(T, (Item("x", NOT_FLAG),))),
        (Filter(T, And(IN, IsNull(NOT_IN))), Filter(T, And(IN, IsNull(NOT_FLAG)))),
        (Filter(Filter(T, IN), IsNull(IN)), Filter(Filter(T, IN), IsNull(FLAG))),
        (
            Join(L, R, "left", InSubquery((LA,), LISTED, negated=True)),
            Join(L, R, "left", Not(Coalesce((InSubquery((LA,), LISTED), FALSE)))),
        ),
    ],
    ids=["a value", "a negated value", "beside one at the root", "above one at the root", "in a join's condition"],
)
def test_an_in_that_stands_for_a_value_says_that_unknown_is_false(query: Relation, expected: Relation) -> None:
    assert rewritten("in_as_flags", query) == expected


def answer(query: Relation) -> Rows:
    outcome = DuckdbEngine().run(query, Database((T0,)))
    assert isinstance(outcome, Rows), outcome
    return outcome


@pytest.mark.parametrize("query", FITTING["limits_as_ranks"], ids=["DISTINCT", "a join"])
def test_ranks_have_the_rows_of_the_limit(query: Relation) -> None:
    assert same(answer(query), answer(rewritten("limits_as_ranks", query)))


@pytest.mark.parametrize(
    ("name", "query", "differs"),
    [
        ("in_as_flags", Project(T, (Item("x", IN),)), True),
        ("in_as_flags", Project(T, (Item("x", Coalesce((IN, FALSE))),)), False),
        ("without_limits", Join(Alias(FIRST, "l"), Alias(T, "r"), "cross"), True),
        ("without_limits", Distinct(Limit(T, (SortKey(A), SortKey(D)), 3)), False),
        ("in_of_no_rows_as_null", IN_TOTAL_OF_NOTHING, True),
        ("in_of_no_rows_as_null", IN_TOTAL, False),
        ("groups_of_some_rows", TOTALS, True),
        ("groups_of_some_rows", GroupingSets(T, "rollup", (Item("a", A),), (Item("n", Agg("count")),)), False),
        ("missing_values_as_zeros", FIVE_OR_NULL, True),
        ("missing_values_as_zeros", ALWAYS_FIVE, False),
    ],
    ids=[
        "unknown",
        "never unknown",
        "a limit",
        "a limit that cuts nothing off",
        "an IN over no rows",
        "an IN over rows",
        "no rows",
        "rows",
        "a row without a partner",
        "a partner for each row",
    ],
)
def test_a_deviation_shows_in_duckdb_s_answer_where_its_cause_matters(
    name: str, query: Relation, differs: bool
) -> None:
    assert same(answer(query), answer(rewritten(name, query))) != differs


def has(query: Relation, kind: type[Node]) -> bool:
    return any(isinstance(node, kind) for node in walk(query))


def test_what_is_left_has_no_pattern_of_its_entry() -> None:
    assert pivot_for_nan(case(PIVOT))
    assert not pivot_for_nan(case(rewritten("pivots_without_nan", PIVOT)))
    assert grand_total(case(TOTALS))
    assert in_subquery_as_a_value(case(Project(T, (Item("x", IN),))))
    assert has(FIRST, Limit)
    assert not has(rewritten("limits_as_ranks", Distinct(FIRST)), Limit)
