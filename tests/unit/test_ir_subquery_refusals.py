"""A subquery, a CTE or a LATERAL join that is ill-correlated or can't be run can't be built either."""

from __future__ import annotations

from collections.abc import Callable

import pytest

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
    Arith,
    Case,
    Col,
    Collate,
    Column,
    Compare,
    CteScan,
    Database,
    Distinct,
    Exists,
    Expr,
    Filter,
    InSubquery,
    InvalidQuery,
    IsNull,
    Item,
    Join,
    Lateral,
    Limit,
    Lit,
    Node,
    Or,
    Outer,
    Project,
    RandomColumn,
    RandomTest,
    Recursive,
    Relation,
    Repartition,
    RowNumbers,
    ScalarSubquery,
    SetOp,
    Sort,
    SortKey,
    With,
    at_most_one_row,
    columns_of,
    outers_of,
    scans,
    substitute,
    takes_a_collation,
)
from tests.unit.ir_samples import DATABASE, ONE, T0, T1, A, B

_O, _L, _R = Alias(T0, "o"), Alias(T0, "l"), Alias(T1, "r")
_OA, _OUT_A = Col("a", INT, "o"), Outer("a", INT, "o")
_INNER = Filter(T1, Compare("=", A, _OUT_A))
_LIST = Project(T1, (Item("x", A),))
_X = Col("x", INT)
_XK = ("x", "k")
_C = CteScan("c", (Column("x", INT),))
_ROWS_OF_L = Exists(Filter(T1, Compare("=", A, Outer("a", INT, "l"))))
_BOTH_SIDES = Exists(Filter(Filter(T1, Compare("=", A, Outer("a", INT, "l"))), Compare("=", A, Outer("a", INT, "r"))))
_TRUE = Lit(BOOLEAN, True)

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "scalar-columns": (
        lambda: ScalarSubquery(Aggregate(T0, (), (Item("n", Agg("count")), Item("m", Agg("max", A))))),
        "needs one column, got 2",
    ),
    "scalar-rows": (lambda: ScalarSubquery(_LIST), "may have more than one row"),
    "scalar-limit": (lambda: ScalarSubquery(Limit(_LIST, (SortKey(Col("x", INT)),), 2)), "may have more than one row"),
    "in-types": (lambda: InSubquery((B,), _LIST), r"\['STRING'\] in a query of \['INT'\]"),
    "in-width": (lambda: InSubquery((A, A), _LIST), r"\['INT', 'INT'\] in a query of \['INT'\]"),
    "in-nothing": (lambda: InSubquery((), _LIST), "InSubquery"),
    "in-correlated-row": (
        lambda: InSubquery((A, A), Project(_INNER, (Item("x", A), Item("y", A)))),
        "no correlated query for more than one operand",
    ),
    "any-limit": (lambda: Exists(AnyLimit(T0, 1)), "up to the engine"),
    "random-in-exists": (lambda: Exists(Filter(T0, _TRUE, RandomTest("<", 1))), "must not ask for a random number"),
    "random-in-in": (lambda: InSubquery((A,), Filter(_LIST, _TRUE, RandomTest("<", 1))), "must not ask for a random"),
    "random-column-in-exists": (lambda: Exists(RandomColumn(T1, "r")), "must not ask for a random number"),
    "row-numbers-in-exists": (lambda: Exists(RowNumbers(_LIST, (SortKey(Col("x", INT)),), "n")), "must not ask for a"),
    "random-in-lateral": (
        lambda: Lateral(_O, Alias(Filter(T1, _TRUE, RandomTest("<", 1)), "x"), "cross"),
        "must not ask for a random number",
    ),
    "row-numbers-in-part": (lambda: RowNumbers(T0, (SortKey(A),), "n"), "the order must name every column"),
    "row-numbers-of-a-sum": (lambda: RowNumbers(_LIST, (SortKey(Arith("+", _X, _X)),), "n"), "is one of columns"),
    "random-column-function": (lambda: RandomColumn(T0, "r", "random"), "no function 'random'"),  # type: ignore[arg-type]
    "random-column-of-one-name": (lambda: RandomColumn(Join(_L, _R, "cross"), "r"), "columns with names of their own"),
    "hidden-by-a-scan": (lambda: Exists(Filter(T1, IsNull(Outer("a", INT, "t1")))), "t1 inside hides what is outside"),
    "hidden-by-an-alias": (lambda: Exists(Filter(_O, IsNull(_OUT_A))), "o inside hides what is outside"),
    "aggregate-key": (lambda: Exists(Aggregate(T1, (Item("k", _OUT_A),), ())), "only HAVING may refer"),
    "aggregate-operand": (lambda: Exists(Aggregate(T1, (), (Item("m", Agg("max", _OUT_A)),))), "only HAVING may refer"),
    "full-join": (lambda: Exists(Join(_INNER, T0, "full", _TRUE)), "left of a full join must not refer outside"),
    "optional-side": (lambda: Exists(Join(T0, Alias(_INNER, "x"), "left", _TRUE)), "right of a left join must not"),
    "rebalance-of-a-correlated": (lambda: Exists(Repartition(_INNER, "rebalance")), "Repartition: nothing in it may"),
    "any-limit-of-a-correlated": (
        lambda: Exists(Aggregate(AnyLimit(_INNER, 1), (), (Item("n", Agg("count")),))),
        "AnyLimit: nothing in it may refer",
    ),
    "outer-unknown": (lambda: Filter(_O, Exists(Filter(T1, IsNull(Outer("z", INT, "o"))))), "no column"),
    "outer-other-type": (
        lambda: Filter(_O, Exists(Filter(T1, IsNull(Outer("a", BIGINT, "o"))))),
        "other type of column",
    ),
    "outer-other-qualifier": (lambda: Filter(_L, Exists(_INNER)), "no column"),
    "outer-without-qualifier": (lambda: Filter(_O, Exists(Filter(T1, IsNull(Outer("a", INT))))), "needs a qualifier"),
    "outer-two-levels-up": (
        lambda: Case(Filter(_O, Exists(Filter(Alias(T1, "p"), Exists(_INNER)))), DATABASE),
        "no column",
    ),
    "outer-of-nothing": (lambda: Case(_INNER, DATABASE), "nothing around the query has Outer"),
    "inner-column-outside": (lambda: Filter(_O, IsNull(Col("a", INT, "t1"))), "no column"),
    "correlated-key": (
        lambda: Aggregate(_O, (Item("k", ScalarSubquery(Aggregate(_INNER, (), (Item("n", Agg("count")),)))),), ()),
        "a key must not hold a correlated subquery",
    ),
    "on-correlated-scalar": (
        lambda: Join(
            _O,
            T1,
            "inner",
            Compare("=", _OA, ScalarSubquery(Aggregate(Alias(_INNER, "i"), (), (Item("m", Agg("max", A)),)))),
        ),
        "no correlated scalar subquery",
    ),
    "on-both-sides": (lambda: Join(_L, _R, "inner", _BOTH_SIDES), "must not refer to both sides"),
    "having-unknown": (
        lambda: Aggregate(_O, (Item("k", _OA),), (), Exists(Filter(T1, IsNull(Outer("a", INT))))),
        "no column",
    ),
    "lateral-kind": (lambda: Lateral(_O, Alias(_INNER, "x"), "full", _TRUE), "no kind 'full'"),
    "lateral-without-name": (lambda: Lateral(_O, _INNER, "cross"), "needs a name"),
    "lateral-unknown": (lambda: Lateral(_L, Alias(_INNER, "x"), "cross"), "no qualified column of the left side"),
    "lateral-subquery-in-on": (lambda: Lateral(_O, Alias(_INNER, "x"), "inner", Exists(T1)), "ON takes no subquery"),
    "lateral-same-name": (lambda: Lateral(_O, Alias(T1, "o"), "cross"), "both sides are called"),
    "with-names": (lambda: With("c", Join(_L, _R, "cross"), T0), "a column name twice"),
    "with-columns": (lambda: With("c", Project(T0, (Item("x", B),)), _C), "c has the columns"),
    "with-itself": (lambda: With("c", _C, T0), "c reads itself"),
    "with-twice": (lambda: With("c", _LIST, With("c", _LIST, _C)), "defined again inside"),
    "with-table": (lambda: With("t1", T0, T1), "t1 hides a table"),
    "with-outer": (lambda: Exists(With("c", _LIST, _INNER)), "nothing in it may refer to the query around"),
    "recursive-names": (lambda: Recursive(_LIST, ("x",)), "1 names for 1 columns and a counter"),
    "recursive-name-twice": (lambda: Recursive(_LIST, ("x", "X")), "a column name twice"),
    "recursive-steps": (lambda: Recursive(_LIST, _XK, 5), "5 steps are not from 0 to 4"),
    "recursive-backwards": (lambda: Recursive(_LIST, _XK, -1), "-1 steps are not from 0 to 4"),
    "recursive-of-any-limit": (lambda: Recursive(AnyLimit(_LIST, 1), _XK), "AnyLimit may stand at the top"),
    "recursive-change-twice": (lambda: Recursive(_LIST, _XK, 1, (Item("x", _X),) * 2), "a column is changed twice"),
    "recursive-change-of-the-counter": (lambda: Recursive(_LIST, _XK, 1, (Item("k", _X),)), "no column k INT to"),
    "recursive-change-of-the-type": (lambda: Recursive(_LIST, _XK, 1, (Item("x", B),)), "no column x STRING to change"),
    "recursive-change-to-another": (lambda: Recursive(_LIST, _XK, 1, (Item("x", A),)), "no column"),
    "recursive-change-to-an-aggregate": (
        lambda: Recursive(_LIST, _XK, 1, (Item("x", Agg("max", _X)),)),
        "x is an aggregate",
    ),
    "recursive-change-to-a-subquery": (
        lambda: Recursive(_LIST, _XK, 1, (Item("x", ScalarSubquery(Aggregate(T0, (), (Item("m", Agg("max", A)),)))),)),
        "a changed value must have no subquery",
    ),
    "recursive-condition": (lambda: Recursive(_LIST, _XK, 1, (), _X), "a condition must be BOOLEAN"),
    "recursive-condition-of-another": (lambda: Recursive(_LIST, _XK, 1, (), IsNull(A)), "no column"),
    "recursive-condition-of-a-correlated": (
        lambda: Recursive(_LIST, _XK, 1, (), Exists(Filter(T0, Compare("=", A, Outer("x", INT))))),
        "needs a qualifier",
    ),
    "recursive-outer": (lambda: Exists(Recursive(Project(_INNER, (Item("x", A),)), _XK)), "refer to the query around"),
    "cte-of-nothing": (lambda: Case(_C, Database(())), r"no definition of \['c'\]"),
}


@pytest.mark.parametrize(("build", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_ill_correlated_is_refused(build: Callable[[], object], reason: str) -> None:
    with pytest.raises(InvalidQuery, match=reason):
        build()


ALLOWED: dict[str, Callable[[], object]] = {
    "having": lambda: Exists(Aggregate(T1, (Item("k", A),), (), Compare("=", Col("k", INT), _OUT_A))),
    "one-side-of-on": lambda: Join(_L, _R, "full", _ROWS_OF_L),
    "preserved-side": lambda: Exists(Join(Alias(_INNER, "x"), T0, "left", _TRUE)),
    "both-sides-of-a-set": lambda: Exists(SetOp("except", _INNER, _INNER, all=True)),
    "a-name-beside": lambda: Exists(Join(Alias(_INNER, "x"), Alias(Project(_O, (Item("x", _OA),)), "y"), "cross")),
}


@pytest.mark.parametrize("build", ALLOWED.values(), ids=ALLOWED)
def test_what_spark_takes_is_built(build: Callable[[], object]) -> None:
    assert build()


def test_a_subquery_refers_to_the_columns_of_its_outers_and_operands_alone() -> None:
    assert columns_of(InSubquery((B,), Project(_INNER, (Item("x", B),)))) == (B, _OA)
    assert list(outers_of(Filter(_O, Exists(_INNER)))) == []
    assert list(outers_of(_INNER)) == [_OUT_A]


def test_scans_of_a_subquery_are_scans_of_the_query() -> None:
    assert {scan.table for scan in scans(Filter(_O, Exists(_INNER)))} == {"t0", "t1"}


def test_substitution_changes_outers_and_leaves_inner_columns() -> None:
    def change(column: Col) -> Node:
        return Col(column.name, column.kind, "p")

    changed = substitute(InSubquery((_OA,), Project(_INNER, (Item("x", A),))), change)
    inner = Project(Filter(T1, Compare("=", A, Outer("a", INT, "p"))), (Item("x", A),))
    assert changed == InSubquery((Col("a", INT, "p"),), inner)


def test_at_most_one_row_is_what_has_no_groups_or_one_row() -> None:
    counted = Aggregate(T0, (), (Item("n", Agg("count")),))
    assert at_most_one_row(Filter(Alias(counted, "x"), _TRUE))
    assert at_most_one_row(Limit(_LIST, (SortKey(Col("x", INT)),), 1))
    assert not at_most_one_row(Aggregate(T0, (Item("k", ONE),), ()))
    assert not at_most_one_row(SetOp("union", counted, counted, all=True))


_SAME = Compare("=", A, _OUT_A)
GROUPED: dict[str, tuple[Expr, tuple[Expr, ...], bool]] = {
    "by an outer value": (_SAME, (A,), True),
    "beside another condition": (And(_SAME, IsNull(B)), (A,), True),
    "by another column": (_SAME, (B,), False),
    "by another column, too": (_SAME, (A, B), False),
    "by two outer values": (And(_SAME, Compare("=", B, Outer("b", STRING, "o"))), (B, A), True),
    "null-safe": (Compare("<=>", A, _OUT_A), (A,), False),
    "or": (Or(_SAME, IsNull(B)), (A,), False),
    "beside another correlation": (And(_SAME, Compare("<", B, Outer("b", STRING, "o"))), (A,), False),
    "by a value of another type": (Compare("=", A, Outer("n", BIGINT, "o")), (A,), False),
}


@pytest.mark.parametrize(("condition", "keys", "is_one"), GROUPED.values(), ids=GROUPED)
def test_groups_by_what_equals_the_row_around_are_one_row(
    condition: Expr, keys: tuple[Expr, ...], is_one: bool
) -> None:
    items = tuple(Item(f"k{place}", key) for place, key in enumerate(keys))
    assert at_most_one_row(Aggregate(Filter(T1, condition), items, (Item("n", Agg("count")),))) == is_one


_TEXTS = Project(T0, (Item("x", B),))
_TEXT = Col("x", STRING)
_BY_TEXT = (SortKey(_TEXT),)
COLLATED: dict[str, tuple[Relation, bool]] = {
    "a select list": (_TEXTS, True),
    "a filter": (Filter(_TEXTS, IsNull(_TEXT)), True),
    "groups": (Aggregate(T0, (Item("x", B),), ()), True),
    "a list over the first rows below an alias": (
        Project(Alias(Limit(_TEXTS, _BY_TEXT, 1), "q"), (Item("x", _TEXT),)),
        True,
    ),
    "distinct rows": (Distinct(_TEXTS), False),
    "first rows": (Limit(_TEXTS, _BY_TEXT, 1), False),
    "a list over first rows": (Project(Limit(_TEXTS, _BY_TEXT, 1), (Item("x", _TEXT),)), False),
    "rows in an order": (Sort(_TEXTS, _BY_TEXT), False),
    "a set operator": (SetOp("union", _TEXTS, _TEXTS, all=True), False),
    "a common table expression": (With("c", _TEXTS, CteScan("c", (Column("x", STRING),))), False),
}


@pytest.mark.parametrize(("query", "is_taken"), COLLATED.values(), ids=COLLATED)
def test_spark_takes_a_collation_of_in_over_a_select_list_alone(query: Relation, is_taken: bool) -> None:
    assert takes_a_collation(query) == is_taken
    operand = (Collate(B, "UTF8_LCASE"),)
    if is_taken:
        assert InSubquery(operand, query).type == BOOLEAN
    else:
        with pytest.raises(InvalidQuery, match="collation to the values of a SELECT list alone"):
            InSubquery(operand, query)
    assert InSubquery((B,), query).type == BOOLEAN
