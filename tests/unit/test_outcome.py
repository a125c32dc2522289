"""An engine's answer becomes an outcome before it is compared."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from oracles.answers.outcome import (
    InvalidOutcome,
    Raised,
    Rows,
    UnsupportedType,
    canonical,
    outcome_of,
    rows_from_arrow,
    type_text,
)

INTS = pa.list_(pa.int32())
STRUCT = pa.struct([("p", pa.int32()), ("q", pa.string())])
# 2000-01-01 is day 10,957, and 400 years of the Gregorian calendar have 146,097 days.
DAYS_TO_290000 = 10_957 + 720 * 146_097

CELLS: dict[str, tuple[pa.DataType, Any, Any]] = {
    "NULL": (pa.int32(), None, None),
    "boolean": (pa.bool_(), True, ("bool", True)),
    "integer": (pa.int16(), -7, ("int16", -7)),
    "double": (pa.float64(), 0.1, ("double", "0x1.999999999999ap-4")),
    "minus zero": (pa.float64(), -0.0, ("double", "0x0.0p+0")),
    "NaN": (pa.float64(), float("nan"), ("double", "nan")),
    "infinity": (pa.float64(), float("-inf"), ("double", "-inf")),
    "float": (pa.float32(), -0.0, ("float", "0x0.0p+0")),
    "decimal": (pa.decimal128(10, 2), Decimal("1.50"), ("decimal128(10, 2)", "1.50")),
    "decimal with many zeros": (pa.decimal128(18, 10), Decimal(0), ("decimal128(18, 10)", "0.0000000000")),
    "string": (pa.string(), "a ", ("string", "a ")),
    "binary": (pa.binary(), b"a\0", ("binary", b"a\0")),
    "date": (pa.date32(), 19_000, ("date32[day]", 19_000)),
    "date beyond the year 9999": (pa.date32(), 2**31 - 1, ("date32[day]", 2**31 - 1)),
    "timestamp": (pa.timestamp("us"), 1, ("timestamp[us]", 1)),
    "instant": (pa.timestamp("us", tz="UTC"), -1, ("timestamp[us, tz=UTC]", -1)),
    "instant before year 1": (pa.timestamp("us", tz="UTC"), -(2**63), ("timestamp[us, tz=UTC]", -(2**63))),
    "list": (INTS, [1, None], ("list<int32>", (("int32", 1), None))),
    "empty list": (INTS, [], ("list<int32>", ())),
    "struct": (STRUCT, {"p": None, "q": ""}, ("struct<p: int32, q: string>", (None, ("string", "")))),
    "list of structs": (
        pa.list_(STRUCT),
        [{"p": 1, "q": None}],
        ("list<struct<p: int32, q: string>>", (("struct<p: int32, q: string>", (("int32", 1), None)),)),
    ),
}


@pytest.mark.parametrize(("kind", "value", "cell"), CELLS.values(), ids=CELLS)
def test_a_value_becomes_its_type_and_one_payload(kind: pa.DataType, value: Any, cell: Any) -> None:
    assert canonical(pa.array([value], kind)) == [cell]


TEXTS: dict[str, tuple[pa.DataType, str]] = {
    "name of a list's child": (pa.list_(pa.field("element", pa.int32(), nullable=False)), "list<int32>"),
    "wide offsets": (pa.large_list(pa.large_string()), "list<string>"),
    "string view": (pa.string_view(), "string"),
    "large binary": (pa.large_binary(), "binary"),
    "nullability in a struct": (pa.struct([pa.field("p", pa.int64(), nullable=False)]), "struct<p: int64>"),
    "odd name in a struct": (pa.struct([("p: int64, q", pa.int32())]), 'struct<"p: int64, q": int32>'),
    "precision and scale": (pa.decimal128(10, 2), "decimal128(10, 2)"),
    "zone": (pa.timestamp("us", tz="UTC"), "timestamp[us, tz=UTC]"),
    "void": (pa.null(), "null"),
    "map": (pa.map_(pa.string(), pa.field("v", pa.int32(), nullable=False)), "map<string, int32>"),
    "time of day": (pa.time64("us"), "time"),
    "interval of days and time": (pa.duration("us"), "duration[us]"),
    "interval of months, days and time": (pa.month_day_nano_interval(), "month_day_nano_interval"),
}


@pytest.mark.parametrize(("kind", "text"), TEXTS.values(), ids=TEXTS)
def test_the_text_of_a_type_keeps_what_sql_sees(kind: pa.DataType, text: str) -> None:
    assert type_text(kind) == text


@pytest.mark.parametrize(
    "kind",
    [
        pa.dictionary(pa.int8(), pa.string()),
        pa.list_(pa.int32(), 2),
        pa.list_(pa.date64()),
        pa.map_(pa.string(), pa.date64()),
        pa.struct([("p", pa.date64())]),
    ],
    ids=str,
)
def test_a_type_without_a_policy_is_refused(kind: pa.DataType) -> None:
    with pytest.raises(UnsupportedType, match="can't be compared"):
        rows_from_arrow(pa.table([pa.array([], kind)], names=["c"]))


def test_a_string_that_is_not_utf8_is_its_bytes_and_its_neighbours_stay_text() -> None:
    strings = pa.array([b"\xff", b"a", None], pa.binary()).view(pa.string())
    assert canonical(strings) == [("string", b"\xff"), ("string", "a"), None]


def test_a_string_that_is_not_utf8_is_its_bytes_inside_of_a_list_too() -> None:
    strings = pa.array([b"\xff"], pa.binary()).view(pa.string())
    assert canonical(pa.ListArray.from_arrays([0, 1], strings)) == [("list<string>", (("string", b"\xff"),))]


def test_rows_keep_the_order_of_the_engine_across_chunks() -> None:
    chunks = pa.concat_tables([pa.table({"a": [2, 3]}), pa.table({"a": [1]})])
    assert rows_from_arrow(chunks).rows == ((("int64", 2),), (("int64", 3),), (("int64", 1),))


def test_rows_without_columns_are_counted() -> None:
    assert rows_from_arrow(pa.table({"a": [1, 2]}).select([])) == Rows((), ((), ()))


def test_an_empty_result_keeps_its_types() -> None:
    assert rows_from_arrow(pa.table([pa.array([], pa.int16())], names=["c"]), ordered=True) == Rows(
        ("int16",), (), True
    )


def test_slices_of_nested_columns_are_read_from_their_offset() -> None:
    nested = pa.array([{"p": 9, "q": "x"}, None, {"p": 1, "q": "a"}], STRUCT)[1:]
    assert canonical(nested) == [None, ("struct<p: int32, q: string>", (("int32", 1), ("string", "a")))]


def test_a_null_struct_hides_the_values_below_it() -> None:
    hidden = pa.StructArray.from_arrays([pa.array([7])], ["p"], mask=pa.array([True]))
    assert canonical(hidden) == [None]


def test_a_real_answer_of_duckdb_is_read() -> None:
    answer = duckdb.connect().sql(
        "SELECT 1::SMALLINT, [1, NULL]::INTEGER[], {'p': 1, 'q': 'x'}, 1.5::DECIMAL(10, 2), '-0.0'::DOUBLE, "
        "DATE '2024-01-31', '\\xFF'::BLOB, '290000-01-01'::TIMESTAMP, count(*) FROM range(3)"
    )
    assert rows_from_arrow(answer.to_arrow_table()).rows == (
        (
            ("int16", 1),
            ("list<int32>", (("int32", 1), None)),
            ("struct<p: int32, q: string>", (("int32", 1), ("string", "x"))),
            ("decimal128(10, 2)", "1.50"),
            ("double", "0x0.0p+0"),
            ("date32[day]", 19_753),
            ("binary", b"\xff"),
            ("timestamp[us]", DAYS_TO_290000 * 86_400_000_000),
            ("int64", 3),
        ),
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((), r"a row of 0 cells under a schema of 1: \(\)"),
        ((("int32", 1), None), "a row of 2 cells under a schema of 1"),
        ((1,), "not a cell of type int32: 1"),
        ((("int64", 1),), r"not a cell of type int32: \('int64', 1\)"),
        ((("int32", 1, 2),), "not a cell of type int32"),
    ],
    ids=["too narrow", "too wide", "untyped", "another type", "no pair"],
)
def test_rows_refuse_what_does_not_fit_their_schema(row: Any, message: str) -> None:
    with pytest.raises(InvalidOutcome, match=message):
        Rows(("int32",), (row,))


def test_an_error_of_an_unknown_kind_is_refused() -> None:
    kind: Any = "fatal"
    with pytest.raises(InvalidOutcome, match="unknown kind of error 'fatal': not one of user, internal"):
        Raised("OUT_OF_LUCK", None, "", kind)


def unread(problem: Exception) -> Callable[[], pa.Table]:
    def read() -> pa.Table:
        raise problem

    return read


def test_a_table_that_can_be_compared_is_rows() -> None:
    assert outcome_of(lambda: pa.table({"a": [1]}), ordered=True) == Rows(("int64",), ((("int64", 1),),), ordered=True)


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (lambda: pa.table([pa.array([], pa.date64())], names=["c"]), "date64"),
        (unread(pa.ArrowNotImplementedError("no such type: hologram")), "hologram"),
        (unread(pa.ArrowInvalid("Tried reading schema message")), "schema message"),
    ],
    ids=["a type without a policy", "a type that Arrow has not", "a broken stream"],
)
def test_a_table_that_cannot_be_compared_is_unsupported(read: Callable[[], pa.Table], told: str) -> None:
    outcome = outcome_of(read)
    assert isinstance(outcome, Raised)
    assert (outcome.kind, told in outcome.message) == ("unsupported", True)


def test_an_error_of_the_engine_itself_passes() -> None:
    with pytest.raises(ConnectionError):
        outcome_of(unread(ConnectionError("gone")))


def test_a_columns_metadata_name_months_and_only_integers_are_such() -> None:
    named = {"assay.type": "interval[month]"}
    months, texts = (
        pa.table([pa.array([value], kind)], schema=pa.schema([pa.field("c", kind, metadata=named)]))
        for value, kind in ((13, pa.int32()), ("x", pa.string()))
    )
    assert rows_from_arrow(months) == Rows(("interval[month]",), ((("interval[month]", 13),),))
    assert rows_from_arrow(texts).schema == ("string",)


INT32 = pa.int32()
NAMED = pa.field("m", INT32, metadata={"assay.type": "interval[month]"})
WITH_MONTHS = {
    "a list": ([13, None], pa.list_(NAMED), "list<interval[month]>"),
    "a list of structs": ([{"m": 13, "n": 13}], pa.list_(pa.struct([NAMED, pa.field("n", INT32)])), ""),
    "values of a map": ([("a", 13)], pa.map_(pa.string(), NAMED.with_name("value")), "map<string, interval[month]>"),
}


@pytest.mark.parametrize(("value", "kind", "text"), WITH_MONTHS.values(), ids=WITH_MONTHS)
def test_months_are_named_inside_of_nested_types(value: object, kind: pa.DataType, text: str) -> None:
    table = pa.table([pa.array([value, None], kind)], schema=pa.schema([pa.field("c", kind)]))
    (column,) = rows_from_arrow(table).schema
    assert column == (text or "list<struct<m: interval[month], n: int32>>")


def test_months_in_a_list_are_those_of_one_alone() -> None:
    months = pa.table([pa.array([[13, None]], pa.list_(NAMED))], names=["c"])
    cell = ("list<interval[month]>", (("interval[month]", 13), None))
    assert rows_from_arrow(months).rows == ((cell,),)


def test_a_time_of_day_is_the_same_in_every_unit() -> None:
    micros, nanos = (pa.array([number, None], pa.time64(unit)) for number, unit in ((5, "us"), (5000, "ns")))
    assert canonical(micros) == canonical(nanos) == [("time", 5000), None]


def test_a_slice_of_maps_is_read_from_its_offset() -> None:
    maps = pa.array([[("a", 1)], [("b", 2)], None], pa.map_(pa.string(), pa.int32()))[1:]
    assert canonical(maps) == [("map<string, int32>", (("entry", (("string", "b"), ("int32", 2))),)), None]
