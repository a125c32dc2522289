"""Patterns of known differences that are about settings and types as well as about the query."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    AggFunction,
    Aggregate,
    Alias,
    And,
    Arith,
    Array,
    Between,
    Call,
    Capability,
    Case,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Column,
    Compare,
    CompareOp,
    Database,
    Decimal,
    Expr,
    Filter,
    InList,
    InSubquery,
    IsNull,
    Item,
    Join,
    Lit,
    Not,
    NullIf,
    Or,
    Project,
    Relation,
    Scan,
    SetOp,
    Settings,
    Source,
    SqlType,
    Table,
    Value,
    When,
)
from tests.unit.ir_samples import case_over

T = Scan("t", (Column("a", INT),))
A = Col("a", INT)
S = Col("s", STRING)


IN_NULL = Filter(T, InList(A, (Lit(INT, 0), Lit(INT, None))))
IN_ONE = Filter(T, InList(A, (Lit(INT, 0),)))


@pytest.mark.parametrize(
    ("query", "settings", "fits"),
    [
        (IN_NULL, Settings(source="orc"), True),
        (IN_NULL, Settings(), False),
        (IN_ONE, Settings(source="orc"), False),
    ],
    ids=["orc with NULL", "parquet with NULL", "orc without NULL"],
)
def test_the_orc_pattern_asks_for_the_source_too(query: Relation, settings: Settings, fits: bool) -> None:
    assert PATTERNS["orc_in_list_with_null"](replace(case_over(query), settings=settings)) == fits


DOUBLES = (Column("a", DOUBLE),)
EQUAL = Compare("=", Col("a", DOUBLE, "t0"), Col("a", DOUBLE, "t1"))
TEXT = Compare("=", Call("double_text", (Col("a", DOUBLE, "t0"),)), Lit(STRING, "-0.0"))
PLUS, MINUS = (0.0).hex(), (-0.0).hex()


@pytest.mark.parametrize(
    ("on", "cells", "fits"),
    [
        (And(EQUAL, TEXT), (PLUS, MINUS), True),
        (And(EQUAL, TEXT), (PLUS, PLUS), False),
        (EQUAL, (PLUS, MINUS), False),
        (TEXT, (PLUS, MINUS), False),
    ],
    ids=["both zeros, told apart", "one zero", "not told apart", "not equal"],
)
def test_the_pattern_of_equal_doubles_asks_for_both_zeros_and_what_tells_them_apart(
    on: Expr, cells: tuple[str, str], fits: bool
) -> None:
    tables = tuple(Table(name, DOUBLES, ((cell,),)) for name, cell in zip(("t0", "t1"), cells, strict=True))
    query = Join(Scan("t0", DOUBLES), Scan("t1", DOUBLES), "inner", on)
    assert PATTERNS["equal_doubles_told_apart"](Case(query, Database(tables))) == fits


@pytest.mark.parametrize(
    ("kind", "statistics", "fits"),
    [(TIMESTAMP_NTZ, True, True), (TIMESTAMP_NTZ, False, False), (INT, True, False)],
    ids=["analyzed", "not analyzed", "another type"],
)
def test_the_pattern_of_estimates_asks_for_statistics_too(kind: SqlType, statistics: bool, fits: bool) -> None:
    table = Scan("t0", (Column("a", kind),))
    case = case_over(Filter(table, Compare("=", Col("a", kind), Lit(kind, None))))
    assert PATTERNS["estimated_timestamp_ntz"](replace(case, settings=Settings(statistics=statistics))) == fits


@pytest.mark.parametrize(
    ("kind", "statistics", "fits"),
    [(Array(INT), True, True), (Array(INT), False, False), (INT, True, False)],
    ids=["analyzed", "not analyzed", "another type"],
)
def test_the_pattern_of_estimated_arrays_asks_for_statistics_too(kind: SqlType, statistics: bool, fits: bool) -> None:
    case = case_over(Filter(Scan("t0", (Column("a", kind),)), Compare("=", Col("a", kind), Lit(kind, None))))
    assert PATTERNS["estimated_array"](replace(case, settings=Settings(statistics=statistics))) == fits


@pytest.mark.parametrize(
    ("value", "statistics", "fits"),
    [(None, True, True), (0, True, False), (None, False, False)],
    ids=["NULL, analyzed", "a value, analyzed", "NULL, without statistics"],
)
def test_the_pattern_of_estimates_of_null_asks_for_a_null_and_for_statistics(
    value: int | None, statistics: bool, fits: bool
) -> None:
    case = case_over(Filter(Scan("t0", (Column("a", INT),)), Compare("=", Col("a", INT), Lit(INT, value))))
    assert PATTERNS["estimated_null"](replace(case, settings=Settings(statistics=statistics))) == fits


@pytest.mark.parametrize(
    ("value", "statistics", "fits"),
    [("nan", True, True), ("0x0.0p+0", True, False), ("nan", False, False)],
    ids=["NaN, analyzed", "a number, analyzed", "NaN, without statistics"],
)
def test_the_pattern_of_estimates_of_nan_asks_for_nan_and_for_statistics(
    value: str, statistics: bool, fits: bool
) -> None:
    case = case_over(Filter(Scan("t0", (Column("a", DOUBLE),)), Compare("<", Col("a", DOUBLE), Lit(DOUBLE, value))))
    assert PATTERNS["estimated_nan"](replace(case, settings=Settings(statistics=statistics))) == fits


@pytest.mark.parametrize(
    ("pattern", "value", "statistics", "op", "fits"),
    [
        ("estimated_infinity", "inf", True, ">=", True),
        ("estimated_infinity", "-inf", True, "<", True),
        ("estimated_infinity", "nan", True, "<", False),
        ("estimated_infinity", "inf", True, None, False),
        ("estimated_infinity", "inf", False, "<", False),
        ("estimated_stored_nan", "nan", True, ">", True),
        ("estimated_stored_nan", "inf", True, ">", False),
        ("estimated_stored_nan", "nan", True, None, False),
        ("estimated_stored_nan", "nan", False, ">", False),
    ],
    ids=[
        "infinity: greatest",
        "infinity: least",
        "infinity: NaN",
        "infinity: no comparison",
        "infinity: no statistics",
        "NaN: in the table",
        "NaN: infinity",
        "NaN: no comparison",
        "NaN: no statistics",
    ],
)
def test_the_patterns_of_estimates_of_stored_values_ask_for_one_in_a_table_a_comparison_and_statistics(
    pattern: str, value: str, statistics: bool, op: CompareOp | None, fits: bool
) -> None:
    column, scan = Column("a", DOUBLE), Scan("t0", (Column("a", DOUBLE),))
    query = Filter(scan, Compare(op, Col("a", DOUBLE), Lit(DOUBLE, "0x0.0p+0"))) if op else scan
    case = Case(query, Database((Table("t0", (column,), ((value,),)),)), Settings(statistics=statistics))
    assert PATTERNS[pattern](case) == fits


@pytest.mark.parametrize(
    ("value", "source", "fits"),
    [(None, "orc", True), (0, "orc", False), (None, "parquet", False)],
    ids=["NULL in ORC", "a value in ORC", "NULL in Parquet"],
)
def test_the_pattern_of_orc_comparisons_asks_for_a_null_and_for_orc(
    value: int | None, source: Source, fits: bool
) -> None:
    case = case_over(Filter(Scan("t0", (Column("a", INT),)), Compare("<>", Col("a", INT), Lit(INT, value))))
    assert PATTERNS["orc_comparison_with_null"](replace(case, settings=Settings(source=source))) == fits


COMPUTED = Arith("+", Lit(INT, None), Lit(INT, 1))


@pytest.mark.parametrize(
    ("side", "fits"),
    [(COMPUTED, True), (Arith("+", A, Lit(INT, None)), False), (Arith("+", Lit(INT, 1), Lit(INT, 1)), False)],
    ids=["computed NULL", "NULL beside a column", "computed value"],
)
def test_the_pattern_of_orc_comparisons_takes_a_null_that_is_made_of_constants(side: Expr, fits: bool) -> None:
    case = case_over(Filter(Scan("t0", (Column("a", INT),)), Compare("<>", A, side)))
    assert PATTERNS["orc_comparison_with_null"](replace(case, settings=Settings(source="orc"))) == fits


ONE = Scan("t0", (Column("a", INT),))
TWO = Join(ONE, Alias(ONE, "s"), "cross", None)
THREE = Join(TWO, Alias(ONE, "u"), "inner", Lit(BOOLEAN, True))


@pytest.mark.parametrize(
    ("query", "statistics", "fits"),
    [(THREE, True, True), (THREE, False, False), (TWO, True, False), (replace(THREE, kind="left"), True, False)],
    ids=["three, analyzed", "without statistics", "two", "an outer join among them"],
)
def test_the_pattern_of_joins_that_are_reordered_asks_for_three_and_for_statistics(
    query: Join, statistics: bool, fits: bool
) -> None:
    case = replace(case_over(query), settings=Settings(statistics=statistics))
    assert PATTERNS["three_joined_with_statistics"](case) == fits


@pytest.mark.parametrize(
    ("rows", "settings", "fits"),
    [
        (((None,), (None, None)), Settings(codegen=True), True),
        (((None,), ("0x0.0p+0",)), Settings(codegen=True), False),
        (((None,), ("0x0.0p+0",)), Settings(codegen=True, table_partitions=2), True),
        ((("0x0.0p+0",), ("0x0.0p+0",), (None,)), Settings(codegen=True, table_partitions=2), False),
        (((), None), Settings(codegen=True), False),
        (((None,),), Settings(), False),
        (((None,),), Settings(codegen=True, vectorized=False), False),
        (((None,),), Settings(codegen=True, source="orc"), False),
    ],
    ids=[
        "NULLs",
        "a value among them",
        "in one of two files",
        "a value in each",
        "no elements",
        "no generated code",
        "read by rows",
        "ORC",
    ],
)
def test_the_pattern_of_unknown_elements_asks_for_nulls_alone_and_for_how_they_are_read(
    rows: tuple[Value, ...], settings: Settings, fits: bool
) -> None:
    columns = (Column("a", Array(DOUBLE)),)
    table = Table("t0", columns, tuple((row,) for row in rows))
    case = Case(Scan("t0", columns), Database((table,)), settings)
    assert PATTERNS["unknown_elements_in_parquet"](case) == fits


@pytest.mark.parametrize(
    ("source", "capability", "function", "kind", "fits"),
    [
        ("v2", "weak aggregates", "sum", Decimal(2, 0), True),
        ("v2", "weak aggregates", "avg", Decimal(2, 0), True),
        ("v2", "weak aggregates", "max", Decimal(2, 0), False),
        ("v2", "weak aggregates", "sum", INT, False),
        ("v2", "aggregates", "sum", Decimal(2, 0), False),
        ("parquet", "weak aggregates", "sum", Decimal(2, 0), False),
    ],
    ids=["sum", "average", "greatest", "of integers", "of whole tables", "of files"],
)
def test_the_pattern_of_partial_sums_asks_for_a_sum_of_a_decimal_column_of_each_split(
    source: Source, capability: Capability, function: AggFunction, kind: SqlType, fits: bool
) -> None:
    query = Aggregate(Scan("t0", (Column("d", kind),)), (), (Item("x", Agg(function, Col("d", kind))),))
    case = replace(case_over(query), settings=Settings(source, capabilities=(capability,)))
    assert PATTERNS["partly_pushed_sum_of_decimals"](case) == fits


_ONE = Compare("=", A, Lit(INT, 1))
_UNKNOWN = Lit(BOOLEAN, None)


@pytest.mark.parametrize(
    ("source", "condition", "fits"),
    [
        ("v2", Coalesce((And(_ONE, _UNKNOWN), _ONE)), True),
        ("v2", Between(And(_ONE, _UNKNOWN), Lit(BOOLEAN, False), Lit(BOOLEAN, False)), True),
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
        ("v2", IsNull(Between(A, Lit(INT, 0), Lit(INT, None))), True),
        ("v2", IsNull(Between(A, Lit(INT, 0), Lit(INT, 1))), False),
        ("v2", And(_ONE, Or(_ONE, _UNKNOWN)), False),
        ("v2", Coalesce((_UNKNOWN, _ONE)), False),
        ("v2", Coalesce((And(_ONE, _ONE), _ONE)), False),
        ("parquet", Coalesce((And(_ONE, _UNKNOWN), _ONE)), False),
    ],
    ids=[
        "AND",
        "between",
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
        "BETWEEN",
        "BETWEEN numbers",
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


@pytest.mark.parametrize(
    ("source", "operand", "value", "fits"),
    [
        ("csv", Lit(INT, 0), Lit(INT, 0), True),
        ("csv", A, Lit(INT, 0), False),
        ("csv", Lit(INT, 0), A, False),
        ("parquet", Lit(INT, 0), Lit(INT, 0), False),
    ],
    ids=["constants", "a column in the list", "a column of the list", "other files"],
)
def test_the_pattern_of_csv_without_a_column_asks_for_in_of_constants(
    source: Source, operand: Expr, value: Expr, fits: bool
) -> None:
    case = case_over(Filter(T, InSubquery((operand,), Project(T, (Item("x", value),)))))
    assert PATTERNS["csv_of_no_column"](replace(case, settings=Settings(source))) == fits
