"""Patterns of known divergences about the conditions that a data source of the second kind is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TINYINT,
    Agg,
    Aggregate,
    And,
    Arith,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Column,
    Compare,
    Decimal,
    Delete,
    Expr,
    Filter,
    InList,
    IsNull,
    Item,
    Lit,
    Not,
    NullIf,
    Or,
    Pivot,
    PivotValue,
    Project,
    ScalarSubquery,
    Scan,
    SetOp,
    Settings,
    Source,
    SqlType,
    TryArith,
    TryCast,
    When,
)
from tests.unit.ir_samples import case_over

T = Scan("t", (Column("a", INT),))
A = Col("a", INT)
S = Col("s", STRING)


_ONE = Compare("=", A, Lit(INT, 1))
_UNKNOWN = Lit(BOOLEAN, None)
_HUNDREDTHS = (Lit(Decimal(12, 2), "0.02"), Lit(Decimal(12, 2), "1.00"))


@pytest.mark.parametrize(
    ("source", "condition", "fits"),
    [
        ("v2", Coalesce((And(_ONE, _UNKNOWN), _ONE)), True),
        ("v2", Between(And(_ONE, _UNKNOWN), Lit(BOOLEAN, False), Lit(BOOLEAN, False)), True),
        ("v2", IsNull(Or(_ONE, Compare("=", TryArith("+", Lit(INT, 2**31 - 1), Lit(INT, 1)), Lit(INT, 0)))), True),
        ("v2", IsNull(And(_ONE, Compare("=", NullIf(Lit(INT, 1), Lit(INT, 1)), Lit(INT, 0)))), True),
        ("v2", IsNull(Or(_ONE, Compare("=", TryCast(Lit(STRING, "x"), INT), Lit(INT, 0)))), True),
        ("v2", IsNull(Or(_ONE, Compare("=", TryArith("+", A, Lit(INT, 1)), Lit(INT, 0)))), False),
        ("v2", IsNull(Or(_ONE, Compare("=", Arith("+", Lit(INT, 2), Lit(INT, 1)), Lit(INT, 0)))), False),
        ("v2", Compare("<=>", Or(_ONE, Compare("=", A, Lit(INT, None))), _ONE), True),
        ("v2", IsNull(Not(And(_UNKNOWN, _ONE))), True),
        ("v2", Compare(">=", Or(Not(_ONE), _ONE), _ONE), True),
        ("v2", Or(Not(_ONE), _ONE), False),
        ("v2", IsNull(Compare(">=", Cast(A, BIGINT), Lit(BIGINT, 2**31))), True),
        ("v2", IsNull(Compare(">=", Cast(A, BIGINT), Lit(BIGINT, 2**31 - 2))), False),
        ("v2", Not(CaseWhen((When(_ONE, Compare("=", A, Lit(Decimal(9, 2), "0.01"))),))), True),
        ("v2", Not(CaseWhen((When(_ONE, Compare("=", A, Lit(Decimal(9, 2), "1.00"))),))), False),
        ("v2", IsNull(NullIf(Cast(A, Decimal(12, 2)), Lit(Decimal(12, 2), "0.02"))), True),
        ("v2", IsNull(Compare("=", Cast(_ONE, INT), Lit(INT, 2))), True),
        ("v2", IsNull(InList(Cast(A, Decimal(12, 2)), _HUNDREDTHS[:1])), True),
        ("v2", IsNull(InList(Cast(A, Decimal(12, 2)), _HUNDREDTHS)), False),
        ("v2", IsNull(Compare("=", TryCast(A, TINYINT), Lit(SMALLINT, -129))), True),
        ("v2", IsNull(Between(A, Lit(INT, 0), Lit(INT, None))), True),
        ("v2", IsNull(Between(A, Lit(INT, 0), Lit(INT, 1))), False),
        ("v2", IsNull(Between(Cast(A, Decimal(12, 2)), *_HUNDREDTHS)), True),
        ("v2", And(_ONE, Or(_ONE, _UNKNOWN)), False),
        ("v2", Coalesce((_UNKNOWN, _ONE)), False),
        ("v2", Coalesce((And(_ONE, _ONE), _ONE)), False),
        ("parquet", Coalesce((And(_ONE, _UNKNOWN), _ONE)), False),
    ],
    ids=[
        "AND",
        "between",
        "an overflow of constants",
        "NULLIF of constants",
        "TRY_CAST of a constant",
        "a sum with a column",
        "a sum of constants",
        "a comparison",
        "AND in NOT",
        "its negation",
        "its negation alone",
        "a number beyond the type",
        "a number of the type",
        "a number between the type's",
        "a number of the type as a decimal",
        "NULLIF",
        "a number that no truth value is",
        "a list of numbers between the type's",
        "a list with a number of the type",
        "a number that is no TINYINT",
        "BETWEEN",
        "BETWEEN numbers",
        "BETWEEN a number between the type's and another",
        "in a condition",
        "alone",
        "no NULL",
        "of files",
    ],
)
def test_the_pattern_of_nulls_for_a_source_asks_for_one_below_and_or_or_as_an_operand(
    source: Source, condition: Expr, fits: bool
) -> None:
    case = case_over(Filter(T, condition))
    assert PATTERNS["null_for_a_source"](replace(case, settings=Settings(source))) == fits


@pytest.mark.parametrize(
    ("source", "test", "fits"),
    [
        ("v2", Call("starts_with", (Lit(STRING, "x"), S)), True),
        ("v2", Call("contains", (S, S)), True),
        ("v2", Call("ends_with", (S, Lit(STRING, "x"))), False),
        ("v2", Call("like", (S, Lit(STRING, "x"))), False),
        ("parquet", Call("starts_with", (S, S)), False),
    ],
    ids=["begins with", "has", "ends with a constant", "LIKE", "of files"],
)
def test_the_pattern_of_sought_texts_asks_for_one_that_is_no_constant(source: Source, test: Expr, fits: bool) -> None:
    case = case_over(Filter(Scan("t", (Column("s", STRING),)), test))
    assert PATTERNS["text_sought_by_a_column"](replace(case, settings=Settings(source))) == fits


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (Or(Not(_ONE), _ONE), True),
        (Or(_ONE, And(Not(_ONE), Lit(BOOLEAN, True))), True),
        (And(Or(Lit(BOOLEAN, False), Not(_ONE)), _ONE), True),
        (And(Compare("=", A, A), Compare("<>", A, A)), True),
        (Or(Compare("<", A, A), Compare(">=", A, A)), True),
        (Or(_ONE, _ONE), False),
        (Or(_ONE, And(Not(_ONE), Lit(BOOLEAN, False))), False),
        (Or(Compare("<", A, A), Compare(">", A, A)), False),
        (And(Compare("<=>", A, A), Compare("<>", A, A)), False),
    ],
    ids=[
        "its negation",
        "its negation and TRUE",
        "its negation or FALSE",
        "equal and not",
        "less and not",
        "itself",
        "its negation and FALSE",
        "less and greater",
        "null-safe",
    ],
)
def test_the_pattern_of_nulls_for_a_source_sees_a_projected_value(value: Expr, fits: bool) -> None:
    case = case_over(Filter(Project(T, (Item("p", value),)), Compare(">=", Col("p", BOOLEAN), Lit(BOOLEAN, True))))
    assert PATTERNS["null_for_a_source"](replace(case, settings=Settings("v2"))) == fits


_COUNTED = Compare("=", ScalarSubquery(Aggregate(T, (), (Item("n", Agg("count")),))), Lit(BIGINT, 1))
_OR_NULL = Or(_ONE, _UNKNOWN)


@pytest.mark.parametrize(
    ("condition", "fits"),
    [(And(_COUNTED, _OR_NULL), True), (And(_COUNTED, _ONE), False), (And(_ONE, _OR_NULL), False)],
    ids=["beside a subquery", "a subquery alone", "without a subquery"],
)
def test_the_pattern_of_nulls_for_a_source_sees_a_statements_condition(condition: Expr, fits: bool) -> None:
    changed = replace(case_over(T), settings=Settings("v2"))
    assert PATTERNS["null_for_a_source"](replace(changed, query=Delete(T, condition))) == fits


@pytest.mark.parametrize(("low", "fits"), [("0.02", True), ("1.00", False)], ids=["between the type's", "of the type"])
def test_the_pattern_of_nulls_for_a_source_sees_the_cast_that_a_column_is(low: str, fits: bool) -> None:
    kind = Decimal(12, 2)
    tested = IsNull(Between(Col("d", kind), Lit(kind, low), Lit(kind, "1.00")))
    case = case_over(Filter(Project(T, (Item("d", Cast(A, kind)),)), tested))
    assert PATTERNS["null_for_a_source"](replace(case, settings=Settings("v2"))) == fits


@pytest.mark.parametrize(
    ("bound", "sides", "fits"),
    [
        ("nan", (INT, DOUBLE), True),
        ("inf", (DOUBLE, INT), True),
        ((1.5).hex(), (INT, DOUBLE), True),
        ((1.0).hex(), (INT, DOUBLE), False),
        ("nan", (DOUBLE, DOUBLE), False),
        ("nan", (FLOAT, DOUBLE), False),
    ],
    ids=["nan", "infinity", "between", "of the type", "no cast", "a type with NaN"],
)
def test_the_pattern_of_nulls_for_a_source_sees_what_a_set_operator_casts(
    bound: str, sides: tuple[SqlType, SqlType], fits: bool
) -> None:
    one, other = (Scan(name, (Column("d", kind),)) for name, kind in zip("tu", sides, strict=True))
    tested = IsNull(Compare(">", Col("d", DOUBLE), Lit(DOUBLE, bound)))
    case = case_over(Filter(SetOp("union", one, other, all=True), tested))
    assert PATTERNS["null_for_a_source"](replace(case, settings=Settings("v2"))) == fits


def test_the_pattern_of_nulls_for_a_source_sees_a_filter_below_except() -> None:
    opposite = Filter(T, Or(_ONE, Not(_ONE)))
    fits = [
        PATTERNS["null_for_a_source"](replace(case_over(query), settings=Settings("v2")))
        for query in (SetOp("except", T, opposite), SetOp("except", T, opposite, all=True), opposite)
    ]
    assert fits == [True, False, False]


@pytest.mark.parametrize(
    ("moment", "fits"),
    [("1969-12-31 23:59:59.999999", True), ("2020-01-01 00:00:00.000000", False)],
    ids=["no midnight", "midnight"],
)
def test_the_pattern_of_nulls_for_a_source_sees_a_moment_that_is_no_date(moment: str, fits: bool) -> None:
    days = Scan("t", (Column("d", DATE),))
    day = NullIf(Cast(Col("d", DATE), TIMESTAMP), Lit(TIMESTAMP, moment))
    case = case_over(Filter(days, InList(day, (Lit(TIMESTAMP, "2020-01-01 00:00:00.000000"),))))
    assert PATTERNS["null_for_a_source"](replace(case, settings=Settings("v2"))) == fits


@pytest.mark.parametrize(("operand", "fits"), [(_OR_NULL, True), (_ONE, False)], ids=["with NULL", "without"])
def test_the_pattern_of_nulls_for_a_source_sees_what_a_pivot_aggregates(operand: Expr, fits: bool) -> None:
    pivot = Pivot(T, (), Agg("some", operand), A, (PivotValue("p", Lit(INT, 0)),))
    assert PATTERNS["null_for_a_source"](replace(case_over(pivot), settings=Settings("v2"))) == fits


@pytest.mark.parametrize(
    ("source", "condition", "fits"),
    [
        ("v2", Or(_ONE, _UNKNOWN), True),
        ("v2", _UNKNOWN, True),
        ("v2", _ONE, False),
        ("parquet", Or(_ONE, _UNKNOWN), False),
    ],
    ids=["a part", "the whole", "no NULL", "files"],
)
def test_a_null_in_a_condition(source: Source, condition: Expr, fits: bool) -> None:
    case = replace(case_over(Filter(T, condition)), settings=Settings(source))
    assert PATTERNS["null_condition_for_a_source"](case) == fits
