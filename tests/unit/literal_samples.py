"""A constant of every type, at the ends of its values."""

from __future__ import annotations

from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Decimal,
    Lit,
    Struct,
)

LITERALS: dict[str, Lit] = {
    "boolean": Lit(BOOLEAN, False),
    "smallint": Lit(SMALLINT, -32768),
    "int": Lit(INT, -2147483648),
    "bigint": Lit(BIGINT, -9223372036854775808),
    "nan": Lit(DOUBLE, "nan"),
    "infinity": Lit(DOUBLE, "-inf"),
    "negative-zero": Lit(DOUBLE, "-0x0.0p+0"),
    "subnormal": Lit(DOUBLE, "0x0.0000000000001p-1022"),
    "decimal": Lit(Decimal(18, 18), "-0.000000000000000001"),
    "string": Lit(STRING, "it's \\ ${a} \0 \n \u2028 😀 `\""),
    "binary": Lit(BINARY, "00ff5c27"),
    "no-bytes": Lit(BINARY, ""),
    "date": Lit(DATE, "0001-01-01"),
    "timestamp": Lit(TIMESTAMP, "1969-12-31 23:59:59.999999"),
    "timestamp-ntz": Lit(TIMESTAMP_NTZ, "9999-12-31 23:59:59.999999"),
    "null": Lit(Decimal(5, 0), None),
    "array": Lit(Array(DOUBLE), ("nan", None, "-0x0.0p+0")),
    "no-elements": Lit(Array(STRING), ()),
    "null-array": Lit(Array(INT), None),
    "struct": Lit(Struct((("p", INT), ("q", STRING))), (None, "it's")),
    "array-of-structs": Lit(Array(Struct((("p", DATE),))), (("2024-02-29",), None)),
}
