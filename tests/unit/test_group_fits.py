"""A group of Spark's configuration is drawn for queries that have what it needs, and rare ones often enough."""

from __future__ import annotations

import pytest

from strategies.draw.cases import Way
from strategies.draw.group_fits import (
    correlates_in_filters,
    having,
    having_any,
    joins_a_filter,
    joins_a_union,
    joins_by_folders,
    joins_three_inputs,
    keeps_state,
    multiplies_rows,
    reads_folders_alone,
)
from strategies.draw.planner_conf import GROUPS, PLACES, fitting, rare_fitting
from strategies.ir import (
    BOOLEAN,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    Call,
    Col,
    Column,
    Compare,
    Database,
    Deduplicate,
    Distinct,
    Exists,
    Filter,
    HigherOrder,
    Item,
    Join,
    Limit,
    Lit,
    MakeArray,
    Outer,
    Over,
    Project,
    Relation,
    Scan,
    SetOp,
    Settings,
    Sort,
    SortKey,
    Table,
    Window,
)

COLUMNS = (Column("a", INT), Column("b", INT))
T = Scan("t0", COLUMNS)
ONE = Scan("t0", COLUMNS[:1])
A, B = Col("a", INT), Col("b", INT)
TEXT = Lit(STRING, "a")
TRUE = Lit(BOOLEAN, True)
DATABASE = Database((Table("t0", COLUMNS),))
UNION = SetOp("union", T, T, all=True)
BY_BOTH = (SortKey(A), SortKey(B))
EQUAL = Compare("=", A, A)
SAME = Compare("=", A, Outer("a", INT, "l"))


def named(name: str, relation: Relation = T) -> Relation:
    return Alias(relation, name)


def grouped(*aggregates: Agg) -> Aggregate:
    return Aggregate(T, (), tuple(Item(f"x{place}", each) for place, each in enumerate(aggregates)))


def chain(first: str, second: str) -> Relation:
    return Join(Join(named("l"), named("r"), first, TRUE), named("s"), second, TRUE)


def over_tables(query: Relation) -> Relation:
    return Filter(named("l"), Exists(query))


DISTINCT_A, DISTINCT_B = Agg("count", A, distinct=True), Agg("max", B, distinct=True)
FITS = {
    "two distinct aggregates": (multiplies_rows, grouped(DISTINCT_A, DISTINCT_B)),
    "a union joined": (joins_a_union, Join(named("l", Project(Filter(UNION, TRUE), (Item("x", A),))), T, "left", TRUE)),
    "a filter joined": (joins_a_filter, Join(named("l"), named("r", Filter(T, TRUE)), "inner", TRUE)),
    "a chain of inner joins": (joins_three_inputs, chain("inner", "inner")),
    "a correlated filter": (correlates_in_filters, over_tables(Project(Filter(T, SAME), (Item("x", A),)))),
    "folders joined with a filter": (
        joins_by_folders,
        Join(named("l"), named("r", Filter(T, EQUAL)), "inner", Compare("=", Col("a", INT, "l"), Col("b", INT, "r"))),
    ),
    "a filter joined with folders": (
        joins_by_folders,
        Join(
            named("l", Filter(T, EQUAL)),
            named("r"),
            "full",
            And(TRUE, Compare("=", Col("b", INT, "l"), Col("a", INT, "r"))),
        ),
    ),
    "values of folders": (reads_folders_alone, Deduplicate(Project(Filter(T, EQUAL), (Item("x", A),)), ("x",))),
    "the largest folder of each": (reads_folders_alone, Aggregate(T, (Item("k", A),), (Item("m", Agg("max", A)),))),
    "a function of elements": (
        keeps_state,
        Project(T, (Item("x", HigherOrder("exists", MakeArray(INT, (A,)), TRUE)),)),
    ),
    "a pattern": (keeps_state, Filter(T, Compare("=", Call("translate", (TEXT, TEXT, TEXT)), TEXT))),
    "sets or a window": (having_any(Distinct, Window), Window(T, (Over("w", Agg("count")),))),
    "two sorts": (having(Sort, Sort), Sort(Sort(T, BY_BOTH), BY_BOTH)),
}
BESIDE = {
    "one distinct aggregate": (multiplies_rows, grouped(DISTINCT_A)),
    "distinct aggregates of one value": (multiplies_rows, grouped(DISTINCT_A, Agg("sum", A, distinct=True))),
    "one more aggregate": (multiplies_rows, grouped(DISTINCT_A, DISTINCT_B, Agg("count"))),
    "a union on the right": (joins_a_union, Join(named("l"), named("r", UNION), "left", TRUE)),
    "a union of sets": (joins_a_union, Join(named("l", SetOp("union", T, T)), named("r"), "left", TRUE)),
    "a union of matches": (joins_a_union, Join(named("l", UNION), named("r"), "semi", TRUE)),
    "a filter above a join": (joins_a_filter, Filter(Join(named("l"), named("r"), "inner", TRUE), TRUE)),
    "a filter in a cross join": (joins_a_filter, Join(named("l"), named("r", Filter(T, TRUE)), "cross")),
    "an outer join below": (joins_three_inputs, chain("left", "inner")),
    "an outer join above": (joins_three_inputs, chain("inner", "left")),
    "a subquery by itself": (correlates_in_filters, over_tables(Filter(T, TRUE))),
    "an outer column in a select list": (
        correlates_in_filters,
        over_tables(Project(Filter(T, SAME), (Item("x", Outer("b", INT, "l")),))),
    ),
    "groups above an outer column": (
        correlates_in_filters,
        over_tables(Aggregate(Filter(T, SAME), (Item("k", B),), ())),
    ),
    "a limit above an outer column": (correlates_in_filters, over_tables(Limit(Filter(T, SAME), BY_BOTH, 1))),
    "a union above an outer column": (correlates_in_filters, over_tables(SetOp("union", Filter(T, SAME), T, all=True))),
    "folders joined without a filter": (
        joins_by_folders,
        Join(named("l"), named("r"), "inner", Compare("=", Col("a", INT, "l"), Col("a", INT, "r"))),
    ),
    "files joined with a filter": (
        joins_by_folders,
        Join(named("l"), named("r", Filter(T, EQUAL)), "inner", Compare("=", Col("b", INT, "l"), Col("b", INT, "r"))),
    ),
    "folders in another comparison": (
        joins_by_folders,
        Join(named("l"), named("r", Filter(T, EQUAL)), "inner", Compare("<", Col("a", INT, "l"), Col("a", INT, "r"))),
    ),
    "values of files": (reads_folders_alone, Deduplicate(Project(T, (Item("x", B),)), ("x",))),
    "a filter of files": (
        reads_folders_alone,
        Deduplicate(Project(Filter(T, Compare("=", B, B)), (Item("x", A),)), ("x",)),
    ),
    "a count of rows": (reads_folders_alone, Aggregate(T, (Item("k", A),), (Item("n", Agg("count", A)),))),
    "folders of one column": (reads_folders_alone, Deduplicate(Project(ONE, (Item("x", A),)), ("x",))),
    "a function without state": (keeps_state, Filter(T, Compare("=", Call("upper", (TEXT,)), TEXT))),
    "an array alone": (keeps_state, Project(T, (Item("x", MakeArray(INT, (A,))),))),
    "neither sets nor a window": (having_any(Distinct, Window), Sort(T, BY_BOTH)),
    "one sort": (having(Sort, Sort), Sort(T, BY_BOTH)),
}


@pytest.mark.parametrize(("fits", "query"), FITS.values(), ids=FITS)
def test_a_query_with_what_a_group_needs_fits(fits, query):
    assert fits(query)


@pytest.mark.parametrize(("fits", "query"), BESIDE.values(), ids=BESIDE)
def test_a_query_beside_it_does_not_fit(fits, query):
    assert not fits(query)


KEY = Col("k", INT)
GROUPED = Aggregate(Filter(chain("inner", "inner"), TRUE), (Item("k", Col("a", INT, "l")),), ())
SORTED = Sort(Filter(GROUPED, Exists(grouped(DISTINCT_A, DISTINCT_B))), (SortKey(KEY),))
EVERYTHING = Window(Limit(Filter(SORTED, TRUE), (SortKey(KEY),), 1), (Over("w", Agg("count")),))
"""A query that most groups fit."""


def test_each_group_of_a_query_has_a_place():
    assert {id(group) for group in fitting(EVERYTHING)} <= {id(group) for group in GROUPS.values()}
    assert len(fitting(EVERYTHING)) <= PLACES


@pytest.mark.parametrize("name", [name for name, group in GROUPS.items() if group.rare])
def test_rare_groups_are_a_third_of_the_draws_of_a_query_that_they_fit(name):
    query = next(query for fits, query in FITS.values() if fits is GROUPS[name].fits)
    found = fitting(query)
    assert sum(group.rare for group in found) * 3 >= len(found)
    assert GROUPS[name] in found


@pytest.mark.parametrize("place", [0, 1, PLACES - 1])
def test_a_way_of_rare_groups_is_the_default_for_a_query_that_fits_none(place):
    way = Way(group=place, groups=rare_fitting)
    assert way.settings(T, DATABASE, ("sql",), ansi=True) == Settings()
    found = way.settings(chain("inner", "inner"), DATABASE, ("sql",), ansi=True)
    assert found in [Settings(**group.settings) for group in GROUPS.values() if group.rare]


def test_a_group_of_the_fast_path_is_drawn_more_often_than_one_of_files():
    found = [group for group in fitting(T) if not group.rare]
    quick, slow = ({found.count(group) for group in found if group.is_quick is way} for way in (True, False))
    assert min(quick) > max(slow) > 0


@pytest.mark.parametrize(
    "query", [grouped(DISTINCT_A), Distinct(T), chain("inner", "inner")], ids=["groups", "sets", "a join"]
)
def test_rows_of_a_key_are_put_together_by_some_of_the_partition_keys(query):
    """SPARK-58968: a window, an aggregate and a DISTINCT need it as a join does."""
    assert GROUPS["fewer join keys than partition keys"] in fitting(query)
    assert GROUPS["fewer join keys than partition keys"] not in fitting(Sort(T, BY_BOTH))


def test_groups_that_a_query_does_not_fit_are_not_drawn():
    assert not any(group.rare for group in fitting(T))
    assert GROUPS["no limited sort"] not in fitting(T)
    assert GROUPS["no limited sort"] in fitting(EVERYTHING)
