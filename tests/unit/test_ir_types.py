"""The types of the query algebra: their values, their texts, and the type that two of them share."""

from __future__ import annotations

import pytest

import strategies.ir
from strategies.ir import (
    ATOMIC,
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Array,
    Decimal,
    InvalidQuery,
    Lit,
    Map,
    SqlType,
    Struct,
    Value,
    can_cast,
    check_value,
    common_type,
    type_from_text,
    type_text,
)

VALUES: dict[str, tuple[SqlType, tuple[Value, ...], tuple[Value, ...]]] = {
    "boolean": (BOOLEAN, (True, False, None), (1, "true")),
    "smallint": (SMALLINT, (-32768, 32767, None), (-32769, 32768, 1.0, True)),
    "bigint": (BIGINT, (-(2**63), 2**63 - 1), (2**63, "1")),
    "double": (
        DOUBLE,
        ("nan", "inf", "-inf", "-0x0.0p+0", "0x1.8000000000000p+0"),
        ("NaN", "-nan", "0x1.8p+0", "0x1p5000", "1.5", 1.5),
    ),
    "decimal": (Decimal(4, 2), ("99.99", "-0.05", "0.00"), ("100.00", "1.5", "1", ".50", "1.255", "1٫25", "١.٢٥", 1)),
    "whole-decimal": (Decimal(3, 0), ("-999", "0"), ("1000", "1.", "1.0", "")),
    "string": (STRING, ("", "\0", "😀"), ("\ud800", b"", 0)),
    "binary": (BINARY, ("", "00ff"), ("0", "FF", "0g", b"")),
    "date": (DATE, ("0001-01-01", "9999-12-31", "2024-02-29"), ("2023-02-29", "2024-2-9", "20240229", "10000-01-01")),
    "timestamp": (
        TIMESTAMP,
        ("0001-01-01 00:00:00.000000", "9999-12-31 23:59:59.999999"),
        (
            "2024-01-31 10:11:12",
            "2024-01-31T10:11:12.000000",
            "2024-01-31 24:00:00.000000",
            "2024-01-31 10:11:12+00:00.",
        ),
    ),
    "array": (Array(INT), ((), (1, None), None), ([1], 1, ("1",), (2**31,), "")),
    "struct": (
        Struct((("p", INT), ("q", STRING))),
        ((1, "a"), (None, None), None),
        ((1,), (1, 1), (1, "a", 1), [1, "a"]),
    ),
    "tinyint": (TINYINT, (-128, 127), (-129, 128, "1")),
    "float": (
        FLOAT,
        ("nan", "inf", "0x1.99999a0000000p-4", "-0x0.0p+0"),
        ("0x1.999999999999ap-4", "0x1.0p+200", "0x1p5000", 0.5),
    ),
    "map": (
        Map(STRING, INT),
        ((), (("a", 1), ("b", None)), None),
        ((("a",),), (("a", 1), ("a", 2)), ((None, 1),), (("a", "b"),), ("ab",), {"a": 1}),
    ),
    "timestamp-ntz": (TIMESTAMP_NTZ, ("1969-12-31 23:59:59.999999",), ("1969-12-31", "２０２４-01-31 10:11:12.000000")),
}
GOOD = [(kind, value) for kind, good, _ in VALUES.values() for value in good]
BAD = [(kind, value) for kind, _, bad in VALUES.values() for value in bad]


@pytest.mark.parametrize(("kind", "value"), GOOD, ids=repr)
def test_canonical_values_are_accepted(kind: SqlType, value: Value) -> None:
    check_value(kind, value)
    assert Lit(kind, value).type == kind


@pytest.mark.parametrize(("kind", "value"), BAD, ids=ascii)
def test_values_of_another_type_or_spelling_are_refused(kind: SqlType, value: Value) -> None:
    with pytest.raises(InvalidQuery, match="is not the plain value of a"):
        check_value(kind, value)


PAIR = Struct((("p", Decimal(5, 2)), ("q", Array(STRING))))
TYPES = (
    *ATOMIC.values(),
    Map(STRING, FLOAT),
    Array(Map(INT, PAIR)),
    Decimal(10, 2),
    Decimal(5, 5),
    Decimal(38, 0),
    Array(INT),
    PAIR,
    Array(PAIR),
)


@pytest.mark.parametrize("kind", TYPES, ids=type_text)
def test_the_text_of_a_type_means_that_type(kind: SqlType) -> None:
    assert type_from_text(type_text(kind)) == kind
    assert eval(repr(kind), dict(vars(strategies.ir))) == kind


@pytest.mark.parametrize("text", ["int", "DECIMAL", "DECIMAL(3)", "DECIMAL(3, 1)", "DECIMAL(1,2)", ""])
def test_other_texts_are_no_types(text: str) -> None:
    with pytest.raises(InvalidQuery):
        type_from_text(text)


@pytest.mark.parametrize("one", TYPES, ids=type_text)
@pytest.mark.parametrize("two", TYPES, ids=type_text)
def test_a_common_type_is_symmetric_and_absorbs_both(one: SqlType, two: SqlType) -> None:
    common = common_type(one, two)
    assert common == common_type(two, one)
    assert (common is None) or common_type(common, one) == common_type(common, two) == common


@pytest.mark.parametrize(
    ("one", "two", "common"),
    [
        (SMALLINT, BIGINT, BIGINT),
        (BIGINT, DOUBLE, DOUBLE),
        (DATE, TIMESTAMP_NTZ, TIMESTAMP_NTZ),
        (TIMESTAMP_NTZ, TIMESTAMP, TIMESTAMP),
        (SMALLINT, Decimal(4, 2), Decimal(7, 2)),
        (Decimal(10, 2), Decimal(5, 5), Decimal(13, 5)),
        (Decimal(38, 0), Decimal(5, 5), None),
        (BIGINT, Decimal(10, 2), None),
        (DOUBLE, Decimal(10, 2), None),
        (STRING, BINARY, None),
        (BOOLEAN, INT, None),
    ],
    ids=str,
)
def test_common_types(one: SqlType, two: SqlType, common: SqlType | None) -> None:
    assert common_type(one, two) == common


@pytest.mark.parametrize("kind", TYPES, ids=type_text)
def test_every_type_casts_to_itself(kind: SqlType) -> None:
    assert can_cast(kind, kind)
