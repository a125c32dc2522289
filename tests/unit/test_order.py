"""Whether SQL fixes that a query raises: only where every engine evaluates what may raise, for the same rows."""

from __future__ import annotations

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.patterns.order import Order, conditions_of, order_for, order_of
from strategies.ir import (
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Array,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Column,
    Compare,
    Distinct,
    Exists,
    Expr,
    Filter,
    GetField,
    InList,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    MakeArray,
    MakeStruct,
    Not,
    NullIf,
    Or,
    Project,
    RaiseError,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    Relation,
    Scan,
    SetOp,
    SortKey,
    TryArith,
    Verbatim,
    When,
    WithField,
    without_ansi,
)
from strategies.ir.types import BIGINT, BOOLEAN, DOUBLE

T0 = Scan("t0", (Column("a", INT), Column("b", INT), Column("s", STRING), Column("l", Array(INT))))
A, B, S, ELEMENTS = Col("a", INT), Col("b", INT), Col("s", STRING), Col("l", Array(INT))
ZERO, ONE = Lit(INT, 0), Lit(INT, 1)
SUM, REST, ERROR = RaisingArith("+", A, B), RaisingArith("%", A, B), RaiseError("raised", INT)
GUARD = Compare("<>", B, ZERO)


def select(value: Expr, child: Relation = T0) -> Project:
    return Project(child, (Item("x", value),))


def over(value: Expr) -> Project:
    """A list with an expression that may raise, over a list with ``value`` among the operands."""
    return select(REST, Project(T0, (Item("a", A), Item("b", value))))


PAIR_OF_ZERO = MakeStruct(("p", "q"), (ZERO, B))
EVALUATED: dict[str, Expr] = {
    "by itself": SUM,
    "a cast of a text": RaisingCast(S, INT),
    "an element": RaisingElement(ELEMENTS, ZERO),
    "raise_error": ERROR,
    "a result of CASE": CaseWhen((When(GUARD, REST),)),
    "the ELSE of CASE": CaseWhen((When(Compare("=", B, ZERO), A),), REST),
    "a result of IF": Call("if", (GUARD, REST, A)),
    "an argument of COALESCE": Coalesce((A, REST)),
    "an argument of nvl2": Call("nvl2", (A, REST, B)),
    "the first argument of nvl": Call("nvl", (REST, A)),
    "CASE in COALESCE": Coalesce((CaseWhen((When(GUARD, REST),)), ERROR)),
    "below a cast": Cast(REST, STRING),
    "a cast of CASE": RaisingCast(CaseWhen((When(GUARD, RaisingCast(S, BIGINT)),)), INT),
}
OPEN_EXPRESSIONS: dict[str, Expr] = {
    "an operand of AND": And(GUARD, Compare("=", REST, ZERO)),
    "an operand of OR": Or(Compare("=", REST, ZERO), GUARD),
    "an operand of a sum": RaisingArith("+", A, REST),
    "an operand of a comparison": Compare("=", REST, A),
    "an operand of IS NULL": IsNull(REST),
    "an operand of NOT": Not(Compare("=", REST, ZERO)),
    "an item of IN": InList(A, (REST, ONE)),
    "an operand of NULLIF": NullIf(A, REST),
    "an operand of what tries": TryArith("+", REST, ONE),
    "an argument of a function": Call("greatest", (A, REST)),
    "a condition of CASE": CaseWhen((When(Compare("=", REST, ZERO), A),), B),
    "a condition of IF": Call("if", (Compare("=", REST, ZERO), A, B)),
    "the tested argument of nvl2": Call("nvl2", (REST, A, B)),
    "constants": CaseWhen((When(GUARD, RaisingArith("%", ONE, ZERO)),)),
    "a constant text": RaisingCast(Lit(STRING, "x"), INT),
}
TRUTHS = Scan("t2", (Column("p", BOOLEAN), Column("q", BOOLEAN)))
P, Q, TWO = Col("p", BOOLEAN), Col("q", BOOLEAN), Lit(INT, 2)


def one_by(divisor: Expr) -> RaisingArith:
    return RaisingArith("/", ONE, divisor)


FIXED_QUERIES: dict[str, Relation] = {
    "by one constant or another": select(one_by(CaseWhen((When(P, TWO),), ZERO)), TRUTHS),
    "by IF": select(one_by(Call("if", (P, TWO, ZERO))), Alias(TRUTHS, "s")),
    "by one of three constants": select(one_by(CaseWhen((When(P, TWO), When(Q, ZERO)), ONE)), TRUTHS),
    "over a filter": select(REST, Filter(T0, GUARD)),
    "over a join": select(REST, Join(T0, Project(Scan("t1", T0.columns), (Item("z", S),)), "left", IsNull(A))),
    "over a sum with a constant": over(TryArith("+", B, ONE)),
    "over an element of a column": over(Call("array_get", (ELEMENTS, ZERO))),
    "over DISTINCT": select(Cast(SUM, STRING), Distinct(T0)),
    "over a limit": select(REST, Limit(T0, (SortKey(A), SortKey(B), SortKey(S), SortKey(ELEMENTS)), 2)),
    "in both branches of UNION ALL": SetOp("union", select(REST), select(ERROR), all=True),
    "in one branch of UNION ALL": SetOp("union", Project(T0, (Item("x", A),)), select(REST), all=True),
}
OPEN_QUERIES: dict[str, Relation] = {
    "by the same constant": select(one_by(CaseWhen((When(P, ZERO),), ZERO)), TRUTHS),
    "by the same constant first and last": select(one_by(CaseWhen((When(P, ZERO), When(P, TWO)), ZERO)), TRUTHS),
    "by a choice whose condition may be known": select(one_by(Call("if", (IsNull(P), TWO, ZERO))), TRUTHS),
    "by a choice without ELSE": select(one_by(CaseWhen((When(P, ZERO),))), TRUTHS),
    "by a choice over a filter": select(one_by(Call("if", (P, TWO, ZERO))), Filter(TRUTHS, P)),
    "by a choice over a condition": select(
        one_by(Call("if", (P, TWO, ZERO))), Project(TRUTHS, (Item("p", And(Q, Lit(BOOLEAN, False))),))
    ),
    "by a choice over a comparison of a column with itself": select(
        one_by(Call("if", (P, ZERO, TWO))), Project(TRUTHS, (Item("p", Compare("<=>", Q, Q)),))
    ),
    "by a choice over groups": select(
        one_by(Call("if", (P, TWO, ZERO))), Aggregate(TRUTHS, (Item("q", Q),), (Item("p", Agg("every", P)),))
    ),
    "by one zero or the other": select(
        RaisingArith(
            "/", Lit(DOUBLE, (1.0).hex()), Call("if", (P, Lit(DOUBLE, (0.0).hex()), Lit(DOUBLE, (-0.0).hex())))
        ),
        TRUTHS,
    ),
    "by a choice over a join": select(
        one_by(Call("if", (P, TWO, ZERO))), Join(TRUTHS, Project(T0, (Item("z", S),)), "right", IsNull(Q))
    ),
    "in a filter": Filter(T0, Compare("=", REST, ZERO)),
    "below a filter": Filter(select(REST), IsNull(Col("x", INT))),
    "below a list that drops it": Project(Project(T0, (Item("x", REST), Item("a", A))), (Item("a", A),)),
    "below a limit": Limit(select(REST), (SortKey(Col("x", INT)),), 1),
    "below DISTINCT": Distinct(select(REST)),
    "in a branch of UNION": SetOp("union", select(REST), Project(T0, (Item("x", A),))),
    "in a branch of EXCEPT ALL": SetOp("except", select(REST), Project(T0, (Item("x", A),)), all=True),
    "in an aggregate": Aggregate(T0, (), (Item("x", Agg("sum", REST)),)),
    "in a subquery": select(A, Filter(T0, Exists(select(REST)))),
    "over a constant": select(REST, Project(T0, (Item("a", A), Item("b", ZERO)))),
    "over a choice of a constant": over(CaseWhen((When(GUARD, ZERO),), ZERO)),
    "over a constant or another": over(Coalesce((ZERO, B))),
    "over a constant in a struct": over(GetField(MakeStruct(("p", "q"), (ZERO, B)), "p")),
    "over a constant in a struct that is chosen": over(GetField(CaseWhen((When(GUARD, PAIR_OF_ZERO),)), "p")),
    "over a constant set in a struct": over(GetField(WithField(PAIR_OF_ZERO, "q", B), "p")),
    "over a constant in an array": over(Call("array_get", (MakeArray(INT, (ZERO, B)), ZERO))),
    "at the top and below": select(REST, Filter(T0, Compare("=", REST, ZERO))),
}


@pytest.mark.parametrize("value", EVALUATED.values(), ids=EVALUATED)
def test_a_choice_fixes_which_rows_an_expression_is_evaluated_for(value: Expr) -> None:
    assert order_of(select(value)) == "fixed"


@pytest.mark.parametrize("value", OPEN_EXPRESSIONS.values(), ids=OPEN_EXPRESSIONS)
def test_any_other_operator_may_do_without_an_operand(value: Expr) -> None:
    assert order_of(select(value)) == "open"


@pytest.mark.parametrize("query", FIXED_QUERIES.values(), ids=FIXED_QUERIES)
def test_a_list_on_top_is_evaluated_for_every_row(query: Relation) -> None:
    assert order_of(query) == "fixed"


@pytest.mark.parametrize("query", OPEN_QUERIES.values(), ids=OPEN_QUERIES)
def test_a_list_below_another_operator_may_be_evaluated_for_fewer_rows(query: Relation) -> None:
    assert order_of(query) == "open"


QUIET: dict[str, tuple[Relation, Order]] = {
    "nothing raises": (select(CaseWhen((When(GUARD, A),))), "silent"),
    "without ANSI mode": (without_ansi(select(REST)), "silent"),
    "raise_error without ANSI mode": (without_ansi(select(ERROR)), "fixed"),
    "a text": (Verbatim("SELECT 1 / 0 AS x", "SELECT 1 AS x"), "unknown"),
}


@pytest.mark.parametrize(("query", "order"), QUIET.values(), ids=QUIET)
def test_a_query_that_cannot_raise_has_no_order(query: Relation, order: Order) -> None:
    assert order_of(query) == order


NO_ROWS = Rows(("int32",), ())


def error(condition: str, kind: str = "user") -> Raised:
    return Raised(condition, None, "", kind)  # type: ignore[arg-type]  # the kinds are parameters


CONDITIONS: dict[str, tuple[Expr, set[str]]] = {
    "remainder": (REST, {"DIVIDE_BY_ZERO", "REMAINDER_BY_ZERO"}),
    "sum": (SUM, {"ARITHMETIC_OVERFLOW", "BINARY_ARITHMETIC_OVERFLOW"}),
    "cast": (RaisingCast(S, INT), {"CAST_INVALID_INPUT", "CAST_OVERFLOW", "NUMERIC_VALUE_OUT_OF_RANGE"}),
    "element": (RaisingElement(ELEMENTS, A), {"INVALID_ARRAY_INDEX"}),
    "an error": (ERROR, {"USER_RAISED_EXCEPTION", "java.lang.RuntimeException"}),
    "nothing": (TryArith("+", A, B), set()),
}


@pytest.mark.parametrize(("value", "conditions"), CONDITIONS.values(), ids=CONDITIONS)
def test_an_expression_raises_its_own_conditions(value: Expr, conditions: set[str]) -> None:
    assert conditions_of(select(value)) == conditions


ENDS: dict[str, tuple[list[Rows | Raised], Order]] = {
    "rows alone": ([NO_ROWS, NO_ROWS], "fixed"),
    "its own error": ([error("REMAINDER_BY_ZERO"), NO_ROWS], "fixed"),
    "a part of its own": ([error("DIVIDE_BY_ZERO.INTERVAL"), NO_ROWS], "fixed"),
    "another error on": ([error("CAST_INVALID_INPUT"), NO_ROWS], "silent"),
    "another error off": ([NO_ROWS, error("CAST_INVALID_INPUT")], "silent"),
    "two errors": ([error("DIVIDE_BY_ZERO"), error("ARITHMETIC_OVERFLOW")], "silent"),
    "an error of Spark's": ([error("INTERNAL_ERROR", "internal"), NO_ROWS], "fixed"),
}


@pytest.mark.parametrize(("ends", "order"), ENDS.values(), ids=ENDS)
def test_an_error_that_the_query_has_not_is_not_left_open(ends: list[Rows | Raised], order: Order) -> None:
    assert order_for(select(REST), ends) == order


def test_a_limit_without_an_order_over_what_may_raise_says_nothing() -> None:
    assert order_of(AnyLimit(Filter(T0, Compare("=", REST, ZERO)), 1, 0)) == "unknown"
    assert order_of(AnyLimit(T0, 1, 0)) == "silent"
    assert (
        order_of(Aggregate(AnyLimit(Filter(T0, Compare("=", REST, ZERO)), 1, 0), (), (Item("n", Agg("count")),)))
        == "open"
    )
