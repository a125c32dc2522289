"""Templates for functions of numbers, of conditions, and of values of any type: Spark's, then DuckDB's."""

from __future__ import annotations

_WHOLE = "CASE WHEN abs({0}) < CAST('1e15' AS DOUBLE) THEN {0} END"  # BIGINT holds it; NaN and infinity are greater
_ROOT = "sqrt(CASE WHEN {0} >= 0 THEN {0} END)"
_BASE = "CASE WHEN {0} BETWEEN -1000 AND 1000 THEN {0} END"
_JSON = "from_json(concat('{{\"x\":', CAST({0} AS STRING), ',\"y\":7}}'), 'x INT, y INT')"
_EIGHTHS = "abs({0}) BETWEEN 0.125 AND 100000 AND {0} * 8 = round({0} * 8)"
_DIVIDED = "({0} / nullif({1}, CAST(0 AS {first})))"
_REMAINDER = "({0} % nullif({1}, CAST(0 AS {first})))"
_LEAST = "CAST('-9223372036854775808' AS BIGINT)"
_BITS = f"CASE WHEN {{0}} = {_LEAST} THEN CAST(-1 AS BIGINT) ELSE CAST({{0}} AS BIGINT) END"
_SIZE = "CAST(abs(CAST({0} AS HUGEINT)) AS UBIGINT)"
_MINUS = "CASE WHEN {0} < 0 THEN '-' ELSE '' END"
_BY_POSITIVE = "((({0} % {1}) + {1}) % {1})"

NUMBER_WORDS: dict[str, tuple[str, str]] = {
    "abs": ("abs({})", "abs({})"),
    # DuckDB widens the type of the negation of a type's least constant, even if it is never evaluated.
    "negative": ("(-({}))", "CAST(-({}) AS {result})"),
    "sign": (
        "sign({0})",
        "CASE WHEN isnan(CAST({0} AS DOUBLE)) THEN CAST({0} AS DOUBLE) ELSE CAST(sign({0}) AS DOUBLE) END",
    ),
    "divide": (_DIVIDED, _DIVIDED),
    "try_divide": ("try_divide({}, {})", _DIVIDED),
    "try_divide_is_null": (
        "(try_divide({}, {}) IS NULL)",
        "({0} IS NULL OR {1} IS NULL OR {1} = CAST(0 AS SMALLINT))",
    ),
    "int_divide": (
        "({0} div nullif({1}, CAST(0 AS {first})))",
        "CAST(CAST({0} AS BIGINT) // nullif(CAST({1} AS BIGINT), 0) AS BIGINT)",
    ),
    # DuckDB raises for the least integer % -1.
    "modulo": (_REMAINDER, "CAST(CAST({0} AS BIGINT) % nullif(CAST({1} AS BIGINT), 0) AS {first})"),
    "double_modulo": (_REMAINDER, _REMAINDER),
    "decimal_modulo": (_REMAINDER, _REMAINDER),
    "positive_modulo": ("pmod({0}, {1})", _BY_POSITIVE),
    "bit_and": ("({} & {})", "({} & {})"),
    "bit_or": ("({} | {})", "({} | {})"),
    "bit_xor": ("({} ^ {})", "xor({}, {})"),
    "bit_not": ("(~({}))", "(~({}))"),
    "bit_count": ("bit_count({})", "CAST(bit_count(CAST({} AS BIGINT)) AS INTEGER)"),  # Spark extends the sign
    # In Spark, too large an absolute value has all bits set.
    "conv": (
        "conv(CAST({} AS STRING), 10, {})",
        "CASE {1}"
        + "".join(f" WHEN {base} THEN {word}({_BITS})" for base, word in ((2, "bin"), (16, "hex")))
        + "".join(f" WHEN {base} THEN {_MINUS} || {word}({_SIZE})" for base, word in ((-2, "bin"), (-16, "hex")))
        + " END",
    ),
    "shift_left": ("shiftleft({}, {})", "CAST({} << {} AS {result})"),
    "shift_right": ("shiftright({}, {})", "CAST({} >> {} AS {result})"),
    "floor": (f"floor({_WHOLE})", f"CAST(floor({_WHOLE}) AS BIGINT)"),
    "ceil": (f"ceil({_WHOLE})", f"CAST(ceil({_WHOLE}) AS BIGINT)"),
    "round": ("round({})", "round({})"),
    "round_half_even": ("bround({})", "round_even({}, 0)"),
    "decimal_floor": ("floor({})", "CAST(floor({}) AS {result})"),
    "decimal_ceil": ("ceil({})", "CAST(ceil({}) AS {result})"),
    "decimal_round": ("round({}, {})", "CAST(round({}, {}) AS {result})"),
    "square_root": (_ROOT, _ROOT),
    "integer_power": (f"power({_BASE}, {{1}})", f"power({_BASE}, {{1}})"),
    "is_nan": ("isnan({})", "coalesce(isnan({}), false)"),  # Spark: NULL is not NaN
    "nanvl": ("nanvl({}, {})", "CASE WHEN isnan({0}) THEN {1} ELSE {0} END"),
    "double_text": (
        f"CASE WHEN {_EIGHTHS} THEN CAST({{0}} AS STRING) END",
        f"CASE WHEN {_EIGHTHS} THEN CAST({{0}} AS VARCHAR) END",
    ),
    "zero_text": (
        "CASE WHEN {0} = 0 THEN CAST({0} AS STRING) END",
        "CASE WHEN {0} = 0 THEN CAST({0} AS VARCHAR) END",
    ),
    "is_true": ("({} IS TRUE)", "({} IS TRUE)"),
    "is_not_true": ("({} IS NOT TRUE)", "({} IS NOT TRUE)"),
    "is_false": ("({} IS FALSE)", "({} IS FALSE)"),
    "is_not_false": ("({} IS NOT FALSE)", "({} IS NOT FALSE)"),
    "is_unknown": ("({} IS UNKNOWN)", "({} IS NULL)"),
    "if": ("if({}, {}, {})", "CASE WHEN {} THEN {} ELSE {} END"),
    "nvl": ("nvl({}, {})", "coalesce({}, {})"),
    "nvl2": ("nvl2({}, {}, {})", "CASE WHEN {} IS NOT NULL THEN {} ELSE {} END"),
    "greatest": ("greatest({}, {})", "greatest({}, {})"),
    "least": ("least({}, {})", "least({}, {})"),
    # A value that is written and read again is the same: what Spark makes of it is asked, and not how texts are read.
    "field_of_json": ("from_json(concat('{{\"x\":', CAST({} AS STRING), ',\"y\":7}}'), 'x {result}, y INT').x", "{}"),
    "field_of_json_array": (
        "from_json(concat('[{{\"x\":', CAST({} AS STRING), ',\"y\":7}}]'), 'array<struct<x: {result}, y: INT>>').x[0]",
        "{}",
    ),
    # Both sides are (x, 7), but for NULL, whose struct has NULL for the other field, too.
    "is_struct_of_json": (
        f"(named_struct('x', {_JSON}.x, 'y', {_JSON}.y) = named_struct('x', {{0}}, 'y', 7))",
        "({} IS NOT NULL)",
    ),
    "field_of_csv": ("from_csv(concat(CAST({} AS STRING), ',7'), 'x {result}, y INT').x", "{}"),
}
