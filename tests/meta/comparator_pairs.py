"""Pairs of results that are equal, and pairs that differ, each in one thing and as small as can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

NAN = float("nan")
OTHER_NAN = -NAN  # the sign bit differs
INT, BIGINT, DOUBLE, STRING, BINARY = pa.int32(), pa.int64(), pa.float64(), pa.string(), pa.binary()
DATE, NTZ, INSTANT = pa.date32(), pa.timestamp("us"), pa.timestamp("us", tz="UTC")
INTS = pa.list_(INT)
STRUCT = pa.struct([("p", INT), ("q", STRING)])
SPAN = pa.month_day_nano_interval()
MAP = pa.map_(STRING, INT)
MICROS_PER_DAY = 86_400_000_000
TEN_THOUSANDTH_YEAR = 2_932_897  # days from 1970 to 10000-01-01


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results of one column or more, given as Arrow tables.

    :param in_diff: whether a difference shows in rows, and not only in types or in order.
    """

    name: str
    one: pa.Table
    two: pa.Table
    ordered: tuple[bool, bool] = (False, False)
    in_diff: bool = True


def table(*columns: tuple[pa.DataType, Sequence[Any]]) -> pa.Table:
    arrays = [pa.array(values, kind, from_pandas=False) for kind, values in columns]
    return pa.table(arrays, names=[f"c{index}" for index in range(len(columns))])


def ints(*values: int | None) -> pa.Table:
    return table((pa.int32(), values))


def strings(*values: str | None) -> pa.Table:
    return table((pa.string(), values))


def doubles(*values: float | None) -> pa.Table:
    return table((pa.float64(), values))


def column(kind: pa.DataType, *values: Any) -> pa.Table:
    return table((kind, values))


def as_strings(*raw: bytes | None) -> pa.Table:
    """A string column with these very bytes, valid UTF-8 or not."""
    return pa.table([pa.array(raw, pa.binary()).view(pa.string())], names=["c0"])


def from_integers(kind: pa.DataType, *integers: int | None) -> pa.Table:
    """Dates and timestamps from the integers that they are: Python's own end with the year 9999."""
    storage = pa.int32() if kind == pa.date32() else pa.int64()
    return pa.table([pa.array(integers, storage).view(kind)], names=["c0"])


def field_list(name: str, kind: pa.DataType, *, nullable: bool = True) -> pa.DataType:
    return pa.list_(pa.field(name, kind, nullable=nullable))


def decimals(precision: int, scale: int, *texts: str | None) -> pa.Table:
    values = pa.array(texts, STRING).cast(pa.decimal128(precision, scale))
    return pa.table([values], names=["c0"])


EQUAL = (
    Pair("empty results of one type", ints(), ints()),
    Pair("rows in another order", ints(1, 2, 2, None), ints(None, 2, 1, 2)),
    Pair(
        "rows of several columns in another order",
        table((INT, [1, 2]), (INT, [3, 4])),
        table((INT, [2, 1]), (INT, [4, 3])),
    ),
    Pair("one order of two unordered results", ints(1, 2), ints(2, 1), (True, False)),
    Pair("one order of two ordered results", ints(2, 1), ints(2, 1), (True, True)),
    Pair("NULL and NULL", ints(None), ints(None)),
    Pair(
        "a row of NULLs, twice",
        table((INT, [None] * 2), (STRING, [None] * 2)),
        table((INT, [None] * 2), (STRING, [None] * 2)),
    ),
    Pair("NaN and NaN", doubles(NAN), doubles(NAN)),
    Pair("NaN and NaN of another sign", doubles(NAN, 1.0), doubles(1.0, OTHER_NAN)),
    Pair("-0.0 and 0.0", doubles(-0.0), doubles(0.0)),
    Pair("-0.0 and 0.0 in a list", column(pa.list_(DOUBLE), [-0.0]), column(pa.list_(DOUBLE), [0.0])),
    Pair(
        "-0.0 and 0.0 in a struct",
        column(pa.struct([("p", DOUBLE)]), {"p": -0.0}),
        column(pa.struct([("p", DOUBLE)]), {"p": 0.0}),
    ),
    Pair("NaN and NaN in a list", column(pa.list_(DOUBLE), [NAN]), column(pa.list_(DOUBLE), [OTHER_NAN])),
    Pair("entries of a map in another order", column(MAP, [("a", 1), ("b", 2)]), column(MAP, [("b", 2), ("a", 1)])),
    Pair("column names", ints(1).rename_columns(["a"]), ints(1).rename_columns(["b"])),
    Pair(
        "duplicate column names",
        table((INT, [1]), (INT, [2])).rename_columns(["a", "a"]),
        table((INT, [1]), (INT, [2])),
    ),
    Pair("names of a list's child", column(field_list("element", INT), [1]), column(field_list("l", INT), [1])),
    Pair(
        "nullability of a list's child",
        column(field_list("l", INT, nullable=False), [1]),
        column(field_list("l", INT), [1]),
    ),
    Pair(
        "names of a child in a struct",
        column(pa.struct([("p", field_list("element", INT))]), {"p": [1]}),
        column(pa.struct([("p", field_list("l", INT))]), {"p": [1]}),
    ),
    Pair("nullability of a column", ints(1).cast(pa.schema([pa.field("c0", INT, nullable=False)])), ints(1)),
    Pair("metadata", ints(1).cast(pa.schema([pa.field("c0", INT, metadata={"by": "an engine"})])), ints(1)),
    Pair("width of offsets", column(pa.large_string(), "a"), strings("a")),
    Pair("one chunk and two", pa.concat_tables([ints(1), ints(2)]), ints(1, 2)),
    Pair(
        "a slice and its copy",
        column(STRUCT, None, {"p": 1, "q": "a"}, None)[1:],
        column(STRUCT, {"p": 1, "q": "a"}, None),
    ),
    Pair("a slice of lists and its copy", column(INTS, [1], [2], None)[1:], column(INTS, [2], None)),
    Pair(
        "NULL over a value and NULL",
        pa.table([pa.StructArray.from_arrays([pa.array([7])], ["p"], mask=pa.array([True]))], ["c0"]),
        column(pa.struct([("p", BIGINT)]), None),
    ),
    Pair("the same broken UTF-8", as_strings(b"\xff", b"a"), as_strings(b"a", b"\xff")),
    Pair(
        "dates beyond the year 9999", from_integers(DATE, 2**31 - 1, -(2**31)), from_integers(DATE, -(2**31), 2**31 - 1)
    ),
    Pair(
        "timestamps of 64 bits",
        from_integers(INSTANT, 2**63 - 1, -(2**63)),
        from_integers(INSTANT, -(2**63), 2**63 - 1),
    ),
)

DIFFERENT = (
    # Multiplicities
    Pair("aab and abb", ints(1, 1, 2), ints(1, 2, 2)),
    Pair("a row twice and once", ints(1, 1), ints(1)),
    Pair("a row once and twice", ints(1), ints(1, 1)),
    Pair("two of a row and two of another", ints(1, 1), ints(2, 2)),
    Pair("a NULL row twice and once", ints(None, None), ints(None)),
    Pair("a row and none", ints(1), ints()),
    Pair("no row and one", ints(), ints(1)),
    Pair("one more on the left", ints(1, 2), ints(1)),
    Pair("one more on the right", ints(1), ints(1, 2)),
    Pair("rows without columns", pa.table([], names=[]), ints(1).select([])),
    # Columns
    Pair("first column", table((INT, [1]), (INT, [9])), table((INT, [2]), (INT, [9]))),
    Pair("middle column", table((INT, [9]), (INT, [1]), (INT, [9])), table((INT, [9]), (INT, [2]), (INT, [9]))),
    Pair("last column", table((INT, [9]), (INT, [1])), table((INT, [9]), (INT, [2]))),
    Pair("columns swapped", table((INT, [1]), (INT, [2])), table((INT, [2]), (INT, [1]))),
    Pair("equal columns in other rows", table((INT, [1, 2]), (INT, [3, 4])), table((INT, [1, 2]), (INT, [4, 3]))),
    Pair("one column more", table((INT, [1]), (INT, [None])), ints(1)),
    # NULL
    Pair("NULL and 0", ints(None), ints(0)),
    Pair("NULL and ''", strings(None), strings("")),
    Pair("NULL and 'NULL'", strings(None), strings("NULL")),
    Pair("NULL and false", column(pa.bool_(), None), column(pa.bool_(), False)),
    Pair("NULL and NaN", doubles(None), doubles(NAN)),
    Pair("NULL and a value", ints(None), ints(7)),
    Pair("a value and NULL", ints(7), ints(None)),
    Pair("NULL and no bytes", column(BINARY, None), column(BINARY, b"")),
    Pair("NULL and the epoch", column(DATE, None), from_integers(DATE, 0)),
    Pair("NULL in another column", table((INT, [None]), (INT, [1])), table((INT, [1]), (INT, [None]))),
    Pair("a row of NULLs and none", ints(None), ints()),
    # Floating point
    Pair("NaN and a number", doubles(NAN), doubles(5.0)),
    Pair("a number and NaN", doubles(5.0), doubles(NAN)),
    Pair("NaN and infinity", doubles(NAN), doubles(float("inf"))),
    Pair("infinities", doubles(float("inf")), doubles(float("-inf"))),
    Pair("the last bit of a double", doubles(0.1 + 0.2), doubles(0.3)),
    Pair("the least double and zero", doubles(5e-324), doubles(0.0)),
    # Exact numbers
    Pair("signs", ints(1), ints(-1)),
    Pair("integers beyond 53 bits", column(BIGINT, 2**53 + 1), column(BIGINT, 2**53)),
    Pair("integers beyond 32 bits", column(BIGINT, 2**32 + 1), column(BIGINT, 1)),
    Pair("decimals beyond 53 bits", decimals(18, 2, "9007199254740993.01"), decimals(18, 2, "9007199254740993.02")),
    Pair("cents", decimals(10, 2, "1.25"), decimals(10, 2, "1.26")),
    # Types
    Pair("types of empty results", ints(), strings(), in_diff=False),
    Pair("widths of empty results", ints(), column(BIGINT), in_diff=False),
    Pair("types of NULLs", ints(None), strings(None), in_diff=False),
    Pair("zones of empty results", column(NTZ), column(INSTANT), in_diff=False),
    Pair("precision of empty results", decimals(10, 2), decimals(12, 2), in_diff=False),
    Pair("1 and TRUE", ints(1), column(pa.bool_(), True)),
    Pair("1 and '1'", ints(1), strings("1")),
    Pair("1 and 1.0", ints(1), doubles(1.0)),
    Pair("widths of integers", ints(1), column(BIGINT, 1)),
    Pair("1 and the decimal 1", ints(1), decimals(10, 0, "1")),
    Pair("1.5 and the decimal 1.5", doubles(1.5), decimals(2, 1, "1.5")),
    Pair("scales of a decimal", decimals(10, 1, "1.0"), decimals(10, 2, "1.00")),
    Pair("precisions of a decimal", decimals(10, 2, "1.00"), decimals(12, 2, "1.00")),
    Pair("a day and its midnight", from_integers(DATE, 1), from_integers(NTZ, MICROS_PER_DAY)),
    Pair("a day and its number", from_integers(DATE, 1), ints(1)),
    Pair("a day and its text", from_integers(DATE, 1), strings("1970-01-02")),
    Pair("with and without a zone", from_integers(NTZ, 1), from_integers(INSTANT, 1)),
    Pair("text and its bytes", strings("a"), column(BINARY, b"a")),
    Pair("1 and TRUE in a list", column(INTS, [1]), column(pa.list_(pa.bool_()), [True])),
    Pair(
        "1 and TRUE in a struct",
        column(pa.struct([("p", INT)]), {"p": 1}),
        column(pa.struct([("p", pa.bool_())]), {"p": True}),
    ),
    Pair("empty lists of other types", column(INTS, []), column(pa.list_(STRING), [])),
    Pair("values of a map", column(MAP, [("a", 1)]), column(MAP, [("a", 2)])),
    Pair("keys of a map", column(MAP, [("a", 1)]), column(MAP, [("b", 1)])),
    Pair("values of a map, changed about", column(MAP, [("a", 1), ("b", 2)]), column(MAP, [("a", 2), ("b", 1)])),
    Pair("NULL and an empty map", column(MAP, None), column(MAP, [])),
    Pair("a month and 30 days", column(SPAN, (1, 0, 0)), column(SPAN, (0, 30, 0))),
    Pair("a day and 24 hours", column(SPAN, (0, 1, 0)), column(SPAN, (0, 0, 86_400_000_000_000))),
    Pair("intervals", column(pa.duration("us"), 1), column(pa.duration("us"), 2)),
    Pair("times of day", column(pa.time64("ns"), 1), column(pa.time64("ns"), 2)),
    Pair("a list and a struct", column(INTS, [1]), column(pa.struct([("p", INT)]), {"p": 1})),
    Pair(
        "names of a struct's fields",
        column(pa.struct([("p", INT)]), {"p": 1}),
        column(pa.struct([("q", INT)]), {"q": 1}),
    ),
    Pair(
        "a field and a name like one",
        column(pa.struct([("a", INT), ("b", INT)])),
        column(pa.struct([("a: int32, b", INT)])),
        in_diff=False,
    ),
    # Dates and timestamps
    Pair("days", from_integers(DATE, 1), from_integers(DATE, 2)),
    Pair(
        "days beyond the year 9999",
        from_integers(DATE, TEN_THOUSANDTH_YEAR),
        from_integers(DATE, TEN_THOUSANDTH_YEAR + 1),
    ),
    Pair("microseconds", from_integers(NTZ, 1_000_000), from_integers(NTZ, 1_000_001)),
    Pair("milliseconds", from_integers(NTZ, 1_000_000), from_integers(NTZ, 1_001_000)),
    Pair("hours of a day", from_integers(INSTANT, 0), from_integers(INSTANT, MICROS_PER_DAY // 24)),
    Pair("days at the same hour", from_integers(INSTANT, 0), from_integers(INSTANT, MICROS_PER_DAY)),
    Pair("the last microseconds of 64 bits", from_integers(INSTANT, 2**63 - 1), from_integers(INSTANT, 2**63 - 2)),
    # Text and binary
    Pair("case", strings("a"), strings("A")),
    Pair("trailing space", strings("a"), strings("a ")),
    Pair("leading space", strings("a"), strings(" a")),
    Pair("space and nothing", strings(" "), strings("")),
    Pair("trailing zero byte", strings("a"), strings("a\0")),
    Pair("digits of equal value", strings("1"), strings("1.0")),
    Pair("composed and decomposed", strings("\u00e9"), strings("e\u0301")),
    Pair("line ends", strings("a\n"), strings("a\r\n")),
    Pair("a long text's end", strings("a" * 300 + "b"), strings("a" * 300 + "c")),
    Pair("bytes that are letters", column(BINARY, b"a"), column(BINARY, b"A")),
    Pair("bytes that are no text", column(BINARY, b"\xff"), column(BINARY, b"\xfe")),
    Pair("bytes and one more", column(BINARY, b"\0"), column(BINARY, b"\0\0")),
    Pair("two kinds of broken UTF-8", as_strings(b"a\xff"), as_strings(b"a\xfe")),
    Pair("broken UTF-8 and its replacement", as_strings(b"\xff"), strings("\ufffd")),
    Pair("broken UTF-8 and its escape", as_strings(b"\xff"), strings("\\xff")),
    # Nested values
    Pair("order in a list", column(INTS, [1, 2]), column(INTS, [2, 1])),
    Pair("repeats in a list", column(INTS, [1, 1, 2]), column(INTS, [1, 2, 2])),
    Pair("length of a list", column(INTS, [1, 1]), column(INTS, [1])),
    Pair("NULL in a list", column(INTS, [1, None]), column(INTS, [1])),
    Pair("NULL and an empty list", column(INTS, None), column(INTS, [])),
    Pair("an empty list and a list of NULL", column(INTS, []), column(INTS, [None])),
    Pair("NULL and a list of NULL", column(INTS, None), column(INTS, [None])),
    Pair("NULL and a struct of NULLs", column(STRUCT, None), column(STRUCT, {"p": None, "q": None})),
    Pair("NULL in a struct", column(STRUCT, {"p": None, "q": "a"}), column(STRUCT, {"p": 0, "q": "a"})),
    Pair("first field", column(STRUCT, {"p": 1, "q": "a"}), column(STRUCT, {"p": 2, "q": "a"})),
    Pair("last field", column(STRUCT, {"p": 1, "q": "a"}), column(STRUCT, {"p": 1, "q": "b"})),
    Pair(
        "fields swapped",
        column(pa.struct([("p", INT), ("q", INT)]), {"p": 1, "q": 2}),
        column(pa.struct([("p", INT), ("q", INT)]), {"p": 2, "q": 1}),
    ),
    Pair(
        "a struct in a list",
        column(pa.list_(STRUCT), [{"p": 1, "q": "a"}]),
        column(pa.list_(STRUCT), [{"p": 1, "q": "A"}]),
    ),
    # Order
    Pair("order of two ordered results", ints(1, 2), ints(2, 1), (True, True), in_diff=False),
    Pair("order among repeats", ints(1, 2, 1), ints(1, 1, 2), (True, True), in_diff=False),
)
