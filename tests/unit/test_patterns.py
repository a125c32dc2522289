"""Patterns of known differences that look at the data as well as at the query."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from oracles.patterns.zeros import is_zero, sign
from strategies import ir
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    FLOAT,
    INT,
    STRING,
    TINYINT,
    Alias,
    And,
    Between,
    Call,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    GetField,
    InList,
    IsNull,
    Item,
    Join,
    Lit,
    Project,
    Scan,
    Settings,
    Source,
    Struct,
    Table,
    Value,
)

PLUS, MINUS = (0.0).hex(), (-0.0).hex()
ONE = (1.0).hex()
A = Col("a", DOUBLE)


def holding(value: Value, condition: Expr, source: Source = "parquet") -> Case:
    """``condition`` over a table with ``value`` alone."""
    table = Table("t0", (Column("a", DOUBLE),), ((value,),))
    return Case(Filter(Scan("t0", table.columns), condition), Database((table,)), Settings(source=source))


def is_double(value: Value) -> Compare:
    return Compare("=", A, Lit(DOUBLE, value))


MET = {
    "-0.0 = 0.0": holding(MINUS, is_double(PLUS)),
    "0.0 = -0.0": holding(PLUS, is_double(MINUS)),
    "an integer": holding(MINUS, Compare(">=", A, Lit(INT, 0))),
    "a list": holding(PLUS, InList(A, (Lit(DOUBLE, ONE), Lit(DOUBLE, MINUS)))),
    "a range": holding(MINUS, Between(A, Lit(DOUBLE, PLUS), Lit(DOUBLE, ONE))),
}
NOT_MET = {
    "the same zero": holding(MINUS, is_double(MINUS)),
    "no zero in the file": holding(ONE, is_double(PLUS)),
    "NULL in the file": holding(None, is_double(PLUS)),
    "no zero in the query": holding(MINUS, is_double(ONE)),
    "no comparison": holding(MINUS, IsNull(A)),
    "an integer column beside it": replace(
        holding(MINUS, IsNull(A)),
        query=Filter(Scan("t1", (Column("i", INT),)), Compare("=", Col("i", INT), Lit(INT, 0))),
        database=Database(
            (Table("t0", (Column("a", DOUBLE),), ((MINUS,),)), Table("t1", (Column("i", INT),), ((0,),)))
        ),
    ),
}


IN_A_STRUCT = Struct((("d", DOUBLE),))


@pytest.mark.parametrize(
    ("value", "constant", "fits"),
    [(PLUS, MINUS, True), (MINUS, MINUS, False), (PLUS, ONE, False)],
    ids=["the other zero", "the same zero", "another number"],
)
def test_a_zero_may_be_in_a_struct_and_the_other_one_in_a_column(value: str, constant: str, fits: bool) -> None:
    stored = Table("t0", (Column("s", IN_A_STRUCT),), (((value,),),))
    field = GetField(Col("s", IN_A_STRUCT), "d")
    compared = Filter(Scan("t0", stored.columns), Compare("<=", field, Lit(DOUBLE, constant)))
    assert PATTERNS["file_zero_of_the_other_sign"](Case(compared, Database((stored,)))) == fits

    table = Table("t0", (Column("a", DOUBLE),), ((value,),))
    scan = Scan("t0", table.columns)
    other = Alias(Project(scan, (Item("b", Lit(DOUBLE, constant)),)), "r")
    joined = Join(scan, other, "inner", Compare("=", A, Col("b", DOUBLE)))
    assert PATTERNS["file_zero_of_the_other_sign"](Case(joined, Database((table,)))) == fits
    beside = Join(scan, other, "inner", IsNull(A))
    assert not PATTERNS["file_zero_of_the_other_sign"](Case(beside, Database((table,))))


@pytest.mark.parametrize("case", MET.values(), ids=MET)
@pytest.mark.parametrize("source", ["parquet", "orc"])
def test_zeros_of_two_signs_meet(case: Case, source: Source) -> None:
    (table,) = case.database.tables
    assert isinstance(case.query, Filter)
    again = holding(table.rows[0][0], case.query.condition, source)
    assert PATTERNS[f"{source}_zero_of_the_other_sign"](again)
    assert PATTERNS["file_zero_of_the_other_sign"](again)


@pytest.mark.parametrize("case", NOT_MET.values(), ids=NOT_MET)
def test_other_cases_are_not_excused(case: Case) -> None:
    assert not PATTERNS["parquet_zero_of_the_other_sign"](case)


FLOATS = {name: (case, name in MET) for name, case in (MET | NOT_MET).items() if name != "an integer"}
"""A FLOAT isn't compared with an integer: the engines widen them to different types."""


@pytest.mark.parametrize(("case", "fits"), FLOATS.values(), ids=FLOATS)
def test_a_float_is_a_double_too(case: Case, fits: bool) -> None:
    in_floats: Case = eval(repr(case).replace("DOUBLE", "FLOAT"), vars(ir))
    assert in_floats != case
    assert PATTERNS["parquet_zero_of_the_other_sign"](in_floats) == fits


@pytest.mark.parametrize("source", ["orc", "csv", "cached", "local"])
def test_another_source_is_not_excused(source: Source) -> None:
    assert not PATTERNS["parquet_zero_of_the_other_sign"](holding(MINUS, is_double(PLUS), source))


@pytest.mark.parametrize("source", ["csv", "cached", "local"])
def test_what_has_no_filters_of_its_own_is_not_excused(source: Source) -> None:
    assert not PATTERNS["file_zero_of_the_other_sign"](holding(MINUS, is_double(PLUS), source))


@pytest.mark.parametrize(
    ("constant", "zero"),
    [
        (Lit(INT, 0), True),
        (Lit(DOUBLE, PLUS), True),
        (Lit(DOUBLE, MINUS), True),
        (Lit(FLOAT, MINUS), True),
        (Lit(TINYINT, 0), True),
        (Lit(INT, 1), False),
        (Lit(BOOLEAN, False), False),
        (Lit(STRING, PLUS), False),
        (Lit(INT, None), False),
    ],
    ids=repr,
)
def test_zeros_are_known_in_every_type_of_numbers(constant: Lit, zero: bool) -> None:
    assert is_zero(constant) == zero


TOLD_APART = Compare("=", Call("double_text", (A,)), Lit(STRING, "0.0"))


@pytest.mark.parametrize(
    ("condition", "value", "fits"),
    [
        (And(is_double(PLUS), TOLD_APART), MINUS, True),
        (is_double(PLUS), MINUS, False),
        (And(is_double(MINUS), TOLD_APART), MINUS, False),
    ],
    ids=["a text of it", "no text", "the same zero"],
)
def test_a_constant_for_the_other_zero_needs_what_tells_zeros_apart(condition: Expr, value: str, fits: bool) -> None:
    assert PATTERNS["zero_of_the_other_sign_told_apart"](holding(value, condition)) == fits


@pytest.mark.parametrize(("value", "expected"), [(PLUS, 1), (MINUS, -1), (0, 1)], ids=str)
def test_one_zero_is_negative(value: Value, expected: int) -> None:
    assert sign(value) == expected


@pytest.mark.parametrize(
    ("condition", "value", "source", "fits"),
    [
        (is_double("nan"), "nan", "cached", True),
        (Compare(">=", A, Lit(DOUBLE, "nan")), "nan", "cached", True),
        (is_double("nan"), "nan", "parquet", False),
        (is_double("nan"), ONE, "cached", False),
        (is_double(ONE), "nan", "cached", False),
        (IsNull(A), "nan", "cached", False),
    ],
    ids=["=", ">=", "a file", "no NaN in the table", "no NaN in the query", "no comparison"],
)
def test_a_comparison_with_nan_needs_a_cached_table_that_holds_one(
    condition: Expr, value: str, source: Source, fits: bool
) -> None:
    assert PATTERNS["cached_comparison_with_nan"](holding(value, condition, source)) == fits
