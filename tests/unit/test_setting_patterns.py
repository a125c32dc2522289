"""Patterns of known differences that are about settings and types as well as about the query."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    INT,
    STRING,
    TIMESTAMP_NTZ,
    Agg,
    AggFunction,
    Aggregate,
    Alias,
    And,
    Arith,
    Array,
    Call,
    Capability,
    Case,
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
    Item,
    Join,
    Lit,
    Project,
    Relation,
    Scan,
    Settings,
    Source,
    SqlType,
    Table,
    Value,
)
from tests.unit.ir_samples import case_over

T = Scan("t", (Column("a", INT),))
A = Col("a", INT)


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


_TA, _SA = Col("a", INT, "t0"), Col("a", INT, "s")
_ON_ONE = Compare("=", _TA, Lit(INT, 1))
_ON_TWO = Compare("=", _TA, _SA)


@pytest.mark.parametrize(
    ("query", "statistics", "fits"),
    [
        (Filter(THREE, _ON_ONE), True, True),
        (Filter(THREE, And(_ON_TWO, _ON_ONE)), True, True),
        (replace(THREE, on=And(_ON_ONE, _ON_TWO)), True, True),
        (Filter(THREE, _ON_ONE), False, False),
        (Filter(THREE, _ON_TWO), True, False),
        (THREE, True, False),
        (Filter(TWO, _ON_ONE), True, False),
    ],
    ids=["in a filter", "a part", "in ON", "without statistics", "about two", "none", "two tables"],
)
def test_the_pattern_of_dropped_conditions_asks_for_one_about_one_table(
    query: Relation, statistics: bool, fits: bool
) -> None:
    case = replace(case_over(query), settings=Settings(statistics=statistics))
    assert PATTERNS["three_joined_with_statistics_and_a_condition_on_one"](case) == fits


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
