"""Patterns about windows and pivots: queries that they fit, and queries beside them that they don't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    BINARY,
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Array,
    Case,
    Cast,
    Clauses,
    Col,
    Compare,
    Database,
    Deduplicate,
    Distinct,
    Exists,
    Expr,
    Filter,
    Frame,
    Item,
    Lit,
    MakeArray,
    Outer,
    Over,
    Peek,
    Pivot,
    PivotValue,
    Project,
    Ranking,
    Relation,
    SetOp,
    Settings,
    SortKey,
    SqlType,
    Value,
    Window,
)
from tests.unit.ir_samples import DATABASE, T0, T1, YES, A, B, D, case_over

_COUNTED = Window(T0, (Over("n", Agg("count", where=YES)),))
_BINARY = Cast(B, BINARY)


_LISTS = Project(T0, (Item("a", A), Item("l", MakeArray(INT, (A,)))))


def _array_of(name: str, keys: tuple[str, ...]) -> Relation:
    column = Col(name, INT if name == "a" else Array(INT))
    return Project(Deduplicate(_LISTS, keys), (Item("x", MakeArray(column.type, (column,))),))


def pivot(column: Expr, kind: SqlType, value: Value) -> Relation:
    return Distinct(Pivot(T0, (), Agg("count"), column, (PivotValue("x", Lit(kind, value)),)))


_WINDOWED = Window(T0, (Over("n", Agg("count")),))
_INTERSECT_ALL = SetOp("intersect", _WINDOWED, _WINDOWED, all=True)
_WINDOWS = "windows_in_replicating_operators"


@pytest.mark.parametrize(
    ("query", "partition", "fits"),
    [
        (SetOp("union", _INTERSECT_ALL, Distinct(_INTERSECT_ALL), all=True), None, True),
        (_INTERSECT_ALL, YES, True),
        (_INTERSECT_ALL, None, False),
        (SetOp("union", _WINDOWED, SetOp("union", _WINDOWED, _WINDOWED, all=True), all=True), YES, False),
        (SetOp("intersect", T0, SetOp("intersect", T0, T0, all=True), all=True), YES, False),
        (SetOp("intersect", _WINDOWED, SetOp("except", _WINDOWED, _WINDOWED)), YES, False),
    ],
    ids=["twice", "in three parts", "once", "unions", "no window", "without ALL"],
)
def test_windows_in_replicating_operators_count_where_they_stand_twice(query, partition, fits) -> None:
    table = replace(DATABASE.table("t0"), rows=())
    assert PATTERNS[_WINDOWS](Case(query, Database((table,)), partition=partition)) == fits


def of_rows(low: int | None, high: int | None) -> Window:
    """count(*) over a frame of rows, in the order of all columns."""
    every = tuple(SortKey(Col(column.name, column.type)) for column in T0.columns)
    return Window(T0, (Over("n", Agg("count"), Frame("rows", low, high)),), (), every)


def ranged(key: Expr, frame: Frame, *, nulls_first: bool = False) -> Relation:
    return Window(T0, (Over("n", Agg("count"), frame),), (), (SortKey(key, True, nulls_first),))


LIST, EMPTY = MakeArray(INT, (A,)), Lit(Array(INT), ())


@pytest.mark.parametrize(
    ("peek", "fits"),
    [
        (Peek("lag", LIST, 1, EMPTY), True),
        (Peek("lead", LIST, 1), False),
        (Peek("lead", A, 1, A), False),
        (Peek("nth_value", LIST, 1), False),
    ],
    ids=["a default array", "no default", "a number", "no default at all"],
)
def test_a_default_of_many_parts_is_one_of_lag_or_lead(peek, fits) -> None:
    every = tuple(SortKey(Col(column.name, column.type)) for column in T0.columns)
    query = Distinct(Window(T0, (Over("x", peek),), (), every))
    assert PATTERNS["nested_default_of_lag_or_lead"](case_over(query)) == fits


def _over(*functions: Ranking | Peek) -> Relation:
    every = tuple(SortKey(Col(column.name, column.type)) for column in T0.columns)
    return Window(T0, tuple(Over(f"x{place}", function) for place, function in enumerate(functions)), (), every)


@pytest.mark.parametrize(
    ("pattern", "query", "fits"),
    [
        ("share_of_a_partition_beside_a_rank", _over(Ranking("rank"), Ranking("cume_dist")), True),
        ("share_of_a_partition_beside_a_rank", Distinct(_over(Ranking("ntile", 2), Ranking("row_number"))), True),
        ("share_of_a_partition_beside_a_rank", _over(Ranking("rank"), Peek("lead", A, 1)), False),
        ("share_of_a_partition_beside_a_rank", _over(Ranking("percent_rank")), False),
        ("window_aggregate_with_a_filter", Distinct(_COUNTED), True),
        ("window_aggregate_with_a_filter", Window(T0, (Over("n", Agg("count")),)), False),
        ("window_aggregate_with_a_filter", Aggregate(T0, (), (Item("n", Agg("count", where=YES)),)), False),
        ("rows_before_the_current_one", of_rows(-1, 0), True),
        ("rows_before_the_current_one", of_rows(None, -1), True),
        ("rows_before_the_current_one", of_rows(None, 0), False),
        ("rows_before_the_current_one", of_rows(0, 2), False),
        ("rows_before_the_current_one", ranged(A, Frame("range", -1, 0)), False),
        ("range_before_a_double", ranged(D, Frame("range", None, -1)), True),
        ("range_before_a_double", ranged(D, Frame("range", None, -1), nulls_first=True), False),
        ("range_before_a_double", ranged(D, Frame("range", None, 0)), False),
        ("range_before_a_double", ranged(D, Frame("range", -2, -1)), False),
        ("range_before_a_double", ranged(A, Frame("range", None, -1)), False),
        ("pivot_for_binary", pivot(_BINARY, BINARY, "61"), True),
        ("pivot_for_binary", pivot(A, INT, 1), False),
        ("pivot_for_nan", pivot(D, DOUBLE, "nan"), True),
        ("pivot_for_nan", pivot(D, DOUBLE, "inf"), False),
        ("pivot_for_null_of_many_parts", pivot(_BINARY, BINARY, None), True),
        ("pivot_for_null_of_many_parts", pivot(_BINARY, BINARY, ""), False),
        ("pivot_for_null_of_many_parts", pivot(A, INT, None), False),
        ("pivot_for_null_of_many_parts", pivot(MakeArray(INT, (A,)), Array(INT), None), True),
        ("pivot_for_nested", pivot(MakeArray(INT, (A,)), Array(INT), ()), True),
        ("pivot_for_nested", pivot(_BINARY, BINARY, ""), False),
        ("array_of_a_deduplicated_column", _array_of("l", ("a",)), True),
        ("array_of_a_deduplicated_column", _array_of("a", ("a",)), False),
        ("array_of_a_deduplicated_column", Deduplicate(_LISTS, ("a",)), False),
        ("deduplicate_below_a_union", SetOp("union", Deduplicate(_LISTS, ("a",)), _LISTS), True),
        ("deduplicate_below_a_union", SetOp("union", Deduplicate(_LISTS, ("a", "l")), _LISTS), False),
        ("deduplicate_below_a_union", SetOp("except", Deduplicate(_LISTS, ("a",)), _LISTS), False),
        ("deduplicate_below_a_union", Deduplicate(_LISTS, ("a",)), False),
    ],
    ids=[
        "cume_dist() beside rank()",
        "ntile() beside row_number()",
        "lead() beside rank()",
        "a share alone",
        "window with FILTER",
        "window without",
        "FILTER without window",
        "rows from before the current one",
        "rows up to before it",
        "rows up to the current one",
        "rows from the current one",
        "a range from before it",
        "range up to before a double",
        "with NULL first",
        "up to the double",
        "from before a double",
        "an integer",
        "BINARY",
        "not BINARY",
        "NaN",
        "infinity",
        "NULL as BINARY",
        "no bytes",
        "NULL as INT",
        "NULL as an array",
        "arrays",
        "bytes are no array",
        "an array of what dropDuplicates keeps",
        "an array of its key",
        "an array below it",
        "dropDuplicates below UNION",
        "by all columns",
        "below EXCEPT",
        "without UNION",
    ],
)
def test_a_pattern_fits_its_bug_alone(pattern: str, query: Relation, fits: bool) -> None:
    table = DATABASE.table("t0")
    assert PATTERNS[pattern](Case(query, Database((replace(table, rows=()),)))) == fits


_RANKED = Window(T1, (Over("r", Ranking("rank")),), (), (SortKey(Col("a", INT, "t1")),))


@pytest.mark.parametrize(
    ("condition", "clauses", "fits"),
    [
        (Compare("=", Col("r", INT), Outer("a", INT, "t0")), "merged", True),
        (Compare("=", Col("r", INT), Outer("a", INT, "t0")), "nested", False),
        (Compare("=", Col("r", INT), Col("a", INT)), "merged", False),
    ],
    ids=["an outer column", "in a derived table", "no outer column"],
)
def test_an_outer_column_in_qualify_is_one_of_a_window_s_filter(condition: Expr, clauses: Clauses, fits: bool) -> None:
    case = case_over(Filter(T0, Exists(Filter(_RANKED, condition))))
    assert PATTERNS["outer_column_in_qualify"](replace(case, settings=Settings(clauses=clauses))) == fits
