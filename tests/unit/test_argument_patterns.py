"""Patterns of known differences that are about the arguments of a function, or the sides of a join."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Array,
    Between,
    Call,
    Case,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Exists,
    Expr,
    Filter,
    Generate,
    InSubquery,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    MakeArray,
    Not,
    NullIf,
    Or,
    Outer,
    Over,
    Project,
    Recursive,
    Relation,
    ScalarSubquery,
    Scan,
    SetOp,
    SortKey,
    Table,
    Window,
)
from tests.unit.ir_samples import case_over

TABLE = Table("t", (Column("a", INT),))
T = Scan("t", TABLE.columns)


TEXT = Agg("listagg", Lit(STRING, "x"), False, None, (Lit(STRING, ","),))
COUNT, DISTINCT_COUNT = (Agg("count", Col("a", INT), distinct) for distinct in (False, True))


@pytest.mark.parametrize(
    ("aggregates", "fits"),
    [
        ((replace(TEXT, distinct=True),), True),
        ((TEXT, DISTINCT_COUNT), True),
        ((TEXT, COUNT), False),
        ((DISTINCT_COUNT,), False),
    ],
    ids=["of DISTINCT", "beside DISTINCT", "neither", "no listagg"],
)
def test_the_listagg_pattern_asks_for_distinct(aggregates: tuple[Agg, ...], fits: bool) -> None:
    items = tuple(Item(f"x{place}", aggregate) for place, aggregate in enumerate(aggregates))
    assert PATTERNS["listagg_and_distinct"](case_over(Aggregate(T, (), items))) == fits


L, R, S = Alias(T, "l"), Alias(T, "r"), Alias(T, "s")
LA, RA, SA = (Col("a", INT, name) for name in "lrs")
OF_RIGHT = Or(IsNull(RA), IsNull(SA))


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        (Join(L, Join(R, S, "left", Compare("=", RA, SA)), "semi", OF_RIGHT), True),
        (Distinct(Join(L, Join(R, S, "right", Compare("=", RA, SA)), "semi", OF_RIGHT)), True),
        (Join(L, Join(R, S, "inner", Compare("=", RA, SA)), "semi", OF_RIGHT), False),
        (Join(L, Join(R, S, "left", Compare("=", RA, SA)), "semi", And(Compare("=", LA, SA), OF_RIGHT)), False),
        (Join(L, Join(R, S, "left", Compare("=", RA, SA)), "anti", OF_RIGHT), False),
        (Join(L, Join(R, S, "left", Compare("=", RA, SA)), "inner", OF_RIGHT), False),
    ],
    ids=["left join", "right join, deeper", "inner join", "about both", "anti join", "no semi join"],
)
def test_the_semi_join_pattern_asks_for_an_outer_join_and_its_columns_alone(query: Relation, fits: bool) -> None:
    assert PATTERNS["semi_join_on_the_right_alone"](case_over(query)) == fits


A = Col("a", INT)
TWICE = Project(T, (Item("a", A), Item("a", A)))
ONCE = Project(T, (Item("a", A), Item("b", A)))
SWAPPED, OTHERS = Project(T, (Item("b", A), Item("a", A))), Project(T, (Item("x", A), Item("y", A)))


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        (SetOp("except", TWICE, ONCE, all=True), True),
        (SetOp("intersect", ONCE, Distinct(TWICE), all=True), True),
        (SetOp("union", TWICE, ONCE, all=True), False),
        (SetOp("except", TWICE, ONCE), False),
        (SetOp("except", ONCE, ONCE, all=True), False),
    ],
    ids=["left of EXCEPT ALL", "deeper, right of INTERSECT ALL", "UNION ALL", "EXCEPT", "another name"],
)
def test_the_pattern_of_columns_listed_twice_asks_for_a_counting_set_operator(query: Relation, fits: bool) -> None:
    assert PATTERNS["set_operator_all_over_a_column_twice"](case_over(query)) == fits


VARIED = Project(T, (Item("x", A), Item("y", Lit(INT, 1))))
COUNTED = Recursive(T, (*(f"c{place}" for place in range(len(T.columns))), "k"))
COUNTED_AS = tuple(Item(field.name, Lit(field.type, None)) for field in COUNTED.fields)
LISTS = Project(T, (Item("b", MakeArray(INT, (A,))),))


@pytest.mark.parametrize(
    ("name", "query", "fits"),
    [
        ("union_over_a_value_twice", SetOp("union", VARIED, SetOp("union", VARIED, ONCE), all=True), True),
        ("union_over_a_value_twice", SetOp("union", SetOp("union", OTHERS, VARIED), VARIED), True),
        ("union_over_a_value_twice", SetOp("union", OTHERS, VARIED), False),
        ("union_over_a_value_twice", SetOp("union", VARIED, SetOp("union", VARIED, ONCE, all=True)), False),
        ("union_over_a_value_twice", SetOp("union", VARIED, SetOp("union", VARIED, VARIED), all=True), False),
        ("set_operator_all", Distinct(SetOp("except", T, T, all=True)), True),
        ("set_operator_all", SetOp("intersect", T, T, all=True), True),
        ("set_operator_all", SetOp("intersect", T, T), False),
        ("comparison_of_recursions", SetOp("except", COUNTED, Distinct(COUNTED)), True),
        ("comparison_of_recursions", SetOp("except", COUNTED, Project(T, COUNTED_AS)), False),
        ("comparison_of_recursions", SetOp("intersect", COUNTED, COUNTED), True),
        ("comparison_of_recursions", SetOp("union", COUNTED, COUNTED), False),
        ("recursion", Distinct(COUNTED), True),
        ("recursion", Distinct(T), False),
        ("set_operator_all", SetOp("union", T, T, all=True), False),
        ("set_operator_all_of_nested_columns", Distinct(SetOp("except", LISTS, LISTS, all=True)), True),
        ("set_operator_all_of_nested_columns", SetOp("except", LISTS, LISTS), False),
        ("set_operator_all_of_nested_columns", SetOp("union", LISTS, LISTS, all=True), False),
        ("set_operator_all_of_nested_columns", SetOp("except", T, T, all=True), False),
        ("exploded_array", Distinct(Generate(LISTS, Col("b", Array(INT)), "x")), True),
        ("exploded_array", LISTS, False),
    ],
)
def test_a_pattern_asks_for_what_its_bug_needs(name: str, query: Relation, fits: bool) -> None:
    assert PATTERNS[name](case_over(query)) == fits


TOP = Alias(Limit(T, (SortKey(Col("a", INT)),), 3), "top")


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        (AnyLimit(Join(TOP, R, "left", Compare("=", Col("a", INT, "top"), RA)), 1), True),
        (Aggregate(AnyLimit(Join(L, TOP, "cross"), 2), (), (Item("n", Agg("count")),)), True),
        (AnyLimit(Distinct(Join(Alias(Filter(TOP, Lit(BOOLEAN, True)), "l"), R, "cross")), 2), True),
        (AnyLimit(Filter(Join(TOP, R, "cross"), IsNull(RA)), 2), False),
        (AnyLimit(Join(Alias(Aggregate(TOP, (Item("a", Col("a", INT)),), ()), "l"), R, "cross"), 2), False),
        (AnyLimit(Join(L, R, "cross"), 2), False),
        (AnyLimit(TOP, 2), False),
        (Join(L, TOP, "cross"), False),
    ],
    ids=[
        "left join",
        "counted cross join",
        "what Spark removes in between",
        "a filter above the join",
        "groups of the top rows",
        "no order",
        "no join",
        "no limit above",
    ],
)
def test_the_pattern_of_top_rows_asks_for_a_join_between_two_limits(query: Relation, fits: bool) -> None:
    assert PATTERNS["top_rows_below_a_limit"](case_over(query)) == fits


A = Col("a", INT)
LIST, PLAIN = NullIf(MakeArray(INT, (A,)), Lit(Array(INT), (1,))), NullIf(A, Lit(INT, 1))


@pytest.mark.parametrize(
    ("key", "tested", "fits"),
    [
        (LIST, "c", True),
        (Compare("=", MakeArray(INT, (A,)), Lit(Array(INT), (1,))), "c", True),
        (LIST, "d", False),
        (PLAIN, "c", False),
        (MakeArray(INT, (A,)), "c", False),
        (Call("is_struct_of_json", (A,)), "c", True),
        (Call("abs", (A,)), "c", False),
        (LIST, None, False),
    ],
    ids=[
        "the group again",
        "compared by =",
        "another",
        "a plain type",
        "no comparison",
        "in words",
        "other words",
        "no HAVING",
    ],
)
def test_the_pattern_of_groups_in_having_asks_for_a_comparison_of_a_nested_type(
    key: Expr, tested: str | None, fits: bool
) -> None:
    keys = (Item("c", key), Item("d", A))
    having = None if tested is None else IsNull(next(Col(k.name, k.value.type) for k in keys if k.name == tested))
    grouped = Aggregate(T, keys, (), having)
    assert PATTERNS["nested_comparison_of_a_group_in_having"](case_over(grouped)) == fits


LEFT, FULL, INNER = (Join(L, R, kind, Compare("=", LA, RA)) for kind in ("left", "full", "inner"))


@pytest.mark.parametrize(
    ("query", "fitting"),
    [
        (AnyLimit(LEFT, 1), {"limit_over_a_left_or_right_join"}),
        (AnyLimit(Project(FULL, (Item("n", LA),)), 1), {"limit_over_a_full_join"}),
        (AnyLimit(INNER, 1), set()),
        (LEFT, set()),
    ],
    ids=["left join", "full join", "inner join", "no limit"],
)
def test_the_patterns_of_limits_over_outer_joins_tell_the_kinds_apart(query: Relation, fitting: set[str]) -> None:
    names = ("limit_over_a_full_join", "limit_over_a_left_or_right_join")
    assert {name for name in names if PATTERNS[name](case_over(query))} == fitting


RANGES = Or(Compare("<", RA, Lit(INT, 0)), Compare(">", RA, Lit(INT, 0)))
LISTED = Project(LEFT, (Item("a", LA),))
CHOSEN = Alias(Project(Filter(LEFT, Or(IsNull(LA), IsNull(RA))), (Item("a", LA),)), "l")
ASKING = Alias(Filter(T, InSubquery((A,), Project(T, (Item("a", A),)))), "l")


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        (Join(ASKING, R, "semi", RANGES), True),
        (Distinct(Join(ASKING, R, "semi", Between(RA, Lit(INT, 0), Lit(INT, 0), True))), True),
        (Join(L, R, "semi", RANGES), False),
        (Join(ASKING, R, "semi", Compare(">", RA, Lit(INT, 0))), False),
        (Join(ASKING, R, "semi", Between(RA, Lit(INT, 0), Lit(INT, 0))), False),
        (Join(ASKING, R, "semi", Or(RANGES, Compare("=", LA, RA))), False),
        (Join(ASKING, R, "anti", RANGES), False),
        (Join(CHOSEN, R, "semi", Compare(">=", RA, RA)), True),
        (Join(CHOSEN, R, "semi", Compare(">=", RA, LA)), False),
        (Join(Alias(LISTED, "l"), R, "semi", Compare(">=", RA, RA)), False),
    ],
    ids=[
        "ranges",
        "NOT BETWEEN",
        "no subquery",
        "one range",
        "BETWEEN",
        "about both",
        "anti join",
        "OR above a join",
        "columns of both",
        "a join without OR",
    ],
)
def test_the_pattern_of_a_choice_of_the_right_asks_for_ranges_and_a_subquery(query: Relation, fits: bool) -> None:
    assert PATTERNS["semi_join_on_a_choice_of_the_right"](case_over(query)) == fits


@pytest.mark.parametrize(
    ("query", "fitting"),
    [
        (Filter(T, Exists(Project(FULL, (Item("n", LA),)))), {"exists_over_a_full_join"}),
        (Filter(T, Exists(LEFT)), {"exists_over_a_left_or_right_join"}),
        (Project(FULL, (Item("n", Exists(T)),)), set()),
        (Project(LEFT, (Item("n", Exists(T)),)), set()),
    ],
    ids=["full join", "left join", "full join beside it", "left join beside it"],
)
def test_patterns_of_exists_over_a_join_ask_for_one_in_it(query: Relation, fitting: set[str]) -> None:
    names = ("exists_over_a_full_join", "exists_over_a_left_or_right_join")
    assert {name for name in names if PATTERNS[name](case_over(query))} == fitting


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        (AnyLimit(T, 1, 2), True),
        (Distinct(Limit(T, TOP.child.order, 1, 1)), True),
        (AnyLimit(T, 1), False),
        (Distinct(Limit(T, TOP.child.order, 1)), False),
    ],
    ids=["no order", "an order", "no order, no offset", "an order, no offset"],
)
def test_the_pattern_of_offsets_asks_for_one_beside_a_limit(query: Relation, fits: bool) -> None:
    assert PATTERNS["limit_with_an_offset"](case_over(query)) == fits


D_IS_NULL = Compare("=", Col("d", INT), Lit(INT, None))
_OTHER = Compare("<=>", Col("e", INT), Col("d", INT))


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        (Not(And(D_IS_NULL, _OTHER)), True),
        (Not(And(_OTHER, Compare("=", Lit(INT, None), Col("d", INT)))), True),
        (And(D_IS_NULL, _OTHER), False),
        (Not(Or(D_IS_NULL, _OTHER)), False),
        (Not(And(_OTHER, _OTHER)), False),
    ],
    ids=["below NOT", "the other way round", "a condition", "OR", "no NULL"],
)
def test_the_pattern_of_a_column_that_is_null_asks_for_and_below_not(condition, fits):
    numbers = Scan("t", (Column("d", INT), Column("e", INT)))
    case = Case(Filter(numbers, condition), Database((Table("t", numbers.columns),)))
    assert PATTERNS["column_is_null_below_not"](case) == fits


_NUMBER = Col("a", INT)


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        (Compare("=", Cast(_NUMBER, INT), _NUMBER), True),
        (Not(Compare("=", _NUMBER, Cast(_NUMBER, INT))), True),
        (Compare("<=>", Cast(_NUMBER, INT), _NUMBER), False),
        (Compare("=", Cast(_NUMBER, BIGINT), _NUMBER), False),
        (Compare("=", Cast(_NUMBER, INT), Col("b", INT)), False),
        (Compare("=", _NUMBER, _NUMBER), False),
    ],
    ids=["to its type", "the other way round", "null-safe", "to another type", "another column", "itself"],
)
def test_the_pattern_of_a_column_and_its_cast_asks_for_its_own_type(condition: Expr, fits: bool) -> None:
    numbers = Scan("t", (Column("a", INT), Column("b", INT)))
    assert PATTERNS["column_equals_its_own_cast"](case_over(Filter(numbers, condition))) == fits


GREATEST = Aggregate(Filter(R, Compare("=", RA, Outer("a", INT, "top"))), (), (Item("m", Agg("max", RA)),))
OWN_GREATEST = Aggregate(R, (), (Item("m", Agg("max", RA)),))
TOP_A = Item("a", Col("a", INT, "top"))


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        (Project(TOP, (TOP_A, Item("m", ScalarSubquery(GREATEST)))), True),
        (Window(TOP, (Over("n", Agg("count", ScalarSubquery(GREATEST))),)), True),
        (Project(TOP, (TOP_A, Item("m", ScalarSubquery(OWN_GREATEST)))), False),
        (Project(TOP, (TOP_A, Item("m", Exists(GREATEST)))), False),
        (Project(Filter(TOP, IsNull(Col("a", INT, "top"))), (Item("m", ScalarSubquery(GREATEST)),)), False),
        (Project(Alias(T, "top"), (Item("m", ScalarSubquery(GREATEST)),)), False),
    ],
    ids=["a select list", "a window", "not correlated", "EXISTS", "a filter between", "no top rows"],
)
def test_the_pattern_of_projected_subqueries_asks_for_one_right_over_top_rows(query: Relation, fits: bool) -> None:
    assert PATTERNS["subquery_projected_over_top_rows"](case_over(query)) == fits
